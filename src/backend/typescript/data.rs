//! Constants of the runtime as TypeScript spells them.

use super::literals::{constant, literal};
use crate::ir::Name;
use crate::sdk::{Data, Record};

/// A constant as an expression, on lines of its own if it is an object. `indentation`: that of the
/// line on which it begins, in columns.
pub(super) fn expression(data: &Data, indentation: usize) -> String {
    match data {
        Data::Text(text) => literal(text),
        Data::Word(_, word) => literal(word),
        Data::Flag(flag) => flag.to_string(),
        Data::Json(value) => constant(value),
        Data::Optional(None) => String::from("undefined"),
        Data::Optional(Some(data)) => expression(data, indentation),
        Data::Record(record) => object(record, indentation),
        Data::List(items) => list(items, indentation),
        Data::Choice(_, _, parts) => match parts.as_slice() {
            [] => String::from("null"),
            [part] => expression(part, indentation),
            parts => list(parts, indentation),
        },
    }
}

fn object(record: &Record, indentation: usize) -> String {
    let inner = indentation + 2;
    let fields = record.non_default().map(|(name, data)| {
        let (name, value) = (Name::new(name).camel(), expression(data, inner));
        format!("{:inner$}{name}: {value},\n", "")
    });
    format!("{{\n{}{:indentation$}}}", fields.collect::<String>(), "")
}

/// A list of objects has a line for each.
fn list(items: &[Data], indentation: usize) -> String {
    let inner = indentation + 2;
    if !items.iter().any(|item| matches!(item, Data::Record(_))) {
        let items: Vec<String> = items.iter().map(|item| expression(item, inner)).collect();
        return format!("[{}]", items.join(", "));
    }
    let items = items.iter().map(|item| format!("{:inner$}{},\n", "", expression(item, inner)));
    format!("[\n{}{:indentation$}]", items.collect::<String>(), "")
}
