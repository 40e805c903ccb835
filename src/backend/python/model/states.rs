//! The contents of `states.py`: a class for the state that the values of a union make up.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines, sentence};
use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::types::optional;
use super::super::{literals, names};
use super::declarations::{Alias, Declaration};
use super::scope::Scope;
use super::variants::record;
use super::{BODY, Exports, FUNCTION};
use crate::ir::{
    Collection, Field, Findings, Name, Series, State, StateChange, StateValue, StateVariant,
    Status, Type, TypeDef, TypeKind, Union,
};
use crate::source::Location;

/// `states.py`
#[derive(Debug, Default, Serialize)]
pub(crate) struct StatesModule {
    imports: Vec<Import>,
    pub(crate) states: Vec<StateClass>,
    /// Names that the classes had before.
    #[serde(rename = "declarations")]
    old: Vec<Declaration>,
}

/// The class of a union's state.
#[derive(Debug, Serialize)]
pub(crate) struct StateClass {
    pub(crate) name: String,
    /// The names that it had before.
    #[serde(skip)]
    pub(crate) old: Vec<String>,
    /// The constant that holds the changes.
    constant: String,
    /// The name of the union in the model.
    #[serde(skip)]
    pub(crate) of: String,
    /// The union's class, and its tag as a literal.
    pub(crate) union: String,
    tag: Expression,
    pub(crate) collections: Vec<Held>,
    /// The changes that updates make, by their tags.
    changes: Expression,
    /// The function that ends what goes on, and what it ends, if there is such a thing.
    pub(crate) end: &'static str,
    pub(crate) endings: Option<Expression>,
    doc: String,
}

/// An attribute of a state.
#[derive(Debug, Serialize)]
pub(crate) struct Held {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) ty: Expression,
    has_key: bool,
    doc: String,
    /// The property that gives the one value which it holds, if it holds one.
    pub(crate) value: Option<HeldValue>,
}

/// A property that reads an attribute of what is held.
#[derive(Debug, Serialize)]
pub(crate) struct HeldValue {
    pub(crate) name: String,
    attribute: String,
    #[serde(rename = "type")]
    pub(crate) ty: Expression,
    doc: String,
}

/// Decides the contents of `states.py`, and claims the names it defines.
pub(super) fn states_module(
    scope: &Scope<'_>,
    exports: &mut Exports,
    diagnostics: &mut Findings,
) -> StatesModule {
    let mut imports = Imports::default();
    imports.typing("Final");
    imports.module("codecs", "codecs");
    imports.module("types", "types");
    imports.own("runtime/state", "Change");
    let known = scope.protocol.types.values().filter_map(|def| match &def.kind {
        TypeKind::Union(union) => union.state.as_ref(),
        _ => None,
    });
    let known: Vec<&State> = known.collect();
    let appends = |it: &StateVariant| matches!(it.change, StateChange::Append { .. });
    if known.iter().any(|state| state.variants().any(appends)) {
        imports.own("runtime/state", "Addition");
    }
    imports.own("runtime/state", "apply");
    if known.iter().any(|state| state.ending().next().is_some()) {
        imports.own("runtime/state", "Ending");
        imports.own("runtime/state", "end");
    }
    let (mut states, mut old) = (Vec::new(), Vec::new());
    for (name, def) in &scope.protocol.types {
        let TypeKind::Union(union) = &def.kind else { continue };
        let Some(mut state) = state(scope, name, def, union, &mut imports) else { continue };
        exports.claim(&state.name, &def.name.wire, &Location::default(), diagnostics);
        exports.states.push(state.name.clone());
        for (before, _) in scope.protocol.old_states(name) {
            let before = names::class(&before);
            exports.claim(&before, &def.name.wire, &Location::default(), diagnostics);
            exports.old_states.push(before.clone());
            state.old.push(before.clone());
            old.push(Declaration::Alias(Alias::old(before, &state.name)));
        }
        states.push(state);
    }
    if !old.is_empty() {
        imports.typing("TYPE_CHECKING");
        imports.typing("TypeAlias");
        imports.own("runtime/status", "old_name");
    }
    StatesModule { imports: imports.statements(scope.modules, "states"), states, old }
}

fn state(
    scope: &Scope<'_>,
    name: &str,
    def: &TypeDef,
    union: &Union,
    imports: &mut Imports,
) -> Option<StateClass> {
    let state = union.state.as_ref()?;
    let tag = union.tag()?;
    let has_class = |it: &&Collection| !scope.variants.is_inlined(&it.item);
    let collections: Vec<_> = state.collections.iter().filter(has_class).collect();
    let changes = collections.iter().flat_map(|collection| {
        collection.variants.iter().map(|variant| {
            (literals::string(&variant.tag), change(scope, union, collection, variant))
        })
    });
    let endings = collections.iter().filter_map(|it| Some(ending(scope, it, it.status.as_ref()?)));
    let endings: Vec<_> = endings.collect();
    let wire = inline(&def.name.wire);
    let text = format!("What values of `{wire}` make up that are applied in order.");
    Some(StateClass {
        name: names::class(&state.name),
        old: Vec::new(),
        constant: format!("_{}", state.name.screaming()),
        of: name.to_owned(),
        union: scope.class(name).to_owned(),
        tag: Expression::string(&tag.wire),
        changes: Expression::Dict(changes.collect()),
        collections: collections.iter().map(|it| held(scope, it, imports)).collect(),
        end: END,
        endings: (!endings.is_empty()).then_some(Expression::List(endings)),
        doc: docstring(&lines(&text, BODY), BODY),
    })
}

