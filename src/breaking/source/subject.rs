//! The parts of a protocol that code is about.

use std::collections::HashMap;

use indexmap::IndexSet;

use super::types::names_apart;
use crate::backend::api::{Api, Declaration, Member, Origin};
use crate::ir::{Protocol, Type, TypeKind};

/// A part of a protocol, by the names of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A field, a variant or a value of a definition.
    Part { ty: String, name: String },
    /// A definition as a whole.
    Whole(String),
    /// A definition or anything in it.
    Within(String),
    /// A method.
    Method(String),
}

/// Parts of which the first that something was found about is meant.
pub(super) type Group = Vec<Subject>;

/// The protocols and their APIs.
pub(super) struct Subjects<'a> {
    protocols: [&'a Protocol; 2],
    /// The parts that declarations stand for, by their names in code.
    declared: HashMap<&'a str, Group>,
    /// The definitions that variants carry, by their unions and names.
    payloads: HashMap<(&'a str, &'a str), Vec<&'a str>>,
    /// The definitions that the types of fields and variants come down to, by the definitions that
    /// these are in and their names.
    used: HashMap<(&'a str, &'a str), Vec<&'a str>>,
    /// The parts that inline definitions are written in, by these.
    holders: HashMap<&'a str, Group>,
    /// The definitions of params and results, by methods.
    messages: HashMap<&'a str, IndexSet<&'a str>>,
}

impl<'a> Subjects<'a> {
    pub(super) fn new(protocols: [&'a Protocol; 2], apis: [&'a Api; 2]) -> Self {
        let declarations = apis.into_iter().flat_map(|api| &api.declarations);
        let declared = declarations.filter_map(|each| match &each.of {
            Origin::Type(ty) | Origin::Variant { ty, .. } => {
                Some((each.name.as_str(), vec![Subject::Whole(ty.clone())]))
            }
            Origin::Side(side) => Some((each.name.as_str(), methods(protocols, side))),
            Origin::Method(_) | Origin::Protocol => None,
        });
        Self {
            protocols,
            declared: declared.collect(),
            payloads: payloads(protocols),
            used: used(protocols),
            holders: holders(protocols),
            messages: messages(protocols),
        }
    }
}

impl Subject {
    fn part(ty: &str, name: &str) -> Self {
        Self::Part { ty: ty.to_owned(), name: name.to_owned() }
    }
}

