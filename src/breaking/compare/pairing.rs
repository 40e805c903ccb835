//! Which definition of the old schema is which of the new.

use std::collections::{HashMap, HashSet};

use super::similar::alike;
use crate::ir::{Field, Kind, Name, Presence, Protocol, Type, TypeDef, TypeKind};

/// The most bytes of a shape that are spelt.
const LONGEST: usize = 4096;

/// The definitions that belong together, by name or by evidence.
pub(super) struct Pairing<'a> {
    old: &'a Protocol,
    new: &'a Protocol,
    to_new: HashMap<&'a str, &'a str>,
    to_old: HashMap<&'a str, &'a str>,
    /// Pairs whose insides have not been looked at for more pairs.
    pending: Vec<(&'a str, &'a str)>,
    seen: HashSet<(&'a str, &'a str)>,
}

impl<'a> Pairing<'a> {
    /// Pairs the named definitions that both schemas have.
    pub(super) fn by_name(old: &'a Protocol, new: &'a Protocol) -> Self {
        let mut pairing = Self {
            old,
            new,
            to_new: HashMap::new(),
            to_old: HashMap::new(),
            pending: Vec::new(),
            seen: HashSet::new(),
        };
        for name in old.types.iter().filter(|(_, def)| !def.inline).map(|(name, _)| name) {
            let other = new.types.get_key_value(name).filter(|(_, other)| !other.inline);
            if let Some((other, _)) = other {
                pairing.pair(name, other);
            }
        }
        pairing
    }

