//! The rules of conversations: what can be wrong with messages. Data only.

mod bodies;
mod conversations;
mod messages;

pub(super) use bodies::*;
pub(super) use conversations::*;
pub(super) use messages::*;

use crate::policy::Rule;

/// Every rule: those about lines and messages, about what is in them, and about conversations.
pub static RULES: &[&Rule] = &[
    &INVALID_JSON,
    &DUPLICATE_KEY,
    &TOO_DEEP,
    &MESSAGE_NOT_A_LINE,
    &NO_MESSAGES,
    &UNTIDY_LINES,
    &UNKNOWN_SENDER,
    &NOT_A_MESSAGE,
    &JSONRPC_VERSION,
    &PARAMS_NO_STRUCTURE,
    &BAD_RESPONSE,
    &BAD_ERROR,
    &UNKNOWN_MEMBER,
    &EMPTY_BATCH,
    &LIFECYCLE_IN_BATCH,
    &INVALID_VALUE,
    &MISSING_PROPERTY,
    &FORGIVEN_VALUE,
    &DENIED_PROPERTY,
    &REFUSED_BY_SCHEMA,
    &REFUSED_BY_CODE,
    &UNKNOWN_PROPERTY,
    &UNKNOWN_VALUE,
    &UNKNOWN_VARIANT,
    &UNKNOWN_METHOD,
    &EXTENSION_METHOD,
    &WRONG_DIRECTION,
    &WRONG_KIND,
    &BEFORE_OPENING,
    &VERSION_MISMATCH,
    &NOT_ALLOWED,
    &ID_IN_USE,
    &RESPONSE_WITHOUT_REQUEST,
    &NEVER_ANSWERED,
    &AFTER_THE_END,
];

/// The rule of this name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}
