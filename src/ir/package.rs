//! Names of packages.

use super::Protocol;

/// Why a text cannot name a package in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPackageName {
    /// It has other characters than lowercase letters, digits, `-` and `_`, does not begin with a
    /// letter, or is too long.
    Characters,
    /// It is a keyword, the name of a crate or module that comes with a language, or a device of
    /// Windows.
    Reserved,
}

impl Protocol {
    /// The name of packages for which none was chosen: the protocol's short name, or one like it
    /// where that could not name a package in every language.
    pub fn package_name(&self) -> String {
        let letters = self.short_name.chars().skip_while(|first| !first.is_ascii_lowercase());
        let name: String = letters.take(LONGEST).collect();
        match name.trim_end_matches('-') {
            "" => "protocol".to_owned(),
            name if RESERVED.contains(&name) => format!("{name}-protocol"),
            name => name.to_owned(),
        }
    }

    /// The guide of the schema's authors for a language: lines of Markdown that name the package.
    pub fn guide(&self, language: &str, package: &str) -> Vec<String> {
        let guide = self.guides.get(language).map_or("", |guide| guide.trim());
        guide.replace("%PACKAGE%", package).lines().map(String::from).collect()
    }
}

/// Checks that a text can name a package in every language.
///
/// # Errors
///
/// It cannot.
pub fn check_package_name(name: &str) -> Result<(), BadPackageName> {
    let is_name = name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    if !is_name {
        return Err(BadPackageName::Characters);
    }
    if RESERVED.contains(&name) { Err(BadPackageName::Reserved) } else { Ok(()) }
}

/// The longest name of a package, so that paths stay short.
const LONGEST: usize = 40;

/// Lowercase words that no package can be called in all languages: keywords of Rust, Python and
/// TypeScript, names of crates and modules that come with a language, and of Windows' devices.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "abstract", "alloc", "and", "as", "assert", "async", "aux", "await", "become", "box", "break",
    "case", "catch", "class", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
    "com8", "com9", "con", "const", "continue", "core", "crate", "debugger", "def", "default",
    "del", "delete", "do", "dyn", "elif", "else", "enum", "except", "export", "extends", "extern",
    "false", "final", "finally", "fn", "for", "from", "function", "gen", "global", "if", "impl",
    "import", "in", "instanceof", "interface", "is", "lambda", "let", "loop", "lpt0", "lpt1",
    "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "macro", "match", "mod", "move",
    "mut", "new", "nonlocal", "not", "nul", "null", "or", "override", "package", "pass", "priv",
    "private", "prn", "proc-macro", "proc_macro", "protected", "pub", "public", "raise", "ref",
    "return", "self", "static", "std", "struct", "super", "switch", "test", "this", "throw",
    "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "var", "virtual",
    "void", "where", "while", "with", "yield",
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::LONGEST;
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    fn named(title: &str) -> String {
        let schema = json!({ "title": title, "$defs": { "A": {} } });
        let schema = SchemaText::from_value("s.json", &schema);
        load(schema, Purpose::Generate).protocol.unwrap().package_name()
    }

    #[test]
    fn every_title_gives_a_name() {
        for (title, name) in [
            ("Light Switch Protocol", "lsp"),
            ("Find Nearest", "fn-protocol"),
            ("2 Fast Protocols", "fp"),
            ("Con", "con-protocol"),
            ("9", "protocol"),
            ("", "s"),
            ("../../etc", "etc"),
        ] {
            assert_eq!(named(title), name, "{title}");
        }
        assert!(named(&"long ".repeat(300)).len() <= LONGEST);
    }
}