    /// The partner of a definition of the old schema.
    pub(super) fn to_new(&self, old: &str) -> Option<&'a str> {
        self.to_new.get(old).copied()
    }

    /// The partner of a definition of the new schema.
    pub(super) fn to_old(&self, new: &str) -> Option<&'a str> {
        self.to_old.get(new).copied()
    }

    fn pair(&mut self, old: &'a str, new: &'a str) {
        self.to_new.insert(old, new);
        self.to_old.insert(new, old);
        self.pending.push((old, new));
    }

    /// Takes two types that stand at the same place: if both are definitions without a partner,
    /// they may be one that was renamed. `certain`: the place is proof enough.
    pub(super) fn propose(&mut self, old: &'a Type, new: &'a Type, certain: bool) {
        let (mut old, mut new) = (old, new);
        loop {
            (old, new) = match (old, new) {
                (Type::Nullable { inner }, _) => (&**inner, new),
                (_, Type::Nullable { inner }) => (old, &**inner),
                (Type::Array(from), Type::Array(to)) => (&*from.items, &*to.items),
                (Type::Map(from), Type::Map(to)) => (&*from.values, &*to.values),
                _ => break,
            };
        }
        let (Type::Named { name: from }, Type::Named { name: to }) = (old, new) else { return };
        let (Some(from), Some(to)) = (self.old.type_def(from), self.new.type_def(to)) else {
            return;
        };
        let (from_name, to_name) = (from.name.wire.as_str(), to.name.wire.as_str());
        if from.inline || to.inline {
            self.pending.push((from_name, to_name));
        } else if !self.to_new.contains_key(from_name)
            && !self.to_old.contains_key(to_name)
            && (certain || self.resemble(from, to))
        {
            self.pair(from_name, to_name);
        }
    }

    /// Looks inside all pairs for more of them.
    pub(super) fn settle(&mut self) {
        while let Some((old, new)) = self.pending.pop() {
            if !self.seen.insert((old, new)) {
                continue;
            }
            let (Some(from), Some(to)) = (self.old.type_def(old), self.new.type_def(new)) else {
                continue;
            };
            match (&from.kind, &to.kind) {
                (TypeKind::Record(from), TypeKind::Record(to)) => {
                    self.propose_fields(&from.fields, &to.fields);
                }
                (TypeKind::Union(from), TypeKind::Union(to)) => {
                    self.propose_fields(&from.shared, &to.shared);
                    for variant in &from.variants {
                        let twin = to.variants.iter().find(|other| {
                            other.selector == variant.selector
                                && (variant.tag().is_some() || other.name == variant.name)
                        });
                        let other = twin.and_then(|twin| twin.payload.as_ref());
                        if let (Some(from), Some(to)) = (&variant.payload, other) {
                            self.propose(from, to, false);
                        }
                    }
                }
                (TypeKind::Tuple(from), TypeKind::Tuple(to)) => {
                    for (at, item) in from.items.iter().enumerate() {
                        if let Some(other) = to.item(at) {
                            self.propose(&item.ty, other, false);
                        }
                    }
                    if let (Some(from), Some(to)) = (&from.rest, &to.rest) {
                        self.propose(&from.items, &to.items, false);
                    }
                }
                (TypeKind::Alias { target: from }, TypeKind::Alias { target: to }) => {
                    self.propose(from, to, false);
                }
                _ => {}
            }
        }
    }

    fn propose_fields(&mut self, old: &'a [Field], new: &'a [Field]) {
        for field in old {
            if let Some(twin) = new.iter().find(|other| other.name.wire == field.name.wire) {
                self.propose(&field.ty, &twin.ty, false);
            }
        }
    }

    /// Tells whether two definitions have much in common.
    fn resemble(&self, old: &'a TypeDef, new: &'a TypeDef) -> bool {
        let (old, new) = (parts(self.old, old), parts(self.new, new));
        let common = old.iter().filter(|part| new.contains(part)).count();
        common * 2 >= old.len().max(new.len()) && !old.is_empty()
    }

    /// Pairs what is left by shape, where a shape says something and is the only one of its kind.
    pub(super) fn by_shape(&mut self) {
        let mut shapes: HashMap<String, (Vec<&'a str>, Vec<&'a str>)> = HashMap::new();
        let telling = |def: &TypeDef| !def.inline && weight(def) >= 2;
        for (name, def) in self.old.types.iter().filter(|(_, def)| telling(def)) {
            if !self.to_new.contains_key(name.as_str()) {
                let shape = self.signature_of(self.old, def, true);
                shapes.entry(shape).or_default().0.push(name);
            }
        }
        for (name, def) in self.new.types.iter().filter(|(_, def)| telling(def)) {
            if !self.to_old.contains_key(name.as_str()) {
                let shape = self.signature_of(self.new, def, false);
                shapes.entry(shape).or_default().1.push(name);
            }
        }
        for (old, new) in shapes.values() {
            if let ([old], [new]) = (old.as_slice(), new.as_slice())
                && (self.old.type_def(old).is_some_and(|def| weight(def) >= 4)
                    || alike(&stem(old), &stem(new)))
            {
                self.pair(old, new);
            }
        }
    }

    /// Spells a type so that two types that are the same have the same spelling, whichever schema
    /// they are of.
    pub(super) fn signature(&self, ty: &Type, is_old: bool) -> String {
        let mut text = String::new();
        self.spell(ty, is_old, 4, &mut text);
        text
    }

    fn signature_of(&self, protocol: &Protocol, def: &TypeDef, is_old: bool) -> String {
        let mut text = String::new();
        self.spell_def(protocol, def, is_old, 4, &mut text);
        text
    }

    fn spell(&self, ty: &Type, is_old: bool, depth: usize, text: &mut String) {
        // What is the same so far is the same.
        if text.len() > LONGEST {
            text.push('…');
            return;
        }
        let protocol = if is_old { self.old } else { self.new };
        match ty {
            Type::Named { name } => {
                let shared = if is_old { self.to_new.get(name.as_str()).copied() } else { None };
                let is_paired = !is_old && self.to_old.contains_key(name.as_str());
                match (shared, protocol.types.get(name)) {
                    (Some(shared), _) => text.push_str(shared),
                    (None, _) if is_paired => text.push_str(name),
                    (None, Some(def)) if depth > 0 => {
                        self.spell_def(protocol, def, is_old, depth - 1, text);
                    }
                    _ => text.push('…'),
                }
            }
            Type::Nullable { inner } => {
                text.push('?');
                self.spell(inner, is_old, depth, text);
            }
            Type::Array(array) => {
                text.push_str("[]");
                self.spell(&array.items, is_old, depth, text);
            }
            Type::Map(map) => {
                text.push_str("{}");
                self.spell(&map.values, is_old, depth, text);
            }
            Type::Literal { value } => text.push_str(&value.to_string()),
            other => text.push_str(kind_word(other)),
        }
        text.push(';');
    }

    fn spell_def(
        &self,
        protocol: &Protocol,
        def: &TypeDef,
        is_old: bool,
        depth: usize,
        text: &mut String,
    ) {
        let fields = |fields: &[Field], text: &mut String| {
            let mut sorted: Vec<&Field> = fields.iter().collect();
            sorted.sort_by(|a, b| a.name.wire.cmp(&b.name.wire));
            for field in sorted {
                text.extend([&field.name.wire, presence(field.presence)]);
                self.spell(&field.ty, is_old, depth, text);
            }
        };
        match &def.kind {
            TypeKind::Record(record) => {
                text.push_str("record(");
                fields(&record.fields, text);
            }
            TypeKind::Union(union) => {
                text.push_str("union(");
                fields(&union.shared, text);
                for variant in &union.variants {
                    text.push('|');
                    text.push_str(variant.tag().unwrap_or_default());
                    if let Some(payload) = &variant.payload {
                        self.spell(payload, is_old, depth, text);
                    }
                }
                text.push_str(if union.open.is_some() { "|…" } else { "" });
            }
            TypeKind::Enum(of) => {
                text.push_str("enum(");
                let mut values: Vec<String> =
                    of.values.iter().map(|value| value.value.to_string()).collect();
                values.sort();
                text.push_str(&values.join("|"));
                text.push_str(if of.open.is_some() { "|…" } else { "" });
            }
            TypeKind::Tuple(tuple) => {
                text.extend(["tuple(", &tuple.required.to_string()]);
                for ty in tuple.types() {
                    text.push(',');
                    self.spell(ty, is_old, depth, text);
                }
                text.push_str(if tuple.rest.is_some() { ",…" } else { "" });
            }
            TypeKind::Alias { target } => {
                text.push_str("alias(");
                if let Type::Named { name } = target
                    && let Some(def) = protocol.types.get(name)
                    && depth == 0
                {
                    text.push_str(&def.name.wire);
                } else {
                    self.spell(target, is_old, depth.saturating_sub(1), text);
                }
            }
        }
        text.push(')');
    }
}

