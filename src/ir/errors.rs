//! Errors: which codes a protocol has beside those of JSON-RPC.

use super::{Enum, EnumBase, EnumValue, Protocol, TypeKind};

/// The codes that JSON-RPC defines, and that of a request that was cancelled.
const KNOWN_CODES: [i64; 6] = [-32700, -32600, -32601, -32602, -32603, -32800];

/// An error of the protocol's own.
#[derive(Clone, Copy, Debug)]
pub struct OwnError<'a> {
    /// The key of the enum that has the code, in [`Protocol::types`].
    pub codes: &'a str,
    /// The value of the enum.
    pub value: &'a EnumValue,
    /// The code.
    pub code: i64,
}

impl Protocol {
    /// The errors of the protocol's own, in the order of the first enum of error codes: integers
    /// among which are those of JSON-RPC.
    pub fn own_errors(&self) -> impl Iterator<Item = OwnError<'_>> {
        let codes = self.types.iter().find_map(|(key, def)| match &def.kind {
            TypeKind::Enum(codes) if are_codes(codes) => Some((key.as_str(), &codes.values)),
            _ => None,
        });
        codes.into_iter().flat_map(|(codes, values)| {
            values.iter().filter_map(move |value| {
                let code = value.value.as_i64().filter(|code| !KNOWN_CODES.contains(code))?;
                Some(OwnError { codes, value, code })
            })
        })
    }
}

impl OwnError<'_> {
    /// A sentence without its end: the words of the name.
    pub fn message(&self) -> String {
        let mut words = self.value.name.words.join(" ");
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        words
    }
}

fn are_codes(codes: &Enum) -> bool {
    let has = |code: i64| codes.values.iter().any(|value| value.value.as_i64() == Some(code));
    matches!(codes.base, EnumBase::Integer(_)) && has(-32601) && has(-32602)
}
