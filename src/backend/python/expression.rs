//! Python expressions, as far as what they are made of matters.

use std::fmt::{Display, Formatter, Result, Write as _};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::literals;

/// The type of a constant.
pub(super) const LITERAL: &str = "Literal";

/// The type of a value whose bounds `msgspec` enforces.
pub(super) const BOUNDED: &str = "Annotated";

/// The names of integers of a format: to a type checker they are all `int`.
const SIZED: [&str; 8] = ["Int8", "Int16", "Int32", "Int64", "Uint8", "Uint16", "Uint32", "Uint64"];

/// An expression. It is printed on one line, however long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// A name or a literal, or anything else that has no parts.
    Atom(String),
    /// `a | b`
    Union(Vec<Expression>),
    /// `head[a, b]`
    Index(&'static str, Vec<Expression>),
    /// `head(a, name=b)`
    Call(String, Vec<(Option<String>, Expression)>),
    /// `[a, b]`
    List(Vec<Expression>),
    /// `(a, b)`
    Tuple(Vec<Expression>),
    /// `{"a": b}`: keys are literals.
    Dict(Vec<(String, Expression)>),
    /// `lambda: a`
    Lambda(Box<Expression>),
}

impl Expression {
    /// An expression without parts.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    /// The literal of a string.
    pub(super) fn string(text: &str) -> Self {
        Self::Atom(literals::string(text))
    }

    /// The list of the literals of strings.
    pub(super) fn strings<'s>(texts: impl IntoIterator<Item = &'s str>) -> Self {
        Self::List(texts.into_iter().map(Self::string).collect())
    }

    /// A call with arguments by position.
    pub(super) fn apply(
        head: impl Into<String>,
        arguments: impl IntoIterator<Item = Self>,
    ) -> Self {
        Self::Call(head.into(), arguments.into_iter().map(|value| (None, value)).collect())
    }

    /// A call with keyword arguments.
    pub(super) fn call(
        head: impl Into<String>,
        arguments: impl IntoIterator<Item = (String, Self)>,
    ) -> Self {
        let arguments = arguments.into_iter().map(|(name, value)| (Some(name), value));
        Self::Call(head.into(), arguments.collect())
    }

    /// A call with arguments by position, and those keyword arguments that there are.
    pub(super) fn with_options(
        head: impl Into<String>,
        arguments: impl IntoIterator<Item = Self>,
        options: impl IntoIterator<Item = (&'static str, Option<Self>)>,
    ) -> Self {
        let arguments = arguments.into_iter().map(|value| (None, value));
        let options = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let options = options.map(|(name, value)| (Some(name.to_owned()), value));
        Self::Call(head.into(), arguments.chain(options).collect())
    }

    /// A dictionary, in the order of its keys: that of a schema's says nothing.
    pub(super) fn dict(entries: impl IntoIterator<Item = (String, Self)>) -> Self {
        let mut entries: Vec<(String, Self)> = entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self::Dict(entries)
    }

    /// Any JSON as Python's own types.
    pub(super) fn json(value: &Value) -> Self {
        match value {
            Value::Array(items) => Self::List(items.iter().map(Self::json).collect()),
            Value::Object(entries) => {
                Self::dict(entries.iter().map(|(key, it)| (literals::string(key), Self::json(it))))
            }
            _ => Self::Atom(literals::scalar(value).unwrap_or_default()),
        }
    }

    /// A union of types without repetitions, with its literals as one, and `UnsetType` and `None`
    /// last.
    pub(super) fn union(members: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for member in members {
            let parts = match member {
                Self::Union(parts) => parts,
                other => vec![other],
            };
            for part in parts {
                let known = flat.iter().position(|known| known.is_literal() && part.is_literal());
                match (known.and_then(|known| flat.get_mut(known)), part) {
                    (Some(Self::Index(_, known)), Self::Index(_, values)) => {
                        let new = values.into_iter().filter(|value| !known.contains(value));
                        let new: Vec<Self> = new.collect();
                        known.extend(new);
                    }
                    (_, part) => {
                        if !flat.contains(&part) {
                            flat.push(part);
                        }
                    }
                }
            }
        }
        flat.sort_by_key(|part| match part {
            Self::Atom(name) if name == "UnsetType" => 1,
            Self::Atom(name) if name == "None" => 2,
            _ => 0,
        });
        if flat.len() == 1 { flat.remove(0) } else { Self::Union(flat) }
    }

    /// A type as a type checker sees it: without the bounds that `msgspec` enforces, and unions by
    /// their public names.
    pub(super) fn checked(&self) -> Self {
        match self {
            Self::Atom(name) if SIZED.contains(&name.as_str()) => Self::atom("int"),
            Self::Atom(name) if name == "Number" => Self::atom("float"),
            Self::Atom(name) => {
                let public = name.strip_prefix('_');
                let public = public.filter(|it| it.starts_with(|c: char| c.is_ascii_uppercase()));
                Self::atom(public.unwrap_or(name))
            }
            Self::Index(BOUNDED, parts) => {
                parts.first().map_or_else(|| self.clone(), Self::checked)
            }
            Self::Index(head, parts) => {
                Self::Index(head, parts.iter().map(Self::checked).collect())
            }
            Self::Union(parts) => {
                let parts: Vec<Self> = parts.iter().map(Self::checked).collect();
                // To a type checker, an integer is a `float`.
                let is_float = parts.contains(&Self::atom("float"));
                Self::union(parts.into_iter().filter(|it| !is_float || *it != Self::atom("int")))
            }
            other => other.clone(),
        }
    }

    /// A type without the constants that may stand beside a class: they come and go with the
    /// members of that class.
    pub(super) fn without_constants(&self) -> Self {
        match self {
            Self::Union(parts)
                if parts.iter().any(|part| !part.is_literal() && !part.is_absence()) =>
            {
                Self::union(parts.iter().filter(|part| !part.is_literal()).cloned())
            }
            other => other.clone(),
        }
    }

    fn is_absence(&self) -> bool {
        matches!(self, Self::Atom(name) if name == "None" || name == "UnsetType")
    }

    fn is_literal(&self) -> bool {
        matches!(self, Self::Index(head, _) if *head == LITERAL)
    }
}

