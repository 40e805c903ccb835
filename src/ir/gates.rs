//! Gates: what may be sent only to a side that has told a capability.

#[cfg(feature = "serde")]
use serde::Serialize;

use super::{Advertised, Field, NeededCapability, Payload, Protocol, Type, TypeKind};

/// A place in a payload that the receiver's capabilities must allow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Gate {
    /// The steps from the payload to the place. The gate is met where they lead to a value that is
    /// not `null`.
    pub path: Vec<Step>,
    /// The path within the receiver's capabilities.
    pub capability: Vec<String>,
}

/// A step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]
pub enum Step {
    /// To a property of an object.
    Property(String),
    /// To each item of an array, or each value of an object.
    Each,
    /// On, if this property of the object is this string.
    Tag(String, String),
}

impl Protocol {
    /// The gates of a payload of this type, in document order.
    ///
    /// Variants without a tag are not looked into: which of them a value is, only a decoder knows. Nor
    /// are tuples.
    /// A type inside itself is looked into once.
    pub fn gates(&self, payload: &Payload, ty: &Type) -> Vec<Gate> {
        let mut walk = Walk {
            protocol: self,
            receiver: &payload.receiver,
            path: Vec::new(),
            inside: Vec::new(),
            gates: Vec::new(),
        };
        if self.leads_to_gates(ty) {
            walk.enter(ty);
        }
        walk.gates
    }

    /// Tells whether anything in a type needs a capability of its receiver.
    fn leads_to_gates(&self, ty: &Type) -> bool {
        let reached = self.reachable(ty.named());
        let mut reached = reached.into_iter().filter_map(|name| self.type_def(name));
        reached.any(|def| match &def.kind {
            TypeKind::Record(record) => record.fields.iter().any(Field::is_gated),
            TypeKind::Union(union) => {
                union.shared.iter().any(Field::is_gated)
                    || union.variants.iter().any(|variant| !variant.capabilities.is_empty())
            }
            _ => false,
        })
    }

    /// The capabilities of a side that stand for methods it may leave out, in document order.
    pub fn advertised(&self, side: &str) -> Vec<Advertised> {
        let mut found: Vec<Advertised> = Vec::new();
        for method in self.handled_by(side).filter(|method| method.optional) {
            let Some(capability) = &method.capability else { continue };
            let wire = method.name.wire.clone();
            let known = found.iter_mut().find(|it| it.capability == *capability);
            if let Some(advertised) = known {
                advertised.methods.push(wire);
            } else {
                found.push(Advertised { capability: capability.clone(), methods: vec![wire] });
            }
        }
        found
    }
}

impl Field {
    fn is_gated(&self) -> bool {
        !self.capabilities.is_empty()
    }
}

/// A walk through the types of a payload.
struct Walk<'a> {
    protocol: &'a Protocol,
    receiver: &'a str,
    path: Vec<Step>,
    /// The definitions that the walk is inside of.
    inside: Vec<&'a str>,
    gates: Vec<Gate>,
}

impl<'a> Walk<'a> {
    fn enter(&mut self, ty: &'a Type) {
        match ty {
            Type::Named { name } => {
                let Some(def) = self.protocol.type_def(name) else { return };
                if self.inside.contains(&name.as_str()) {
                    return;
                }
                self.inside.push(name);
                self.kind(&def.kind);
                self.inside.pop();
            }
            Type::Array(array) => self.within(Step::Each, |walk| walk.enter(&array.items)),
            Type::Map(map) => self.within(Step::Each, |walk| walk.enter(&map.values)),
            Type::Nullable { inner } => self.enter(inner),
            _ => {}
        }
    }

    fn kind(&mut self, kind: &'a TypeKind) {
        match kind {
            TypeKind::Alias { target } => self.enter(target),
            TypeKind::Record(record) => self.fields(&record.fields),
            TypeKind::Union(union) => {
                self.fields(&union.shared);
                for variant in &union.variants {
                    let (Some(property), Some(tag)) = (union.tag(), variant.tag()) else {
                        continue;
                    };
                    self.within(Step::Tag(property.wire.clone(), tag.to_owned()), |walk| {
                        walk.need(&variant.capabilities);
                        if let Some(payload) = &variant.payload {
                            walk.enter(payload);
                        }
                    });
                }
            }
            // No step leads to one item alone.
            TypeKind::Tuple(_) | TypeKind::Enum(_) => {}
        }
    }

    fn fields(&mut self, fields: &'a [Field]) {
        for field in fields {
            self.within(Step::Property(field.name.wire.clone()), |walk| {
                walk.need(&field.capabilities);
                walk.enter(&field.ty);
            });
        }
    }

    fn need(&mut self, capabilities: &[NeededCapability]) {
        let needed = capabilities.iter().filter(|needed| needed.side == self.receiver);
        let gates = needed.map(|it| Gate { path: self.path.clone(), capability: it.path.clone() });
        self.gates.extend(gates);
    }

    fn within(&mut self, step: Step, visit: impl FnOnce(&mut Self)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }
}
