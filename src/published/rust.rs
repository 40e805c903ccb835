//! The public types of a crate: `struct`, `enum`, `trait` and `type`, with what `serde` calls them.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use syn::{Attribute, Fields, Item, Visibility};

use super::declared::{Member, Shape, Type, span};
use crate::source::{MAX_DEPTH, Span};

/// Reads the public types of a file, and of the modules in it. What macros make is not found.
///
/// Fails if the file does not parse, or is nested too deeply: the parser calls itself for each level,
/// and has no limit of its own.
pub fn read(text: &str, source: u32) -> Result<Vec<Type>, syn::Error> {
    let mut types = Vec::new();
    if text.parse().is_ok_and(is_too_deep) {
        let message = format!("it is nested deeper than {MAX_DEPTH} levels");
        return Err(syn::Error::new(proc_macro2::Span::call_site(), message));
    }
    items(syn::parse_file(text)?.items, &Place { text, source }, &mut types);
    Ok(types)
}

/// Tells whether brackets, the arguments of types and what stands before a type (`&`) are nested
/// too deeply.
fn is_too_deep(tokens: TokenStream) -> bool {
    // The groups that are open: what is left of each, the `<` that are open in it, and the marks
    // that stand before what comes.
    let mut open = vec![(tokens.into_iter(), 0_usize, 0_usize)];
    // The mark that what comes is joined to.
    let mut joined = None;
    while let Some((rest, angles, marks)) = open.last_mut() {
        let before = joined.take();
        let next = rest.next();
        if let Some(TokenTree::Punct(mark)) = &next {
            joined = Some(mark.as_char()).filter(|_| mark.spacing() == Spacing::Joint);
        }
        match next {
            None => {
                open.pop();
                if let Some((_, _, marks)) = open.last_mut() {
                    *marks = 0;
                }
            }
            Some(TokenTree::Group(group)) => open.push((group.stream().into_iter(), 0, 0)),
            Some(TokenTree::Punct(mark)) => match mark.as_char() {
                // `1 << 2`, which opens nothing.
                '<' if before == Some('<') => *angles = angles.saturating_sub(1),
                '<' => *angles += 1,
                // The arm of a `match`: what stood before it may have compared.
                '>' if before == Some('=') => *angles = 0,
                '>' if before != Some('-') => *angles = angles.saturating_sub(1),
                '&' | '*' | '!' => *marks += 1,
                ',' => *marks = 0,
                ';' => (*angles, *marks) = (0, 0),
                _ => {}
            },
            Some(_) => {}
        }
        let depth: usize = open.iter().map(|(_, angles, marks)| 1 + angles + marks).sum();
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

/// A text, to find out where names stand in it.
struct Place<'t> {
    text: &'t str,
    source: u32,
}

impl Place<'_> {
    /// Where a name stands first after these words.
    fn span(&self, words: &str, name: &str, from: usize) -> Span {
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
                let mut ty = Type::new(name.clone(), place.span("struct ", &name, 0));
                let from = ty.span.end as usize;
                if let Fields::Named(fields) = item.fields {
                    let fields = fields.named.into_iter().filter(|field| is_public(&field.vis));
                    let fields = fields.filter_map(|field| {
                        let name = field.ident?.to_string().trim_start_matches("r#").to_owned();
                        let wire = renamed(&field.attrs).unwrap_or_else(|| name.clone());
                        let span = place.span("pub ", &name, from);
                        Some(Member { wire, name, span })
                    });
                    ty.shape = Shape::Fields(fields.collect());
                }
                types.push(ty);
            }
            Item::Enum(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let mut ty = Type::new(name.clone(), place.span("enum ", &name, 0));
                let from = ty.span.end as usize;
                let is_plain = |fields: &Fields| matches!(fields, Fields::Unit);
                if item.variants.iter().filter(|variant| is_plain(&variant.fields)).count() > 1 {
                    let variants = item.variants.iter().filter(|variant| is_plain(&variant.fields));
                    let values = variants.map(|variant| {
                        let name = variant.ident.to_string();
                        let wire = renamed(&variant.attrs).unwrap_or_else(|| name.clone());
                        let span = place.span("    ", &name, from);
                        Member { wire, name, span }
                    });
                    ty.shape = Shape::Values(values.collect());
                }
                types.push(ty);
            }
            Item::Trait(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                let mut ty = Type::new(name.clone(), place.span("trait ", &name, 0));
                let from = ty.span.end as usize;
                for inner in item.items {
                    let syn::TraitItem::Fn(function) = inner else { continue };
                    let name = function.sig.ident.to_string();
                    let (wire, span) = (name.clone(), place.span("fn ", &name, from));
                    ty.functions.push(Member { wire, name, span });
                }
                types.push(ty);
            }
            Item::Type(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                types.push(Type::new(name.clone(), place.span("type ", &name, 0)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_parser_would_have_no_stack_for_is_refused() {
        let nested = |before: &str, after: &str| {
            let (before, after) = (before.repeat(20_000), after.repeat(20_000));
            read(&format!("pub type It = {before}u8{after};"), 0)
        };
        for (before, after) in [("Vec<", ">"), ("(", ")"), ("[", "]"), ("&", ""), ("*const ", "")] {
            let refused = nested(before, after).unwrap_err().to_string();
            assert_eq!(refused, "it is nested deeper than 128 levels", "{before}");
        }
        let methods = "fn a(&self) -> &Vec<u8> { self.0 < 1 && !self.1 } ".repeat(200);
        let fields = "pub a: &'static str, ".repeat(200);
        let arms = "it if it < 7 => 1, ".repeat(200);
        let flags = "1 << 3, ".repeat(200);
        let text = format!(
            "impl It {{ {methods} }} pub struct It {{ {fields} }} const IT: &[u8] = &[{flags}]; \
             fn of(it: u8) -> u8 {{ match it {{ {arms} }} }}"
        );
        assert_eq!(read(&text, 0).unwrap().len(), 1);
    }
}
