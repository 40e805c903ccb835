//! Type expressions, and what it takes to write a type of the IR as one.

use std::collections::HashSet;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::literals;
use super::names::TypeNames;
use crate::backend::DocsMode;
use crate::ir::{Field, Protocol, Tuple, Type, TypeKind};

/// A type as TypeScript writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expr {
    /// `string`, `unknown`, `null`.
    Keyword(&'static str),
    /// A type by its name.
    Name(String),
    /// `Promise<T>`, `Record<string, T>`.
    Apply(String, Vec<Expr>),
    /// A constant, ready to print.
    Literal(String),
    /// `T[]`
    Array(Box<Expr>),
    /// `[A, B]`
    Tuple(Vec<Expr>),
    /// `A?`, within a tuple
    Optional(Box<Expr>),
    /// `...A`, within a tuple
    Rest(Box<Expr>),
    /// `{ a: A; b?: B }`
    Object(Vec<Member>),
    /// `A | B`. Made by [`Expr::union`].
    Union(Vec<Expr>),
    /// `A & B`
    Intersection(Vec<Expr>),
}

/// A member of an object type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Member {
    /// The key before the colon, ready to print: `name`, `"a-b"?`. None for all keys that no other
    /// member names: `[key: string]`.
    pub(super) key: Option<String>,
    /// Its type.
    pub(super) ty: Expr,
}

/// The types that are no names.
pub(super) const KEYWORDS: [&str; 8] =
    ["boolean", "never", "null", "number", "string", "undefined", "unknown", "void"];

impl Expr {
    /// Only `null`.
    pub(super) const NULL: Self = Self::Keyword("null");
    /// Any JSON value.
    pub(super) const UNKNOWN: Self = Self::Keyword("unknown");

    /// Any of the types: nested unions are joined, repetitions left out, and `unknown` is all.
    pub(super) fn union(types: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = types.into_iter().flat_map(Self::alternatives).collect();
        if flat.contains(&Self::UNKNOWN) {
            return Self::UNKNOWN;
        }
        let mut seen = HashSet::new();
        flat.retain(|ty| seen.insert(ty.clone()));
        if flat.len() > 1 {
            Self::Union(flat)
        } else {
            flat.pop().unwrap_or(Self::Keyword("never"))
        }
    }

    /// The members of a union, or the type itself.
    pub(super) fn alternatives(self) -> Vec<Self> {
        match self {
            Self::Union(members) => members,
            other => vec![other],
        }
    }

    /// The type, or `null`.
    pub(super) fn nullable(self) -> Self {
        Self::union([self, Self::NULL])
    }

    /// `{ [key: string]: T }`. Unlike `Record<string, T>` it may refer to itself.
    pub(super) fn map(values: Self) -> Self {
        Self::Object(vec![Member { key: None, ty: values }])
    }

    /// The type as part of an array, a union or an intersection, in parentheses where it needs
    /// them.
    pub(super) fn operand(&self) -> String {
        match self {
            Self::Union(_) | Self::Intersection(_) => format!("({self})"),
            _ => self.to_string(),
        }
    }

    fn constant(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Array(items) => Self::Tuple(items.iter().map(Self::constant).collect()),
            Value::Object(entries) => {
                let members = entries.iter().map(|(key, value)| Member {
                    key: Some(literals::key(key)),
                    ty: Self::constant(value),
                });
                Self::Object(members.collect())
            }
            scalar => Self::Literal(literals::constant(scalar)),
        }
    }
}

/// The type on one line.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |types: &[Self], between: &str| {
            types.iter().map(Self::to_string).collect::<Vec<_>>().join(between)
        };
        let operands = |types: &[Self], between: &str| {
            types.iter().map(Self::operand).collect::<Vec<_>>().join(between)
        };
        match self {
            Self::Keyword(keyword) => f.write_str(keyword),
            Self::Name(name) | Self::Literal(name) => f.write_str(name),
            Self::Apply(name, types) => write!(f, "{name}<{}>", joined(types, ", ")),
            Self::Array(items) => write!(f, "{}[]", items.operand()),
            Self::Tuple(items) => write!(f, "[{}]", joined(items, ", ")),
            Self::Optional(item) => write!(f, "{}?", item.operand()),
            Self::Rest(items) => write!(f, "...{items}"),
            Self::Object(members) if members.is_empty() => f.write_str("{}"),
            Self::Object(members) => {
                let members: Vec<String> = members.iter().map(Member::to_string).collect();
                write!(f, "{{ {} }}", members.join("; "))
            }
            Self::Union(members) => f.write_str(&operands(members, " | ")),
            Self::Intersection(members) => f.write_str(&operands(members, " & ")),
        }
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key.as_deref().unwrap_or("[key: string]"), self.ty)
    }
}

/// A template gets the type on one line.
impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The scope in which types of the IR become TypeScript.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) names: &'a TypeNames,
    pub(super) docs: DocsMode,
}

impl Scope<'_> {
    /// A type where it is used.
    pub(super) fn expression(self, ty: &Type) -> Expr {
        match ty {
            Type::Any => Expr::UNKNOWN,
            Type::Null => Expr::NULL,
            Type::Boolean => Expr::Keyword("boolean"),
            Type::Integer(_) | Type::Number(_) => Expr::Keyword("number"),
            Type::String(_) => Expr::Keyword("string"),
            Type::Literal { value } => Expr::constant(value),
            Type::Array(array) => Expr::Array(Box::new(self.expression(&array.items))),
            Type::Map(map) => Expr::map(self.expression(&map.values)),
            Type::Nullable { inner } => self.expression(inner).nullable(),
            Type::Named { name } => Expr::Name(self.names.name(name).to_owned()),
        }
    }

    /// The type of a tuple.
    pub(super) fn tuple(self, tuple: &Tuple) -> Expr {
        let items = tuple.items.iter().enumerate().map(|(at, item)| {
            let ty = self.expression(&item.ty);
            if at < tuple.required { ty } else { Expr::Optional(Box::new(ty)) }
        });
        let rest = tuple.rest.iter().map(|rest| {
            let items = Expr::Array(Box::new(self.expression(&rest.items)));
            Expr::Rest(Box::new(items))
        });
        Expr::Tuple(items.chain(rest).collect())
    }

    /// The type of a field that is there.
    pub(super) fn field_type(self, field: &Field) -> Expr {
        let ty = self.expression(&field.ty);
        let nullable = field.presence.is_nullable() && !self.protocol.admits_null(&field.ty);
        if nullable { ty.nullable() } else { ty }
    }

    /// Tells whether every value of a payload is an object that says nothing of a property. Only
    /// then can its type say that the property is absent.
    pub(super) fn lacks_property(self, payload: Option<&Type>, property: &str) -> bool {
        let Some(payload) = payload else { return true };
        let Type::Named { name } = self.protocol.resolve(payload) else { return false };
        let lacks = |fields: &[Field]| fields.iter().all(|field| field.name.wire != property);
        match self.protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(record)) => lacks(&record.fields),
            Some(TypeKind::Union(union)) => {
                lacks(&union.shared)
                    && union.tag().is_none_or(|tag| tag.wire != property)
                    && union
                        .variants
                        .iter()
                        .all(|variant| self.lacks_property(variant.payload.as_ref(), property))
            }
            _ => false,
        }
    }
}
