//! Types that lead through too many others to what they are.

use super::finite::label;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Protocol, Type, TypeDef, TypeKind, after_targets};
use crate::source::Location;

/// The most levels that a type has. Compilers follow each of them, one within the other, and give
/// up: Rust's first, at 128 of its own.
const MOST: usize = 64;

/// The levels of an array or a map: in Rust there is one more type in it, which holds the memory.
const OF_COLLECTION: usize = 2;

/// Reports the types that have too many levels, each of those that lead to them once, and tells
/// whether there are any. A level is an alternative, what an alias stands for, an array or a map: a
/// value would be looked at as each of them, one within the other.
pub(super) fn is_too_deep(protocol: &Protocol, diagnostics: &mut Diagnostics) -> bool {
    let steps: Vec<Vec<Step>> = protocol.types.values().map(|def| steps(def, protocol)).collect();
    let target = |step: &Step| step.target;
    let edges: Vec<Vec<usize>> =
        steps.iter().map(|steps| steps.iter().filter_map(target).collect()).collect();
    let mut depths = vec![0; edges.len()];
    let mut found = false;
    for index in after_targets(&edges) {
        let below = |step: &Step| step.target.map_or(0, |other| depths[other]);
        let deepest = steps[index].iter().max_by_key(|step| step.levels + below(step));
        let Some(step) = deepest else { continue };
        let (inner, depth) = (below(step), step.levels + below(step));
        depths[index] = depth;
        // What leads on to it is not reported again.
        if depth > MOST
            && inner <= MOST
            && let Some((name, def)) = protocol.types.get_index(index)
        {
            found = true;
            diagnostics.push(too_deep(&label(protocol, name), &def.location));
        }
    }
    for (name, def) in &protocol.types {
        for (part, ty, location) in parts(def) {
            let step = Step::to_definition(ty, protocol);
            let below = step.target.map_or(0, |other| depths[other]);
            if step.levels > 1 && step.levels + below > MOST && below <= MOST {
                found = true;
                let label = format!("{}.{part}", label(protocol, name));
                diagnostics.push(too_deep(&label, location));
            }
        }
    }
    found
}

/// The properties and variants of a definition: their names, types and locations.
fn parts(def: &TypeDef) -> Vec<(&str, &Type, &Location)> {
    let fields = def.kind.fields().iter();
    let fields = fields.map(|field| (field.name.wire.as_str(), &field.ty, &field.location));
    let TypeKind::Union(union) = &def.kind else { return fields.collect() };
    let variants = union.variants.iter().filter_map(|variant| {
        Some((variant.name.wire.as_str(), variant.payload.as_ref()?, &variant.location))
    });
    fields.chain(variants).collect()
}

fn too_deep(label: &str, location: &Location) -> Diagnostic {
    let message = format!(
        "`{label}` leads through more than {MOST} levels of aliases, alternatives, arrays and maps \
         to what it is"
    );
    Diagnostic::error("too-deep", message).at(location.clone()).help(
        "refer to the last of them, list the alternatives in one union, or put an object between \
         the arrays",
    )
}

/// A way from a type to what it is.
struct Step {
    levels: usize,
    /// The number of the definition that it leads to.
    target: Option<usize>,
}

impl Step {
    /// Goes from a type expression to the definition in it.
    fn to_definition(ty: &Type, protocol: &Protocol) -> Self {
        let (mut ty, mut levels) = (ty, 0);
        loop {
            ty = match ty {
                Type::Array(array) => {
                    levels += OF_COLLECTION;
                    &array.items
                }
                Type::Map(map) => {
                    levels += OF_COLLECTION;
                    &map.values
                }
                Type::Nullable { inner } => inner,
                Type::Named { name } => {
                    let target = protocol.types.get_index_of(name);
                    return Self { levels: levels.max(1), target };
                }
                _ => return Self { levels, target: None },
            };
        }
    }
}

/// The steps from a definition to what it stands for, or to its alternatives.
fn steps(def: &TypeDef, protocol: &Protocol) -> Vec<Step> {
    match &def.kind {
        TypeKind::Record(_) | TypeKind::Enum(_) => Vec::new(),
        TypeKind::Tuple(tuple) => {
            let steps = tuple.types().map(|ty| Step::to_definition(ty, protocol));
            let within = |step: Step| Step { levels: step.levels + OF_COLLECTION, ..step };
            steps.map(within).collect()
        }
        TypeKind::Alias { target } => vec![Step::to_definition(target, protocol)],
        // A tag, or properties beside the variants, are those of the same value.
        TypeKind::Union(union) => {
            let payloads = union.variants.iter().map(|variant| &variant.payload);
            let unknown = union.open.iter().map(|open| &open.payload);
            let steps =
                payloads.chain(unknown).flatten().map(|ty| Step::to_definition(ty, protocol));
            steps.filter(|step| step.levels <= 1).collect()
        }
    }
}