impl Display for Expression {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::Atom(atom) => out.write_str(atom),
            Self::Lambda(body) => write!(out, "lambda: {body}"),
            Self::Union(members) => {
                separated(out, " | ", members, |out, member| write!(out, "{member}"))
            }
            Self::Index(head, items) => {
                write!(out, "{head}[")?;
                separated(out, ", ", items, |out, item| write!(out, "{item}"))?;
                out.write_char(']')
            }
            Self::Call(head, arguments) => {
                write!(out, "{head}(")?;
                separated(out, ", ", arguments, |out, (name, value)| match name {
                    Some(name) => write!(out, "{name}={value}"),
                    None => write!(out, "{value}"),
                })?;
                out.write_char(')')
            }
            Self::List(items) => {
                out.write_char('[')?;
                separated(out, ", ", items, |out, item| write!(out, "{item}"))?;
                out.write_char(']')
            }
            Self::Tuple(items) => {
                out.write_char('(')?;
                separated(out, ", ", items, |out, item| write!(out, "{item}"))?;
                out.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Self::Dict(entries) => {
                out.write_char('{')?;
                separated(out, ", ", entries, |out, (key, value)| write!(out, "{key}: {value}"))?;
                out.write_char('}')
            }
        }
    }
}

/// To a template, an expression is its text.
impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn separated<'out, T>(
    out: &mut Formatter<'out>,
    separator: &str,
    items: &[T],
    print: impl Fn(&mut Formatter<'out>, &T) -> Result,
) -> Result {
    for (index, item) in items.iter().enumerate() {
        out.write_str(if index == 0 { "" } else { separator })?;
        print(out, item)?;
    }
    Ok(())
}
