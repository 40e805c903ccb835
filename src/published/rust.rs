//! The public types of a crate: `struct`, `enum`, `trait` and `type`, with what `serde` calls them.

use syn::{Attribute, Fields, Item, Visibility};

use super::declared::{Member, Shape, Type, span};
use crate::source::Span;

/// Reads the public types of a file, and of the modules in it. What macros make is not found.
///
/// Fails if the file does not parse.
pub fn read(text: &str, source: u32) -> Result<Vec<Type>, syn::Error> {
    let mut types = Vec::new();
    items(syn::parse_file(text)?.items, &Place { text, source }, &mut types);
    Ok(types)
}

/// A text, to find out where names stand in it.
struct Place<'t> {
    text: &'t str,
    source: u32,
}

impl Place<'_> {
    /// Where a name stands first after these words.
    fn of(&self, words: &str, name: &str, from: usize) -> Span {
        let wanted = format!("{words}{name}");
        let is_whole = |at: &usize| {
            let after = self.text.get(at + wanted.len()..).and_then(|rest| rest.chars().next());
            after.is_none_or(|next| !next.is_alphanumeric() && next != '_')
        };
        let rest = self.text.get(from..).unwrap_or_default();
        let mut places = rest.match_indices(&wanted).map(|(at, _)| from + at);
        let start = places.find(is_whole).map_or(from, |at| at + words.len());
        span(self.source, start, start + name.len())
    }
}

fn items(items: Vec<Item>, place: &Place<'_>, types: &mut Vec<Type>) {
    let is_public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
    for item in items {
        match item {
            Item::Struct(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let mut ty = Type::new(name.clone(), place.of("struct ", &name, 0));
                let from = ty.span.end as usize;
                if let Fields::Named(fields) = item.fields {
                    let fields = fields.named.into_iter().filter(|field| is_public(&field.vis));
                    let fields = fields.filter_map(|field| {
                        let name = field.ident?.to_string().trim_start_matches("r#").to_owned();
                        let wire = renamed(&field.attrs).unwrap_or_else(|| name.clone());
                        let span = place.of("pub ", &name, from);
                        Some(Member { wire, name, span })
                    });
                    ty.shape = Shape::Fields(fields.collect());
                }
                types.push(ty);
            }
            Item::Enum(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let mut ty = Type::new(name.clone(), place.of("enum ", &name, 0));
                let from = ty.span.end as usize;
                let is_plain = |fields: &Fields| matches!(fields, Fields::Unit);
                if item.variants.iter().filter(|variant| is_plain(&variant.fields)).count() > 1 {
                    let variants = item.variants.iter().filter(|variant| is_plain(&variant.fields));
                    let values = variants.map(|variant| {
                        let name = variant.ident.to_string();
                        let wire = renamed(&variant.attrs).unwrap_or_else(|| name.clone());
                        let span = place.of("    ", &name, from);
                        Member { wire, name, span }
                    });
                    ty.shape = Shape::Values(values.collect());
                }
                types.push(ty);
            }
            Item::Trait(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let mut ty = Type::new(name.clone(), place.of("trait ", &name, 0));
                let from = ty.span.end as usize;
                for inner in item.items {
                    let syn::TraitItem::Fn(function) = inner else { continue };
                    let name = function.sig.ident.to_string();
                    let (wire, span) = (name.clone(), place.of("fn ", &name, from));
                    ty.functions.push(Member { wire, name, span });
                }
                types.push(ty);
            }
            Item::Type(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                types.push(Type::new(name.clone(), place.of("type ", &name, 0)));
            }
            Item::Mod(item) if is_public(&item.vis) => {
                items_of(item, place, types);
            }
            _ => {}
        }
    }
}

fn items_of(module: syn::ItemMod, place: &Place<'_>, types: &mut Vec<Type>) {
    items(module.content.map(|(_, inner)| inner).unwrap_or_default(), place, types);
}

/// The name that `#[serde(rename = "…")]` gives.
fn renamed(attrs: &[Attribute]) -> Option<String> {
    let mut name = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        // What else it says is of no interest, nor is what does not parse.
        let _ = attr.parse_nested_meta(|meta| {
            let value = meta.value().and_then(syn::parse::ParseBuffer::parse::<syn::Lit>);
            if let (true, Ok(syn::Lit::Str(text))) = (meta.path.is_ident("rename"), value) {
                name = Some(text.value());
            }
            Ok(())
        });
    }
    name
}
