//! Python identifiers: how the words of a name are joined, and which names are taken.
//!
//! A name that Python or the generated code itself needs gets a trailing underscore (`class_`), or
//! `Type` if it is a class (`AnyType`); a name that begins with a digit gets a word in front
//! (`value_2d`). Where such a name is another's, one of the two is renamed.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::backend::names::{Words, words};
use crate::backend::sides::SideNames;
use crate::ir::{Method, Name, Side};

/// The keywords of Python 3.10 to 3.14. Soft keywords (`match`, `type`) are ordinary names.
static KEYWORDS: Words = LazyLock::new(|| {
    words(
        "False None True and as assert async await break class continue def del elif else \
         except finally for from global if import in is lambda nonlocal not or pass raise \
         return try while with yield",
    )
});

/// Names that generated class bodies use: an attribute of that name would hide them from the
/// annotations below it. `l` is a name that linters refuse.
static NEEDED_IN_BODIES: Words =
    LazyLock::new(|| words("bool dict field float int l list self str"));

/// Names that functions must leave alone as well: `mro` is a method of every class.
static NEEDED_BESIDE_FUNCTIONS: Words = LazyLock::new(|| {
    words(
        "abstractmethod bool classmethod codecs dict field float int l list mro property self staticmethod str",
    )
});

/// Names that the initializer of a raw variant uses beside its shared fields.
const NEEDED_BESIDE_SHARED_FIELDS: &[&str] = &["raw", "super", "tag"];

/// Class names that generated modules import or define.
static NEEDED_IN_MODULES: Words = LazyLock::new(|| {
    words(
        "ABC ABSENT Annotated Any AsyncGenerator CallError Callable ClassVar ConnectionClosedError ConnectionLostError \
         ConnectionOptions Codec Constructors DecodeError Final Handle I Int16 Int32 Int64 Int8 \
         IntegerEnum JoinError Literal MalformedResponseError Mapping Meta NotInBatchError \
         NotSupportedError Number O OnlyFalse OnlyTrue OpenIntegerEnum OpenStringEnum OpenVariant PathLike \
         PlainObject ProgramHost Releasable RequestError StreamTransport Streamed StreamedCall StringEnum Struct \
         TooLongError Transport TypeAlias Uint16 Uint32 Uint64 Uint8 UnsetType UnstableWarning VersionMismatchError",
    )
});

/// Classes of Python itself: a class of such a name would hide them from code that imports it.
static BUILTINS: Words = LazyLock::new(|| {
    words(
        "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup \
         BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError \
         ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError \
         DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception \
         ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning \
         GeneratorExit IOError ImportError ImportWarning IndentationError IndexError \
         InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError \
         ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError \
         OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError \
         PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError \
         RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError \
         SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError \
         UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning \
         ValueError Warning ZeroDivisionError",
    )
});

/// Constants that linters refuse as ambiguous.
static AMBIGUOUS: Words = LazyLock::new(|| words("I O"));

/// A class or a type alias: `SessionUpdate`.
pub(super) fn class(name: &Name) -> String {
    class_of(&name.pascal())
}

/// A class whose name is already joined. Where Python or the generated code needs that name, `Type`
/// is put after it.
pub(super) fn class_of(pascal: &str) -> String {
    let is_needed = |needed: &Words| needed.contains(pascal);
    if [&KEYWORDS, &NEEDED_IN_MODULES, &BUILTINS].into_iter().any(is_needed) {
        return format!("{pascal}Type");
    }
    settle(pascal, "Type", &HashSet::new())
}

/// An attribute or a parameter: `session_id`.
pub(super) fn attribute(name: &Name) -> String {
    settle(&name.snake(), "value_", &NEEDED_IN_BODIES)
}

/// An attribute that the variants of a union share.
pub(super) fn shared_attribute(name: &Name) -> String {
    let plain = attribute(name);
    if NEEDED_BESIDE_SHARED_FIELDS.contains(&plain.as_str()) { plain + "_" } else { plain }
}

/// A function or a method: `new_session`.
pub(super) fn function(name: &Name) -> String {
    function_of(&name.snake())
}

/// A function whose name is already joined.
pub(super) fn function_of(snake: &str) -> String {
    settle(snake, "call_", &NEEDED_BESIDE_FUNCTIONS)
}

/// The constant that holds the codec of a class: `SessionUpdateCodec`.
pub(super) fn codec(class: &str) -> String {
    format!("{class}Codec")
}

