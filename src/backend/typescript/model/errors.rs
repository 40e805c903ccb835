//! Constructors for the errors of the protocol.

use serde::Serialize;

use crate::backend::typescript::types::Scope;
use crate::backend::typescript::{literals, names};
use crate::ir::{Enum, EnumBase, TypeKind};

/// The codes that JSON-RPC defines, or that the class has constructors for in any case.
const OWN_CODES: [i64; 6] = [-32700, -32600, -32601, -32602, -32603, -32800];

/// The static members that the class has in any case.
const OWN_MEMBERS: [&str; 8] = [
    "captureStackTrace",
    "internalError",
    "invalidParams",
    "invalidRequest",
    "methodNotFound",
    "parseError",
    "requestCancelled",
    "stackTraceLimit",
];

/// An error of the protocol's own.
#[derive(Debug, Serialize)]
pub(super) struct ErrorModel {
    name: String,
    code: i64,
    /// The enum and its constant that is the code.
    codes: String,
    constant: String,
    /// The literal of its message.
    message: String,
}

/// The errors that the class has no constructor for.
pub(super) fn errors(scope: Scope<'_>) -> Vec<ErrorModel> {
    let codes = scope.protocol.types.iter().find_map(|(key, def)| match &def.kind {
        TypeKind::Enum(codes) if are_codes(codes) => Some((scope.names.of(key), codes)),
        _ => None,
    });
    let Some((codes_name, codes)) = codes else { return Vec::new() };
    let errors = codes.values.iter().filter_map(|value| {
        let code = value.value.as_i64().filter(|code| !OWN_CODES.contains(code))?;
        let name = names::static_member(&value.name);
        (!OWN_MEMBERS.contains(&name.as_str())).then(|| ErrorModel {
            name,
            code,
            codes: codes_name.to_owned(),
            constant: names::enum_constant(&value.name),
            message: literals::literal(&sentence(&value.name.snake())),
        })
    });
    errors.collect()
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
