//! Definitions, and inline types hoisted into definitions.

use std::collections::HashSet;

use super::envelope::Envelope;
use super::objects::forbidden;
use super::{Lowerer, Path};
use crate::diagnostic::Diagnostic;
use crate::ir::{CatalogueEntry, Docs, Name, Type, TypeDef, TypeKind};
use crate::schema::{Additional, JsonType, SchemaObject};
use crate::source::Location;

impl<'a> Lowerer<'a> {
    /// Lowers every definition that is not part of the JSON-RPC envelope.
    pub(super) fn define_all(&mut self, envelope: &Envelope<'_>, catalogue: &[CatalogueEntry]) {
        let document = self.document;
        let called = catalogue.iter().flat_map(|entry| [&*entry.input, &*entry.output]);
        let called: HashSet<&str> = called.collect();
        let held = self.held(&envelope.definitions);
        for (name, schema) in &document.definitions {
            if envelope.definitions.contains(name) && !held.contains(name.as_str()) {
                continue;
            }
            let is_payload = schema.annotations.method.is_some()
                || envelope.roles.contains_key(name)
                || called.contains(name.as_str());
            let kind = self.definition_kind(schema, is_payload, &Path::definition(name));
            let def = TypeDef {
                name: chosen_name(name, schema),
                docs: docs(schema, &kind),
                kind,
                roles: Vec::new(),
                inline: false,
                old_name: false,
                location: schema.location.clone(),
            };
            self.types.insert(name.clone(), def);
            for def in std::mem::take(&mut self.hoisted) {
                self.types.insert(def.name.wire.clone(), def);
            }
        }
        self.report_dangling_references();
    }

    /// Decides the kind of a definition. A payload of a method that says nothing of its properties
    /// is a record that has none yet; any other such object is a map.
    fn definition_kind(
        &mut self,
        schema: &'a SchemaObject,
        is_payload: bool,
        path: &Path,
    ) -> TypeKind {
        let mut inner = schema;
        while let Some(only) = inner.only_member() {
            inner = only;
        }
        if is_construct(schema) && schema.types.contains(&JsonType::Null) {
            let make = |lowerer: &mut Self, path: &Path| lowerer.construct(schema, path);
            let inner = self.hoist_part(schema, &path.child("value"), make);
            return TypeKind::Alias { target: Type::Nullable { inner: Box::new(inner) } };
        }
        if is_construct(schema) || is_payload && is_bare_object(inner) {
            self.note_wider(schema, path);
            return self.construct(schema, path);
        }
        // An inline type beside `null` is another one than the definition.
        let value = path.child("value");
        let is_nullable = inner.branches().iter().any(SchemaObject::is_null);
        let path = if is_nullable { &value } else { path };
        TypeKind::Alias { target: self.position(schema, path).into_type() }
    }

    /// Makes a definition of an inline type, named after its place.
    pub(super) fn hoist(&mut self, schema: &'a SchemaObject, path: &Path) -> Type {
        self.hoist_with(schema, path, |lowerer, path| lowerer.construct(schema, path))
    }

    /// Like [`Self::hoist`], with the kind made by `make`.
    pub(super) fn hoist_with(
        &mut self,
        schema: &'a SchemaObject,
        path: &Path,
        make: impl FnOnce(&mut Self, &Path) -> TypeKind,
    ) -> Type {
        self.hoist_named(schema.annotations.name.as_deref(), schema, path, make)
    }

    /// Makes a definition of a part of what a schema is: `x-name` names the whole.
    pub(super) fn hoist_part(
        &mut self,
        schema: &'a SchemaObject,
        path: &Path,
        make: impl FnOnce(&mut Self, &Path) -> TypeKind,
    ) -> Type {
        self.hoist_named(None, schema, path, make)
    }

