//! Regular expressions of a schema: what they match, and which of them decoders look at.
//!
//! JSON Schema asks for those of ECMA-262. A decoder looks at one with the engine of its language,
//! so only at what means the same in each of them, and takes no time that grows faster than the
//! text.

#[cfg(feature = "patterns")]
mod cost;
#[cfg(feature = "patterns")]
mod ecma;
#[cfg(feature = "patterns")]
mod matching;
#[cfg(feature = "patterns")]
mod positions;
#[cfg(feature = "patterns")]
mod spelling;
#[cfg(feature = "cli")]
mod texts;

#[cfg(feature = "patterns")]
pub(crate) use matching::matches;
#[cfg(feature = "patterns")]
pub(crate) use spelling::spell;
#[cfg(feature = "cli")]
pub(crate) use texts::{first_text, texts};

/// The syntax of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `RegExp` of JavaScript, with the flag `u`.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "there is Rust alone"))]
    JavaScript,
    /// `re` of Python.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "there is Rust alone"))]
    Python,
    /// The crate `regex`.
    Rust,
}

/// Tells why decoders cannot look at a pattern, in words that follow its name. `None` if they can.
#[cfg(feature = "patterns")]
pub(crate) fn obstacle(pattern: &str) -> Option<&'static str> {
    match ecma::parse(pattern) {
        Ok(hir) => positions::Positions::new(&hir).map_or_else(Some, |it| cost::obstacle(&it)),
        Err(obstacle) => Some(obstacle),
    }
}

/// Tells why decoders cannot look at a pattern: this build cannot read any.
#[cfg(not(feature = "patterns"))]
#[allow(clippy::unnecessary_wraps, reason = "with the feature there may be none")]
pub(crate) fn obstacle(_: &str) -> Option<&'static str> {
    Some("acp-bindgen was built without its feature `patterns`")
}

/// Leaves a pattern as it is: nothing looks at it.
#[cfg(not(feature = "patterns"))]
pub(crate) fn spell(pattern: &str, _: Syntax) -> String {
    pattern.to_owned()
}

#[cfg(all(test, feature = "patterns"))]
mod tests {
    use super::{Syntax, obstacle, spell};

    #[test]
    fn what_means_the_same_everywhere_and_is_quick_has_no_obstacle() {
        for pattern in [
            "^[a-z]+$",
            "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
            "^\\d{4}-\\d{2}-\\d{2}$",
            "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            "^(\\d{1,3}\\.){3}\\d{1,3}$",
            "^.*\\.json$",
            "^[^@]+@[^@]+$",
            "^([A-Za-z_]\\w*)(\\.[A-Za-z_]\\w*)*$",
            "^https?://",
            "\\.(ts|js)$",
            "a*",
            "(ab)?",
            "[a-z]+",
            "(^a|-$)",
            "^",
            "",
            "^(?<name>x)$",
        ] {
            assert_eq!(obstacle(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn what_differs_or_may_take_long_has_an_obstacle() {
        for pattern in [
            "(?=a)b",
            "(a)\\1",
            "\\p{L}",
            "(?i)a",
            "\\bfan\\b",
            "[a&&b]",
            "[[:alpha:]]",
            "\\Aa",
            "a{,2}",
            "a^",
            "$a",
            "(?P<n>a)",
            "\\<a",
            "a++",
            "^*",
        ] {
            assert!(obstacle(pattern).is_some(), "{pattern}");
        }
        for pattern in [
            "^(a+)+$",
            "^(aa|a)*$",
            "^(a*)*$",
            "^(a|b|ab)*$",
            "[a-z]+$",
            "^a*a*$",
            "^(a?){30}a{30}$",
            "^(.+)@(.+)$",
            "^\\s+|\\s+$",
            "^(a|ab)(c|bcd)*(d*)*$",
            "a{1001}",
            "^(.*a){20}$",
            "((a+)+b)?",
            "a((b+)+c)?",
            "(([a-z]+)*1)*",
        ] {
            assert!(obstacle(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn what_would_take_long_to_judge_is_given_up() {
        let letters: Vec<char> = ('\u{4e00}'..'\u{5000}').collect();
        let joined = |after: &str, between: &str| {
            let each: Vec<String> = letters.iter().map(|c| format!("{c}{after}")).collect();
            each.join(between)
        };
        for pattern in [
            format!("({})*x$", joined("", "a|")),
            format!("({})*$", joined("?", "")),
            String::from("^((a?){30}){30}$"),
            String::from("((a|b|c|d|e)*(f|g|h)*){200}$"),
        ] {
            assert!(obstacle(&pattern).is_some(), "{pattern}");
        }
        assert_eq!(obstacle("(){1000000000}"), None);
    }

    #[test]
    fn patterns_are_spelled_for_each_engine() {
        let spelled = |pattern| {
            [Syntax::JavaScript, Syntax::Python, Syntax::Rust].map(|it| spell(pattern, it))
        };
        let same = |text: &str| [text; 3].map(str::to_owned);
        for pattern in ["^[a-z]+", "^(?:on|off)", "a{2}b{1,}", "[.a-]", "[^ab]*"] {
            let expected = pattern.replace("{1,}", "+");
            assert_eq!(spelled(pattern), same(&expected));
        }
        assert_eq!(spelled("a$"), ["a$", "a\\Z", "a$"]);
        assert_eq!(spelled("\\d\\w"), same("[0-9][0-9A-Za-z_]"));
        assert_eq!(
            spelled("."),
            [
                "[^\\n\\r\\u{2028}\\u{2029}]",
                "[^\\n\\r\\u2028\\u2029]",
                "[^\\n\\r\\u{2028}\\u{2029}]"
            ]
        );
        assert_eq!(spelled("\u{1f600}/"), ["\\u{1f600}/", "\\U0001f600/", "\\u{1f600}/"]);
        assert_eq!(spelled("[]\\^[&~-]"), same("[]\\^[&~-]"));
    }
}
