//! Objects: properties, merged with those of `allOf`, and a union beside them.

use indexmap::{IndexMap, IndexSet};

use super::{Lowerer, Path};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Docs, Field, KeyChoice, KeyRules, Leniency, Name, Presence, Record, Type, TypeKind,
    UnknownProperties, Unmodelled,
};
use crate::schema::{Additional, JsonType, Reference, SchemaObject};
use crate::source::{Location, MAX_DEPTH};

/// The parts of an object, gathered from a schema and everything it refers to with `allOf`.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// Each property, and the place that types hoisted out of it are named after.
    pub(super) properties: IndexMap<&'a str, (&'a SchemaObject, Path)>,
    pub(super) required: IndexSet<&'a str>,
    /// The alternatives beside the properties.
    pub(super) union: Option<(&'a SchemaObject, Path)>,
    /// Properties of further alternatives, of which it is not checked which ones go together.
    pub(super) loose: IndexSet<&'a str>,
    pub(super) unknown: UnknownProperties,
    pub(super) forbidden: Vec<Vec<String>>,
    /// The keywords that say so, with their locations.
    pub(super) forbidding: Vec<(&'static str, &'a Location)>,
    pub(super) keys: KeyRules,
    /// The parts that restrict other properties than their own.
    pub(super) closed: Vec<&'a SchemaObject>,
    /// The schema of other properties, where `unknown` has it from one.
    pub(super) values: Option<&'a SchemaObject>,
    /// True for an alternative that its tag tells.
    pub(super) is_tagged: bool,
    /// The definitions merged so far.
    pub(super) merged: IndexSet<String>,
    /// The definitions being merged, one by the other. Two of them may merge a third.
    pub(super) way: Vec<String>,
    /// The number of definitions that the one being merged is merged by, one by the other.
    pub(super) depth: usize,
}

impl<'a> Lowerer<'a> {
    /// Lowers an object: a record, or a union with the properties beside it shared. Leaves out
    /// the property `tag`, which is not part of a tagged variant's payload.
    pub(super) fn object(
        &mut self,
        schema: &'a SchemaObject,
        path: &Path,
        tag: Option<&str>,
    ) -> TypeKind {
        let mut parts = Parts { is_tagged: tag.is_some(), ..Parts::default() };
        self.gather(schema, path, &mut parts);
        if let Some(tag) = tag {
            parts.properties.shift_remove(tag);
            parts.required.shift_remove(tag);
        }
        let fields = self.fields_of(&parts, schema, path);
        let Some((union, union_path)) = parts.union.clone() else {
            self.tell_of_closed(&parts, schema, tag, path);
            let Parts { unknown, forbidden, keys, .. } = parts;
            return TypeKind::Record(Record { fields, unknown, forbidden, keys });
        };
        for (keyword, location) in &parts.forbidding {
            self.unenforced(keyword, location, path);
        }
        let others = (!parts.closed.is_empty()).then_some("additionalProperties");
        let is_required = |name: &&str| !parts.properties.contains_key(name);
        let mut wanted = parts.required.iter().copied().filter(is_required);
        let required = wanted.any(|name| !self.always_required(union, name)).then_some("required");
        let keywords = parts.keys.keywords().chain(others).chain(required);
        for keyword in keywords.collect::<Vec<_>>() {
            self.lose(keyword, &schema.location, path);
        }
        self.tell_of_closed_branches(&parts, union, path);
        // An open variant is kept as it came.
        let is_raw = tag.is_some_and(|tag| self.is_open_branch(schema, tag));
        if parts.unknown.kept().is_some() && !is_raw {
            self.unkept(schema, path);
        }
        let lowered = self.union(union, fields, &parts.properties, &union_path);
        self.tell_of_tag(&parts, union, &lowered, path);
        TypeKind::Union(lowered)
    }

    /// Tells whether an object, with everything it refers to, has this property.
    pub(super) fn has_property(&mut self, schema: &'a SchemaObject, name: &str) -> bool {
        self.visible_properties(schema).iter().any(|property| property.name == name)
    }

    /// Tells whether each alternative that may be an object requires a property itself.
    fn always_required(&mut self, union: &'a SchemaObject, name: &str) -> bool {
        union.branches().iter().filter(|branch| branch.may_be_object()).all(|branch| {
            let mut visible = self.visible_properties(branch).into_iter();
            branch.required.contains(name) || visible.any(|it| it.name == name && it.required)
        })
    }

