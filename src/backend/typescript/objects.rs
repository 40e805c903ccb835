//! Objects of constants and lists of names, laid out as prettier does.

use super::text::literal;
use crate::backend::doc::columns::columns;
use crate::backend::doc::{
    Doc, break_after_operator, concat, fluid, group, group_if, if_break, indent, join, text,
};

/// A property of an object of constants.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// Its key, ready to print.
    pub(super) key: String,
    /// Its value, a literal.
    pub(super) value: String,
}

/// `export const NAME = { … } as const;`, each property on a line of its own.
pub(super) fn constant_object(name: &str, entries: &[Entry]) -> String {
    let object = if entries.is_empty() {
        text("{}")
    } else {
        let properties =
            entries.iter().flat_map(|entry| [Doc::HardLine, property(entry), text(",")]);
        group_if(concat([text("{"), indent(concat(properties)), Doc::HardLine, text("}")]), true)
    };
    let left = text(format!("export const {name}"));
    super::PRETTIER.print(
        &concat([fluid(left, " =", concat([object, text(" as const")])), text(";")]),
        0,
        0,
    )
}

/// `import type { A, B } from "…";` and its like.
pub(super) fn named(keyword: &str, names: &[&str], module: &str) -> String {
    let from = concat([text(" from "), text(literal(module)), text(";")]);
    let list = if let [only] = names {
        text(format!("{{ {only} }}"))
    } else {
        let between = concat([text(","), Doc::Line]);
        let names = join(&between, names.iter().map(|name| text(*name)));
        group(concat([
            text("{"),
            indent(concat([Doc::Line, names])),
            if_break(",", ""),
            Doc::Line,
            text("}"),
        ]))
    };
    super::PRETTIER.print(&concat([text(format!("{keyword} ")), list, from]), 0, 0)
}

fn property(entry: &Entry) -> Doc {
    let comment = entry.doc.iter().flat_map(|line| [text(line.as_str()), Doc::HardLine]);
    let value = text(entry.value.as_str());
    let key = text(entry.key.as_str());
    // A value on a line of its own would gain too little after a short key.
    let assignment = if columns(&entry.key) < 5 {
        concat([key, text(": "), value])
    } else if entry.value.starts_with(['"', '\'']) {
        break_after_operator(key, ":", value)
    } else if entry.value.starts_with('-') {
        fluid(key, ":", value)
    } else {
        concat([key, text(": "), value])
    };
    concat(comment.chain([assignment]))
}

#[cfg(test)]
mod tests {
    use super::{Entry, constant_object};

    fn entry(key: &str, value: &str) -> Entry {
        Entry { doc: Vec::new(), key: key.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn every_property_has_its_line() {
        let with_doc = Entry { doc: vec![String::from("/** One. */")], ..entry("one", "1") };
        assert_eq!(
            constant_object("A", &[with_doc, entry("two", "\"2\"")]),
            "export const A = {\n  /** One. */\n  one: 1,\n  two: \"2\",\n} as const;"
        );
        assert_eq!(constant_object("A", &[]), "export const A = {} as const;");
    }

    #[test]
    fn a_long_string_moves_down_unless_its_key_is_short() {
        let long = format!("\"{}\"", "v".repeat(80));
        assert_eq!(
            constant_object("A", &[entry("abcd", &long), entry("abcde", &long)]),
            format!("export const A = {{\n  abcd: {long},\n  abcde:\n    {long},\n}} as const;")
        );
    }
}
