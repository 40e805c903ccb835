//! Classes of what a series of updates makes up.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::backend::DocsMode;
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::literals::{key, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{
    Collection, Docs, Findings, Name, Namespace, Series, StateChange, StateValue, StateVariant,
    Status, Things, TypeDef, TypeKind, Union,
};

/// All such classes.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct StatesModel {
    pub(super) states: Vec<StateModel>,
    /// The names of all, old ones too, sorted.
    names: BTreeSet<String>,
    /// The types and the codecs that they refer to, sorted.
    types: BTreeSet<String>,
    codecs: BTreeSet<String>,
}

/// The class of what values of a union make up.
#[derive(Debug, Serialize)]
pub(super) struct StateModel {
    /// The union's name in the model, and its type.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) union: String,
    pub(super) name: String,
    /// Its names from before.
    pub(super) old: Vec<OldName>,
    /// The tag as a literal and as a key, and whether that is no identifier.
    tag: String,
    tag_key: String,
    is_quoted: bool,
    pub(super) collections: Vec<CollectionModel>,
    /// The function that ends what goes on, and the calls that do so, one a collection.
    pub(super) end: &'static str,
    pub(super) endings: Vec<String>,
}

/// A name that a class had before.
#[derive(Debug, Serialize)]
pub(super) struct OldName {
    pub(super) name: String,
    doc: Vec<String>,
}

/// The items of one type.
#[derive(Debug, Serialize)]
pub(super) struct CollectionModel {
    doc: Vec<String>,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    codec: String,
    /// The path of what tells items apart, as literals. None: there is one item.
    pub(super) key: Option<Vec<String>>,
    variants: Vec<VariantModel>,
    /// The function that gives the one value which items hold, if they hold one.
    pub(super) value: Option<ValueModel>,
}

/// A property of the one item.
#[derive(Debug, Serialize)]
pub(super) struct ValueModel {
    doc: Vec<String>,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    /// The property as a key and as a literal, and whether that is no identifier.
    key: String,
    literal: String,
    is_quoted: bool,
}

/// A variant that changes an item.
#[derive(Debug, Serialize)]
struct VariantModel {
    tag: String,
    /// The function that changes the item, and its arguments after the update.
    call: &'static str,
    arguments: Vec<String>,
}

impl StatesModel {
    /// The classes for the protocol, if there are any.
    pub(super) fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Option<Self> {
        let types = scope.protocol.types.iter();
        let states: Vec<StateModel> =
            types.filter_map(|(of, def)| StateModel::new(scope, of, def, diagnostics)).collect();
        let collections = || states.iter().flat_map(|state| &state.collections);
        let items = collections().map(|items| items.ty.clone());
        let types = items.chain(states.iter().map(|state| state.union.clone())).collect();
        let codecs = collections().map(|items| items.codec.clone()).collect();
        let names = states.iter().flat_map(|state| {
            let old = state.old.iter().map(|old| &old.name);
            old.chain([&state.name]).cloned()
        });
        let names = names.collect();
        (!states.is_empty()).then_some(Self { states, names, types, codecs })
    }
}

impl StateModel {
    fn new(scope: Scope<'_>, of: &str, def: &TypeDef, diagnostics: &mut Findings) -> Option<Self> {
        let TypeKind::Union(union) = &def.kind else { return None };
        let (state, tag) = (union.state.as_ref()?, union.tag()?);
        let name = names::state(&state.name);
        let mut members =
            Namespace::new(Things::Types, format!("members of `{name}` in TypeScript"));
        let collections = state.collections.iter().map(|items| {
            let model = CollectionModel::new(scope, union, items);
            members.claim(&model.name, &items.name.wire, &def.location, diagnostics);
            if let Some(value) = &model.value {
                members.claim(&value.name, &items.name.wire, &def.location, diagnostics);
            }
            model
        });
        let tag_key = key(&tag.wire);
        let old = scope.protocol.old_states(of).into_iter().map(|(name, docs)| OldName {
            name: names::state(&name),
            doc: Comment::new(&docs, DocsMode::Full).block(0),
        });
        Some(Self {
            collections: collections.collect(),
            of: of.to_owned(),
            union: scope.names.name(of).to_owned(),
            name,
            old: old.collect(),
            tag: literal(&tag.wire),
            is_quoted: tag_key != tag.wire,
            tag_key,
            end: names::END,
            endings: state.ending().map(|(items, status)| ending(items, status)).collect(),
        })
    }
}

