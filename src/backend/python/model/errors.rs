//! The model of `errors.py`: constructors for the errors of the protocol.

use serde::Serialize;

use super::super::{docs, literals, names};
use super::FUNCTION;
use super::scope::Scope;
use crate::ir::{Enum, EnumBase, TypeKind};

/// `errors.py`
#[derive(Debug, Serialize)]
pub(crate) struct ErrorsModule {
    /// The functions that make the protocol's own errors.
    pub(crate) constructors: Vec<ErrorConstructor>,
}

/// A function that makes an error of one code.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorConstructor {
    pub(crate) name: String,
    pub(crate) code: i64,
    /// The message as a literal.
    pub(crate) message: String,
    pub(crate) doc: String,
}

/// The codes that JSON-RPC defines, or that the class has constructors for in any case.
const OWN_CODES: [i64; 6] = [-32700, -32600, -32601, -32602, -32603, -32800];

/// The members that the class has in any case.
const OWN_MEMBERS: [&str; 14] = [
    "add_note",
    "args",
    "code",
    "data",
    "internal_error",
    "invalid_params",
    "invalid_request",
    "message",
    "method_not_found",
    "parse_error",
    "request_cancelled",
    "to_dict",
    "with_traceback",
    "staticmethod",
];

/// Writes the model of `errors.py`.
pub(super) fn errors_module(scope: &Scope<'_>) -> ErrorsModule {
    let codes = scope.protocol.types.iter().find_map(|(key, def)| match &def.kind {
        TypeKind::Enum(codes) if are_codes(codes) => Some((scope.class(key), codes)),
        _ => None,
    });
    let mut constructors = Vec::new();
    if let Some((class, codes)) = codes {
        let mut seen = std::collections::HashSet::new();
        for value in &codes.values {
            let code = value.value.as_i64().filter(|code| !OWN_CODES.contains(code));
            let function = names::function(&value.name);
            let Some(code) = code else { continue };
            if OWN_MEMBERS.contains(&function.as_str()) || !seen.insert(function.clone()) {
                continue;
            }
            let constant = names::constant(&value.name);
            let doc = format!("Make an error with `{class}.{constant}`: {code}.");
            constructors.push(ErrorConstructor {
                name: function,
                code,
                message: literals::string(&sentence(&value.name.snake())),
                doc: docs::sentence(&doc, FUNCTION),
            });
        }
    }
    ErrorsModule { constructors }
}

/// Tells whether these are error codes: integers among which are those of JSON-RPC.
fn are_codes(codes: &Enum) -> bool {
    let has = |code: i64| codes.values.iter().any(|value| value.value.as_i64() == Some(code));
    matches!(codes.base, EnumBase::Integer(_)) && has(-32601) && has(-32602)
}

/// Words joined by `_` as a sentence without its end.
fn sentence(snake: &str) -> String {
    let words = snake.replace('_', " ");
    let mut characters = words.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(characters.clone()).collect()
}
