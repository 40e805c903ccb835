//! Strings, numbers and values that programs trip over.

use serde_json::{Value, json};

use crate::support::Random;

/// Strings that end comments, strings and templates, lead elsewhere, or are not what they look like.
const STRINGS: [&str; 44] = [
    "",
    " ",
    "*/",
    "/*",
    "//",
    "\"\"\"",
    "'''",
    "`${x}`",
    "\\",
    "\\\\\"",
    "\"",
    "'",
    "\n",
    "\r\n",
    "a\r",
    "\u{2028}",
    "{{",
    "{% raw %}",
    "{# a",
    "</script><script>",
    "<!--",
    "-->",
    "]]>",
    "```\n",
    "\\u0000",
    "\0",
    "\u{7}",
    "\u{202e}abc",
    "\u{feff}",
    "e\u{301}",
    "ß",
    "ﬁ",
    "İ",
    "\u{1f468}\u{200d}\u{1f469}",
    "../../x",
    "CON",
    "a/b",
    "#/$defs/x",
    "%41",
    "__proto__",
    "constructor",
    "self",
    "type",
    "r#type",
];

/// Words that mean something in schemas, in languages, or in generated code.
const WORDS: [&str; 24] = [
    "_", "__init__", "class", "Self", "None", "null", "default", "fn", "Result", "Option",
    "String", "Error", "params", "result", "method", "id", "jsonrpc", "1", "1a", "a-b", "a.b", "A",
    "é", "$",
];

/// Numbers at the ends of what types hold, and beyond.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "1e18",
    "1e19",
    "1e308",
    "1e-320",
    "0.1",
    "3000000000",
    "1e400",
];

/// A string that is odd in some way.
pub(crate) fn string(random: &mut Random) -> String {
    match random.below(8) {
        0..=2 => (*random.pick(&STRINGS)).to_owned(),
        3 | 4 => (*random.pick(&WORDS)).to_owned(),
        5 => format!("{}{}", random.pick(&WORDS), random.pick(&STRINGS)),
        6 => format!("{}{}", random.pick(&STRINGS), random.pick(&STRINGS)),
        _ => random.pick(&["long ", "x", "Ab", "\"", "é", "`"]).repeat(1 + random.below(300)),
    }
}

/// A number at the end of some range.
pub(crate) fn number(random: &mut Random) -> Value {
    // What is too large for a number of JSON's usual kind becomes a string.
    let text = *random.pick(&NUMBERS);
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

/// Any value, mostly not one that belongs there.
pub(crate) fn value(random: &mut Random) -> Value {
    match random.below(10) {
        0 => Value::Null,
        1 => json!(random.once_in(2)),
        2 | 3 => number(random),
        4 | 5 => json!(string(random)),
        6 => json!([string(random), number(random)]),
        7 => json!([]),
        8 => json!({ string(random): number(random) }),
        _ => json!({}),
    }
}
