//! Kinds of types, behind names and aliases.

use serde_json::Value;

use super::{
    ArrayType, Enum, Field, IntegerType, MapType, NumberType, Protocol, Record, StringType, Tuple,
    Type, TypeDef, TypeKind, Union,
};

/// A type once names are followed and `null` is set aside.
#[derive(Clone, Copy, Debug)]
pub struct Resolved<'a> {
    /// The values that are not `null`.
    pub kind: Kind<'a>,
    /// True if `null` fits beside it.
    pub nullable: bool,
    /// The definition of the record, union, enum or tuple.
    pub def: Option<&'a TypeDef>,
    /// The first definition on the way: the name under which the type is used.
    pub used_as: Option<&'a TypeDef>,
}

/// The values of a type but for `null`.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// Any JSON.
    Any,
    /// Only `null`.
    Null,
    /// A boolean.
    Boolean,
    /// A whole number.
    Integer(&'a IntegerType),
    /// A number.
    Number(&'a NumberType),
    /// A string.
    String(&'a StringType),
    /// A constant.
    Literal(&'a Value),
    /// An array.
    Array(&'a ArrayType),
    /// An object with any keys.
    Map(&'a MapType),
    /// An object with known properties.
    Record(&'a Record),
    /// A union.
    Union(&'a Union),
    /// An enum.
    Enum(&'a Enum),
    /// An array with items of their own types.
    Tuple(&'a Tuple),
}

impl Kind<'_> {
    /// Tells whether it is a value without parts.
    pub fn is_scalar(self) -> bool {
        matches!(
            self,
            Self::Boolean | Self::Integer(_) | Self::Number(_) | Self::String(_) | Self::Literal(_)
        )
    }

    /// The kind in words, with an article.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Any => "any JSON",
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Literal(_) => "a constant",
            Self::Array(_) => "an array",
            Self::Map(_) => "a map",
            Self::Record(_) => "an object",
            Self::Union(_) => "a union",
            Self::Enum(_) => "an enum",
            Self::Tuple(_) => "a tuple",
        }
    }
}

impl Protocol {
    /// Follows names until there is something that is not a name.
    pub fn resolved<'a>(&'a self, ty: &'a Type) -> Resolved<'a> {
        let mut found = Resolved { kind: Kind::Any, nullable: false, def: None, used_as: None };
        let mut current = ty;
        loop {
            found.kind = match current {
                Type::Any => Kind::Any,
                Type::Null => Kind::Null,
                Type::Boolean => Kind::Boolean,
                Type::Integer(integer) => Kind::Integer(integer),
                Type::Number(number) => Kind::Number(number),
                Type::String(string) => Kind::String(string),
                Type::Literal { value } => Kind::Literal(value),
                Type::Array(array) => Kind::Array(array),
                Type::Map(map) => Kind::Map(map),
                Type::Nullable { inner } => {
                    found.nullable = true;
                    current = inner;
                    continue;
                }
                Type::Named { name } => {
                    let Some(def) = self.types.get(name) else { return found };
                    found.used_as = found.used_as.or(Some(def));
                    if !matches!(def.kind, TypeKind::Alias { .. }) {
                        found.def = Some(def);
                    }
                    match &def.kind {
                        TypeKind::Alias { target } => {
                            current = target;
                            continue;
                        }
                        TypeKind::Record(record) => Kind::Record(record),
                        TypeKind::Union(union) => Kind::Union(union),
                        TypeKind::Enum(of) => Kind::Enum(of),
                        TypeKind::Tuple(tuple) => Kind::Tuple(tuple),
                    }
                }
            };
            found.nullable |= matches!(found.kind, Kind::Any | Kind::Null);
            return found;
        }
    }

    /// The fields of a record, or those that all variants of a union share, whatever the type is
    /// called; none for any other type.
    pub fn fields<'a>(&'a self, ty: &'a Type) -> &'a [Field] {
        self.resolved(ty).def.map_or(&[], |def| def.kind.fields())
    }
}
