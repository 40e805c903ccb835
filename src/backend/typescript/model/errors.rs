//! Constructors for the errors of the protocol, and what their data tell.

use std::sync::LazyLock;

use serde::Serialize;

use crate::backend::names::{Words, words};
use crate::backend::typescript::types::Scope;
use crate::backend::typescript::{literals, names};
use crate::ir::Name;

/// The static members that the class has in any case.
static OWN_MEMBERS: Words = LazyLock::new(|| {
    words(
        "captureStackTrace internalError invalidParams invalidRequest methodNotFound parseError \
         requestCancelled stackTraceLimit",
    )
});

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
    /// The members of its data: names of parameters, and members that have their values.
    data: Vec<(String, String)>,
}

/// The errors that the class has no constructor for.
pub(super) fn errors(scope: Scope<'_>) -> Vec<ErrorModel> {
    let errors = scope.protocol.own_errors().map(|error| ErrorModel {
        name: names::static_member(&error.value.name),
        code: error.code,
        codes: scope.names.name(error.codes).to_owned(),
        constant: names::enum_constant(&error.value.name),
        message: literals::literal(&error.message()),
        data: error.value.data.iter().map(datum).collect(),
    });
    errors.filter(|it| !OWN_MEMBERS.contains(it.name.as_str())).collect()
}

/// The parameter for a member of an error's data, and the member.
fn datum(name: &Name) -> (String, String) {
    let parameter = names::parameter(name);
    let is_taken = ["data", "detail", "given", "text"].contains(&parameter.as_str());
    let parameter = if is_taken { parameter + "_" } else { parameter };
    let key = literals::key(&name.wire);
    let member = if key == parameter { key } else { format!("{key}: {parameter}") };
    (parameter, member)
}

/// The codes of errors whose data hold something, and the literals of what that is.
pub(super) fn own_members(scope: Scope<'_>) -> Vec<(i64, Vec<String>)> {
    let errors = scope.protocol.own_errors().filter(|error| !error.value.data.is_empty());
    let members = |data: &[Name]| data.iter().map(|name| literals::literal(&name.wire)).collect();
    errors.map(|error| (error.code, members(&error.value.data))).collect()
}
