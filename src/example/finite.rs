//! The way out of recursion: which variant of each union leads to an end.

use std::collections::{HashMap, VecDeque};

use crate::ir::{Field, Protocol, Type, TypeKind};

/// For each union, a variant whose smallest instance does not need another of the union's own.
///
/// Types are settled in the order in which their smallest instances can be built, so that taking
/// the settling variant of every union always ends.
#[derive(Debug)]
pub(super) struct Finite<'a> {
    variants: HashMap<&'a str, usize>,
}

/// A type that is waiting for others. A union waits for any of its variants, everything else for
/// all of its parts; shared fields are parts.
struct Waiting<'a> {
    name: &'a str,
    parts: usize,
    /// True if it still needs a variant.
    variant: bool,
}

/// Why one type waits for another: it is a part, or what a variant holds.
#[derive(Clone, Copy)]
enum Need {
    Part,
    Variant(usize),
}

impl<'a> Finite<'a> {
    /// Settles all types, in time linear in the size of the protocol.
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        let mut variants = HashMap::new();
        let mut users: HashMap<&str, Vec<(usize, Need)>> = HashMap::new();
        let mut waiting = Vec::new();
        let mut ready = VecDeque::new();
        for (index, (name, def)) in protocol.types.iter().enumerate() {
            let mut needs: Vec<(&str, Need)> = Vec::new();
            let mut variant = false;
            match &def.kind {
                TypeKind::Record(record) => needs.extend(parts(&record.fields)),
                TypeKind::Alias { target } => {
                    needs.extend(needed(target).map(|ty| (ty, Need::Part)));
                }
                TypeKind::Enum(_) => {}
                TypeKind::Union(union) => {
                    needs.extend(parts(&union.shared));
                    let payloads = union.variants.iter().map(|variant| variant.payload.as_ref());
                    let payloads: Vec<_> =
                        payloads.map(|payload| payload.and_then(needed)).collect();
                    let free = payloads.iter().position(Option::is_none);
                    variant = free.is_none() && !payloads.is_empty();
                    match free {
                        Some(free) => drop(variants.insert(name.as_str(), free)),
                        None => needs.extend(payloads.iter().enumerate().filter_map(
                            |(index, payload)| Some(((*payload)?, Need::Variant(index))),
                        )),
                    }
                }
            }
            let parts = needs.iter().filter(|(_, need)| matches!(need, Need::Part)).count();
            for (ty, need) in needs {
                users.entry(ty).or_default().push((index, need));
            }
            if parts == 0 && !variant {
                ready.push_back(name.as_str());
            }
            waiting.push(Waiting { name, parts, variant });
        }
        while let Some(settled) = ready.pop_front() {
            for (index, need) in users.remove(settled).unwrap_or_default() {
                let Some(user) = waiting.get_mut(index) else { continue };
                let was_waiting = user.parts > 0 || user.variant;
                match need {
                    Need::Part => user.parts = user.parts.saturating_sub(1),
                    Need::Variant(variant) if user.variant => {
                        user.variant = false;
                        variants.insert(user.name, variant);
                    }
                    Need::Variant(_) => {}
                }
                if was_waiting && user.parts == 0 && !user.variant {
                    ready.push_back(user.name);
                }
            }
        }
        Self { variants }
    }

    /// The variant of a union that leads to an end.
    pub(super) fn variant(&self, union: &str) -> Option<usize> {
        self.variants.get(union).copied()
    }
}

fn parts(fields: &[Field]) -> impl Iterator<Item = (&str, Need)> {
    fields
        .iter()
        .filter(|field| field.presence.is_required() && !field.presence.is_nullable())
        .filter_map(|field| needed(&field.ty))
        .map(|ty| (ty, Need::Part))
}

/// The definition that every instance of a type holds an instance of.
fn needed(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Array(array) if array.min_items.unwrap_or(0) > 0 => needed(&array.items),
        _ => None,
    }
}
