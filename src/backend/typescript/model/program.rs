//! The program in the README, of a protocol whose authors have written no guide.

use serde::Serialize;
use serde_json::Value;

use super::app::AppModel;
use super::sides::SidesModel;
use crate::backend::typescript::literals::{literal, object_key};
use crate::backend::typescript::types::Scope;
use crate::example::{Examples, ShownCall};

/// A program that has both ends of a connection, and makes one call.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct ProgramModel {
    /// The functions that make apps: what is imported, that of the side which answers, and that of
    /// the side which calls.
    factories: String,
    handler: String,
    caller: String,
    /// The literal of the method's wire name, and the function that calls it.
    method: String,
    call: String,
    /// The expressions for its params and its result.
    params: String,
    result: String,
}

/// Names that the program has for other things.
const TAKEN: [&str; 7] = ["answer", "app", "console", "far", "near", "peer", "streamPair"];

/// The width of lines that formatters leave as they are.
const WIDTH: usize = 80;

/// The largest integer that is a number in JavaScript, and no other one as well.
const MAX_SAFE: u64 = (1 << 53) - 1;

impl ProgramModel {
    /// Makes the program. `None` if there is no call that can be shown.
    pub(super) fn new(
        scope: Scope<'_>,
        app: Option<&AppModel>,
        sides: &SidesModel,
    ) -> Option<Self> {
        let protocol = scope.protocol;
        let examples = Examples::new(protocol);
        let ShownCall { handler, caller, method, params, result } = examples.shown_call()?;
        let factory = |wanted: &crate::ir::Side| {
            let at = protocol.sides.iter().position(|side| side.name == wanted.name)?;
            Some((app?.sides.get(at)?.factory.clone(), sides.sides.get(at)?))
        };
        let ((handler, side), (caller, _)) = (factory(handler)?, factory(caller)?);
        if TAKEN.contains(&&*handler) || TAKEN.contains(&&*caller) {
            return None;
        }
        let call = side
            .methods
            .iter()
            .find(|it| it.method.is_request && it.method.of == method.name.wire)?
            .call
            .clone();
        let method = literal(&method.name.wire);
        let before_params = format!("const answer = await peer.{call}(").len();
        let before_result = format!("app.onRequest({method}, () => ").len();
        // Braces of an arrow function's value alone would begin a block.
        let is_object = result.is_object();
        let parentheses = if is_object { ("(", ")") } else { ("", "") };
        let extra = parentheses.0.len();
        let result = laid_out(&result, (before_result + extra, 2 + extra), 0)?;
        let mut factories = vec![handler.as_str(), caller.as_str()];
        factories.sort_unstable();
        factories.dedup();
        Some(Self {
            factories: factories.join(", "),
            method,
            params: laid_out(&params, (before_params, 2), 0)?,
            result: [parentheses.0, &result, parentheses.1].concat(),
            handler,
            caller,
            call,
        })
    }
}

/// A value as an expression that is broken where its line is too long: `around` are the letters
/// before it on its first line, and after it on its last. `None` if that does not help.
fn laid_out(value: &Value, around: (usize, usize), indentation: usize) -> Option<String> {
    let flat = expression(value)?;
    if around.0 + flat.chars().count() + around.1 <= WIDTH {
        return Some(flat);
    }
    let deeper = indentation + 2;
    let (open, lines, close) = match value {
        Value::Object(members) if !members.is_empty() => {
            let member = |(name, member): (&String, &Value)| {
                let name = format!("{}: ", object_key(name));
                let before = deeper + name.chars().count();
                Some(name + &laid_out(member, (before, 1), deeper)?)
            };
            ("{", members.iter().map(member).collect::<Option<Vec<_>>>()?, "}")
        }
        Value::Array(items) if !items.is_empty() => {
            let item = |item| laid_out(item, (deeper, 1), deeper);
            ("[", items.iter().map(item).collect::<Option<Vec<_>>>()?, "]")
        }
        _ => return None,
    };
    let lines: Vec<String> = lines.iter().map(|line| format!("{:deeper$}{line},\n", "")).collect();
    let lines = lines.concat();
    Some(format!("{open}\n{lines}{:indentation$}{close}", ""))
}

/// A value as an expression. `None` for numbers that are none in JavaScript.
fn expression(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) => literal(text),
        Value::Number(number) => {
            let whole = number.as_i64().map(i64::unsigned_abs).or(number.as_u64());
            if whole.is_some_and(|whole| whole > MAX_SAFE) {
                return None;
            }
            number.to_string()
        }
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(expression).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| {
                Some(format!("{}: {}", object_key(name), expression(member)?))
            });
            format!("{{ {} }}", members.collect::<Option<Vec<_>>>()?.join(", "))
        }
        Value::Null | Value::Bool(_) => value.to_string(),
    })
}
