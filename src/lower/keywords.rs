//! Keywords that narrow a type: rules for the keys of an object, and items that have to differ.

use std::collections::HashSet;

use super::{Lowerer, Path};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{
    ArrayType, Field, KeyNames, KeyRules, Protocol, Type, TypeKind, Union, Unmodelled,
};
use crate::schema::{JsonType, SchemaObject};
use crate::source::Location;

/// An array of items that have to differ, until it is known what its items are.
pub(super) struct UniqueItems {
    pub array: ArrayType,
    pub location: Location,
    /// The place in words.
    pub label: String,
}

impl<'a> Lowerer<'a> {
    /// The rules for the keys of an object that a schema gives itself.
    pub(super) fn key_rules(&mut self, schema: &'a SchemaObject, path: &Path) -> KeyRules {
        let keys = &schema.keys;
        self.satisfiable("object", keys.min_properties, keys.max_properties, schema, path);
        let names = keys.names.as_deref().and_then(|names| {
            let found = self.key_names(names, path);
            if found.is_none() {
                self.lose("propertyNames", &names.location, path);
            }
            found.filter(|names| *names != KeyNames::default())
        });
        KeyRules {
            min_properties: keys.min_properties,
            max_properties: keys.max_properties,
            names,
            dependent: keys.dependent.clone(),
            choices: keys.choices.clone(),
        }
    }

    /// Adds the rules of another part of the same object.
    pub(super) fn add_key_rules(
        &mut self,
        rules: &mut KeyRules,
        more: KeyRules,
        at: &Location,
        path: &Path,
    ) {
        rules.min_properties = rules.min_properties.max(more.min_properties);
        let most = rules.max_properties.into_iter().chain(more.max_properties);
        rules.max_properties = most.min();
        match (&rules.names, more.names) {
            (Some(names), Some(other)) if *names != other => self.lose("propertyNames", at, path),
            (None, names) => rules.names = names,
            _ => {}
        }
        for (name, wanted) in more.dependent {
            let all = rules.dependent.entry(name).or_default();
            let new: Vec<String> = wanted.into_iter().filter(|it| !all.contains(it)).collect();
            all.extend(new);
        }
        let new = more.choices.into_iter().filter(|it| !rules.choices.contains(it));
        rules.choices.extend(new.collect::<Vec<_>>());
    }

    /// The keys that a schema of names allows. `None` if it says more than can be said of them.
    fn key_names(&mut self, names: &'a SchemaObject, path: &Path) -> Option<KeyNames> {
        let mut schema = names;
        while let Some(reference) = schema.alias_target() {
            schema = self.resolve(reference, &path.label)?.1;
        }
        let is_plain = schema.boolean != Some(false)
            && (schema.types.is_empty() || schema.types.contains(&JsonType::String))
            && schema.reference.is_none()
            && schema.all_of.is_empty()
            && schema.branches().is_empty()
            && schema.not.is_none()
            && schema.unmodelled.is_empty();
        if !is_plain {
            return None;
        }
        let texts = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let listed = schema.enumeration.as_ref();
        let listed = listed.map(|all| all.iter().filter_map(|(value, _)| texts(value)).collect());
        let constant = schema.constant.as_ref().map(|value| texts(value).into_iter().collect());
        let listed = constant.or(listed);
        Some(KeyNames { text: self.text(schema, path), listed })
    }

    /// Says of keywords about keys that they are left to whoever uses the object.
    pub(super) fn lose_keys(&mut self, schema: &SchemaObject, path: &Path) {
        for (keyword, location) in &schema.keys.keywords {
            self.lose(keyword, location, path);
        }
    }

    /// Says that a keyword is left to whoever uses the value, and takes note for comparisons.
    pub(super) fn lose(&mut self, keyword: &str, location: &Location, path: &Path) {
        self.unenforced(keyword, location, path);
        self.lost.push(Unmodelled { path: path.label.clone(), is_any: false });
    }

    /// Takes note, for comparisons, of a place that fits more than its schema says.
    pub(super) fn note_wider(&mut self, schema: &SchemaObject, path: &Path) {
        if !schema.left_out.is_empty() {
            self.lost.push(Unmodelled { path: path.label.clone(), is_any: false });
        }
    }

    /// Takes note of an array whose items have to differ.
    pub(super) fn unique_items(&mut self, array: &ArrayType, location: &Location, path: &Path) {
        let (array, location, label) = (array.clone(), location.clone(), path.label.clone());
        self.unique.push(UniqueItems { array, location, label });
    }
}

/// Gives up rules for the keys of objects that stand in one with shared fields which may change
/// while they are decoded: a default is no key on the wire.
pub(super) fn drop_beside_defaults(protocol: &mut Protocol, diagnostics: &mut Diagnostics) {
    let changes = |field: &Field| field.default.is_some() || !field.leniency.is_strict();
    let mut found: Vec<String> = Vec::new();
    for def in protocol.types.values() {
        let TypeKind::Union(union) = &def.kind else { continue };
        if !union.shared.iter().any(changes) {
            continue;
        }
        let mut pending: Vec<&Type> = payloads(union).collect();
        let mut seen = HashSet::new();
        while let Some(ty) = pending.pop() {
            let Some(name) = protocol.resolve(ty).named().filter(|name| seen.insert(*name)) else {
                continue;
            };
            match protocol.type_def(name).map(|def| &def.kind) {
                Some(TypeKind::Record(record)) if !record.keys.is_empty() => {
                    found.push(name.to_owned());
                }
                Some(TypeKind::Union(inner)) => pending.extend(payloads(inner)),
                _ => {}
            }
        }
    }
    for name in found {
        let Some(def) = protocol.types.get_mut(&name) else { continue };
        let TypeKind::Record(record) = &mut def.kind else { continue };
        let rules = std::mem::take(&mut record.keys);
        for keyword in rules.keywords() {
            let message = format!("`{keyword}` of {name} is not enforced by generated code");
            let warning = Diagnostic::warning("unenforced-keyword", message);
            diagnostics.push(
                warning
                    .at(def.location.clone())
                    .label("a default stands beside it in the same object")
                    .help("check it where the value is used"),
            );
        }
        protocol.unmodelled.push(Unmodelled { path: name, is_any: false });
    }
}

fn payloads(union: &Union) -> impl Iterator<Item = &Type> {
    union.variants.iter().filter_map(|variant| variant.payload.as_ref())
}

/// Says where decoders do not compare items, which have parts.
pub(super) fn check(protocol: &Protocol, unique: &[UniqueItems], diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for UniqueItems { array, location, label } in unique {
        if protocol.is_distinct(array) || !seen.insert(location) {
            continue;
        }
        let message = format!("`uniqueItems` of {label} is not enforced by generated code");
        let note = if matches!(protocol.resolve(&array.items), Type::Any) {
            "its items are any JSON"
        } else {
            "its items have parts"
        };
        diagnostics.push(
            Diagnostic::warning("unenforced-keyword", message)
                .at(location.clone())
                .label(note)
                .help("say it in the description, and check it where the value is used"),
        );
    }
}
