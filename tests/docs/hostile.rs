//! Names and descriptions that try to be more than text.

use acp_bindgen::ir::Protocol;
use serde_json::json;

use super::subject::{Subject, protocol};

/// Descriptions that try to be more than text.
pub(crate) const HOSTILE: [&str; 30] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text\n\n<div onclick=\"alert(1)\">\n\nblock\n\n</div>",
    "[link](javascript:alert(1)) [case](JaVaScRiPt:alert(1)) [data](data:text/html,x)",
    "[space]( \tjavascript:alert(1)) <javascript:alert(1)> [ref]\n\n[ref]: javascript:alert(1)",
    "![image](https://example.com/x.png) ![image](javascript:alert(1))",
    "[quote](https://example.com/\"onmouseover=\"alert(1)) [tick](https://example.com/`{x}`)",
    "[paren](https://example.com/a(b)c) [angle](<https://example.com/ a>)",
    "import x from \"y\"",
    "export const x = alert(1)",
    "text\nimport x from \"y\"\n\nexport default 1",
    "{alert(1)} {/* */} ${alert(1)} {{ x }} {% x %}",
    "<Component prop={alert(1)} /> <></> </ResponseField> </a>",
    "</style></script></title></textarea>--><!-- ]]>",
    "---\ntitle: x\n---",
    "# heading\n\n## heading\n\nsetext\n===\n\nsetext\n---",
    "```\nfence",
    "````js\n```\nalert(1)\n````",
    "~~~\n</code></pre><script>alert(1)</script>\n~~~",
    "    indented <script>",
    "a | b\n--- | ---\n`|` | <script>",
    "| a |\n|---|\n| \\| {x} `a|b` |",
    "> quote\n> <script>\n\n- item\n\n  <b>item</b>\n- [ ] task",
    "&lt;script&gt; &#60;script&#62; &amp;lt; &copy;",
    "\\<script> \\{x\\} \\[x](javascript:x) \\`x`",
    "`code <script>` ``a ` b`` `{x}` ` ` `` ` ``",
    "**bold** *it*al*ic* _x_ a_b_c ~~gone~~ ***both***",
    "line  \nbreak\\\nbreak\u{2028}separator\u{202e}bidi\u{0}nul",
    "1. one\n2. two\n\n7) seven\n\n1986\\. A year\n+ plus\n\n=====\n-----",
    "http://example.com/a_b_(c)? www.example.com <https://example.com> someone@example.com",
];

pub(crate) fn hostile() -> Subject {
    let properties: serde_json::Map<String, serde_json::Value> = HOSTILE
        .iter()
        .enumerate()
        .map(|(index, text)| {
            (format!("f{index}"), json!({ "type": "string", "description": text }))
        })
        .collect();
    let mut definitions = json!({
        "RunRequest": {
            "type": "object", "properties": properties,
            "x-method": "run", "x-side": "server", "description": HOSTILE.join("\n\n")
        },
        "RunResponse": { "type": "object", "x-method": "run", "x-side": "server" },
    });
    for (index, text) in HOSTILE.iter().enumerate() {
        definitions[format!("T{index}")] = json!({ "type": "object", "description": text });
        definitions[format!("E{index}")] =
            json!({ "oneOf": [{ "const": text, "description": text }] });
        definitions[format!("P{index}")] =
            json!({ "type": "string", "pattern": text, "format": text });
        definitions[format!("N{text}")] = json!({
            "type": "object",
            "properties": { *text: { "type": "string", "default": text } }
        });
    }
    Subject { name: "hostile".into(), schema: String::new(), protocol: protocol(&definitions) }
}

/// What means something in Markdown, HTML or MDX.
pub(crate) fn pieces() -> Vec<&'static str> {
    "<script> </div> <!-- --> ` `` ``` ~~~ * ** _ ~~ [ ] ( ) ]( ![ \\ > - + # \
     1. | --- === {x} { } & &lt; &#60; $ ! : import export https://e.com/a javascript:x \
     <javascript:x> [`T0`] word ]: \" ' /> a_b é"
        .split_whitespace()
        .chain([" ", " ", "\n", "\n\n", "    ", "\t"])
        .collect()
}

/// Types and fields with these descriptions.
pub(crate) fn described(descriptions: &[String]) -> Protocol {
    let mut definitions = json!({});
    for (index, text) in descriptions.iter().enumerate() {
        definitions[format!("T{index}")] = json!({
            "type": "object", "description": text,
            "properties": { "f": { "type": "string", "description": text } }
        });
    }
    protocol(&definitions)
}
