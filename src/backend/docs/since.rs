//! The versions in which things first appeared.

use std::collections::HashMap;

use crate::ir::{Protocol, Selector, TypeKind};

/// The first versions of methods, types and their parts, by their names on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// The labels of versions, by owner and member; of a method or a type as a whole, the member is
    /// empty. `None`: it was there from the beginning.
    first: HashMap<(String, String), Option<String>>,
}

/// The owner of methods: no type has this name.
const METHODS: &str = "";

impl Since {
    /// Looks through versions of a protocol with their labels, the oldest first.
    pub fn new<'a>(versions: impl IntoIterator<Item = (&'a str, &'a Protocol)>) -> Self {
        let mut since = Self::default();
        for (index, (label, protocol)) in versions.into_iter().enumerate() {
            let version = (index > 0).then_some(label);
            for (owner, member) in parts(protocol) {
                since.first.entry((owner, member)).or_insert_with(|| version.map(str::to_owned));
            }
        }
        since
    }

    /// The version in which a method appeared. Nothing is known of it if no version has it, or if
    /// the first one does.
    pub(super) fn method(&self, method: &str) -> Option<&str> {
        self.version(METHODS, method)
    }

    /// The version in which a type appeared.
    pub(super) fn ty(&self, name: &str) -> Option<&str> {
        self.version(name, "")
    }

    /// The version in which a part of a type appeared, unless it came with the type.
    pub(super) fn member(&self, ty: &str, member: &str) -> Option<&str> {
        self.version(ty, member).filter(|version| self.ty(ty) != Some(version))
    }

    fn version(&self, owner: &str, member: &str) -> Option<&str> {
        self.first.get(&(owner.to_owned(), member.to_owned()))?.as_deref()
    }
}

/// Lists all parts that have a name, by owner and member.
fn parts(protocol: &Protocol) -> Vec<(String, String)> {
    let methods = protocol.methods.iter().map(|it| (METHODS.to_owned(), it.name.wire.clone()));
    let mut parts: Vec<(String, String)> = methods.collect();
    for (name, def) in &protocol.types {
        parts.push((name.clone(), String::new()));
        let mut add = |member: String| parts.push((name.clone(), member));
        match &def.kind {
            TypeKind::Record(record) => {
                record.fields.iter().for_each(|field| add(field.name.wire.clone()));
            }
            TypeKind::Union(union) => {
                union.shared.iter().for_each(|field| add(field.name.wire.clone()));
                for variant in &union.variants {
                    add(match &variant.selector {
                        Selector::Tag { value } => variant_key(value),
                        Selector::Untagged => variant_key(&variant.name.wire),
                    });
                }
            }
            TypeKind::Enum(of) => of.values.iter().for_each(|it| add(it.value.to_string())),
            TypeKind::Tuple(_) | TypeKind::Alias { .. } => {}
        }
    }
    parts
}

/// The name of a variant among the members of a union, beside its shared fields.
pub(super) fn variant_key(name: &str) -> String {
    format!("<{name}>")
}
