//! The parts of a protocol that code is about.

use std::collections::HashMap;

use super::types::names_apart;
use crate::backend::api::{Api, Declaration, Member, Origin};
use crate::breaking::compare::Finding;
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
    /// The definitions that declarations stand for, by their names in code.
    declared: HashMap<&'a str, &'a str>,
}

impl<'a> Subjects<'a> {
    pub(super) fn new(protocols: [&'a Protocol; 2], apis: [&'a Api; 2]) -> Self {
        let declarations = apis.into_iter().flat_map(|api| &api.declarations);
        let declared = declarations.filter_map(|each| match &each.of {
            Origin::Type(ty) | Origin::Variant { ty, .. } => {
                Some((each.name.as_str(), ty.as_str()))
            }
            _ => None,
        });
        Self { protocols, declared: declared.collect() }
    }
}

impl Subject {
    fn part(ty: &str, name: &str) -> Self {
        Self::Part { ty: ty.to_owned(), name: name.to_owned() }
    }

    /// Tells whether a finding is about it.
    pub(super) fn is_of(&self, finding: &Finding<'_>) -> bool {
        let mut locations = finding.locations();
        let is_in = |ty: &str, of: [Option<&str>; 2]| of.contains(&Some(ty));
        match self {
            Self::Method(method) => finding.methods.contains(&method.as_str()),
            Self::Part { ty, name } => locations.any(|at| {
                is_in(ty, [at.old.def, at.new.def])
                    && [at.focus.as_ref(), finding.new_name()].contains(&Some(name))
            }),
            Self::Whole(ty) => locations.any(|at| {
                is_in(ty, [at.old.def, at.new.def]) && at.path.is_empty() && at.focus.is_none()
            }),
            Self::Within(ty) => {
                locations.any(|at| at.ty == ty || is_in(ty, [at.old.def, at.new.def]))
            }
        }
    }
}

impl Subjects<'_> {
    /// The parts that a declaration, or a member of it, is about. `types` are those in which the
    /// two forms of it differ.
    pub(super) fn of(
        &self,
        declaration: &Declaration,
        member: Option<&Member>,
        types: &[&str],
    ) -> Vec<Group> {
        let wire = member.map_or("", |member| member.of.as_str());
        let mentioned = self.mentioned(types);
        if let (Origin::Side(_), None) = (&declaration.of, member) {
            let methods = declaration.members.iter().filter(|member| !member.of.is_empty());
            return methods.map(|member| vec![Subject::Method(member.of.clone())]).collect();
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
        let named = [field, wire].into_iter().filter(|name| !name.is_empty());
        match of {
            Origin::Type(ty) | Origin::Variant { ty, .. } => {
                let variant = if let Origin::Variant { variant, .. } = of { variant } else { wire };
                let payloads = self.payloads(ty, variant);
                for name in named {
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
            Origin::Method(method) => wholes.extend(self.params(method)),
            Origin::Side(_) | Origin::Protocol => {
                let params = self.params(wire);
                if !field.is_empty() {
                    group.extend(params.iter().map(|params| Subject::part(params, field)));
                }
                wholes.extend(params);
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
        group.extend(wholes.iter().cloned().map(Subject::Whole));
        group.extend(wholes.into_iter().map(Subject::Within));
        group
    }

    /// The definitions whose names are in one of two types only.
    fn mentioned(&self, types: &[&str]) -> Group {
        let mut group = Group::new();
        for pair in types.chunks(2) {
            let [old, new] = pair else { continue };
            let names = names_apart(old, new).into_iter().chain(names_apart(new, old));
            let declared = names.filter_map(|name| self.declared.get(name));
            group.extend(declared.map(|ty| Subject::Whole((*ty).to_owned())));
        }
        group
    }

    /// The definitions that a variant of a union carries, in both protocols.
    fn payloads(&self, ty: &str, variant: &str) -> Vec<String> {
        let mut found = Vec::new();
        for protocol in self.protocols {
            let Some(TypeKind::Union(union)) = protocol.type_def(ty).map(|def| &def.kind) else {
                continue;
            };
            let payloads = union.variants.iter().filter(|each| each.name.wire == variant);
            found.extend(payloads.filter_map(|each| each.payload.as_ref()?.named()));
        }
        found.dedup();
        found.into_iter().map(str::to_owned).collect()
    }

    /// The fields and variants that an inline definition is written in.
    fn holders(&self, inline: &str) -> Group {
        let mut group = Group::new();
        for protocol in self.protocols {
            if !protocol.type_def(inline).is_some_and(|def| def.inline) {
                continue;
            }
            for (name, def) in &protocol.types {
                let mentions = def.kind.mentions().into_iter().filter(|(_, used)| *used == inline);
                group.extend(mentions.filter_map(|(part, _)| Some(Subject::part(name, part?))));
            }
        }
        group
    }

    /// The definitions of messages whose methods no schema names, in both protocols.
    fn extensions(&self) -> Vec<String> {
        let all = self.protocols.into_iter().filter_map(|protocol| protocol.extensions.as_ref());
        let types = all.flat_map(|of| [&of.request, &of.result, &of.notification]);
        types.flatten().filter_map(Type::named).map(str::to_owned).collect()
    }

    /// The definitions of a method's params, in both protocols.
    fn params(&self, method: &str) -> Vec<String> {
        let methods = self.protocols.into_iter().flat_map(|protocol| &protocol.methods);
        let methods = methods.filter(|each| each.name.wire == method);
        let mut found: Vec<String> =
            methods.filter_map(|each| each.params().named()).map(str::to_owned).collect();
        found.dedup();
        found
    }
}
