//! Unions: how variants are told apart, and what each carries.

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;

use super::definitions::{is_bare_object, is_construct};
use super::enums::{number_name, open_name};
use super::objects::forbidden;
use super::{Lowerer, Path};
use crate::ir::{
    Docs, Field, JsonType as Kind, Name, OpenVariant, Record, Selector, Tagging, Type, TypeKind,
    Union, UnknownProperties, Variant,
};
use crate::schema::{Additional, JsonType, Reference, SchemaObject};
use crate::source::Location;

/// A property that an object has by itself or through what it refers to.
pub(super) struct VisibleProperty<'a> {
    pub(super) name: &'a str,
    pub(super) schema: &'a SchemaObject,
    pub(super) required: bool,
    /// True if the branch itself lists it.
    own: bool,
}

impl<'a> Lowerer<'a> {
    /// Lowers the alternatives of a schema. `shared` are the fields beside them, of these
    /// properties.
    pub(super) fn union(
        &mut self,
        schema: &'a SchemaObject,
        mut shared: Vec<Field>,
        properties: &IndexMap<&'a str, (&'a SchemaObject, Path)>,
        path: &Path,
    ) -> Union {
        let branches = schema.branches();
        let tag = self.tag(schema, branches);
        // The tag may be listed beside the union as well: only some of the variants may be left
        // then.
        let beside = tag.as_deref().and_then(|tag| properties.get(tag)).map(|(it, _)| *it);
        let mut known: IndexSet<&str> = IndexSet::new();
        shared.retain(|field| Some(&field.name.wire) != tag.as_ref());
        let mut union = Union {
            tagging: match &tag {
                Some(property) => Tagging::Internal { property: Name::new(property) },
                None => Tagging::Shape,
            },
            shared,
            variants: Vec::new(),
            open: None,
            discriminator: schema.discriminator.clone(),
            shorthand: None,
            state: None,
        };
        let is_object = !union.shared.is_empty() || schema.is_object();
        let mut open_branch = None;
        for branch in branches {
            let tag = tag.as_deref();
            if let Some(value) = tag.and_then(|tag| self.tag_value(branch, tag)) {
                known.insert(value);
                if beside.is_some_and(|it| !self.takes(it, &Value::from(value))) {
                    continue;
                }
                let variant = self.tagged_variant(branch, tag.unwrap_or_default(), value, path);
                union.variants.push(variant);
            } else if open_branch.is_none()
                && tag.is_some_and(|tag| self.is_open_branch(branch, tag))
            {
                open_branch = Some((branch, union.variants.len()));
            } else {
                let has_shared = !union.shared.is_empty();
                let variant = self.untagged_variant(branch, (is_object, has_shared), path);
                union.variants.push(variant);
            }
        }
        if let (Some((branch, position)), Some(tag)) = (open_branch, &tag)
            && beside.is_none_or(|it| self.has_other_tags(it, &known, path))
        {
            union.open = Some(self.open_variant(branch, position, tag, &union.variants, path));
        }
        if let Some(beside) = beside.filter(|_| union.variants.is_empty() && union.open.is_none()) {
            self.unsatisfiable(&beside.location, path);
        }
        self.name_classes(schema, &mut union, path);
        union
    }

    /// A union of JSON's own types, from an array of names in `type`.
    pub(super) fn union_of_types(&mut self, schema: &'a SchemaObject, path: &Path) -> Union {
        let variants = schema.nonnull_types().map(|json_type| {
            let name = Name::new(json_type.name());
            let place = path.child_named(&name);
            let ty = if json_type == JsonType::Object && is_record(schema) {
                let make = |lowerer: &mut Self, path: &Path| lowerer.object(schema, path, None);
                self.hoist_part(schema, &place, make)
            } else {
                self.of_json_type(json_type, schema, &place)
            };
            untagged(name, ty, Docs::default(), &schema.location)
        });
        of_shapes(variants.collect())
    }

    /// A union of constants that are not all of one kind, so that they are no enum. `None` if one
    /// of them is an object or an array.
    pub(super) fn union_of_values(schema: &SchemaObject) -> Option<Union> {
        let values = schema.enumeration.as_ref()?.iter().filter(|(value, _)| !value.is_null());
        let variants: Option<Vec<Variant>> = values
            .map(|(value, location)| {
                let name = match value {
                    Value::String(text) => Name::new(text),
                    Value::Bool(_) => Name::new(value.to_string()),
                    Value::Number(_) => number_name(value),
                    Value::Null | Value::Array(_) | Value::Object(_) => return None,
                };
                let constant = Type::Literal { value: value.clone() };
                Some(untagged(name, constant, Docs::default(), location))
            })
            .collect();
        Some(of_shapes(variants?))
    }

    /// The property that tells the branches apart: required, a different string constant in
    /// each branch that has it, and had by most. A property that branches list themselves comes
    /// before one behind a `$ref`; the `discriminator`'s before others that do as well.
    fn tag(&mut self, union: &SchemaObject, branches: &'a [SchemaObject]) -> Option<String> {
        #[derive(Default)]
        struct Candidate<'a> {
            values: IndexSet<&'a str>,
            own: usize,
            repeated: bool,
        }
        let mut candidates: IndexMap<&str, Candidate<'_>> = IndexMap::new();
        for branch in branches {
            for property in self.visible_properties(branch) {
                let value = property.schema.single_value().and_then(|value| value.as_str());
                if let (true, Some(value)) = (property.required, value) {
                    let candidate = candidates.entry(property.name).or_default();
                    candidate.repeated |= !candidate.values.insert(value);
                    candidate.own += usize::from(property.own);
                }
            }
        }
        let hinted = |name: &str| union.discriminator.as_deref() == Some(name);
        let mut best: Option<(&str, (usize, usize, bool))> = None;
        for (name, candidate) in candidates.iter().filter(|(_, candidate)| !candidate.repeated) {
            let rank = (candidate.own, candidate.values.len(), hinted(name));
            if best.is_none_or(|(_, best)| rank > best) {
                best = Some((name, rank));
            }
        }
        best.map(|(name, _)| name.to_owned())
    }

    pub(super) fn tag_value(&mut self, branch: &'a SchemaObject, tag: &str) -> Option<&'a str> {
        self.visible_properties(branch)
            .into_iter()
            .find(|property| property.name == tag && property.required)
            .and_then(|property| property.schema.single_value()?.as_str())
    }

    /// Tells whether a branch is for tags that no other branch has: the tag is required, a string,
    /// and no constant; usually a `not` excludes the known ones.
    pub(super) fn is_open_branch(&mut self, branch: &'a SchemaObject, tag: &str) -> bool {
        self.visible_properties(branch).iter().any(|property| {
            property.name == tag
                && property.required
                && property.schema.types.contains(&JsonType::String)
                && property.schema.enumeration.is_none()
                && property.schema.constant.is_none()
        })
    }

    fn tagged_variant(
        &mut self,
        branch: &'a SchemaObject,
        tag: &str,
        value: &str,
        path: &Path,
    ) -> Variant {
        let chosen = branch.annotations.name.as_deref();
        let name = chosen.map_or_else(|| Name::new(value), |name| Name::chosen(name, name));
        let payload = self.payload(branch, tag, &path.child_named(&name));
        Variant {
            name,
            class_name: None,
            inner_class_names: IndexMap::new(),
            selector: Selector::Tag { value: value.to_owned() },
            payload,
            capabilities: self.needed_capabilities(branch),
            docs: branch.docs.clone(),
            tag_docs: tag_docs(branch, tag),
            location: branch.location.clone(),
        }
    }

    /// The payload of a branch beside its tag. A single reference is that definition; anything
    /// written inline, or a definition that lists the tag itself, becomes a type of its own.
    fn payload(&mut self, branch: &'a SchemaObject, tag: &str, path: &Path) -> Option<Type> {
        let own = branch.properties.keys().any(|name| name != tag);
        let nothing_else = !own
            && branch.branches().is_empty()
            && branch.unmodelled.is_empty()
            && branch.keys.keywords.is_empty()
            && forbidden(branch).is_none();
        if nothing_else && branch.additional == Additional::Denied {
            // There is no type that could deny what stands beside the tag.
            self.lose("additionalProperties", &branch.location, path);
        }
        let references: Vec<_> = branch.all_of.iter().map(SchemaObject::alias_target).collect();
        let only = branch.reference.as_deref().or(references.first().copied().flatten());
        let keeps = matches!(branch.additional, Additional::Allowed | Additional::Schema(_));
        let of_branch = |lowerer: &mut Self, path: &Path| lowerer.object(branch, path, Some(tag));
        match (nothing_else, only, branch.all_of.len() + usize::from(branch.reference.is_some())) {
            (true, _, 0) if self.is_open_branch(branch, tag) => None,
            (true, _, 0) if !keeps => None,
            (true, Some(reference), 1) if !keeps => {
                let reference = self.nonnull(reference);
                let (_, target) = self.resolve(reference, &path.label)?;
                if self.has_property(target, tag) || target.types.contains(&JsonType::Null) {
                    return Some(self.hoist_with(branch, path, of_branch));
                }
                if is_bare_object(target) {
                    // Its members stand beside the tag, which a map could not tell apart.
                    let unknown = UnknownProperties::Kept { ty: Type::Any };
                    let (fields, forbidden) = (Vec::new(), Vec::new());
                    let keys = self.key_rules(target, path);
                    let record = Record { fields, unknown, forbidden, keys };
                    let record = TypeKind::Record(record);
                    return Some(self.hoist_with(branch, path, |_, _| record));
                }
                Some(Type::Named { name: reference.name.clone() })
            }
            _ => Some(self.hoist_with(branch, path, of_branch)),
        }
    }

    /// The definition that a nullable one is about: what stands beside a tag is not `null`.
    fn nonnull(&self, reference: &'a Reference) -> &'a Reference {
        let mut inner = reference;
        // No chain of definitions is longer than their number.
        for _ in 0..self.document.definitions.len() {
            let Some(target) = self.document.definitions.get(&inner.name) else { break };
            let [one, other] = target.branches() else { break };
            let only = if one.is_null() { other } else { one };
            match only.alias_target() {
                Some(next) if one.is_null() || other.is_null() => inner = next,
                _ => break,
            }
        }
        inner
    }

    fn open_variant(
        &mut self,
        branch: &'a SchemaObject,
        position: usize,
        tag: &str,
        variants: &[Variant],
        path: &Path,
    ) -> OpenVariant {
        let title = branch.annotations.name.as_deref().or(branch.title.as_deref());
        let name =
            open_name(title, |words| variants.iter().any(|variant| variant.name.words == words));
        let payload = self.payload(branch, tag, &path.child_named(&name));
        let mut visible = self.visible_properties(branch).into_iter();
        if let Some(property) = visible.find(|property| property.name == tag) {
            self.lose_lengths(property.schema, path);
        }
        OpenVariant {
            name,
            class_name: None,
            payload,
            position,
            docs: branch.docs.clone(),
            tag_docs: tag_docs(branch, tag),
            location: branch.location.clone(),
        }
    }

    /// A variant that its shape tells. `is_object`: the union is one of objects, with some of their
    /// members if `has_shared`.
    fn untagged_variant(
        &mut self,
        branch: &'a SchemaObject,
        (is_object, has_shared): (bool, bool),
        path: &Path,
    ) -> Variant {
        let name = untagged_name(branch);
        let place = inline_path(path, &name);
        let target = branch.alias_target().and_then(|it| self.resolve(it, &path.label));
        let is_whole = branch.constant.is_some() && !has_shared;
        let payload = if branch.is_null() {
            Type::Null
        } else if is_object
            && !is_whole
            && has_no_names(target.map_or(branch, |(_, target)| target))
        {
            // Members that nothing names stand beside those of the object.
            self.hoist_with(branch, &place, |lowerer, path| lowerer.object(branch, path, None))
        } else {
            self.position(branch, &place).into_type()
        };
        let capabilities = self.needed_capabilities(branch);
        let variant = untagged(name, payload, branch.docs.clone(), &branch.location);
        Variant { capabilities, ..variant }
    }

    /// The properties of an object and of everything it refers to, the object's own first.
    pub(super) fn visible_properties(
        &mut self,
        schema: &'a SchemaObject,
    ) -> Vec<VisibleProperty<'a>> {
        let mut found: IndexMap<&str, VisibleProperty<'_>> = IndexMap::new();
        let mut required: IndexSet<&str> = IndexSet::new();
        let mut pending = vec![(schema, true)];
        let mut visited: IndexSet<*const SchemaObject> = IndexSet::new();
        while let Some((schema, own)) = pending.pop() {
            if !visited.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            required.extend(schema.required.iter().map(String::as_str));
            for (name, property) in &schema.properties {
                found.entry(name).or_insert(VisibleProperty {
                    name,
                    schema: property,
                    required: false,
                    own,
                });
            }
            let referred = schema
                .reference
                .as_ref()
                .and_then(|reference| self.document.definitions.get(&reference.name));
            pending.extend(referred.map(|target| (target, false)));
            pending.extend(schema.all_of.iter().rev().map(|member| (member, own)));
        }
        let with_required = |property: VisibleProperty<'a>| VisibleProperty {
            required: required.contains(property.name),
            ..property
        };
        found.into_values().map(with_required).collect()
    }
}

