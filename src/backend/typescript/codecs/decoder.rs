//! Which function decodes a type, and with what arguments.

use serde::Serialize;
use serde_json::Value;

use super::code::{self, Used, at_least, at_most, call, fresh, words};
use crate::backend::doc::{Doc, text};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{
    ArrayType, Enum, EnumBase, IntegerFormat, IntegerType, NumberType, StringType, Type, TypeKind,
};

/// How a value is decoded.
#[derive(Clone, Debug)]
pub(super) enum Decoder {
    /// It may be anything.
    Any,
    /// By a function, given the value, the context and these arguments.
    Call(String, Vec<Doc>),
}

/// A function that decodes a part of a type.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct Part {
    /// `function NAME(…): unknown`
    pub(super) head: String,
    /// Whether `null` is let through before.
    pub(super) nullable: bool,
    /// `return …;`
    pub(super) give: String,
}

/// Where decoders are made: for the parts of one type.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) used: &'a mut Used,
    /// The functions made so far.
    pub(super) made: Vec<Part>,
    /// Their names.
    taken: Vec<String>,
    /// What those names begin with.
    owner: String,
}

impl<'a> Parts<'a> {
    /// None yet, for a type of this name in TypeScript.
    pub(super) fn new(scope: Scope<'a>, used: &'a mut Used, name: &str) -> Self {
        let owner = names::decoder(name);
        Self { scope, used, made: Vec::new(), taken: Vec::new(), owner }
    }

    /// How a type is decoded. Parts of it that take a function of their own get one, under a name
    /// that ends in `place`.
    pub(super) fn decoder(&mut self, ty: &Type, place: &str) -> Decoder {
        match ty {
            Type::Any => Decoder::Any,
            Type::Null => self.value("nothing", Vec::new()),
            Type::Boolean => self.value("boolean", Vec::new()),
            Type::Integer(integer) => self.value("integer", integer_bounds(integer)),
            Type::Number(number) => self.value("number", number_bounds(number)),
            Type::String(string) => {
                let bounds = string_bounds(string);
                let function = if bounds.is_empty() { "string" } else { "text" };
                self.value(function, bounds)
            }
            Type::Literal { value } => self.literal(value),
            Type::Array(array) => self.array(array, place, "list"),
            Type::Map(map) => match self.decoder(&map.values, &format!("{place}Value")) {
                Decoder::Any => self.value("object", Vec::new()),
                values @ Decoder::Call(..) => {
                    let values = self.function(values, &format!("{place}Value"));
                    self.value("map", words([values.as_str()]))
                }
            },
            Type::Nullable { inner } => match self.decoder(inner, &format!("{place}Value")) {
                Decoder::Any => Decoder::Any,
                inner @ Decoder::Call(..) => {
                    Decoder::Call(self.part(inner, place, true), Vec::new())
                }
            },
            Type::Named { name } => self.named(name),
        }
    }

    /// The same for an array whose malformed items are left out.
    pub(super) fn lenient(&mut self, ty: &Type, place: &str) -> Decoder {
        match self.scope.protocol.resolve(ty) {
            Type::Array(array) => self.array(array, place, "validItems"),
            Type::Nullable { inner } => match self.lenient(inner, &format!("{place}Value")) {
                Decoder::Any => Decoder::Any,
                inner @ Decoder::Call(..) => {
                    Decoder::Call(self.part(inner, place, true), Vec::new())
                }
            },
            _ => self.decoder(ty, place),
        }
    }

    fn array(&mut self, array: &ArrayType, place: &str, function: &'static str) -> Decoder {
        let bounds = length_bounds(array.min_items, array.max_items);
        match self.decoder(&array.items, &format!("{place}Item")) {
            Decoder::Any => self.value("array", bounds),
            items @ Decoder::Call(..) => {
                let items = self.function(items, &format!("{place}Item"));
                let mut arguments = words([items.as_str()]);
                arguments.extend(bounds);
                self.value(function, arguments)
            }
        }
    }

    fn literal(&mut self, value: &Value) -> Decoder {
        let constant = fresh(value, self.used);
        self.value("literal", vec![constant])
    }

    fn named(&mut self, name: &str) -> Decoder {
        let own = || Decoder::Call(names::decoder(self.scope.names.of(name)), Vec::new());
        match self.scope.protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Alias { target }) => match target {
                Type::Any | Type::Null | Type::Boolean | Type::Named { .. } => {
                    self.decoder(&target.clone(), "")
                }
                Type::String(string) if string_bounds(string).is_empty() => {
                    self.value("string", Vec::new())
                }
                _ => own(),
            },
            Some(TypeKind::Enum(Enum { base: EnumBase::String, open: Some(_), .. })) => {
                self.value("string", Vec::new())
            }
            Some(_) => own(),
            None => Decoder::Any,
        }
    }

    fn value(&mut self, function: &'static str, arguments: Vec<Doc>) -> Decoder {
        Decoder::Call(self.used.value(function).to_owned(), arguments)
    }

    /// The name of a function that takes nothing but the value and the context.
    pub(super) fn function(&mut self, decoder: Decoder, place: &str) -> String {
        match decoder {
            Decoder::Any => self.used.value("any").to_owned(),
            Decoder::Call(function, arguments) if arguments.is_empty() => function,
            call @ Decoder::Call(..) => self.part(call, place, false),
        }
    }

    fn part(&mut self, decoder: Decoder, place: &str, nullable: bool) -> String {
        let mut name = format!("{}_{place}", self.owner);
        while self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.push(name.clone());
        self.made.push(Part {
            head: code::head(&name),
            nullable,
            give: code::give(decoder.call("value"), 2),
        });
        name
    }
}

impl Decoder {
    /// The call that decodes what an expression gives.
    pub(super) fn call(self, value: &str) -> Doc {
        match self {
            Self::Any => text(value),
            Self::Call(function, arguments) => {
                call(&function, words([value, "context"]).into_iter().chain(arguments))
            }
        }
    }
}

/// The bounds of an integer, those of its format included.
pub(super) fn integer_bounds(integer: &IntegerType) -> Vec<Doc> {
    let (low, high) = integer.range();
    if (low, high) == IntegerFormat::Int64.range() {
        return Vec::new();
    }
    vec![text(at_least(low)), text(at_most(high))]
}

fn number_bounds(number: &NumberType) -> Vec<Doc> {
    let bound = |bound: f64| text(code::number(bound));
    match (number.minimum, number.maximum) {
        (None, None) => Vec::new(),
        (Some(low), None) => vec![bound(low)],
        (low, Some(high)) => vec![low.map_or_else(|| text("undefined"), bound), bound(high)],
    }
}

fn string_bounds(string: &StringType) -> Vec<Doc> {
    length_bounds(string.min_length, string.max_length)
}

fn length_bounds(low: Option<u64>, high: Option<u64>) -> Vec<Doc> {
    let low = low.unwrap_or(0);
    match high {
        None if low == 0 => Vec::new(),
        None => vec![text(low.to_string())],
        Some(high) => vec![text(low.to_string()), text(high.to_string())],
    }
}
