//! The texts of licences that packages carry.

/// The file of a package that holds its licence.
pub const LICENSE: &str = "LICENSE";

/// The texts that are known, by their SPDX identifiers.
const TEXTS: [(&str, &str); 2] = [
    ("MIT", include_str!("../../LICENSE-MIT")),
    ("Apache-2.0", include_str!("../../LICENSE-APACHE")),
];

/// The licence files of this tool, which its runtimes carry, too.
#[cfg(feature = "cli")]
pub(crate) const OWN: [(&str, &str); 2] =
    [("LICENSE-APACHE", TEXTS[1].1), ("LICENSE-MIT", TEXTS[0].1)];

/// The start of the line of a text that says who holds the copyright.
const COPYRIGHT: &str = "Copyright (c) ";

/// The words of an SPDX expression that are no identifiers.
const OPERATORS: [&str; 3] = ["AND", "OR", "WITH"];

/// The text of what an SPDX expression names, or the identifiers whose texts are not known. Where a
/// text says who holds the copyright, `holders` do.
pub(crate) fn license_text(expression: &str, holders: &str) -> Result<String, Vec<String>> {
    let words = expression.split(|it: char| it.is_whitespace() || "()".contains(it));
    let mut ids: Vec<&str> =
        words.filter(|word| !word.is_empty() && !OPERATORS.contains(word)).collect();
    ids.dedup();
    let find = |id: &str| TEXTS.iter().find(|(known, _)| *known == id);
    let unknown = ids.iter().filter(|id| find(id).is_none()).map(|id| (*id).to_owned());
    let unknown: Vec<String> = unknown.collect();
    if !unknown.is_empty() || ids.is_empty() {
        return Err(unknown);
    }
    let texts = ids.iter().filter_map(|id| find(id)).map(|(_, text)| held_by(text, holders));
    let texts: Vec<String> = texts.collect();
    let first = match texts.len() {
        1 => String::new(),
        _ => format!("SPDX-License-Identifier: {expression}\n\n"),
    };
    Ok(first + &texts.join("\n\n"))
}

/// A text with these as the holders of the copyright.
fn held_by(text: &str, holders: &str) -> String {
    let lines = text.lines().map(|line| {
        if line.starts_with(COPYRIGHT) {
            format!("{COPYRIGHT}{holders}\n")
        } else {
            format!("{line}\n")
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_who_holds_the_copyright() {
        let text = license_text("MIT", "Ann Author, Bob").unwrap();
        assert!(text.starts_with("MIT License\n\nCopyright (c) Ann Author, Bob\n\nPermission"));
        assert!(text.ends_with("SOFTWARE.\n") && !text.contains("acp-bindgen"));
        let text = license_text("Apache-2.0", "Ann Author").unwrap();
        assert!(text.contains("Version 2.0, January 2004") && !text.contains("Ann Author"));
    }

    #[test]
    fn all_texts_of_an_expression_are_there() {
        let text = license_text("(MIT OR Apache-2.0)", "Ann").unwrap();
        assert!(text.starts_with("SPDX-License-Identifier: (MIT OR Apache-2.0)\n\nMIT License\n"));
        assert!(text.contains("Version 2.0, January 2004"));
    }

    #[test]
    fn texts_that_are_not_known_are_named() {
        let unknown = |expression| license_text(expression, "Ann").unwrap_err();
        assert_eq!(unknown("0BSD"), ["0BSD"]);
        assert_eq!(unknown("MIT AND (ISC OR Apache-2.0 WITH x)"), ["ISC", "x"]);
        assert_eq!(unknown(" "), [""; 0]);
    }
}