    fn hoist_named(
        &mut self,
        chosen: Option<&'a str>,
        schema: &'a SchemaObject,
        path: &Path,
        make: impl FnOnce(&mut Self, &Path) -> TypeKind,
    ) -> Type {
        let mut name = chosen.unwrap_or(&path.type_name).to_owned();
        if let Some(other) = self.taken(&name, schema).cloned() {
            let message = format!("the inline type of {} would be called `{name}`", path.label);
            let help = "give the inline type another name with `x-name`, or move it to `$defs`";
            let finding = |finding: Diagnostic| {
                let finding = finding.at(schema.location.clone());
                finding.related(other.clone(), format!("`{name}` is already here")).help(help)
            };
            if chosen.is_some() && self.document.definitions.contains_key(&name) {
                let error = finding(Diagnostic::error("name-collision", message));
                self.diagnostics.push(error);
                return Type::Any;
            }
            let free = self.free_name(&name, chosen.is_some(), schema);
            if chosen.is_none() && !self.names.contains_key(&free) {
                let warning = finding(Diagnostic::warning("name-taken", message));
                self.diagnostics.push(warning.label(format!("it is called `{free}`")));
            }
            name = free;
        }
        if self.names.contains_key(&name) {
            // The same inline type, reached again through a reference that was merged.
            return Type::Named { name };
        }
        let path = Path { type_name: name.clone(), label: path.label.clone() };
        self.names.insert(name.clone(), schema.location.clone());
        self.inline.insert(name.clone(), schema);
        let index = self.hoisted.len();
        let kind = make(self, &path);
        let def = TypeDef {
            name: chosen.map_or_else(|| Name::new(&name), |chosen| Name::chosen(&name, chosen)),
            docs: docs(schema, &kind),
            kind,
            roles: Vec::new(),
            inline: true,
            old_name: false,
            location: schema.location.clone(),
        };
        // Before the types hoisted out of it.
        self.hoisted.insert(index.min(self.hoisted.len()), def);
        Type::Named { name }
    }

    /// The location of another type of this name.
    fn taken(&self, name: &str, schema: &SchemaObject) -> Option<&Location> {
        // Alternatives that were made of one place share its location.
        let differs = |other: &&SchemaObject| !std::ptr::eq(*other, schema) && **other != *schema;
        let is_other = |location: &&Location| {
            **location != schema.location || self.inline.get(name).is_some_and(differs)
        };
        self.names.get(name).filter(is_other)
    }

    /// A name for an inline type whose own is taken: by the whole way to it, or with a number.
    fn free_name(&self, name: &str, is_chosen: bool, schema: &SchemaObject) -> String {
        let longer = longer_name(&schema.location).filter(|_| !is_chosen);
        let base = longer.as_deref().unwrap_or(name);
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let mut names = longer.iter().cloned().chain(numbered);
        names.find(|name| self.taken(name, schema).is_none()).unwrap_or_else(|| name.to_owned())
    }

    /// Lowers what must have a name: a record, a union, an enum or a tuple.
    pub(super) fn construct(&mut self, schema: &'a SchemaObject, path: &Path) -> TypeKind {
        if let Some(kind) = self.enumeration(schema, path) {
            if !schema.any_of.is_empty() && !schema.one_of.is_empty() {
                self.lose("oneOf", &schema.location, path);
            }
            return kind;
        }
        if schema.enumeration.is_some() && schema.branches().is_empty() {
            if let Some(union) = Self::union_of_values(schema) {
                return TypeKind::Union(union);
            }
            self.unmodelled("enum", &schema.location, path);
            return TypeKind::Alias { target: Type::Any };
        }
        if schema.nonnull_types().nth(1).is_some()
            && (schema.branches().is_empty() || schema.is_of_all_types())
        {
            return TypeKind::Union(self.union_of_types(schema, path));
        }
        if is_tuple(schema) && schema.branches().is_empty() {
            return self.tuple(schema, path);
        }
        if let Some(member) = schema.all_of.iter().find(|member| self.is_no_object(member)) {
            self.unmodelled("allOf", &member.location, path);
            return TypeKind::Alias { target: Type::Any };
        }
        if let Some((keyword, location)) = only_unmodelled(schema) {
            self.unmodelled(keyword, location, path);
            return TypeKind::Alias { target: Type::Any };
        }
        self.object(schema, path, None)
    }

    /// Tells whether a member of an `allOf` has no properties to merge, being of another type.
    fn is_no_object(&self, member: &SchemaObject) -> bool {
        match member.alias_target() {
            Some(reference) => {
                let target = self.document.definitions.get(&reference.name);
                target.is_some_and(|target| !target.may_be_object())
            }
            None => !member.may_be_object(),
        }
    }
}

/// The name of an inline type by the whole way to it, with the keywords on it:
/// `OwnerPropertiesPart`. None if the way leads through no definition.
pub(super) fn longer_name(location: &Location) -> Option<String> {
    let pointer = location.pointer.strip_prefix('/')?;
    let (_, way) = pointer.split_once('/')?;
    Some(Name::new(way).pascal())
}

/// The name of a definition: `x-name` decides how it is said in code.
fn chosen_name(wire: &str, schema: &SchemaObject) -> Name {
    match &schema.annotations.name {
        Some(words) => Name::chosen(wire, words),
        None => Name::new(wire),
    }
}