    fn fields_of(&mut self, parts: &Parts<'a>, schema: &SchemaObject, path: &Path) -> Vec<Field> {
        let mut fields: Vec<Field> = parts
            .properties
            .iter()
            .map(|(name, (property, owner))| {
                self.field(name, property, parts.required.contains(name), owner)
            })
            .collect();
        for name in &parts.required {
            if parts.forbidden.iter().any(|names| names.iter().eq([*name])) {
                self.unsatisfiable(&schema.location, path);
                continue;
            }
            // A union's alternatives may describe what the object as a whole requires.
            if parts.properties.contains_key(name) || parts.union.is_some() {
                continue;
            }
            self.undeclared(name, schema, path);
            fields.push(any_field(name, Presence::Required, schema));
        }
        let is_lost = parts.unknown == UnknownProperties::Unspecified;
        let choices = parts.keys.choices.iter().filter(|_| is_lost && parts.union.is_none());
        for name in choices.flat_map(|it| it.sets.iter().flatten()) {
            if !fields.iter().any(|field| field.name.wire == *name) {
                self.undeclared(name, schema, path);
                fields.push(any_field(name, Presence::Optional, schema));
            }
        }
        let loose = parts.loose.iter().filter(|name| !parts.properties.contains_key(**name));
        fields.extend(loose.map(|name| any_field(name, Presence::Optional, schema)));
        order_required(&mut fields, &parts.required);
        fields
    }

    fn undeclared(&mut self, name: &str, schema: &SchemaObject, path: &Path) {
        self.diagnostics.push(
            Diagnostic::warning(
                "undeclared-required",
                format!("{} requires `{name}`, which is not among its properties", path.label),
            )
            .at(schema.location.clone())
            .label("taken as any JSON")
            .help("describe it in `properties`, or remove it from `required`"),
        );
    }

    fn gather(&mut self, schema: &'a SchemaObject, path: &Path, parts: &mut Parts<'a>) {
        for (keyword, location) in &schema.unmodelled {
            self.lose(keyword, location, path);
        }
        if schema.constant.is_some() {
            self.lose("const", &schema.location, path);
        }
        if schema.enumeration.is_some() {
            self.lose("enum", &schema.location, path);
        }
        if !schema.keys.keywords.is_empty() {
            let more = self.key_rules(schema, path);
            self.add_key_rules(&mut parts.keys, more, &schema.location, path);
        }
        for (name, property) in &schema.properties {
            if property.denied {
                parts.forbidden.push(vec![name.clone()]);
                parts.forbidding.push(("properties", &property.location));
            } else {
                parts.properties.insert(name, (property, path.clone()));
            }
        }
        match (&schema.not, forbidden(schema)) {
            (Some(not), Some(sets)) => {
                parts.forbidden.extend(sets);
                parts.forbidding.push(("not", &not.location));
            }
            // What an alternative with a tag denies are other tags.
            (Some(not), None) if !parts.is_tagged => self.lose("not", &not.location, path),
            _ => {}
        }
        parts.required.extend(schema.required.iter().map(String::as_str));
        match &schema.additional {
            Additional::Unspecified => {}
            Additional::Allowed => {
                parts.unknown = UnknownProperties::Kept { ty: Type::Any };
                parts.values = None;
            }
            Additional::Schema(values) => {
                let ty = self.position(values, &path.child("additional")).into_type();
                parts.unknown = UnknownProperties::Kept { ty };
                parts.values = Some(values);
                parts.closed.push(schema);
            }
            Additional::Denied => {
                parts.unknown = UnknownProperties::Denied;
                parts.closed.push(schema);
            }
        }
        if schema.unmodelled.iter().any(|(keyword, _)| keyword == "patternProperties") {
            parts.unknown = UnknownProperties::Kept { ty: Type::Any };
            parts.values = None;
        }
        if !schema.branches().is_empty() {
            if parts.union.is_some() || (!schema.any_of.is_empty() && !schema.one_of.is_empty()) {
                self.unenforced("a second union in one object", &schema.location, path);
                self.lost.push(Unmodelled { path: path.label.clone(), is_any: false });
                let is_first = parts.union.is_none();
                let more = if is_first { schema.one_of.as_slice() } else { schema.branches() };
                let found = more.iter().flat_map(|branch| self.visible_properties(branch));
                parts.loose.extend(found.map(|property| property.name));
            }
            if parts.union.is_none() {
                parts.union = Some((schema, path.clone()));
            }
        }
        if let Some(reference) = &schema.reference {
            self.gather_reference(reference, path, parts);
        }
        for member in &schema.all_of {
            match member.alias_target().filter(|_| member.keys.keywords.is_empty()) {
                Some(reference) => self.gather_reference(reference, path, parts),
                None => self.gather(member, path, parts),
            }
        }
        for (name, narrowed) in &*schema.narrowed {
            if narrowed.denied && parts.properties.shift_remove(name.as_str()).is_some() {
                parts.forbidden.push(vec![name.clone()]);
                parts.forbidding.push(("properties", &narrowed.location));
            } else if let Some((property, _)) = parts.properties.get_mut(name.as_str()) {
                *property = narrowed;
            }
        }
    }

