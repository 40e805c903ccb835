//! Values of types that are parts of themselves, as deep as messages may be: what decodes a part
//! twice at each level does not end with them.

use acp_bindgen::decode::Decoder;
use acp_bindgen::example::Examples;
use acp_bindgen::ir::{Field, Protocol, Type, TypeKind, Variant};
use serde_json::{Value, json};

use super::judge::spoiled;
use crate::support::Random;

/// How deep the values are, counted in arrays and objects.
const DEPTH: usize = 100;

/// The most variants of a union that there are examples of.
const VARIANTS: usize = 4;

/// The most places in an example that are tried.
const TRIED: usize = 24;

/// The most places that values are put into.
const USED: usize = 3;

/// Where another value can be put into a value.
#[derive(Clone, Debug)]
enum Place {
    /// In place of what this pointer leads to.
    Of(String),
    /// As an item of the empty array that it leads to.
    Item(String),
    /// As a member of the outer object, which lacks it.
    Member(String),
}

impl Place {
    /// How many arrays and objects are around it.
    fn depth(&self) -> usize {
        match self {
            Self::Of(pointer) => pointer.matches('/').count(),
            Self::Item(pointer) => pointer.matches('/').count() + 1,
            Self::Member(_) => 1,
        }
    }

    fn put(&self, outer: &Value, inner: Value) -> Value {
        let mut outer = outer.clone();
        match self {
            Self::Of(pointer) => outer.pointer_mut(pointer).map(|place| *place = inner),
            Self::Item(pointer) => {
                outer.pointer_mut(pointer).map(|place| *place = Value::Array(vec![inner]))
            }
            Self::Member(name) => {
                outer.as_object_mut().map(|members| drop(members.insert(name.clone(), inner)))
            }
        };
        outer
    }
}

/// Deep values of a type, if an example of it can stand within another: one that is right at each
/// level, and others with something wrong inside.
pub(crate) fn values(
    protocol: &Protocol,
    strict: &Decoder<'_>,
    name: &str,
    random: &mut Random,
) -> Vec<Value> {
    let ty = Type::Named { name: name.to_owned() };
    let levels: Vec<(Value, Place)> = outer(protocol, name)
        .into_iter()
        .flat_map(|(example, names)| {
            let places = places(strict, &ty, &example, names);
            places.into_iter().map(move |place| (example.clone(), place))
        })
        .collect();
    let Some((example, _)) = levels.first() else { return Vec::new() };
    let innermost = [example.clone(), spoiled(example, random), json!({})];
    let nested = innermost.into_iter().map(|mut value| {
        let mut depth = 0;
        while depth < DEPTH {
            let (example, place) = random.pick(&levels);
            value = place.put(example, value);
            depth += place.depth();
        }
        value
    });
    nested.collect()
}

/// Examples of a type, one of each variant if it is a union, and what their members can be named.
fn outer(protocol: &Protocol, name: &str) -> Vec<(Value, Vec<String>)> {
    let examples = Examples::new(protocol);
    let wire_names = |fields: &[Field]| -> Vec<String> {
        fields.iter().map(|field| field.name.wire.clone()).collect()
    };
    let kind = protocol.types.get(name).map(|def| &def.kind);
    let Some(TypeKind::Union(union)) = kind else {
        let names = wire_names(kind.map_or(&[], TypeKind::fields));
        return examples.named(name).map(|example| (example, names)).into_iter().collect();
    };
    let variants = union.variants.iter().take(VARIANTS).enumerate();
    let of = |(index, variant): (usize, &Variant)| {
        let mut names = wire_names(&union.shared);
        names.extend(variant.payload.iter().flat_map(|ty| wire_names(protocol.fields(ty))));
        Some((examples.variant(name, index)?, names))
    };
    variants.filter_map(of).collect()
}

/// Where an example of a type takes itself, but not just anything.
fn places(strict: &Decoder<'_>, ty: &Type, example: &Value, names: Vec<String>) -> Vec<Place> {
    let absent = |name: &String| example.is_object() && example.get(name).is_none();
    let mut found: Vec<Place> = names.into_iter().filter(absent).map(Place::Member).collect();
    collect(example, &mut String::new(), &mut found);
    found.truncate(TRIED);
    let takes = |place: &Place, inner| strict.decode(ty, &place.put(example, inner)).is_ok();
    found.retain(|place| takes(place, example.clone()) && !takes(place, json!([[true]])));
    found.truncate(USED);
    found
}

fn collect(value: &Value, pointer: &mut String, found: &mut Vec<Place>) {
    if !pointer.is_empty() {
        found.push(Place::Of(pointer.clone()));
    }
    let parts: Vec<(String, &Value)> = match value {
        Value::Array(items) if items.is_empty() => {
            found.push(Place::Item(pointer.clone()));
            return;
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.replace('~', "~0").replace('/', "~1"), member))
            .collect(),
        _ => return,
    };
    for (name, part) in parts {
        if found.len() >= TRIED {
            return;
        }
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&name);
        collect(part, pointer, found);
        pointer.truncate(length);
    }
}
