//! Statements, laid out as prettier does.

use std::collections::BTreeSet;

use crate::backend::doc::columns::columns;
use crate::backend::doc::{
    Doc, bracketed, break_after_operator, concat, fluid, group, indent, text,
};
use crate::backend::typescript::text::literal;

/// The functions of the runtime that generated code refers to, by the file that has them.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Of `decoding.ts`.
    pub(super) decoding: BTreeSet<&'static str>,
    /// Of `values.ts`.
    pub(super) values: BTreeSet<&'static str>,
}

impl Used {
    /// A function of `decoding.ts`.
    pub(super) fn decoding(&mut self, name: &'static str) -> &'static str {
        self.decoding.insert(name);
        name
    }

    /// What it takes to look into an object.
    pub(super) fn objects(&mut self) {
        self.decoding.extend(["isObject", "mismatch"]);
    }

    /// A function of `values.ts`.
    pub(super) fn value(&mut self, name: &'static str) -> &'static str {
        self.values.insert(name);
        name
    }
}

/// `function(a, b)`
pub(super) fn call(function: &str, arguments: impl IntoIterator<Item = Doc>) -> Doc {
    bracketed(format!("{function}("), arguments, ")")
}

/// Words as arguments.
pub(super) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<Doc> {
    words.into_iter().map(text).collect()
}

/// A property's value in an object. What every object has by its prototype does not count.
pub(super) fn property(object: &str, key: &str, used: &mut Used) -> Doc {
    if INHERITED.contains(&key) {
        return call(used.decoding("own"), [text(object), text(literal(key))]);
    }
    group(concat([
        text(format!("{object}[")),
        indent(concat([Doc::SoftLine, text(literal(key))])),
        Doc::SoftLine,
        text("]"),
    ]))
}

/// The properties of `Object.prototype`.
const INHERITED: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// `target = property;` at an indentation.
pub(super) fn read(target: &str, object: &str, key: &str, used: &mut Used, at: usize) -> String {
    let value = property(object, key, used);
    let doc = if INHERITED.contains(&key) {
        fluid(text(target), " =", value)
    } else {
        break_after_operator(text(target), " =", value)
    };
    statement(doc, at)
}

/// `target = call;` at an indentation.
pub(super) fn assign(target: &str, value: Doc, at: usize) -> String {
    statement(fluid(text(target), " =", value), at)
}

/// `return call;` at an indentation.
pub(super) fn give(value: Doc, at: usize) -> String {
    statement(concat([text("return "), value]), at)
}

fn statement(doc: Doc, at: usize) -> String {
    crate::backend::typescript::PRETTIER.print(&concat([doc, text(";")]), at, at)
}

/// `function NAME(value: unknown, context: Context): unknown`
pub(super) fn head(name: &str) -> String {
    let parameters = words(["value: unknown", "context: Context"]);
    let doc = concat([call(&format!("function {name}"), parameters), text(": unknown {")]);
    let printed = crate::backend::typescript::PRETTIER.print(&doc, 0, 0);
    printed.strip_suffix(" {").unwrap_or(&printed).to_owned()
}

/// `export const NAME: Codec<TYPE> = codec(DECODER);`
pub(super) fn codec(name: &str, ty: &str, decoder: &str) -> String {
    let left = text(format!("export const {name}: Codec<types.{ty}>"));
    let right = call("/* @__PURE__ */ codec", [text(decoder)]);
    // A call with nothing but a short name in it moves down as a whole.
    let doc = if columns(decoder) <= 20 {
        break_after_operator(left, " =", right)
    } else {
        fluid(left, " =", right)
    };
    statement(doc, 0)
}

/// A JSON value as an expression that makes it anew.
pub(super) fn fresh(value: &serde_json::Value, used: &mut Used) -> Doc {
    use serde_json::Value;
    match value {
        Value::Array(items) if items.is_empty() => text("[]"),
        Value::Object(members) if members.is_empty() => text("{}"),
        Value::Array(_) | Value::Object(_) => {
            call(used.decoding("fresh"), [text(literal(&value.to_string()))])
        }
        // A number that JavaScript does not hold is written as the one that it does.
        Value::Number(whole) if !whole.is_f64() => text(number(whole.as_f64().unwrap_or_default())),
        scalar => text(crate::backend::typescript::text::constant(scalar)),
    }
}

/// A number as JavaScript holds it: of all that are not above the limit, the largest.
pub(super) fn at_most(limit: i128) -> String {
    #[allow(clippy::cast_precision_loss, reason = "what it rounds to is looked at")]
    let mut nearest = limit as f64;
    #[allow(clippy::cast_possible_truncation, reason = "a bound is far from the end of the type")]
    if nearest as i128 > limit {
        nearest = nearest.next_down();
    }
    number(nearest)
}

/// A number as JavaScript holds it: of all that are not below the limit, the smallest.
pub(super) fn at_least(limit: i128) -> String {
    match at_most(-limit) {
        zero if zero == "0" => zero,
        positive => match positive.strip_prefix('-') {
            Some(negated) => negated.to_owned(),
            None => format!("-{positive}"),
        },
    }
}

/// A number, as prettier writes it.
pub(super) fn number(value: f64) -> String {
    if value.abs() < 1e21 { format!("{value}") } else { format!("{value:e}") }
}
