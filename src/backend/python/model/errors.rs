//! The model of `errors.py`: constructors for the errors of the protocol.

use std::sync::LazyLock;

use serde::Serialize;

use super::super::{docs, literals, names};
use super::FUNCTION;
use super::scope::Scope;
use crate::backend::names::{Words, words};

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

/// The members that the class has in any case.
static OWN_MEMBERS: Words = LazyLock::new(|| {
    words(
        "add_note args code data internal_error invalid_params invalid_request message \
         method_not_found parse_error request_cancelled to_dict with_traceback staticmethod",
    )
});

/// Writes the model of `errors.py`.
pub(super) fn errors_module(scope: &Scope<'_>) -> ErrorsModule {
    let errors = scope.protocol.own_errors().map(|error| {
        let (class, code) = (scope.class(error.codes), error.code);
        let constant = names::constant(&error.value.name);
        let doc = format!("Make an error with `{class}.{constant}`: {code}.");
        ErrorConstructor {
            name: names::function(&error.value.name),
            code,
            message: literals::string(&error.message()),
            doc: docs::sentence(&doc, FUNCTION),
        }
    });
    ErrorsModule {
        constructors: errors.filter(|it| !OWN_MEMBERS.contains(it.name.as_str())).collect(),
    }
}
