//! Identifiers: from the words of a name to what Rust accepts.

use proc_macro2::{Ident, Span};
use quote::format_ident;

use crate::ir::{Name, Union};

/// Names that a schema's type must not take away from code that says `use package::*`, and names
/// that generated code itself uses: Rust's prelude, and what the package exports besides types.
const RESERVED_TYPES: &str = "\
    As AsMut AsRef AsyncFn AsyncFnMut AsyncFnOnce Box CallError Clone Copy DecodeError Default \
    DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator \
    Future Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Patch \
    RequestError Result Self Send Sized Some String Sync ToOwned ToString TryFrom TryInto \
    UnknownVariant Unpin Vec";

/// Words that are an identifier only as `r#word`.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that are no identifier even as `r#word`.
const PATH_KEYWORDS: &[&str] = &["crate", "self", "super"];

/// The name of a type. Where it would hide a name of Rust's prelude or one that the package exports
/// itself, such as the trait of a side, `Type` is put after it.
pub(super) fn type_name(name: &Name, taken: impl Fn(&str) -> bool) -> Ident {
    let plain = not_a_number(name.pascal(), 'N');
    if RESERVED_TYPES.split(' ').any(|reserved| reserved == plain) || taken(&plain) {
        ident(&(plain + "Type"))
    } else {
        ident(&plain)
    }
}

/// The names of everything that a package has for a side.
#[derive(Clone, Debug)]
pub(super) struct SideNames {
    pub(super) handler: Ident,
    pub(super) context: Ident,
    pub(super) peer: Ident,
    pub(super) connection: Ident,
    pub(super) core: Ident,
    pub(super) service: Ident,
}

impl SideNames {
    /// The names for a side.
    pub(super) fn new(name: &Name) -> Self {
        let handler = type_name(name, |_| false);
        Self {
            context: format_ident!("{handler}Context"),
            peer: format_ident!("{handler}Peer"),
            connection: format_ident!("{handler}SideConnection"),
            core: format_ident!("{handler}SideCore"),
            service: format_ident!("{handler}Service"),
            handler,
        }
    }

    /// The names that users of the package see.
    pub(super) fn exported(self) -> [String; 5] {
        let Self { handler, context, peer, connection, core, .. } = self;
        [handler, context, peer, connection, core].map(|name| name.to_string())
    }
}

/// The name of an enum's variant.
pub(super) fn variant(name: &Name) -> Ident {
    let plain = not_a_number(name.pascal(), 'N');
    // `Self::Err` is the error of an enum that is read from text.
    if ["Self", "Err"].contains(&plain.as_str()) { ident(&(plain + "_")) } else { ident(&plain) }
}

/// The name of a field, method, parameter or variable.
pub(super) fn value(name: &Name) -> Ident {
    ident(&escape(not_a_number(name.snake(), 'n')))
}

/// Names of functions of traits that generated code calls on whatever has the functions of methods.
const TRAIT_FUNCTIONS: [&str; 4] = ["clone", "deref", "from", "into"];

/// The name of the function that handles or calls a method.
pub(super) fn function(name: &Name) -> Ident {
    let plain = value(name);
    let is_taken = TRAIT_FUNCTIONS.iter().any(|taken| plain == taken);
    if is_taken { format_ident!("{plain}_") } else { plain }
}

/// The name of a function that does more than the one of this name: `prompt_streamed`.
pub(super) fn suffixed(name: &Name, suffix: &str) -> Ident {
    ident(&not_a_number(name.snake() + suffix, 'n'))
}

/// The name of the function that calls a catalogue entry. That of the constructor is taken.
pub(super) fn catalogue_call(name: &Name) -> Ident {
    let plain = value(name);
    if plain == "new" { format_ident!("new_") } else { plain }
}

/// The name of a constant.
pub(super) fn constant(name: &Name) -> Ident {
    ident(&not_a_number(name.screaming(), 'N'))
}

/// The name of the field that holds the union beside the fields of a struct: that of the tag.
pub(super) fn kind_field(union: &Union) -> Ident {
    let tag = union.tag().map(|tag| escape(not_a_number(tag.snake(), 'n')));
    let word = tag.filter(|tag| !tag.starts_with("r#"));
    let mut field = word.unwrap_or_else(|| String::from("kind"));
    while union.shared.iter().any(|shared| value(&shared.name) == field) {
        field.push('_');
    }
    ident(&field)
}

/// The name of the enum of a union with fields beside it, from that of the struct and the field.
pub(super) fn kind_type(owner: &Ident, field: &Ident) -> Ident {
    format_ident!("{owner}{}", Name::new(field.to_string()).pascal())
}

/// Any word made a name.
#[cfg(feature = "cli")]
pub(super) fn word(word: &str) -> String {
    escape(not_a_number(word.to_owned(), 'n'))
}

/// A snake-case word made safe.
fn escape(word: String) -> String {
    if KEYWORDS.binary_search(&word.as_str()).is_ok() {
        format!("r#{word}")
    } else if PATH_KEYWORDS.contains(&word.as_str()) {
        word + "_"
    } else {
        word
    }
}

/// A word that begins with a digit gets a letter before it: Rust has an underscore mean that a name
/// is not used.
fn not_a_number(word: String, letter: char) -> String {
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        format!("{letter}{word}")
    } else {
        word
    }
}

/// An identifier, from letters, digits and underscores that do not begin with a digit.
fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(keyword) => Ident::new_raw(keyword, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_binary_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn words_become_identifiers() {
        let free = |_: &str| false;
        assert_eq!(type_name(&Name::new("session_update"), free), "SessionUpdate");
        assert_eq!(type_name(&Name::new("string"), free), "StringType");
        assert_eq!(type_name(&Name::new("agent"), |name| name == "Agent"), "AgentType");
        assert_eq!(type_name(&Name::new("3d"), free), "N3d");
        assert_eq!(variant(&Name::new("self")), "Self_");
        assert_eq!(variant(&Name::new("err")), "Err_");
        assert_eq!(function(&Name::new("from")), "from_");
        assert_eq!(value(&Name::new("type")), "r#type");
        assert_eq!(value(&Name::new("self")), "self_");
        assert_eq!(value(&Name::new("2fast")), "n2fast");
        assert_eq!(value(&Name::new("_meta")), "meta");
        assert_eq!(constant(&Name::new("fs/read_text_file")), "FS_READ_TEXT_FILE");
    }
}