/// A variant that is recognised by its type.
fn tag_docs(branch: &SchemaObject, tag: &str) -> Docs {
    branch.properties.get(tag).map(|property| property.docs.clone()).unwrap_or_default()
}

fn untagged(name: Name, ty: Type, docs: Docs, location: &Location) -> Variant {
    let selector = Selector::Untagged;
    let capabilities = Vec::new();
    Variant {
        name,
        class_name: None,
        inner_class_names: IndexMap::new(),
        selector,
        payload: Some(ty),
        capabilities,
        docs,
        tag_docs: Docs::default(),
        location: location.clone(),
    }
}

/// Tells whether nothing names properties of the objects among the values of a schema: any JSON, or
/// a map.
fn has_no_names(schema: &SchemaObject) -> bool {
    schema.is_of_all_types()
        || !is_construct(schema)
            && schema.may_be_object()
            && schema.nonnull_types().all(|ty| ty == JsonType::Object)
}

/// Tells whether the objects among the values of a schema are more than maps.
fn is_record(schema: &SchemaObject) -> bool {
    !schema.properties.is_empty()
        || !schema.required.is_empty()
        || schema.additional == Additional::Denied
        || schema.reference.is_some()
        || !schema.all_of.is_empty()
        || !schema.branches().is_empty()
        || forbidden(schema).is_some()
}

