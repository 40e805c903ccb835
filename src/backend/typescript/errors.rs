//! The model of `src/errors.ts`: constructors for the errors of the protocol.

use serde::Serialize;

use super::types::Scope;
use super::{calls, names, text};
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

/// Everything in `src/errors.ts` that is the protocol's.
#[derive(Debug, Serialize)]
pub(super) struct ErrorsModel {
    constructors: Vec<Constructor>,
}

#[derive(Debug, Serialize)]
struct Constructor {
    doc: Vec<String>,
    statement: String,
}

impl Scope<'_> {
    /// The model of the errors.
    pub(super) fn errors(self) -> ErrorsModel {
        let codes = self.protocol.types.iter().find_map(|(key, def)| match &def.kind {
            TypeKind::Enum(codes) if are_codes(codes) => Some((self.names.of(key), codes)),
            _ => None,
        });
        let constructors = codes.into_iter().flat_map(|(name, codes)| {
            codes.values.iter().filter_map(move |value| {
                let code = value.value.as_i64().filter(|code| !OWN_CODES.contains(code))?;
                let function = names::static_member(&value.name);
                if OWN_MEMBERS.contains(&function.as_str()) {
                    return None;
                }
                let constant = names::enum_constant(&value.name);
                let message = text::literal(&sentence(&value.name.snake()));
                Some(Constructor {
                    doc: super::jsdoc::Comment::of(format!(
                        "An error with `{name}.{constant}`: {code}."
                    ))
                    .block(2),
                    statement: calls::error(&function, &code.to_string(), &message),
                })
            })
        });
        ErrorsModel { constructors: constructors.collect() }
    }
}

/// Whether these are error codes: integers among which are those of JSON-RPC.
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
