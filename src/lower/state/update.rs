//! `x-appends` and `x-removes`: variants that add to an item of a state, or remove it.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Collection, Field, Protocol, StateChange, StateVariant, Type, Union};
use crate::lower::capabilities::dotted;
use crate::lower::named_fields;
use crate::schema::SchemaObject;
use crate::source::Location;

/// What an annotation says of a variant.
struct Said<'a> {
    keyword: &'static str,
    tag: &'a str,
    item: &'a str,
    key: Option<&'a str>,
    change: StateChange,
    location: &'a Location,
}

/// Adds the variants that a union's annotations name to the collections of its state.
pub(super) fn add(
    (protocol, union): (&Protocol, &Union),
    schema: &SchemaObject,
    collections: &mut [Collection],
    diagnostics: &mut Diagnostics,
) {
    let appends = schema.annotations.appends.iter().map(|(tag, it)| Said {
        keyword: "x-appends",
        tag,
        item: &it.item,
        key: it.key.as_deref(),
        change: StateChange::Append { from: it.from.clone(), to: it.to.clone() },
        location: &it.location,
    });
    let removes = schema.annotations.removes.iter().map(|(tag, it)| Said {
        keyword: "x-removes",
        tag,
        item: &it.item,
        key: it.key.as_deref(),
        change: StateChange::Remove,
        location: &it.location,
    });
    for said in appends.chain(removes) {
        match variant(protocol, union, collections, &said) {
            Ok((index, variant)) => collections[index].variants.push(variant),
            Err(problem) => diagnostics.push(problem.at(said.location.clone())),
        }
    }
}

/// The variant that an annotation makes, and the collection that it changes.
fn variant(
    protocol: &Protocol,
    union: &Union,
    collections: &[Collection],
    said: &Said<'_>,
) -> Result<(usize, StateVariant), Diagnostic> {
    let Said { keyword, tag, item, .. } = said;
    let Some((_, found)) = union.tagged().find(|(known, _)| known == tag) else {
        let message = format!("`{keyword}` names `{tag}`, which is the tag of no variant");
        let near = nearest(tag, union.tagged().map(|(tag, _)| tag));
        return Err(error(message).near(near, "name the tag of a variant"));
    };
    if collections.iter().any(|it| it.variants.iter().any(|variant| variant.tag == *tag)) {
        let message = format!("`{tag}` changes the state in two ways");
        return Err(error(message).help(format!("leave out `x-key` or `{keyword}`")));
    }
    let Some(index) = collections.iter().position(|it| it.item == *item) else {
        let message = format!("`{keyword}` names `{item}`, of which no variant makes an item");
        let near = nearest(item, collections.iter().map(|it| it.item.as_str()));
        return Err(error(message).near(near, "name a definition with an `x-key`"));
    };
    let fields = found.payload.as_ref().map(|ty| named_fields(protocol, ty)).unwrap_or_default();
    let key = said.key.map(dotted).or_else(|| collections[index].key.clone());
    if let Some(key) = &key {
        has(fields, key.first(), tag, true)?;
    }
    if let StateChange::Append { from, to } = &said.change {
        has(fields, Some(from), tag, false)?;
        let item = Type::Named { name: (*item).to_owned() };
        let item = named_fields(protocol, &item);
        has(item, Some(to), said.item, false)?;
        let list = item.iter().find(|field| field.name.wire == *to).map(|field| &field.ty);
        if !list.is_some_and(|ty| is_list(protocol, ty)) {
            let message = format!("`{to}` of `{}` is no list", said.item);
            return Err(error(message).help("name a property that is an array with `to`"));
        }
    }
    Ok((index, StateVariant { tag: (*tag).to_owned(), key, change: said.change.clone() }))
}

fn is_list(protocol: &Protocol, ty: &Type) -> bool {
    matches!(protocol.resolve(ty), Type::Array(_))
}

/// Makes sure that there is a field of this name.
fn has(
    fields: &[Field],
    name: Option<&String>,
    of: &str,
    required: bool,
) -> Result<(), Diagnostic> {
    let mut fitting = fields.iter().filter(|field| !required || field.presence.is_required());
    let name = name.map(String::as_str).unwrap_or_default();
    if fitting.any(|field| field.name.wire == name) {
        return Ok(());
    }
    let kind = if required { "required property" } else { "property" };
    let near = nearest(name, fields.iter().map(|field| field.name.wire.as_str()));
    Err(error(format!("`{name}` is no {kind} of `{of}`"))
        .near(near, format!("name a {kind} of it")))
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-key", message)
}
