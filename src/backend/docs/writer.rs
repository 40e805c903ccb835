//! The writer of reference docs: what all parts share, and the index of types.

use std::collections::HashMap;

use super::anchors::{Anchors, slug};
use super::format::Markup;
use super::{Docs as Target, Since};
use crate::backend::DocsMode;
use crate::example::Examples;
use crate::ir::{Docs, Method, Protocol, Type, TypeDef};

/// Writes the parts of one reference.
pub(super) struct Writer<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) markup: Markup<'a>,
    pub(super) anchors: Anchors,
    pub(super) examples: Examples<'a>,
    /// The ids of the methods that are shown, as `protocol.methods` has them.
    pub(super) methods: Vec<Option<String>>,
    /// The method under which a type is described, and whether as its params.
    pub(super) homes: HashMap<&'a str, (usize, bool)>,
    docs: DocsMode,
    /// The versions in which things first appeared.
    pub(super) since: &'a Since,
    /// The users of each type: the owner, and its field or variant.
    users: HashMap<&'a str, Vec<(&'a str, Option<&'a str>)>>,
}

impl<'a> Writer<'a> {
    /// Decides where everything is.
    pub(super) fn new(protocol: &'a Protocol, of: &'a Target, docs: DocsMode) -> Self {
        let mut anchors = Anchors::default();
        for taken in RESERVED {
            anchors.claim(taken);
        }
        let mut claim = |docs: &Docs, name| (!docs.hidden).then(|| anchors.claim(&slug(name)));
        let methods = protocol.methods.iter();
        let methods: Vec<Option<String>> =
            methods.map(|method| claim(&method.docs, &method.name)).collect();
        let types = protocol.types.values();
        let sections: HashMap<&str, String> = types
            .filter_map(|def| Some((def.name.wire.as_str(), claim(&def.docs, &def.name)?)))
            .collect();
        let mut homes = HashMap::new();
        for (index, method) in protocol.methods.iter().enumerate() {
            for (is_params, name) in payloads(method) {
                if !method.docs.hidden && sections.contains_key(name) {
                    homes.entry(name).or_insert((index, is_params));
                }
            }
        }
        Self {
            protocol,
            markup: Markup { format: of.format, sections, links: &of.links },
            anchors,
            examples: Examples::new(protocol),
            methods,
            homes,
            docs,
            since: &of.since,
            users: users(protocol),
        }
    }

    /// Tells whether descriptions are wanted.
    pub(super) fn shows_prose(&self) -> bool {
        self.docs == DocsMode::Full
    }

    /// The description, if descriptions are wanted.
    pub(super) fn prose(&self, docs: &Docs) -> String {
        match (&docs.description, self.docs) {
            (Some(description), DocsMode::Full) => self.markup.prose(description),
            _ => String::new(),
        }
    }

    /// The first sentence of the description, if descriptions are wanted.
    pub(super) fn lead(&self, docs: &Docs) -> String {
        match (&docs.description, self.docs) {
            (Some(description), DocsMode::Full) => self.markup.lead(description),
            _ => String::new(),
        }
    }

    /// The label of a version, as words.
    pub(super) fn label(&self, version: Option<&str>) -> Option<String> {
        version.map(|version| self.markup.text(version))
    }

    /// The name of a method, with a link to its section.
    pub(super) fn method_link(&self, wire: &str) -> String {
        let code = self.markup.code(wire);
        let mut methods = self.protocol.methods.iter().zip(&self.methods);
        match methods.find(|(method, _)| method.name.wire == wire) {
            Some((_, Some(anchor))) => self.markup.link(&code, anchor),
            _ => code,
        }
    }

    /// Links to what mentions a type.
    pub(super) fn users(&self, name: &str) -> Vec<String> {
        let users = self.users.get(name).into_iter().flatten();
        users
            .filter_map(|(owner, member)| {
                let anchor = self.markup.sections.get(owner)?;
                let label = match member {
                    Some(member) => self.markup.code(&format!("{owner}.{member}")),
                    None => self.markup.code(owner),
                };
                Some(self.markup.link(&label, anchor))
            })
            .collect()
    }

    /// The types that have a section of their own, by name.
    pub(super) fn own_sections(&self) -> Vec<&'a TypeDef> {
        let protocol = self.protocol;
        let mut types: Vec<&TypeDef> = protocol
            .types
            .values()
            .filter(|def| !def.docs.hidden && !self.homes.contains_key(def.name.wire.as_str()))
            .collect();
        types.sort_by_cached_key(|def| (def.name.wire.to_lowercase(), def.name.wire.clone()));
        types
    }
}

/// Ids that the templates use themselves.
pub(super) const RESERVED: [&str; 9] =
    ["top", "nav", "main", "search", "results", "theme", "menu", "methods", "overview"];

/// The definitions that a method's payloads are, and whether as its params.
fn payloads(method: &Method) -> impl Iterator<Item = (bool, &str)> {
    let payloads = [(true, Some(method.params())), (false, method.result())];
    payloads.into_iter().filter_map(|(is_params, ty)| match ty {
        Some(Type::Named { name }) => Some((is_params, name.as_str())),
        _ => None,
    })
}

/// Finds the users of each type, in the order of the schema; each owner's member once.
fn users(protocol: &Protocol) -> HashMap<&str, Vec<(&str, Option<&str>)>> {
    let mut users: HashMap<&str, Vec<(&str, Option<&str>)>> = HashMap::new();
    for (owner, def) in protocol.types.iter().filter(|(_, def)| !def.docs.hidden) {
        for (member, name) in def.kind.mentions() {
            users.entry(name).or_default().push((owner, member));
        }
    }
    users
}
