//! Types as a comparison sees them: what a value can be, whatever the schema calls it.

use serde_json::Value;

use crate::ir::{
    ArrayType, Enum, EnumBase, Field, IntegerType, MapType, NumberType, Protocol, Record, Selector,
    StringType, Type, TypeDef, TypeKind, Union, Variant,
};

/// What a type is, once names are followed and `null` is set aside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolved<'a> {
    pub(super) kind: Kind<'a>,
    /// Whether `null` fits beside it.
    pub(super) nullable: bool,
    /// The definition of the record, union or enum.
    pub(super) def: Option<&'a TypeDef>,
    /// The first definition on the way: the name under which the type is used.
    pub(super) used_as: Option<&'a TypeDef>,
}

/// What a value that is not `null` can be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    Any,
    Null,
    Boolean,
    Integer(&'a IntegerType),
    Number(&'a NumberType),
    String(&'a StringType),
    Literal(&'a Value),
    Array(&'a ArrayType),
    Map(&'a MapType),
    Record(&'a Record),
    Union(&'a Union),
    Enum(&'a Enum),
}

impl Kind<'_> {
    /// Whether it is a value without parts.
    pub(super) fn is_scalar(self) -> bool {
        matches!(
            self,
            Self::Boolean | Self::Integer(_) | Self::Number(_) | Self::String(_) | Self::Literal(_)
        )
    }

    /// What it is, with its article.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Any => "any JSON",
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Literal(_) => "a constant",
            Self::Array(_) => "an array",
            Self::Map(_) => "a map",
            Self::Record(_) => "an object",
            Self::Union(_) => "a union",
            Self::Enum(_) => "an enum",
        }
    }
}

/// Follows names until there is something that is not a name.
pub(super) fn resolve<'a>(protocol: &'a Protocol, ty: &'a Type) -> Resolved<'a> {
    let mut found = Resolved { kind: Kind::Any, nullable: false, def: None, used_as: None };
    let mut current = ty;
    loop {
        found.kind = match current {
            Type::Any => Kind::Any,
            Type::Null => Kind::Null,
            Type::Boolean => Kind::Boolean,
            Type::Integer(integer) => Kind::Integer(integer),
            Type::Number(number) => Kind::Number(number),
            Type::String(string) => Kind::String(string),
            Type::Literal { value } => Kind::Literal(value),
            Type::Array(array) => Kind::Array(array),
            Type::Map(map) => Kind::Map(map),
            Type::Nullable { inner } => {
                found.nullable = true;
                current = inner;
                continue;
            }
            Type::Named { name } => {
                let Some(def) = protocol.types.get(name) else { return found };
                found.used_as = found.used_as.or(Some(def));
                match &def.kind {
                    TypeKind::Alias { target } => {
                        current = target;
                        continue;
                    }
                    TypeKind::Record(record) => {
                        found.def = Some(def);
                        Kind::Record(record)
                    }
                    TypeKind::Union(union) => {
                        found.def = Some(def);
                        Kind::Union(union)
                    }
                    TypeKind::Enum(of) => {
                        found.def = Some(def);
                        Kind::Enum(of)
                    }
                }
            }
        };
        found.nullable |= matches!(found.kind, Kind::Any | Kind::Null);
        return found;
    }
}

/// One of the forms that a value of a type can have.
#[derive(Clone, Debug)]
pub(super) enum Alternative<'a> {
    Any,
    Null,
    Boolean,
    Integer(&'a IntegerType),
    Number(&'a NumberType),
    String(Option<&'a StringType>),
    Constant(&'a Value),
    Array(&'a ArrayType),
    Map(&'a Type),
    Object(Object<'a>),
}

/// An object with named members.
#[derive(Clone, Debug, Default)]
pub(super) struct Object<'a> {
    pub(super) members: Vec<Member<'a>>,
    /// Whether no other members are allowed.
    pub(super) closed: bool,
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) content: Content<'a>,
    pub(super) required: bool,
    pub(super) nullable: bool,
}

/// What a member holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// A value of a type.
    Type(&'a Type),
    /// This tag.
    Tag(&'a str),
    /// Any tag that is none of this union's.
    OtherTag(&'a Union),
}

impl<'a> Object<'a> {
    pub(super) fn of(fields: impl IntoIterator<Item = &'a Field>, closed: bool) -> Self {
        Self { members: fields.into_iter().map(Member::of).collect(), closed }
    }

    pub(super) fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl<'a> Member<'a> {
    fn of(field: &'a Field) -> Self {
        Self {
            name: &field.name.wire,
            content: Content::Type(&field.ty),
            required: field.presence.is_required(),
            nullable: field.presence.is_nullable(),
        }
    }
}

/// Every form that a value of a type can have.
pub(super) fn alternatives<'a>(protocol: &'a Protocol, ty: &'a Type) -> Vec<Alternative<'a>> {
    Unfolding { protocol, open: Vec::new() }.alternatives(ty)
}

/// Unfolds unions into their variants, and those that are unions into theirs.
struct Unfolding<'a> {
    protocol: &'a Protocol,
    /// The unions that are being unfolded: one that is a variant of itself adds nothing.
    open: Vec<&'a str>,
}

impl<'a> Unfolding<'a> {
    fn alternatives(&mut self, ty: &'a Type) -> Vec<Alternative<'a>> {
        let protocol = self.protocol;
        let resolved = resolve(protocol, ty);
        let mut found = Vec::new();
        if resolved.nullable && !matches!(resolved.kind, Kind::Any | Kind::Null) {
            found.push(Alternative::Null);
        }
        match resolved.kind {
            Kind::Any => found.push(Alternative::Any),
            Kind::Null => found.push(Alternative::Null),
            Kind::Boolean => found.push(Alternative::Boolean),
            Kind::Integer(integer) => found.push(Alternative::Integer(integer)),
            Kind::Number(number) => found.push(Alternative::Number(number)),
            Kind::String(string) => found.push(Alternative::String(Some(string))),
            Kind::Literal(value) => found.push(Alternative::Constant(value)),
            Kind::Array(array) => found.push(Alternative::Array(array)),
            Kind::Map(map) => found.push(Alternative::Map(&map.values)),
            Kind::Record(record) => found.push(Alternative::Object(object(record))),
            Kind::Enum(of) => {
                found.extend(of.values.iter().map(|value| Alternative::Constant(&value.value)));
                match (&of.open, &of.base) {
                    (Some(_), EnumBase::String) => found.push(Alternative::String(None)),
                    (Some(_), EnumBase::Integer(integer)) => {
                        found.push(Alternative::Integer(integer));
                    }
                    (None, _) => {}
                }
            }
            Kind::Union(union) => {
                let name = resolved.def.map_or("", |def| def.name.wire.as_str());
                if self.open.contains(&name) {
                    return found;
                }
                self.open.push(name);
                for variant in &union.variants {
                    found.extend(self.variant(union, variant));
                }
                found.extend(self.unlisted(union));
                self.open.pop();
            }
        }
        found
    }

    fn variant(&mut self, union: &'a Union, variant: &'a Variant) -> Vec<Alternative<'a>> {
        let tag = match (&variant.selector, union.tag()) {
            (Selector::Tag { value }, Some(tag)) => Some(Member {
                name: &tag.wire,
                content: Content::Tag(value),
                required: true,
                nullable: false,
            }),
            _ => None,
        };
        self.in_one_object(union, tag, variant.payload.as_ref())
    }

    fn unlisted(&mut self, union: &'a Union) -> Vec<Alternative<'a>> {
        let (Some(open), Some(tag)) = (&union.open, union.tag()) else { return Vec::new() };
        let tag = Member {
            name: &tag.wire,
            content: Content::OtherTag(union),
            required: true,
            nullable: false,
        };
        self.in_one_object(union, Some(tag), open.payload.as_ref())
    }

    fn in_one_object(
        &mut self,
        union: &'a Union,
        tag: Option<Member<'a>>,
        payload: Option<&'a Type>,
    ) -> Vec<Alternative<'a>> {
        let beside: Vec<Member<'a>> =
            tag.into_iter().chain(union.shared.iter().map(Member::of)).collect();
        let Some(payload) = payload else {
            return vec![Alternative::Object(Object { members: beside, closed: false })];
        };
        let mut found = self.alternatives(payload);
        if !beside.is_empty() {
            for alternative in &mut found {
                if let Alternative::Object(object) = alternative {
                    let mut members = beside.clone();
                    let own = object.members.iter().copied();
                    members.extend(own.filter(|own| beside.iter().all(|m| m.name != own.name)));
                    object.members = members;
                }
            }
        }
        found
    }
}

/// The object that a record describes.
pub(super) fn object(record: &Record) -> Object<'_> {
    Object::of(&record.fields, record.unknown.is_denied())
}

/// Every form of one variant, its tag and the shared fields included.
pub(super) fn variant_alternatives<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
    variant: &'a Variant,
) -> Vec<Alternative<'a>> {
    Unfolding { protocol, open: Vec::new() }.variant(union, variant)
}

/// Every form of a variant that a union does not list.
pub(super) fn open_alternatives<'a>(
    protocol: &'a Protocol,
    union: &'a Union,
) -> Vec<Alternative<'a>> {
    Unfolding { protocol, open: Vec::new() }.unlisted(union)
}
