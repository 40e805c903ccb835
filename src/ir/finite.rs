//! Which types have a value that ends, and by which variant of each union it is reached.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Field, Protocol, Type, TypeKind};

/// The types of which a value can be built without another of the same, and for each union a
/// variant whose smallest value does not need another of the union's own.
///
/// Types are settled in the order in which their smallest values can be built, so that taking the
/// settling variant of every union always ends.
#[derive(Debug)]
pub struct Finite<'a> {
    settled: HashSet<&'a str>,
    variants: HashMap<&'a str, usize>,
}

/// A type that is waiting for others. A union waits for any of its variants, everything else for
/// all of its parts; shared fields are parts.
struct Waiting<'a> {
    name: &'a str,
    parts: usize,
    /// True if it still needs a variant.
    variant: bool,
    /// True if the open variant will do, should none of the others.
    open: bool,
}

/// Why one type waits for another: it is a part, or what a variant holds.
#[derive(Clone, Copy)]
enum Need {
    Part,
    Variant(usize),
    Open,
}

impl<'a> Finite<'a> {
    /// Settles all types, in time linear in the size of the protocol.
    pub fn new(protocol: &'a Protocol) -> Self {
        let mut found = Self { settled: HashSet::new(), variants: HashMap::new() };
        let mut users: HashMap<&str, Vec<(usize, Need)>> = HashMap::new();
        let mut waiting: Vec<Waiting<'a>> = Vec::new();
        // Unions that can only be settled by their open variant come last.
        let (mut ready, mut last) = (VecDeque::new(), VecDeque::new());
        for (index, (name, def)) in protocol.types.iter().enumerate() {
            let mut user = Waiting { name, parts: 0, variant: false, open: false };
            let mut needs: Vec<(&str, Need)> = parts(def.kind.fields()).collect();
            match &def.kind {
                TypeKind::Record(_) | TypeKind::Enum(_) => {}
                TypeKind::Tuple(tuple) => {
                    let count = usize::try_from(tuple.least()).unwrap_or(usize::MAX);
                    let required = tuple.types().take(count);
                    needs.extend(required.filter_map(needed).map(|ty| (ty, Need::Part)));
                }
                TypeKind::Alias { target } => {
                    needs.extend(needed(target).map(|ty| (ty, Need::Part)));
                }
                TypeKind::Union(union) => {
                    let payloads = union.variants.iter().map(|variant| variant.payload.as_ref());
                    let payloads: Vec<_> =
                        payloads.map(|payload| payload.and_then(needed)).collect();
                    if let Some(free) = payloads.iter().position(Option::is_none) {
                        found.variants.insert(name, free);
                    } else {
                        user.variant = !payloads.is_empty();
                        let open = union.open.as_ref().map(|open| open.payload.as_ref());
                        let open = open.map(|payload| payload.and_then(needed));
                        user.open = open == Some(None);
                        needs.extend(open.flatten().map(|ty| (ty, Need::Open)));
                        let variants = payloads.into_iter().flatten().enumerate();
                        needs.extend(variants.map(|(index, ty)| (ty, Need::Variant(index))));
                    }
                }
            }
            // What a reference that leads nowhere stands for is not known.
            for (ty, need) in needs.into_iter().filter(|(ty, _)| protocol.types.contains_key(*ty)) {
                user.parts += usize::from(matches!(need, Need::Part));
                users.entry(ty).or_default().push((index, need));
            }
            user.queue(index, &mut ready, &mut last);
            waiting.push(user);
        }
        while let Some(index) = ready.pop_front().or_else(|| last.pop_front()) {
            let Some(name) = waiting.get(index).map(|settled| settled.name) else { continue };
            if !found.settled.insert(name) {
                continue;
            }
            for (index, need) in users.remove(name).unwrap_or_default() {
                let Some(user) = waiting.get_mut(index) else { continue };
                match need {
                    Need::Part => user.parts -= 1,
                    Need::Open => user.open = true,
                    Need::Variant(variant)
                        if user.variant && !found.settled.contains(user.name) =>
                    {
                        user.variant = false;
                        found.variants.insert(user.name, variant);
                    }
                    Need::Variant(_) => continue,
                }
                user.queue(index, &mut ready, &mut last);
            }
        }
        found
    }

    /// Tells whether a value of a definition can be built at all.
    pub fn is_finite(&self, name: &str) -> bool {
        self.settled.contains(name)
    }

    /// The variant of a union that leads to an end.
    pub fn variant(&self, union: &str) -> Option<usize> {
        self.variants.get(union).copied()
    }
}

impl Waiting<'_> {
    /// Puts it where it belongs once it waits for nothing.
    fn queue(&self, index: usize, ready: &mut VecDeque<usize>, last: &mut VecDeque<usize>) {
        match (self.parts, self.variant, self.open) {
            (0, false, _) => ready.push_back(index),
            (0, true, true) => last.push_back(index),
            _ => {}
        }
    }
}

fn parts(fields: &[Field]) -> impl Iterator<Item = (&str, Need)> {
    fields
        .iter()
        .filter(|field| field.presence.is_required() && !field.presence.is_nullable())
        .filter_map(|field| needed(&field.ty))
        .map(|ty| (ty, Need::Part))
}

/// The definition that every value of a type holds a value of.
fn needed(ty: &Type) -> Option<&str> {
    match ty {
        Type::Named { name } => Some(name),
        Type::Array(array) if array.min_items.unwrap_or(0) > 0 => needed(&array.items),
        _ => None,
    }
}