impl Subjects<'_> {
    /// The parts that a declaration, or a member of it, is about. `types` are those in which the
    /// two forms of it differ.
    pub(super) fn subjects_of(
        &self,
        declaration: &Declaration,
        member: Option<&Member>,
        types: &[&str],
    ) -> Vec<Group> {
        let wire = member.map_or("", |member| member.of.as_str());
        let mentioned = self.mentioned(types);
        if let (Origin::Side(_) | Origin::Protocol, None) = (&declaration.of, member) {
            let own = declaration.members.iter().filter(|member| !member.of.is_empty());
            let own: Vec<Group> =
                own.map(|member| vec![Subject::Method(member.of.clone())]).collect();
            if !own.is_empty() {
                return own;
            }
            // What has no methods is there because of the side's.
            if let Origin::Side(side) = &declaration.of {
                return vec![methods(self.protocols, side)];
            }
        }
        vec![self.group(&declaration.of, wire, "", mentioned)]
    }

    /// The parts that a changed function is about: each field that a parameter fills in which the
    /// two forms of it differ, and the types in which they do.
    pub(super) fn of_function(
        &self,
        declaration: &Declaration,
        function: &Member,
        (fields, types): (&[&str], &[&str]),
    ) -> Vec<Group> {
        let group =
            |field: &&str| self.group(&declaration.of, &function.of, field, self.mentioned(types));
        fields.iter().map(group).collect()
    }

    /// The parts that something stands for, the nearest first: `wire` names a member of a
    /// declaration, `field` a field that a parameter of it fills.
    fn group(&self, of: &Origin, wire: &str, field: &str, mentioned: Group) -> Group {
        let mut group = Group::new();
        let mut wholes = Vec::new();
        let named: Vec<&str> = [field, wire].into_iter().filter(|name| !name.is_empty()).collect();
        match of {
            Origin::Type(ty) | Origin::Variant { ty, .. } => {
                let variant = if let Origin::Variant { variant, .. } = of { variant } else { wire };
                let payloads = self.payloads(ty, variant);
                for name in named {
                    if name == field {
                        let deep = self.within(&payloads);
                        group.extend(deep.iter().map(|payload| Subject::part(payload, name)));
                    }
                    group.extend(payloads.iter().map(|payload| Subject::part(payload, name)));
                    group.push(Subject::part(ty, name));
                }
                if let Origin::Variant { variant, .. } = of {
                    group.push(Subject::part(ty, variant));
                } else if wire.is_empty() && field.is_empty() {
                    group.push(Subject::Whole(ty.clone()));
                    group.extend(self.holders(ty));
                }
                wholes.push(ty.clone());
                wholes.extend(payloads);
            }
            Origin::Method(method) => {
                let messages = self.messages(method);
                for name in named {
                    group.extend(messages.iter().map(|ty| Subject::part(ty, name)));
                }
                wholes.extend(messages);
            }
            Origin::Side(_) | Origin::Protocol => {
                let messages = self.messages(wire);
                if !field.is_empty() {
                    group.extend(messages.iter().map(|ty| Subject::part(ty, field)));
                }
                wholes.extend(messages);
            }
        }
        let method = if let Origin::Method(method) = of { method } else { wire };
        if !matches!(of, Origin::Type(_) | Origin::Variant { .. }) {
            group.push(Subject::Method(method.to_owned()));
            if method.is_empty() {
                wholes.extend(self.extensions());
            }
        }
        group.extend(mentioned);
        let used: Vec<Subject> = group.iter().flat_map(|part| self.used(part)).collect();
        group.extend(used);
        group.extend(wholes.iter().cloned().map(Subject::Whole));
        group.extend(wholes.into_iter().map(Subject::Within));
        // What an inline definition is written in may be gone as a whole.
        let around: Vec<Subject> = group
            .iter()
            .filter_map(|subject| match (of, subject) {
                (Origin::Type(own), Subject::Part { ty, .. }) if ty != own => {
                    Some(Subject::Whole(ty.clone()))
                }
                _ => None,
            })
            .collect();
        group.extend(around);
        group
    }

    /// The parts that are named in one of two types only, or in the only one.
    fn mentioned(&self, types: &[&str]) -> Group {
        let mut group = Group::new();
        for pair in types.chunks(2) {
            let (old, new) = (pair.first().unwrap_or(&""), pair.get(1).unwrap_or(&""));
            let names = names_apart(old, new).into_iter().chain(names_apart(new, old));
            group.extend(names.filter_map(|name| self.declared.get(name)).flatten().cloned());
        }
        group
    }

    /// The definitions that a variant of a union carries, in both protocols.
    fn payloads(&self, ty: &str, variant: &str) -> Vec<String> {
        self.payloads
            .get(&(ty, variant))
            .into_iter()
            .flatten()
            .map(|&name| name.to_owned())
            .collect()
    }

    /// The definitions of the new protocol.
    pub(super) fn new_types(&self) -> impl Iterator<Item = &str> {
        self.protocols[1].types.keys().map(String::as_str)
    }

    /// The definitions that values of one hold, in the new protocol.
    pub(super) fn held(&self, ty: &str) -> Vec<&str> {
        self.protocols[1].type_def(ty).map_or_else(Vec::new, |def| def.kind.references())
    }

    /// The definitions that the type of a field or a variant comes down to, in both protocols.
    fn used(&self, part: &Subject) -> Group {
        let Subject::Part { ty, name } = part else { return Group::new() };
        let used = self.used.get(&(ty.as_str(), name.as_str())).into_iter().flatten();
        used.map(|&name| Subject::Whole(name.to_owned())).collect()
    }

    /// The fields and variants that an inline definition is written in, or the definition where it
    /// stands for what no name is for: further properties, or variants that are not listed.
    fn holders(&self, inline: &str) -> impl Iterator<Item = Subject> {
        self.holders.get(inline).into_iter().flatten().cloned()
    }

    /// The definitions of messages whose methods no schema names, in both protocols.
    fn extensions(&self) -> Vec<String> {
        let all = self.protocols.into_iter().filter_map(|protocol| protocol.extensions.as_ref());
        let types = all.flat_map(|of| [&of.request, &of.result, &of.notification]);
        types.flatten().filter_map(Type::named).map(str::to_owned).collect()
    }

    /// The definitions of all variants that unions hold, at any depth.
    fn within(&self, unions: &[String]) -> Vec<String> {
        let mut found: IndexSet<&str> = IndexSet::new();
        let mut pending: Vec<&str> = unions.iter().map(String::as_str).collect();
        while let Some(ty) = pending.pop() {
            for protocol in self.protocols {
                let Some(TypeKind::Union(union)) = protocol.type_def(ty).map(|def| &def.kind)
                else {
                    continue;
                };
                let payloads = union.variants.iter().filter_map(|each| each.payload.as_ref());
                pending.extend(payloads.filter_map(Type::named).filter(|name| found.insert(name)));
            }
        }
        found.into_iter().map(str::to_owned).collect()
    }

    /// The definitions of a method's params, and of its result, in both protocols.
    fn messages(&self, method: &str) -> Vec<String> {
        self.messages.get(method).into_iter().flatten().map(|&name| name.to_owned()).collect()
    }
}

