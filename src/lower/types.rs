//! Types at a position: a field, an item, a payload.

use super::definitions::{is_boolean_enum, is_construct, is_only_not, is_tuple};
use super::{Lowerer, Path};
use crate::ir::{ArrayType, MapType, Type, TypeKind};
use crate::schema::{Additional, JsonType, SchemaObject};

/// A type, and whether `null` is allowed beside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Position {
    pub(super) ty: Type,
    pub(super) nullable: bool,
}

impl Position {
    fn plain(ty: Type) -> Self {
        Self { ty, nullable: false }
    }

    /// Both as one type.
    pub(super) fn into_type(self) -> Type {
        match self.ty {
            ty @ (Type::Any | Type::Null | Type::Nullable { .. }) => ty,
            ty if self.nullable => Type::Nullable { inner: Box::new(ty) },
            ty => ty,
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Lowers the schema of a position.
    pub(super) fn position(&mut self, schema: &'a SchemaObject, path: &Path) -> Position {
        self.note_wider(schema, path);
        if let Some(reference) = schema.alias_target() {
            self.definition(reference, &path.label);
            self.lose_keys(schema, path);
            return Position::plain(Type::Named { name: reference.name.clone() });
        }
        if let Some((keyword, location)) = schema.unmodelled.first() {
            if !schema.is_typed_object() {
                self.unmodelled(keyword, location, path);
                return Position::plain(Type::Any);
            }
            // A record says so of its parts.
            if !is_construct(schema) {
                for (keyword, location) in &schema.unmodelled {
                    self.lose(keyword, location, path);
                }
            }
        }
        if let Some(not) = schema.not.as_ref().filter(|_| is_only_not(schema)) {
            self.unmodelled("not", &not.location, path);
            return Position::plain(Type::Any);
        }
        if schema.boolean == Some(false) {
            self.unsatisfiable(&schema.location, path);
            return Position::plain(Type::Any);
        }
        if schema.is_unrestricted() {
            self.lose_keys(schema, path);
            return Position::plain(Type::Any);
        }
        if schema.is_null() {
            return Position::plain(Type::Null);
        }
        if let Some(only) = schema.only_member().filter(|only| !is_construct(only)) {
            return self.position(only, path);
        }
        self.branched(schema, path).unwrap_or_else(|| self.unbranched(schema, path))
    }

    /// `anyOf` or `oneOf` with nothing beside it: a nullable type, a single alternative, or a
    /// union to hoist.
    fn branched(&mut self, schema: &'a SchemaObject, path: &Path) -> Option<Position> {
        let branches = schema.branches();
        let is_more = schema.reference.is_some()
            || !schema.properties.is_empty()
            || !schema.required.is_empty()
            || !schema.all_of.is_empty();
        // Beside one that speaks of objects alone stand all other types.
        if branches.is_empty() || is_more || schema.is_of_all_types() {
            return None;
        }
        if !schema.any_of.is_empty() && !schema.one_of.is_empty() {
            self.lose("oneOf", &schema.location, path);
        }
        let nullable = branches.iter().any(SchemaObject::is_null);
        let mut others = branches.iter().filter(|branch| !branch.is_null());
        let (first, second) = (others.next(), others.next());
        Some(match (first, second) {
            (None, _) => Position::plain(Type::Null),
            (Some(only), None) => {
                self.lose_keys(schema, path);
                let inner = self.position(only, path);
                Position { ty: inner.ty, nullable: nullable || inner.nullable }
            }
            (Some(_), Some(_)) => {
                let make =
                    |lowerer: &mut Self, path: &Path| without_null(lowerer.construct(schema, path));
                Position { ty: self.hoist_with(schema, path, make), nullable }
            }
        })
    }

    fn unbranched(&mut self, schema: &'a SchemaObject, path: &Path) -> Position {
        let values = schema.enumeration.iter().flatten();
        let nullable = schema.types.contains(&JsonType::Null)
            || values.clone().any(|(value, _)| value.is_null());
        let mut constants = values.map(|(value, _)| value).filter(|value| !value.is_null());
        let constant = match (&schema.constant, constants.next(), constants.next()) {
            (Some(value), ..) | (None, Some(value), None) => Some(value),
            _ => None,
        };
        if is_boolean_enum(schema) && constant.is_none() {
            return Position { ty: Type::Boolean, nullable };
        }
        if let Some(value) = constant {
            let nullable = nullable && schema.constant.is_none();
            return Position { ty: Type::Literal { value: value.clone() }, nullable };
        }
        if is_construct(schema) {
            return Position { ty: self.hoist(schema, path), nullable };
        }
        let ty = match schema.nonnull_types().next() {
            Some(json_type) => self.of_json_type(json_type, schema, path),
            None if schema.is_of_items() => self.array(schema, path),
            None if matches!(schema.additional, Additional::Schema(_)) => self.map(schema, path),
            None => {
                self.lose_keys(schema, path);
                Type::Any
            }
        };
        Position { ty, nullable }
    }

    /// The type of one of JSON's own types, with the constraints beside it.
    pub(super) fn of_json_type(
        &mut self,
        json_type: JsonType,
        schema: &'a SchemaObject,
        path: &Path,
    ) -> Type {
        match json_type {
            JsonType::Null => Type::Null,
            JsonType::Boolean => Type::Boolean,
            JsonType::Integer => self.integer(schema, path),
            JsonType::Number => self.number(schema, path),
            JsonType::String => self.string(schema, path),
            JsonType::Array => self.array(schema, path),
            JsonType::Object => self.map(schema, path),
        }
    }

    fn array(&mut self, schema: &'a SchemaObject, path: &Path) -> Type {
        if is_tuple(schema) {
            return self.hoist_with(schema, path, |lowerer, path| lowerer.tuple(schema, path));
        }
        let array = self.items(schema, 0, path);
        if array.unique {
            self.unique_items(&array, &schema.location, path);
        }
        Type::Array(array)
    }

    /// The items of an array after so many.
    pub(super) fn items(
        &mut self,
        schema: &'a SchemaObject,
        before: u64,
        path: &Path,
    ) -> ArrayType {
        let (items, most) = match schema.items.as_deref() {
            Some(SchemaObject { boolean: Some(false), .. }) => (Type::Any, Some(before)),
            Some(items) => (self.position(items, &path.child("item")).into_type(), None),
            None => (Type::Any, None),
        };
        let most = schema.max_items.into_iter().chain(most).min();
        self.satisfiable("array", schema.min_items, most, schema, path);
        let left = |count: u64| count.saturating_sub(before);
        ArrayType {
            items: Box::new(items),
            min_items: schema.min_items.map(left).filter(|count| *count > 0),
            max_items: most.map(left),
            unique: schema.unique_items,
        }
    }

    fn map(&mut self, schema: &'a SchemaObject, path: &Path) -> Type {
        let values = match &schema.additional {
            Additional::Schema(values) => self.position(values, &path.child("value")).into_type(),
            _ => Type::Any,
        };
        Type::Map(MapType {
            values: Box::new(values),
            keys: Box::new(self.key_rules(schema, path)),
        })
    }
}

/// A union without the variant for `null`, which stands beside it.
fn without_null(mut kind: TypeKind) -> TypeKind {
    if let TypeKind::Union(union) = &mut kind {
        union.variants.retain(|variant| variant.payload != Some(Type::Null));
    }
    kind
}
