//! `x-appends` and `x-removes`: variants that add to an item of a state, or remove it.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{
    Collection, Field, Protocol, Series, StateChange, StateVariant, StringType, Type, Union,
};
use crate::lower::capabilities::dotted;
use crate::lower::named_fields;
use crate::schema::SchemaObject;
use crate::source::Location;

/// A variant's change, as an annotation says it.
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
        change: StateChange::Append {
            from: it.from.clone(),
            to: dotted(&it.to),
            series: Series::default(),
        },
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
    let mut change = said.change.clone();
    if let StateChange::Append { from, to, series } = &mut change {
        let added = has(fields, Some(from), tag, false)?;
        *series = added_to(protocol, said.item, to, added)?;
    }
    Ok((index, StateVariant { tag: (*tag).to_owned(), key, change }))
}

/// Tells which kind of series `path` leads to in an item: the values of a field go to its end.
fn added_to(
    protocol: &Protocol,
    item: &str,
    path: &[String],
    added: &Field,
) -> Result<Series, Diagnostic> {
    let mut ty = &Type::Named { name: item.to_owned() };
    let mut of = item;
    for name in path {
        ty = &has(named_fields(protocol, ty), Some(name), of, false)?.ty;
        of = name;
    }
    let to = path.join(".");
    let series = match protocol.resolve(ty) {
        Type::Array(_) => return Ok(Series::List),
        Type::String(text) => series_of(text),
        _ => None,
    };
    let Some(series) = series else {
        let message = format!("`{to}` of `{item}` can not become longer");
        let help = "name an array, a string, or a string with a `contentEncoding` of base64";
        return Err(error(message).help(help));
    };
    match protocol.resolve(&added.ty) {
        Type::String(text) if series_of(text) == Some(series) => Ok(series),
        _ => {
            let kind = if series == Series::Text { "text" } else { "bytes in base64" };
            let added = &added.name.wire;
            let message = format!("`{to}` of `{item}` is {kind}, but `{added}` is none");
            let help = "let both be plain strings, or both have a `contentEncoding` of base64";
            Err(error(message).help(help))
        }
    }
}

/// How strings of a type become longer.
fn series_of(text: &StringType) -> Option<Series> {
    match text.encoding.as_deref() {
        None => Some(Series::Text),
        Some("base64") => Some(Series::Base64),
        Some(_) => None,
    }
}

/// The field of this name, which has to be there.
fn has<'a>(
    fields: &'a [Field],
    name: Option<&String>,
    of: &str,
    required: bool,
) -> Result<&'a Field, Diagnostic> {
    let mut fitting = fields.iter().filter(|field| !required || field.presence.is_required());
    let name = name.map(String::as_str).unwrap_or_default();
    if let Some(field) = fitting.find(|field| field.name.wire == name) {
        return Ok(field);
    }
    let kind = if required { "required property" } else { "property" };
    let near = nearest(name, fields.iter().map(|field| field.name.wire.as_str()));
    Err(error(format!("`{name}` is no {kind} of `{of}`"))
        .near(near, format!("name a {kind} of it")))
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-key", message)
}
