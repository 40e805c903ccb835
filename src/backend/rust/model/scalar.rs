//! Types that are one value of a simpler type.

use super::read::{self, Helper, Read};
use super::scope::{Scope, machine_integer};
use crate::backend::rust::literal;
use crate::ir::{NumberType, StringType, Type};

/// A type that wraps another.
#[derive(Debug)]
pub(in crate::backend::rust) struct NewtypeModel {
    /// What it wraps.
    pub inner: String,
    /// The derives that the inner type allows, beside `Clone`, `Debug` and `PartialEq`.
    pub derives: &'static str,
    /// The macro that implements the rest, and its arguments after the type's name.
    pub implementation: (&'static str, Vec<String>),
    /// For a wrapped array or map: how it is read.
    pub wrapped: Option<(Read, Vec<Helper>)>,
}

/// The newtype that an alias becomes, if it is not a plain alias.
pub(super) fn newtype(scope: &Scope<'_>, wire: &str, target: &Type) -> Option<NewtypeModel> {
    if scope.is_recursive_alias(wire) {
        let mut helpers = Vec::new();
        let read = read::read(scope, target, "decode_inner", &mut helpers);
        let inner = scope.expression(target);
        return Some(NewtypeModel {
            implementation: ("wrapper", vec![inner.clone()]),
            inner,
            derives: "",
            wrapped: Some((read, helpers)),
        });
    }
    match target {
        Type::String(string) => Some(text(string)),
        Type::Integer(integer) => {
            let machine = machine_integer(integer);
            let (low, high) = integer.range();
            let mut arguments = vec![machine.name.to_owned()];
            let name = if (low, high) == machine.range {
                "number_newtype"
            } else {
                let bound = |bound: i128| read::integer_bound(bound, machine);
                arguments.extend([bound(low), bound(high)]);
                "checked_number"
            };
            Some(NewtypeModel {
                inner: machine.name.to_owned(),
                derives: "Copy, Eq, Hash, PartialOrd, Ord",
                implementation: (name, arguments),
                wrapped: None,
            })
        }
        Type::Number(number) => Some(float(number)),
        _ => None,
    }
}

fn text(string: &StringType) -> NewtypeModel {
    let implementation = match read::string_bounds(string) {
        Some((low, high)) => ("checked_string", vec![low, high]),
        None => ("string_newtype", Vec::new()),
    };
    NewtypeModel {
        inner: String::from("String"),
        derives: "Eq, Hash, PartialOrd, Ord",
        implementation,
        wrapped: None,
    }
}

fn float(number: &NumberType) -> NewtypeModel {
    let mut arguments = vec![String::from("f64")];
    let name = if number.minimum.is_none() && number.maximum.is_none() {
        "number_newtype"
    } else {
        arguments
            .push(number.minimum.map_or_else(|| String::from("f64::NEG_INFINITY"), literal::float));
        arguments
            .push(number.maximum.map_or_else(|| String::from("f64::INFINITY"), literal::float));
        "checked_number"
    };
    NewtypeModel {
        inner: String::from("f64"),
        derives: "Copy, PartialOrd",
        implementation: (name, arguments),
        wrapped: None,
    }
}