/// Tells whether a schema, once `null` is set aside, describes something that must have a name.
pub(super) fn is_construct(schema: &SchemaObject) -> bool {
    let is_lost = !schema.unmodelled.is_empty() && !schema.is_typed_object();
    if schema.alias_target().is_some() || is_lost || is_only_not(schema) {
        return false;
    }
    let several_types = schema.nonnull_types().nth(1).is_some();
    let values = schema.enumeration.iter().flatten();
    let several_values =
        values.filter(|(value, _)| !value.is_null()).nth(1).is_some() && !is_boolean_enum(schema);
    let branches = !schema.branches().is_empty();
    // One alternative, or one and `null`, is that alternative; but a definition that is a union
    // of one variant today is meant to be one of more tomorrow.
    let nullable_only = schema.branches().iter().any(SchemaObject::is_null)
        && schema.branches().iter().filter(|branch| !branch.is_null()).count() == 1
        && schema.properties.is_empty()
        && schema.required.is_empty()
        && schema.all_of.is_empty();
    let forbids = forbidden(schema).is_some() && has_object(schema);
    (branches && !nullable_only)
        || schema.reference.is_some()
        || forbids
        || several_values
        || (several_types && schema.constant.is_none())
        || (is_tuple(schema) && schema.constant.is_none() && schema.enumeration.is_none())
        || !schema.properties.is_empty()
        || schema.only_member().map_or(!schema.all_of.is_empty(), is_construct)
        || (!schema.required.is_empty() && schema.may_be_object())
        || (matches!(schema.additional, Additional::Denied) && schema.may_be_object())
}

/// The first keyword that cannot be modelled in the members of an `allOf`, where these and what is
/// beside them do not speak of objects.
fn only_unmodelled(schema: &SchemaObject) -> Option<(&str, &Location)> {
    let is_silent = |schema: &SchemaObject| {
        let only = SchemaObject {
            location: schema.location.clone(),
            title: schema.title.clone(),
            docs: schema.docs.clone(),
            all_of: schema.all_of.clone(),
            unmodelled: schema.unmodelled.clone(),
            ..SchemaObject::default()
        };
        only == *schema
    };
    let members = schema.all_of.iter();
    let found = members.clone().flat_map(|it| &it.unmodelled).next();
    let is_all =
        is_silent(schema) && members.clone().all(|it| it.all_of.is_empty() && is_silent(it));
    found.filter(|_| is_all).map(|(keyword, location)| (keyword.as_str(), location))
}

/// Tells whether a schema speaks of items by their places, and an array can be what it is.
pub(super) fn is_tuple(schema: &SchemaObject) -> bool {
    let is_array = schema.types.is_empty() || schema.types.contains(&JsonType::Array);
    is_array && !schema.prefix.is_empty()
}

/// `{"enum": [true, false]}`: a boolean.
pub(super) fn is_boolean_enum(schema: &SchemaObject) -> bool {
    schema
        .enumeration
        .as_ref()
        .is_some_and(|values| values.iter().all(|(value, _)| value.is_boolean() || value.is_null()))
}

/// Tells whether all there is to say is what does not fit.
pub(super) fn is_only_not(schema: &SchemaObject) -> bool {
    schema.not.is_some()
        && schema.properties.is_empty()
        && schema.all_of.is_empty()
        && forbidden(schema).is_none_or(|_| !has_object(schema))
}

/// Tells whether a schema speaks of objects: by a reference, or by its type.
fn has_object(schema: &SchemaObject) -> bool {
    schema.reference.is_some() || schema.types.contains(&JsonType::Object)
}

/// `{"type": "object"}` and nothing more.
pub(super) fn is_bare_object(schema: &SchemaObject) -> bool {
    !is_construct(schema)
        && schema.types.len() == 1
        && schema.types.contains(&JsonType::Object)
        && matches!(schema.additional, Additional::Unspecified | Additional::Allowed)
        && schema.unmodelled.is_empty()
        && schema.single_value().is_none()
}

/// The documentation of a type: what is said of it, and of the tag that its alternatives share.
fn docs(schema: &SchemaObject, kind: &TypeKind) -> Docs {
    let mut docs = schema.docs.clone();
    let tag = match kind {
        TypeKind::Union(union) => union.tag().and_then(|tag| schema.properties.get(&tag.wire)),
        _ => None,
    };
    if let Some(text) = tag.and_then(|tag| tag.docs.description.as_deref()) {
        docs.description = Some(match docs.description {
            Some(own) => format!("{own}\n\n{text}"),
            None => text.to_owned(),
        });
    }
    docs
}