    fn gather_reference(&mut self, reference: &'a Reference, path: &Path, parts: &mut Parts<'a>) {
        if self.is_too_deep {
            return;
        }
        let Some((name, schema)) = self.resolve(reference, &path.label) else { return };
        if parts.depth == MAX_DEPTH {
            self.is_too_deep = true;
            self.diagnostics.push(
                Diagnostic::error(
                    "too-deep",
                    format!(
                        "{} is the last of {MAX_DEPTH} objects that merge each other",
                        path.label
                    ),
                )
                .at(reference.location.clone())
                .help("list the properties in fewer definitions"),
            );
        } else if parts.merged.insert(name.clone()) {
            parts.depth += 1;
            parts.way.push(name.clone());
            self.gather(schema, &Path::definition(&name), parts);
            parts.way.pop();
            parts.depth -= 1;
        } else if parts.way.contains(&name) {
            self.diagnostics.push(
                Diagnostic::error("cyclic-ref", format!("{} merges `{name}` twice", path.label))
                    .at(reference.location.clone())
                    .help("an `allOf` must not lead back to a definition it has merged already"),
            );
        }
    }

    fn unkept(&mut self, schema: &SchemaObject, path: &Path) {
        self.diagnostics.push(
            Diagnostic::warning(
                "unkept-additional",
                format!("the additional properties of {} are not kept", path.label),
            )
            .at(schema.location.clone())
            .label("an object with a union in it has no place for them")
            .help("put them into a property that is a map, or into the variants"),
        );
    }
}

/// The properties that an object must not have all of, by sets: what `not` requires, if that is all
/// it says.
pub(super) fn forbidden(schema: &SchemaObject) -> Option<Vec<Vec<String>>> {
    let not = schema.not.as_deref()?;
    let is_object = not.types.iter().all(|ty| *ty == JsonType::Object);
    let says_more = !not.properties.is_empty()
        || not.reference.is_some()
        || not.not.is_some()
        || !not.all_of.is_empty()
        || !not.branches().is_empty()
        || not.additional != Additional::Unspecified
        || not.keys.keywords.len() > not.keys.choices.len()
        || !not.unmodelled.is_empty();
    if !is_object || says_more {
        return None;
    }
    match (not.required.is_empty(), not.keys.choices.as_slice()) {
        (false, []) => Some(vec![in_order(not.required.iter())]),
        (true, [KeyChoice { sets, only_one: false }]) => Some(sets.iter().map(in_order).collect()),
        _ => None,
    }
}

/// The names of a set, in an order of their own.
fn in_order<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().cloned().collect();
    names.sort();
    names
}

/// Puts the required fields into the order of `required`, in the places where required ones stand.
fn order_required(fields: &mut [Field], required: &IndexSet<&str>) {
    let is_required = |field: &Field| field.presence.is_required();
    let mut ordered: Vec<Field> = fields.iter().filter(|it| is_required(it)).cloned().collect();
    ordered.sort_by_key(|field| required.get_index_of(field.name.wire.as_str()));
    let mut ordered = ordered.into_iter();
    for place in fields.iter_mut().filter(|field| is_required(field)) {
        if let Some(field) = ordered.next() {
            *place = field;
        }
    }
}

/// A field of any JSON.
fn any_field(name: &str, presence: Presence, schema: &SchemaObject) -> Field {
    Field {
        name: Name::new(name),
        ty: Type::Any,
        presence,
        default: None,
        formal_default: None,
        leniency: Leniency::default(),
        capabilities: Vec::new(),
        merge: false,
        docs: Docs::default(),
        location: schema.location.clone(),
    }
}
