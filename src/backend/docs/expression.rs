//! Types, in words.

use serde_json::Value;

use crate::ir::{IntegerFormat, Type};

/// A piece of a type expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// Words, with the spaces around them.
    Words(&'static str),
    /// A constant.
    Literal(&'a Value),
    /// A definition.
    Type(&'a str),
}

/// A type: `array of`, `ContentBlock`.
pub(super) fn expression(ty: &Type) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    append(ty, &mut pieces);
    pieces
}

fn append<'a>(ty: &'a Type, pieces: &mut Vec<Piece<'a>>) {
    let word = match ty {
        Type::Any => "any JSON",
        Type::Null => "null",
        Type::Boolean => "boolean",
        Type::Integer(integer) => integer.format.map_or("integer", format_name),
        Type::Number(_) => "number",
        Type::String(_) => "string",
        Type::Literal { value } => return pieces.push(Piece::Literal(value)),
        Type::Named { name } => return pieces.push(Piece::Type(name)),
        Type::Map(map) if *map.values == Type::Any => "object",
        Type::Array(array) => {
            pieces.push(Piece::Words("array of "));
            return append(&array.items, pieces);
        }
        Type::Map(map) => {
            pieces.push(Piece::Words("map of string to "));
            return append(&map.values, pieces);
        }
        Type::Nullable { inner } => {
            append(inner, pieces);
            " or null"
        }
    };
    pieces.push(Piece::Words(word));
}

/// `uint16`
pub(super) fn format_name(format: IntegerFormat) -> &'static str {
    match format {
        IntegerFormat::Int8 => "int8",
        IntegerFormat::Int16 => "int16",
        IntegerFormat::Int32 => "int32",
        IntegerFormat::Int64 => "int64",
        IntegerFormat::Uint8 => "uint8",
        IntegerFormat::Uint16 => "uint16",
        IntegerFormat::Uint32 => "uint32",
        IntegerFormat::Uint64 => "uint64",
    }
}