impl CollectionModel {
    fn new(scope: Scope<'_>, union: &Union, items: &Collection) -> Self {
        let ty = scope.names.name(&items.item).to_owned();
        let doc = match &items.key {
            Some(path) => {
                format!("By their `{}`, in the order in which they came up.", path.join("."))
            }
            None => String::from("The latest, if there was one."),
        };
        let variants = items.variants.iter();
        Self {
            doc: Comment::new(&Docs::default(), scope.docs).paragraph(&doc).block(2),
            name: names::collection(&items.name),
            codec: names::codec(&ty),
            value: items.value.as_ref().map(|it| ValueModel::new(scope, it, &ty, &items.name)),
            ty,
            key: items.key.as_ref().map(|path| path.iter().map(|name| literal(name)).collect()),
            variants: variants.map(|it| VariantModel::new(scope, union, items, it)).collect(),
        }
    }
}

impl ValueModel {
    fn new(scope: Scope<'_>, value: &StateValue, item: &str, items: &Name) -> Self {
        let wire = &value.property.wire;
        let (key, literal) = (key(wire), literal(wire));
        let text = format!("The `{wire}` of `{}`, if there was one.", names::collection(items));
        Self {
            doc: Comment::new(&Docs::default(), scope.docs).paragraph(&text).block(2),
            name: names::collection(&value.name),
            ty: format!("{item}[{literal}]"),
            is_quoted: key != *wire,
            key,
            literal,
        }
    }
}

impl VariantModel {
    fn new(scope: Scope<'_>, union: &Union, items: &Collection, variant: &StateVariant) -> Self {
        let list = |names: Vec<String>| format!("[{}]", names.join(", "));
        let path = |names: &[String]| list(names.iter().map(|name| literal(name)).collect());
        let (call, arguments) = match &variant.change {
            StateChange::Replace => ("replace", Vec::new()),
            StateChange::Patch => ("patch", vec![list(merged(scope, union, &variant.tag))]),
            StateChange::Append { from, to, series } => {
                let key = path(variant.key.as_deref().unwrap_or_default());
                let series = match series {
                    Series::List => "list",
                    Series::Text => "text",
                    Series::Base64 => "base64",
                };
                ("append", vec![key, literal(from), path(to), literal(series)])
            }
            // The key is left out where it is that of the items.
            StateChange::Remove => {
                let key = variant.key.iter().filter(|_| variant.key != items.key);
                ("remove", key.map(|names| path(names)).collect())
            }
        };
        Self { tag: literal(&variant.tag), call, arguments }
    }
}

/// The call that ends those items of a collection that go on.
fn ending(items: &Collection, status: &Status) -> String {
    let open: Vec<String> = status.open.iter().map(|value| literal(value)).collect();
    let (name, cancelled) = (literal(&status.property), literal(&status.cancelled));
    let items = names::collection(&items.name);
    format!("this.#{items}.end({name}, [{}], {cancelled})", open.join(", "))
}

/// The members of a patch that change the members of what is there, as literals.
fn merged(scope: Scope<'_>, union: &Union, tag: &str) -> Vec<String> {
    let mut variants = union.variants.iter();
    let payload = variants.find(|it| it.tag() == Some(tag)).and_then(|it| it.payload.as_ref());
    let fields = payload.map_or(&[][..], |payload| scope.protocol.fields(payload));
    let merged = fields.iter().filter(|field| field.merge);
    merged.map(|field| literal(&field.name.wire)).collect()
}