fn presence(presence: Presence) -> &'static str {
    match presence {
        Presence::Required => ":",
        Presence::RequiredNullable => ":?",
        Presence::Optional => "?:",
        Presence::OptionalNullable => "?:?",
    }
}

fn kind_word(ty: &Type) -> &'static str {
    match ty {
        Type::Any => "any",
        Type::Null => "null",
        Type::Boolean => "boolean",
        Type::Integer(_) => "integer",
        Type::Number(_) => "number",
        _ => "string",
    }
}

/// The words of a definition's name that tell it from others: its last word often only says what
/// part it plays.
fn stem(name: &str) -> Name {
    let mut name = Name::new(name);
    if name.words.len() > 1 {
        name.words.pop();
    }
    name
}

/// Weighs how much there is to recognise a definition by.
fn weight(def: &TypeDef) -> usize {
    match &def.kind {
        TypeKind::Record(record) => record.fields.len(),
        TypeKind::Union(union) => union.shared.len() + union.variants.len(),
        TypeKind::Enum(of) => of.values.len(),
        TypeKind::Tuple(tuple) => tuple.items.len(),
        TypeKind::Alias { .. } => 0,
    }
}

/// Lists the parts of a definition, by name.
fn parts(protocol: &Protocol, def: &TypeDef) -> Vec<String> {
    let field = |field: &Field| format!(".{}", field.name.wire);
    match &def.kind {
        TypeKind::Record(record) => record.fields.iter().map(field).collect(),
        TypeKind::Union(union) => union
            .variants
            .iter()
            .map(|variant| format!("<{}", variant.name.wire))
            .chain(union.shared.iter().map(field))
            .collect(),
        TypeKind::Enum(of) => of.values.iter().map(|value| value.value.to_string()).collect(),
        TypeKind::Tuple(tuple) => {
            let items = tuple.items.iter().enumerate();
            items
                .map(|(at, item)| format!("[{at}]{}", protocol.resolved(&item.ty).kind.describe()))
                .collect()
        }
        TypeKind::Alias { target } => match protocol.resolved(target).kind {
            Kind::Integer(_) | Kind::Number(_) => vec!["number".to_owned()],
            kind => vec![kind.describe().to_owned()],
        },
    }
}