fn attribute(name: &Name) -> String {
    let name = names::function(name);
    if name == "apply" || name == END { name + "_" } else { name }
}

/// The function by which a state learns of a cancelled turn.
const END: &str = "turn_cancelled";

/// The expression of what becomes of the items of a collection when their turn is cancelled.
fn ending(scope: &Scope<'_>, collection: &Collection, status: &Status) -> Expression {
    let codec = names::codec(scope.class(&collection.item));
    let open = status.open.iter().map(|value| Expression::string(value)).collect();
    let arguments = [
        ("name", Some(Expression::string(&attribute(&collection.name)))),
        ("codec", Some(Expression::atom(format!("codecs.{codec}")))),
        ("status", Some(Expression::string(&status.property))),
        ("open", Some(Expression::Tuple(open))),
        ("cancelled", Some(Expression::string(&status.cancelled))),
    ];
    Expression::with_options("Ending", [], arguments)
}

fn held(scope: &Scope<'_>, collection: &Collection, imports: &mut Imports) -> Held {
    let class = scope.class(&collection.item);
    let item = Expression::atom(format!("types.{class}"));
    let has_key = collection.key.is_some();
    let (ty, text) = if let Some(path) = &collection.key {
        let key = inline(&path.join("."));
        let ty = Expression::Index("dict", vec![Expression::atom("str"), item]);
        (ty, format!("By `{key}`, in the order in which they came first."))
    } else {
        let ty = Expression::union([item, Expression::atom("None")]);
        (ty, String::from("The latest, if there is one."))
    };
    let value = collection.value.as_ref().and_then(|it| value(scope, collection, it, imports));
    let name = attribute(&collection.name);
    Held { name, ty, has_key, doc: sentence(&text, FUNCTION), value }
}

fn value(
    scope: &Scope<'_>,
    collection: &Collection,
    value: &StateValue,
    imports: &mut Imports,
) -> Option<HeldValue> {
    let item = Type::Named { name: collection.item.clone() };
    let field = scope.protocol.field(&item, &value.property.wire)?;
    let ty = scope.typed(&field.ty, imports);
    let ty = optional(ty, true, false, imports);
    let [wire, held] = [&value.property.wire, &attribute(&collection.name)].map(|it| inline(it));
    let text = format!("The `{wire}` of `{held}`, if there is one.");
    Some(HeldValue {
        name: attribute(&value.name),
        attribute: names::attribute(&value.property),
        ty,
        doc: docstring(&lines(&text, FUNCTION), FUNCTION),
    })
}

/// The expression of the change that one kind of update makes.
fn change(
    scope: &Scope<'_>,
    union: &Union,
    collection: &Collection,
    variant: &StateVariant,
) -> Expression {
    let payload = union.variants.iter().find(|it| it.tag() == Some(&variant.tag));
    let payload = payload.and_then(|it| it.payload.as_ref());
    let fields = payload.and_then(|ty| Some(&record(scope.protocol, ty)?.1.fields));
    let merged = fields.into_iter().flatten().filter(|field: &&Field| field.merge);
    let merged: Vec<_> = merged.map(|field| Expression::string(&field.name.wire)).collect();
    let codec = names::codec(scope.class(&collection.item));
    let path = |path: &Vec<String>| {
        Expression::Tuple(path.iter().map(|name| Expression::string(name)).collect())
    };
    let yes = || Expression::atom("True");
    let addition = match &variant.change {
        StateChange::Append { from, to, series } => {
            let series = match series {
                Series::List => "list",
                Series::Text => "text",
                Series::Base64 => "base64",
            };
            let parts = vec![Expression::string(from), path(to), Expression::string(series)];
            Some(Expression::apply("Addition", parts))
        }
        StateChange::Replace | StateChange::Patch | StateChange::Remove => None,
    };
    let is_elsewhere = addition.is_some() && variant.key != collection.key;
    let held_key = collection.key.as_ref().filter(|_| is_elsewhere);
    let arguments = [
        ("name", Some(Expression::string(&attribute(&collection.name)))),
        ("codec", Some(Expression::atom(format!("codecs.{codec}")))),
        ("key", variant.key.as_ref().map(path)),
        ("held_key", held_key.map(path)),
        ("is_patch", (variant.change == StateChange::Patch).then(yes)),
        ("merged", (!merged.is_empty()).then_some(Expression::Tuple(merged))),
        ("addition", addition),
        ("is_removal", (variant.change == StateChange::Remove).then(yes)),
    ];
    Expression::with_options("Change", [], arguments)
}
