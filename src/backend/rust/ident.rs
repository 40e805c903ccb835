//! Identifiers: from the words of a name to what Rust accepts.

use crate::ir::Name;

/// Names that a schema's type must not take away from code that says `use package::*`, and names
/// that generated code itself uses: Rust's prelude, and what the package exports besides types.
const RESERVED_TYPES: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "CallError",
    "Clone",
    "Copy",
    "DecodeError",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Patch",
    "RequestError",
    "Result",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "UnknownVariant",
    "Unpin",
    "Vec",
];

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

/// A type's name. Where it would hide a name of Rust's prelude or one that the package exports
/// itself, such as the trait of a side, `Type` is put after it.
pub(super) fn type_name(name: &Name, taken: impl Fn(&str) -> bool) -> String {
    let plain = not_a_number(name.pascal(), 'N');
    if RESERVED_TYPES.binary_search(&plain.as_str()).is_ok() || taken(&plain) {
        plain + "Type"
    } else {
        plain
    }
}

/// The name of the trait of a side.
pub(super) fn trait_name(name: &Name) -> String {
    type_name(name, |_| false)
}

/// The names of everything that a package exports for a side.
pub(super) fn side_names(name: &Name) -> [String; 5] {
    ["", "Context", "Peer", "SideConnection", "SideCore"].map(|suffix| trait_name(name) + suffix)
}

/// The name of an enum's variant.
pub(super) fn variant(name: &Name) -> String {
    let plain = not_a_number(name.pascal(), 'N');
    if plain == "Self" { plain + "_" } else { plain }
}

/// The name of a field, method, parameter or variable.
pub(super) fn value(name: &Name) -> String {
    escape(not_a_number(name.snake(), 'n'))
}

/// A snake-case word made safe.
pub(super) fn escape(word: String) -> String {
    if KEYWORDS.binary_search(&word.as_str()).is_ok() {
        format!("r#{word}")
    } else if PATH_KEYWORDS.contains(&word.as_str()) {
        word + "_"
    } else {
        word
    }
}

/// Any word made a name.
#[cfg(feature = "cli")]
pub(super) fn word(word: &str) -> String {
    escape(not_a_number(word.to_owned(), 'n'))
}

/// The name of a constant.
pub(super) fn constant(name: &Name) -> String {
    not_a_number(name.screaming(), 'N')
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_binary_search() {
        assert!(RESERVED_TYPES.is_sorted());
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
        assert_eq!(value(&Name::new("type")), "r#type");
        assert_eq!(value(&Name::new("self")), "self_");
        assert_eq!(value(&Name::new("2fast")), "n2fast");
        assert_eq!(value(&Name::new("_meta")), "meta");
        assert_eq!(constant(&Name::new("fs/read_text_file")), "FS_READ_TEXT_FILE");
    }
}
