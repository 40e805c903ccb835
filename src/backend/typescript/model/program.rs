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
    /// What it is called and answered with.
    params: String,
    result: String,
}

/// Names that the program has for other things.
const TAKEN: [&str; 6] = ["app", "console", "far", "near", "peer", "streamPair"];

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
        let call = side.methods.iter().find(|it| it.method.of == method.name.wire)?.call.clone();
        let mut factories = vec![handler.as_str(), caller.as_str()];
        factories.sort_unstable();
        factories.dedup();
        Some(Self {
            factories: factories.join(", "),
            method: literal(&method.name.wire),
            params: expression(&params)?,
            result: match expression(&result)? {
                // Braces would begin a block.
                object if object.starts_with('{') => format!("({object})"),
                other => other,
            },
            handler,
            caller,
            call,
        })
    }
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
