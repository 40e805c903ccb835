//! Documents of other formats, told by their top-level keys.

use crate::diagnostic::Diagnostic;
use crate::source::Node;

/// A format that is not the one that is read.
struct Format {
    /// Top-level keys, which it has all of.
    keys: &'static [&'static str],
    name: &'static str,
    /// How a schema comes of it.
    help: &'static str,
}

const FORMATS: &[Format] = &[
    Format {
        keys: &["openrpc", "methods"],
        name: "an OpenRPC document",
        help: "write a definition in `$defs` for the params and for the result of each of its \
               `methods`, with `x-method` and `x-side`; its `components.schemas` become the others",
    },
    Format {
        keys: &["openapi"],
        name: "an OpenAPI document",
        help: "it describes HTTP, not messages of JSON-RPC; its `components.schemas` can become \
               `$defs` of a schema",
    },
    Format {
        keys: &["swagger"],
        name: "an OpenAPI document",
        help: "it describes HTTP, not messages of JSON-RPC; its `definitions` can become `$defs` \
               of a schema",
    },
    Format {
        keys: &["asyncapi"],
        name: "an AsyncAPI document",
        help: "its `components.schemas` can become `$defs` of a schema, with `x-method` and \
               `x-side` on the payload of each message",
    },
    Format {
        keys: &["requests", "notifications", "structures"],
        name: "a meta model of requests, notifications and structures, such as that of the \
               Language Server Protocol",
        help: "write a definition in `$defs` for each of its `structures`, and bind params and \
               results to the `method` of its `requests` with `x-method` and `x-side`",
    },
    Format {
        keys: &["domains", "version"],
        name: "a protocol of domains with commands and events, such as that of DevTools",
        help: "write a definition in `$defs` for the `parameters` and for the `returns` of each \
               command, with `x-method` and `x-side`",
    },
];

const SCHEMA_HELP: &str = "put a definition for each type into `$defs`, with `x-method` and \
                           `x-side` on the payloads of methods";

/// The finding for a document that has no definition of a type: it says what it looks like.
pub(crate) fn without_types(root: &Node) -> Diagnostic {
    let has = |key: &&str| root.get(key).is_some();
    let format = FORMATS.iter().find(|format| format.keys.iter().all(has));
    let (looks, help) = match format {
        Some(format) => (Some(format.name), format.help),
        None if is_list(root) => {
            (Some("a list of methods, which stands beside a schema"), "give the schema itself")
        }
        None if has(&"properties") || has(&"type") || has(&"oneOf") || has(&"anyOf") => {
            (Some("the JSON Schema of one value"), SCHEMA_HELP)
        }
        None => (None, SCHEMA_HELP),
    };
    let seems = looks.map(|looks| format!(": it looks like {looks}")).unwrap_or_default();
    Diagnostic::error("not-a-protocol", format!("the document defines no type{seems}")).help(help)
}

/// Tells whether its keys are those of lists of methods: `agentMethods`.
fn is_list(root: &Node) -> bool {
    let keys = root.as_object().into_iter().flatten();
    keys.into_iter()
        .any(|(key, member)| key.ends_with("Methods") && member.value.as_object().is_some())
}