/// A union of variants that are told apart by what they are.
fn of_shapes(variants: Vec<Variant>) -> Union {
    Union {
        tagging: Tagging::Shape,
        shared: Vec::new(),
        variants,
        open: None,
        discriminator: None,
        shorthand: None,
        state: None,
    }
}

/// The name of a variant that no tag selects: its title, the definition it refers to, or the
/// JSON type it is.
fn untagged_name(branch: &SchemaObject) -> Name {
    if let Some(name) = branch.annotations.name.as_deref() {
        return Name::chosen(name, name);
    }
    if let Some(title) = branch.title.as_deref() {
        return Name::new(title);
    }
    if let Some(reference) = branch.alias_target() {
        return Name::new(&reference.name);
    }
    if let Some(value) = branch.single_value() {
        return Name::new(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    if let Some(first) = branch.prefix.first() {
        return Name::new(format!("{} tuple", untagged_name(first).words.join(" ")));
    }
    if let Some(items) = branch.items.as_deref() {
        // `StringArray`, `OptionArray`: what two arrays in one union differ by.
        return Name::new(format!("{} array", untagged_name(items).words.join(" ")));
    }
    let values = branch.enumeration.iter().flatten().map(|(value, _)| Kind::from_value(value));
    let of_values: IndexSet<JsonType> = values.map(JsonType::from).collect();
    let is_said = !branch.types.is_empty() || of_values.len() != 1;
    let types = if is_said { &branch.types } else { &of_values };
    let types: Vec<_> = types.iter().map(|json_type| json_type.name()).collect();
    match types.as_slice() {
        [] if !branch.properties.is_empty() => Name::new(JsonType::Object.name()),
        [] => Name::new("any"),
        names => Name::new(names.join(" ")),
    }
}

/// The name for an inline alternative's own type: the union's name and the variant's; or the
/// variant's alone where it repeats the end of the union's (`UnstructuredCommandInput` in
/// `AvailableCommandInput`).
fn inline_path(path: &Path, name: &Name) -> Path {
    let owner = Name::new(&path.type_name);
    let repeats = name.words.len() > 1 && owner.words.last() == name.words.last();
    let child = path.child_named(name);
    if repeats { Path { type_name: name.pascal(), ..child } } else { child }
}
