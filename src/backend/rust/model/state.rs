//! The model of states: a state is made up by a series of a union's values.

use proc_macro2::Ident;

use super::scope::Scope;
use crate::backend::DocsMode;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::ir::{
    Collection, Name, State, StateChange, StateValue, StateVariant, Status, Type, TypeKind, Union,
};

/// The state that values of a union make up.
#[derive(Debug)]
pub(crate) struct StateModel<'a> {
    /// The union's name in the schema.
    pub wire: &'a str,
    pub ident: Ident,
    /// Its names from before, with what is said of them.
    pub old: Vec<(Ident, DocComment)>,
    pub union: Ident,
    /// The property that holds the tag.
    pub tag: &'a str,
    pub collections: Vec<CollectionModel<'a>>,
}

/// A collection of a state: the items of one type.
#[derive(Debug)]
pub(crate) struct CollectionModel<'a> {
    pub ident: Ident,
    pub docs: DocComment,
    /// The type of the items.
    pub item: Ident,
    /// The path of the property that tells items apart, if there can be more than one item.
    pub key: Option<&'a [String]>,
    /// The variants that change it.
    pub variants: Vec<VariantModel<'a>>,
    /// The property that tells whether an item goes on, if one does.
    pub status: Option<&'a Status>,
    /// The method that gives the one value which an item holds, if it holds one.
    pub value: Option<StateValueModel>,
}

/// A field of the one item.
#[derive(Debug)]
pub(crate) struct StateValueModel {
    /// Its name in the state, and in the item.
    pub ident: Ident,
    pub field: Ident,
    pub ty: RustType,
}

/// A variant that changes an item.
#[derive(Debug)]
pub(crate) struct VariantModel<'a> {
    pub tag: &'a str,
    /// The path in the variant of the property that names the item; empty if there is one at most.
    pub key: &'a [String],
    pub change: &'a StateChange,
    /// The properties of a patch that are merged.
    pub merged: Vec<&'a str>,
}

/// Decides all states.
pub(super) fn states<'a>(scope: &Scope<'a>) -> Vec<StateModel<'a>> {
    let unions = scope.protocol.types.iter().filter_map(|(wire, def)| match &def.kind {
        TypeKind::Union(union) => Some((wire, union)),
        _ => None,
    });
    let states = unions.filter_map(|(wire, union)| {
        let (state, tag) = (union.state.as_ref()?, union.tag()?);
        let State { name, collections } = state;
        let collections = collections.iter().map(|it| collection(scope, union, it)).collect();
        let old = scope
            .protocol
            .old_states(wire)
            .into_iter()
            .map(|(name, docs)| (type_name(&name), DocComment::in_mode(&docs, DocsMode::Full)));
        Some(StateModel {
            wire,
            ident: type_name(name),
            old: old.collect(),
            union: scope.ident(wire),
            tag: &tag.wire,
            collections,
        })
    });
    states.collect()
}

fn type_name(name: &Name) -> Ident {
    names::type_name(name, |_| false)
}

fn collection<'a>(
    scope: &Scope<'a>,
    union: &'a Union,
    collection: &'a Collection,
) -> CollectionModel<'a> {
    let variants =
        collection.variants.iter().map(|StateVariant { tag, key, change }| VariantModel {
            tag,
            key: key.as_deref().unwrap_or_default(),
            change,
            merged: merged(scope, union, tag),
        });
    let item = scope.protocol.type_def(&collection.item);
    CollectionModel {
        ident: names::value(&collection.name),
        docs: item.map_or_else(DocComment::default, |it| DocComment::new(&it.docs, scope.options)),
        item: scope.ident(&collection.item),
        key: collection.key.as_deref(),
        variants: variants.collect(),
        status: collection.status.as_ref(),
        value: collection.value.as_ref().and_then(|it| value(scope, collection, it)),
    }
}

fn value(scope: &Scope<'_>, of: &Collection, value: &StateValue) -> Option<StateValueModel> {
    let item = Type::Named { name: of.item.clone() };
    let field = scope.protocol.field(&item, &value.property.wire)?;
    Some(StateValueModel {
        ident: names::value(&value.name),
        field: names::value(&value.property),
        ty: scope.rust_type(&field.ty),
    })
}

/// The properties of a patch whose objects change those that are there.
fn merged<'a>(scope: &Scope<'a>, union: &'a Union, tag: &str) -> Vec<&'a str> {
    let mut variants = union.variants.iter();
    let variant = variants.find(|variant| variant.tag() == Some(tag));
    let payload = variant.and_then(|variant| variant.payload.as_ref());
    let fields = payload.map_or(&[][..], |payload| scope.protocol.fields(payload));
    fields.iter().filter(|field| field.merge).map(|field| field.name.wire.as_str()).collect()
}