fn payloads(protocols: [&Protocol; 2]) -> HashMap<(&str, &str), Vec<&str>> {
    let mut found: HashMap<_, Vec<&str>> = HashMap::new();
    for (name, def) in protocols.into_iter().flat_map(|protocol| &protocol.types) {
        let TypeKind::Union(union) = &def.kind else { continue };
        for variant in &union.variants {
            if let Some(payload) = variant.payload.as_ref().and_then(Type::named) {
                let key = (name.as_str(), variant.name.wire.as_str());
                found.entry(key).or_default().push(payload);
            }
        }
    }
    for payloads in found.values_mut() {
        payloads.dedup();
    }
    found
}

fn used(protocols: [&Protocol; 2]) -> HashMap<(&str, &str), Vec<&str>> {
    let mut found: HashMap<_, Vec<&str>> = HashMap::new();
    for (name, def) in protocols.into_iter().flat_map(|protocol| &protocol.types) {
        for (part, used) in def.kind.mentions() {
            let Some(part) = part else { continue };
            let found = found.entry((name.as_str(), part)).or_default();
            if !found.contains(&used) {
                found.push(used);
            }
        }
    }
    found
}

fn holders(protocols: [&Protocol; 2]) -> HashMap<&str, Group> {
    let mut found: HashMap<_, Group> = HashMap::new();
    for protocol in protocols {
        for (name, def) in &protocol.types {
            for (part, used) in def.kind.mentions() {
                if protocol.type_def(used).is_some_and(|def| def.inline) {
                    found.entry(used).or_default().push(part.map_or_else(
                        || Subject::Whole(name.clone()),
                        |part| Subject::part(name, part),
                    ));
                }
            }
        }
    }
    found
}

fn messages(protocols: [&Protocol; 2]) -> HashMap<&str, IndexSet<&str>> {
    let methods = || protocols.into_iter().flat_map(|protocol| &protocol.methods);
    let params = methods().map(|method| (&method.name.wire, method.params().named()));
    let results =
        methods().map(|method| (&method.name.wire, method.result().and_then(Type::named)));
    let mut found: HashMap<_, IndexSet<&str>> = HashMap::new();
    for (method, named) in params.chain(results) {
        found.entry(method.as_str()).or_default().extend(named);
    }
    found
}

/// The methods that a side handles, in both protocols.
fn methods(protocols: [&Protocol; 2], side: &str) -> Group {
    let handled = protocols.into_iter().flat_map(|protocol| protocol.handled_by(side));
    handled.map(|method| Subject::Method(method.name.wire.clone())).collect()
}
