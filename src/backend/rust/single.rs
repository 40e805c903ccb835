//! A crate as one file, to be included in another crate.

use std::fmt::Write as _;

use crate::output::FileSet;

/// Puts all modules of a generated crate into one file, which can be `include!`d anywhere, also
/// in a module: it has no inner attributes of its own and names no path from a crate's root.
pub fn single_file(files: &FileSet) -> String {
    let (header, library) = split_header(files.get("src/lib.rs").unwrap_or_default());
    let mut text = format!("{header}\n{MODULE}");
    put(&mut text, files, "src", library);
    text.push_str(EXPORTS);
    text
}

/// Begins the module. The lints are those that a crate's own code may be held to; how much of
/// the module is used is for the crate around it to say.
const MODULE: &str = "\
#[allow(dead_code, reason = \"it is all there, whatever of it is used\")]
#[allow(missing_docs, unreachable_pub, reason = \"it is laid out as a crate\")]
#[allow(clippy::mixed_attributes_style, clippy::unused_async, reason = \"it is laid out as a crate\")]
#[allow(clippy::collapsible_if, reason = \"it compiles in older editions, too\")]
mod generated {
";

/// Ends the module, and gives all that is public in it to the place where it is included.
const EXPORTS: &str = "\
}

#[allow(unused_imports, unreachable_pub, reason = \"it is all there, whatever of it is used\")]
pub use self::generated::*;
";

/// Writes a module's lines, and other modules in place of their declarations.
fn put(text: &mut String, files: &FileSet, folder: &str, module: &str) {
    let mut code = false;
    for line in module.lines() {
        if let Some((head, name)) = declaration(line)
            && let Some((folder, inner)) = find(files, folder, name)
        {
            let _ = writeln!(text, "{head}{name} {{");
            put(text, files, &folder, split_header(inner).1);
            text.push_str("}\n");
        } else {
            text.push_str(line);
            text.push_str(match opens_example(line, &mut code) {
                Some("") => "ignore\n",
                Some("rust") => ",ignore\n",
                _ => "\n",
            });
        }
    }
}

/// The visibility with the keyword, and the name, of a module that is in another file.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let start = line.find("mod ")? + "mod ".len();
    let (head, name) = line.split_at(start);
    let is_head = matches!(head, "mod " | "pub mod " | "pub(crate) mod " | "pub(super) mod ");
    Some((head, name.strip_suffix(';')?)).filter(|_| is_head)
}

/// The text of a module, and the folder in which its own modules are.
fn find<'a>(files: &'a FileSet, folder: &str, name: &str) -> Option<(String, &'a str)> {
    let inner = format!("{folder}/{name}");
    let file = format!("{inner}.rs");
    let text = files.get(&file).or_else(|| files.get(&format!("{inner}/mod.rs")))?;
    Some((inner, text))
}

/// The first lines of a file, which say where it comes from, and the rest.
fn split_header(text: &str) -> (&str, &str) {
    let header: usize =
        text.split_inclusive('\n').take_while(|line| line.starts_with("// ")).map(str::len).sum();
    text.split_at(header)
}

/// The language of an example that begins on this line. One in Rust would be run as a test, but
/// the names in it are those of the package.
fn opens_example<'a>(line: &'a str, code: &mut bool) -> Option<&'a str> {
    let line = line.trim_start();
    let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
        *code = false;
        return None;
    };
    let language = text.trim_start().strip_prefix("```")?;
    *code = !*code;
    Some(language).filter(|_| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_where_they_were_declared() {
        let mut files = FileSet::new();
        files.insert("src/lib.rs", "// a\n// b\n\n//! Crate.\n\nmod one;\npub mod two;\nmod no;\n");
        files.insert("src/one.rs", "// a\n// b\n\n//! One.\n");
        files.insert("src/two/mod.rs", "// a\n// b\n\npub(crate) mod three;\n");
        files.insert(
            "src/two/three.rs",
            "// a\n// b\n\n//! ```\n//! x\n//! ```\n//! ```rust\n//! ```\nfn f() {}\n",
        );
        let text = single_file(&files);
        assert!(text.starts_with(&format!("// a\n// b\n\n{MODULE}")), "{text}");
        let start = text.find("mod generated").unwrap();
        let end = text.find(EXPORTS).unwrap();
        assert_eq!(
            &text[start..end],
            "mod generated {\n\n//! Crate.\n\nmod one {\n\n//! One.\n}\npub mod two {\n\n\
             pub(crate) mod three {\n\n//! ```ignore\n//! x\n//! ```\n//! ```rust,ignore\n//! ```\nfn f() {}\n}\n}\nmod no;\n"
        );
    }
}
