//! The model of `errors.py`: constructors for the errors of the protocol.

use std::sync::LazyLock;

use serde::Serialize;

use super::super::imports::{Import, Imports};
use super::super::{docs, literals, names};
use super::FUNCTION;
use super::scope::Scope;
use crate::backend::names::{Words, words};
use crate::ir::Name;

/// The class of the errors that requests are answered with.
const REQUEST_ERROR: &str = "RequestError";

/// The names that `errors.py` defines.
pub(crate) const ERRORS: [&str; 9] = [
    "CallError",
    "ConnectionClosedError",
    "ConnectionLostError",
    "MalformedResponseError",
    "NotInBatchError",
    "NotSupportedError",
    REQUEST_ERROR,
    "TooLongError",
    "VersionMismatchError",
];

/// `errors.py`
#[derive(Debug, Serialize)]
pub(crate) struct ErrorsModule {
    imports: Vec<Import>,
    /// The functions that make the protocol's own errors.
    pub(crate) constructors: Vec<ErrorConstructor>,
    /// Codes, and literals of what the data of each hold.
    pub(crate) own_members: Vec<(i64, Vec<String>)>,
}

/// A function that makes an error of one code.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorConstructor {
    pub(crate) name: String,
    pub(crate) code: i64,
    /// The message as a literal.
    pub(crate) message: String,
    /// The parameters for what its data holds, and that as a literal; else it may be anything.
    pub(crate) parameters: String,
    pub(crate) data: String,
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
            parameters: parameters(&error.value.data),
            data: data(&error.value.data),
            doc: docs::sentence(&doc, FUNCTION),
        }
    });
    let own = scope.protocol.own_errors().filter(|error| !error.value.data.is_empty());
    let own_members = own.map(|error| {
        let members = error.value.data.iter().map(|name| literals::string(&name.wire));
        (error.code, members.collect())
    });
    let own_members: Vec<_> = own_members.collect();
    let constructors: Vec<_> =
        errors.filter(|it| !OWN_MEMBERS.contains(it.name.as_str())).collect();
    let mut imports = Imports::default();
    for name in ERRORS {
        let is_own = name == REQUEST_ERROR && !constructors.is_empty();
        let alias = if is_own { " as _RequestError" } else { "" };
        imports.own("runtime/errors", &format!("{name}{alias}"));
    }
    if !constructors.is_empty() {
        imports.typing("Any");
    }
    if !own_members.is_empty() && !constructors.is_empty() {
        imports.typing("ClassVar");
    }
    if constructors.iter().any(|it| it.data != "data") {
        imports.own("runtime/errors", "given as _given");
    }
    let imports = imports.statements(scope.modules, "errors");
    ErrorsModule { imports, constructors, own_members }
}

/// The parameters of an error, of which the first may be given by position.
fn parameters(members: &[Name]) -> String {
    let Some((first, rest)) = members.split_first() else {
        return String::from("data: Any = None, *");
    };
    let text = |name: &Name| format!("{}: str | None = None", parameter(name));
    let rest = rest.iter().map(text);
    [text(first), String::from("*")].into_iter().chain(rest).collect::<Vec<_>>().join(", ")
}

/// The data of an error.
fn data(members: &[Name]) -> String {
    if members.is_empty() {
        return String::from("data");
    }
    let members = members
        .iter()
        .map(|name| format!("{}: {}", literals::string(&name.wire), parameter(name)))
        .collect::<Vec<_>>();
    format!("_given({{{}}})", members.join(", "))
}

fn parameter(name: &Name) -> String {
    let plain = names::attribute(name);
    if plain == "detail" { plain + "_" } else { plain }
}
