//! The program in the README, of a protocol whose authors have written no guide.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::model::SidesModule;
use super::{literals, names};
use crate::backend::sides::SideNames;
use crate::example::{Examples, ShownCall};
use crate::ir::{Method, Protocol, Side, Type, TypeKind};

/// A program that has both ends of a connection, and makes one call.
#[derive(Debug, Serialize)]
pub(super) struct Program {
    /// The names that are imported from the package.
    imports: BTreeSet<String>,
    handlers: Vec<Handler>,
    /// The classes of the end that answers, and of the end that calls: a connection and a handler.
    near: [String; 2],
    far: [String; 2],
    /// The function that makes the call, and its arguments.
    call: String,
    arguments: Vec<String>,
}

/// A handler of a side.
#[derive(Debug, Serialize)]
struct Handler {
    name: String,
    base: String,
    methods: Vec<HandlerMethod>,
}

/// A method of a handler.
#[derive(Debug, Serialize)]
struct HandlerMethod {
    /// The lines of its signature.
    signature: Vec<String>,
    /// The value that it returns. `None`: the program does not call it.
    result: Option<String>,
    is_request: bool,
}

/// The most methods that the handlers in a README have.
const MOST: usize = 8;

/// The width of lines that formatters leave as they are.
const WIDTH: usize = 88;

/// Makes the program. `None` if there is no call that can be shown, or if handlers have to have
/// more methods than a reader would look at.
pub(super) fn program(protocol: &Protocol, sides: &SidesModule) -> Option<Program> {
    let examples = Examples::new(protocol);
    let shown = examples.shown_call()?;
    let ShownCall { handler, caller, method, .. } = &shown;
    let mut writer = Writer { protocol, imports: BTreeSet::new() };
    let mut handlers = vec![writer.handler(handler, &shown)?];
    if handler.name != caller.name {
        handlers.push(writer.handler(caller, &shown)?);
    }
    if handlers.iter().map(|handler| handler.methods.len()).sum::<usize>() > MOST {
        return None;
    }
    let arguments = writer.members(method.params(), &shown.params)?;
    let side = protocol.sides.iter().position(|side| side.name == handler.name)?;
    let mut calls = sides.sides.get(side)?.side.methods.iter();
    let call =
        calls.find(|it| it.method.is_request && it.method.of == method.name.wire)?.call.clone();
    let mut end = |side: &Side| {
        let SideNames { name, connection, .. } = names::side(side);
        writer.imports.insert(connection.clone());
        [connection, own(&name)]
    };
    let (near, far) = (end(handler), end(caller));
    let is_taken = handlers.iter().any(|handler| writer.imports.contains(&handler.name));
    writer.imports.insert("rpc".to_owned());
    (!is_taken).then_some(Program { imports: writer.imports, handlers, near, far, call, arguments })
}

/// The name of a class that handles what a side does.
fn own(side: &str) -> String {
    format!("My{side}")
}

/// Writes values and classes, and knows what they import.
struct Writer<'a> {
    protocol: &'a Protocol,
    imports: BTreeSet<String>,
}

impl Writer<'_> {
    fn handler(&mut self, side: &Side, shown: &ShownCall<'_>) -> Option<Handler> {
        let SideNames { name, context, .. } = names::side(side);
        let handled = self.protocol.handled_by(&side.name.wire);
        let mut methods = Vec::new();
        for method in handled.filter(|method| !method.optional) {
            let is_shown = method.name == shown.method.name && side.name == shown.handler.name;
            methods.push(self.method(method, &context, is_shown.then_some(&shown.result))?);
        }
        self.imports.insert(name.clone());
        if !methods.is_empty() {
            self.imports.insert(context);
        }
        Some(Handler { name: own(&name), base: name, methods })
    }

    fn method(
        &mut self,
        method: &Method,
        context: &str,
        result: Option<&Value>,
    ) -> Option<HandlerMethod> {
        let answer = match method.result() {
            None | Some(Type::Null) => "None".to_owned(),
            Some(ty) => self.class(ty)?,
        };
        let result = match (result, method.result()) {
            (Some(value), Some(ty)) => Some(self.expression(ty, value)?),
            _ => None,
        };
        let name = names::function(method.function());
        let parameters =
            format!("self, request: {}, context: {context}", self.class(method.params())?);
        let one = format!("    async def {name}({parameters}) -> {answer}:");
        let signature = if one.len() <= WIDTH {
            vec![one]
        } else {
            let first = format!("    async def {name}(");
            vec![first, format!("        {parameters}"), format!("    ) -> {answer}:")]
        };
        Some(HandlerMethod { signature, result, is_request: method.is_request() })
    }

    /// The class or the alias of a definition.
    fn class(&mut self, ty: &Type) -> Option<String> {
        let Type::Named { name } = ty else { return None };
        let class = names::class(&self.protocol.type_def(name)?.name);
        self.imports.insert(class.clone());
        Some(class)
    }

    /// A value of a type.
    fn expression(&mut self, ty: &Type, value: &Value) -> Option<String> {
        let protocol = self.protocol;
        Some(match (ty, value) {
            (Type::Nullable { .. }, Value::Null) => "None".to_owned(),
            (Type::Nullable { inner }, _) => self.expression(inner, value)?,
            (Type::Array(array), Value::Array(items)) => {
                let items = items.iter().map(|item| self.expression(&array.items, item));
                format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(", "))
            }
            (Type::Map(map), Value::Object(members)) => {
                let members = members.iter().map(|(key, member)| {
                    let member = self.expression(&map.values, member)?;
                    Some(format!("{}: {member}", literals::string(key)))
                });
                format!("{{{}}}", members.collect::<Option<Vec<_>>>()?.join(", "))
            }
            (Type::Named { name }, _) => match &protocol.type_def(name)?.kind {
                TypeKind::Alias { target } => self.expression(target, value)?,
                TypeKind::Tuple(tuple) => {
                    let items = value.as_array()?.iter().enumerate();
                    let items = items.map(|(at, item)| self.expression(tuple.item(at)?, item));
                    match &items.collect::<Option<Vec<_>>>()?[..] {
                        [] => "()".to_owned(),
                        [only] => format!("({only},)"),
                        several => format!("({})", several.join(", ")),
                    }
                }
                TypeKind::Record(_) => {
                    let members = self.members(ty, value)?.join(", ");
                    format!("{}({members})", self.class(ty)?)
                }
                TypeKind::Enum(_) | TypeKind::Union(_) => {
                    self.imports.insert("codecs".to_owned());
                    let codec = names::codec(&names::class(&protocol.type_def(name)?.name));
                    format!("codecs.{codec}.convert({})", plain(value))
                }
            },
            _ => plain(value),
        })
    }

    /// The members of a record as arguments by keyword.
    fn members(&mut self, ty: &Type, value: &Value) -> Option<Vec<String>> {
        let protocol = self.protocol;
        let Type::Named { name } = protocol.resolve(ty) else { return None };
        let TypeKind::Record(record) = &protocol.type_def(name)?.kind else { return None };
        let argument = |(key, member): (&String, &Value)| {
            let field = record.fields.iter().find(|field| field.name.wire == *key)?;
            let value = match member {
                Value::Null => "None".to_owned(),
                _ => self.expression(&field.ty, member)?,
            };
            Some(format!("{}={value}", names::attribute(&field.name)))
        };
        value.as_object()?.iter().map(argument).collect()
    }
}

/// A value of JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => literals::number(number),
        Value::String(text) => literals::string(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let member = |(key, member): (&String, &Value)| {
                format!("{}: {}", literals::string(key), plain(member))
            };
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}
