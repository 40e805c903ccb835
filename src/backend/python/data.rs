//! Constants of the runtime as Python spells them.

use super::expression::Expression;
use crate::sdk::Data;

/// A constant as an expression. `module`: what the classes of records are attributes of, with a
/// dot at its end.
pub(super) fn expression(data: &Data, module: &str) -> Expression {
    let tuple = |items: &[Data]| {
        Expression::Tuple(items.iter().map(|item| expression(item, module)).collect())
    };
    match data {
        Data::Text(text) => Expression::string(text),
        Data::Word(_, word) => Expression::string(word),
        Data::Flag(flag) => Expression::atom(if *flag { "True" } else { "False" }),
        Data::Json(value) => Expression::json(value),
        Data::Optional(None) => Expression::atom("None"),
        Data::Optional(Some(data)) => expression(data, module),
        Data::Record(record) => {
            let fields = record.non_default();
            let fields = fields.map(|(name, data)| (name.to_owned(), expression(data, module)));
            Expression::call(format!("{module}{}", record.name), fields)
        }
        Data::List(items) => tuple(items),
        Data::Choice(_, _, parts) => match parts.as_slice() {
            [] => Expression::atom("None"),
            [part] => expression(part, module),
            parts => tuple(parts),
        },
    }
}