/// The function that decodes a definition.
pub(super) fn decoder(name: &Name) -> String {
    format!("_decode_{}", name.snake())
}

/// The table that it uses.
pub(super) fn table(name: &Name) -> String {
    format!("_{}", name.screaming())
}

/// The names of what the package has for a side: what a context has itself gets a trailing `_`.
pub(super) fn side(side: &Side) -> SideNames {
    let name = function(&side.name);
    let mut variable = side.name.snake();
    // The names of functions begin with it.
    if variable.starts_with(|first: char| first.is_ascii_digit()) {
        variable.clone_from(&name);
    }
    let accessor = if OWN_CONTEXT.contains(&name.as_str()) { name + "_" } else { name };
    SideNames::new(class(&side.name), accessor, variable)
}

/// The method by which others call one. What connections have themselves gets a trailing `_`.
pub(super) fn peer_method(of: &Method) -> String {
    let name = function(of.function());
    if OWN_CONNECTION.contains(&name.as_str()) { name + "_" } else { name }
}

/// The method by which others call one whose result comes in pieces.
pub(super) fn streamed(of: &Method) -> String {
    function_of(&format!("{}_streamed", of.function().snake()))
}

/// The members that a context has by itself.
const OWN_CONTEXT: [&str; 3] = ["is_cancelled", "protocol_version", "request_id"];

/// The members that a connection has by itself.
const OWN_CONNECTION: [&str; 8] = [
    "batch",
    "child_process",
    "close",
    "is_ended",
    "notify",
    "protocol_version",
    "request",
    "wait_closed",
];

/// A member of an enum or a constant of a module: `END_TURN`.
pub(super) fn constant(name: &Name) -> String {
    settle(&name.screaming(), "VALUE_", &AMBIGUOUS)
}

/// A package to import: the distribution's name with underscores.
pub(super) fn package(distribution: &str) -> String {
    settle(&Name::new(distribution).snake(), "package_", &HashSet::new())
}

/// A distribution's name as packaging tools accept it: letters, digits, `.`, `-` and `_` between
/// letters or digits.
pub(super) fn distribution(package: &str) -> String {
    let kept: String = package
        .chars()
        .map(|character| {
            let allowed = character.is_ascii_alphanumeric() || "._-".contains(character);
            if allowed { character } else { '-' }
        })
        .collect();
    let trimmed = kept.trim_matches(|character: char| !character.is_ascii_alphanumeric());
    if trimmed.is_empty() { Name::new(package).kebab() } else { trimmed.to_owned() }
}

/// Tells whether a module can have this name, and no other meaning to Python.
pub(super) fn is_module(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_special = name.starts_with("__") && name.ends_with("__");
    name.bytes().all(is_letter)
        && name.starts_with(|first: char| !first.is_ascii_digit())
        && !is_special
        && !KEYWORDS.contains(name)
}

/// A word as the name of a variable.
pub(super) fn variable(word: &str) -> String {
    settle(word, "value_", &HashSet::new())
}

fn settle(joined: &str, digit_prefix: &str, needed: &HashSet<&str>) -> String {
    if joined.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("{digit_prefix}{joined}");
    }
    if KEYWORDS.contains(joined) || needed.contains(joined) {
        return format!("{joined}_");
    }
    joined.to_owned()
}

/// The spelling that msgspec's `rename="camel"` gives an attribute, where that is beyond doubt.
pub(super) fn camel(attribute: &str) -> Option<String> {
    let mut words = attribute.split('_');
    let first = words.next()?;
    let mut joined = first.to_owned();
    for word in words {
        let mut characters = word.chars();
        let initial = characters.next()?;
        if !initial.is_ascii_lowercase() || word.contains(|digit: char| digit.is_ascii_digit()) {
            return None;
        }
        joined.push(initial.to_ascii_uppercase());
        joined.push_str(characters.as_str());
    }
    (!first.is_empty()).then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_leave_names_that_modules_need_alone() {
        assert_eq!(class(&Name::new("none")), "NoneType");
        assert_eq!(class(&Name::new("Any")), "AnyType");
        assert_eq!(class(&Name::new("value_error")), "ValueErrorType");
    }

    #[test]
    fn packages_are_importable_and_installable() {
        assert_eq!(package("agent-sdk"), "agent_sdk");
        assert_eq!(package("class"), "class_");
        assert_eq!(distribution("@scope/my sdk!"), "scope-my-sdk");
        assert_eq!(distribution("---"), "minus-minus-minus");
    }
}
