//! How values are read that a Rust type alone does not describe.

use super::scope::{MachineInteger, Scope, machine_integer};
use crate::backend::rust::literal;
use crate::ir::{ArrayType, StringType, Type};

/// How a value is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) enum Read {
    /// As its type is.
    Plainly,
    /// By this function.
    By(String),
}

/// A function that reads a value: its only statement is a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) struct Helper {
    pub name: String,
    /// The type of the value.
    pub returns: String,
    /// The function called.
    pub callee: String,
    /// Its arguments after the reader.
    pub arguments: Vec<String>,
}

impl Read {
    /// A function that reads the value.
    pub(in crate::backend::rust) fn function(&self) -> String {
        match self {
            Self::Plainly => String::from("json::Decode::decode"),
            Self::By(function) => function.clone(),
        }
    }
}

/// Finds how a value of the type is read. Functions for it are added to `helpers`, under names
/// that begin with `name`.
pub(super) fn read(scope: &Scope<'_>, ty: &Type, name: &str, helpers: &mut Vec<Helper>) -> Read {
    let resolved = scope.resolve(ty);
    match resolved {
        Type::Integer(integer) => {
            let machine = machine_integer(integer);
            let (low, high) = integer.range();
            if (low, high) == machine.range {
                return Read::Plainly;
            }
            let bounds = [integer_bound(low, machine), integer_bound(high, machine)];
            let bounds = bounds.map(|bound| format!("&{bound}")).to_vec();
            helper(helpers, name, machine.name, "json::number_in", bounds)
        }
        Type::Number(number) if number.minimum.is_some() || number.maximum.is_some() => {
            let low =
                number.minimum.map_or_else(|| String::from("f64::NEG_INFINITY"), literal::float);
            let high = number.maximum.map_or_else(|| String::from("f64::INFINITY"), literal::float);
            let bounds = [low, high].map(|bound| format!("&{bound}")).to_vec();
            helper(helpers, name, "f64", "json::number_in", bounds)
        }
        Type::String(string) => match string_bounds(string) {
            Some((low, high)) => {
                helper(helpers, name, "String", "json::string_of", vec![low, high])
            }
            None => Read::Plainly,
        },
        Type::Literal { value } => {
            let constant = vec![literal_reference(value)];
            helper(helpers, name, &scope.expression(resolved), "json::literal", constant)
        }
        Type::Array(array) => {
            let items = read(scope, &array.items, &format!("{name}_item"), helpers);
            let bounds = array_bounds(array);
            if items == Read::Plainly && bounds.is_none() {
                return Read::Plainly;
            }
            let (low, high) = bounds.unwrap_or_else(unbounded);
            let arguments = vec![low, high, items.function()];
            helper(helpers, name, &scope.expression(resolved), "json::array_of", arguments)
        }
        Type::Map(map) => match read(scope, &map.values, &format!("{name}_value"), helpers) {
            Read::Plainly => Read::Plainly,
            Read::By(values) => {
                helper(helpers, name, &scope.expression(resolved), "json::map_of", vec![values])
            }
        },
        Type::Nullable { inner } => match read(scope, inner, &format!("{name}_value"), helpers) {
            Read::Plainly => Read::Plainly,
            Read::By(inner) => {
                let returns = scope.expression(resolved);
                helper(helpers, name, &returns, "json::nullable", vec![inner])
            }
        },
        Type::Any | Type::Null | Type::Boolean | Type::Number(_) | Type::Named { .. } => {
            Read::Plainly
        }
    }
}

/// The same for an array whose malformed items are left out. Anything else is read as ever.
pub(super) fn read_valid_items(
    scope: &Scope<'_>,
    ty: &Type,
    name: &str,
    helpers: &mut Vec<Helper>,
) -> Read {
    let resolved = scope.resolve(ty);
    match resolved {
        Type::Array(array) => {
            let items = read(scope, &array.items, &format!("{name}_item"), helpers);
            let bounds = array_bounds(array);
            if items == Read::Plainly && bounds.is_none() {
                return Read::By(String::from("json::valid_items"));
            }
            let (low, high) = bounds.unwrap_or_else(unbounded);
            let arguments = vec![low, high, items.function()];
            helper(helpers, name, &scope.expression(resolved), "json::valid_items_of", arguments)
        }
        Type::Nullable { inner } => {
            let inner = read_valid_items(scope, inner, &format!("{name}_value"), helpers);
            wrapped(&inner, name, "nullable", &scope.expression(resolved), helpers)
        }
        _ => read(scope, ty, name, helpers),
    }
}

/// The same function for a value that may also be `null`: `combinator` is `nullable` or `patch`.
pub(super) fn wrapped(
    inner: &Read,
    name: &str,
    combinator: &str,
    returns: &str,
    helpers: &mut Vec<Helper>,
) -> Read {
    match inner {
        Read::Plainly => Read::Plainly,
        Read::By(function) if function == "json::valid_items" => {
            let suffix = if combinator == "patch" { "patch" } else { "or_null" };
            Read::By(format!("json::valid_items_{suffix}"))
        }
        Read::By(function) => {
            let callee = format!("json::{combinator}");
            helper(helpers, name, returns, &callee, vec![function.clone()])
        }
    }
}

fn helper(
    helpers: &mut Vec<Helper>,
    name: &str,
    returns: &str,
    callee: &str,
    arguments: Vec<String>,
) -> Read {
    helpers.push(Helper {
        name: name.to_owned(),
        returns: returns.to_owned(),
        callee: callee.to_owned(),
        arguments,
    });
    Read::By(name.to_owned())
}

/// A bound of an integer: the type's own by name.
pub(super) fn integer_bound(bound: i128, machine: MachineInteger) -> String {
    if bound == machine.range.1 {
        format!("{}::MAX", machine.name)
    } else if bound == machine.range.0 && bound != 0 {
        format!("{}::MIN", machine.name)
    } else {
        literal::integer(bound)
    }
}

/// The bounds of a string's length, if it has any.
pub(super) fn string_bounds(string: &StringType) -> Option<(String, String)> {
    length_bounds(string.min_length, string.max_length)
}

fn array_bounds(array: &ArrayType) -> Option<(String, String)> {
    length_bounds(array.min_items, array.max_items)
}

fn length_bounds(low: Option<u64>, high: Option<u64>) -> Option<(String, String)> {
    let low = low.unwrap_or(0);
    if low == 0 && high.is_none() {
        return None;
    }
    let length = |length: u64| literal::integer(length.min(u32::MAX.into()).into());
    Some((length(low), high.map_or_else(|| String::from("usize::MAX"), length)))
}

fn unbounded() -> (String, String) {
    (String::from("0"), String::from("usize::MAX"))
}

/// A reference to a constant, for comparing and for writing.
pub(super) fn literal_reference(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => literal::string(text),
        serde_json::Value::Bool(boolean) => format!("&{boolean}"),
        serde_json::Value::Number(number) if number.is_i64() => {
            format!("&{}", literal::integer(number.as_i64().unwrap_or_default().into()))
        }
        other => format!("&json::constant::<json::Value>({})", literal::string(&other.to_string())),
    }
}
