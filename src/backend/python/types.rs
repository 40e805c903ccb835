//! Type expressions.

use serde_json::Number;

use super::expression::{BOUNDED, Expression, LITERAL};
use super::imports::Imports;
use super::literals;
use crate::ir::{IntegerFormat, IntegerType, NumberType, StringType, whole_step};

/// The reader of a type expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// People and type checkers.
    People,
    /// msgspec as well: the annotation of a struct's field.
    Msgspec,
}

/// A type with `None` and `UnsetType` beside it. `Any` needs no `None`.
pub(super) fn optional(
    ty: Expression,
    nullable: bool,
    absent: bool,
    imports: &mut Imports,
) -> Expression {
    let mut members = Vec::with_capacity(3);
    let is_any = ty == Expression::atom("Any");
    members.push(ty);
    if nullable && !is_any {
        members.push(Expression::atom("None"));
    }
    if absent {
        imports.msgspec("UnsetType");
        members.push(Expression::atom("UnsetType"));
    }
    Expression::union(members)
}

/// `Any`
pub(super) fn any(imports: &mut Imports) -> Expression {
    imports.typing("Any");
    Expression::atom("Any")
}

/// An integer of its format's range is named for it. msgspec's bounds end with signed 64 bits:
/// what lies above is left to generated code.
pub(super) fn integer(integer: &IntegerType, imports: &mut Imports) -> Expression {
    let (low, high) = integer.range();
    let format = integer.format.unwrap_or(IntegerFormat::Int64);
    let step = integer.multiple_of.map(|step| ("multiple_of", step.to_string()));
    if (low, high) == format.range() && step.is_none() {
        let name = match format {
            IntegerFormat::Int8 => "Int8",
            IntegerFormat::Int16 => "Int16",
            IntegerFormat::Int32 => "Int32",
            IntegerFormat::Int64 => "Int64",
            IntegerFormat::Uint8 => "Uint8",
            IntegerFormat::Uint16 => "Uint16",
            IntegerFormat::Uint32 => "Uint32",
            IntegerFormat::Uint64 => "Uint64",
        };
        imports.own("runtime/support", name);
        return Expression::atom(name);
    }
    let clamp = |bound: i128| bound.clamp(i64::MIN.into(), i64::MAX.into()).to_string();
    let bounds = [("ge", clamp(low)), ("le", clamp(high))].into_iter().chain(step);
    constrained(Expression::atom("int"), &bounds.collect::<Vec<_>>(), imports)
}

/// A whole number stays one. msgspec's integers end with signed 64 bits: what lies above is left
/// to generated code.
pub(super) fn number(number: &NumberType, imports: &mut Imports) -> Expression {
    let NumberType { minimum, maximum, above, below, multiple_of, .. } = number;
    if [minimum, maximum, above, below, multiple_of].into_iter().all(Option::is_none) {
        imports.own("runtime/support", "Number");
        return Expression::atom("Number");
    }
    let least = |bound: f64| bound.ceil().max(above.map_or(bound, |above| above.floor() + 1.0));
    let most = |bound: f64| bound.floor().min(below.map_or(bound, |below| below.ceil() - 1.0));
    #[allow(clippy::cast_possible_truncation, reason = "it ends at the bounds of the type")]
    let (low, high) = (
        minimum.or(*above).map_or(i64::MIN, |bound| least(bound) as i64),
        maximum.or(*below).map_or(i64::MAX, |bound| most(bound) as i64),
    );
    let step = multiple_of.and_then(Number::from_f64).and_then(|step| whole_step(&step));
    let step = step.filter(|step| *step > 1).map(|step| ("multiple_of", step.to_string()));
    let whole = [("ge", low.to_string()), ("le", high.to_string())].into_iter().chain(step);
    let whole: Vec<_> = whole.collect();
    let whole = (low <= high).then(|| constrained(Expression::atom("int"), &whole, imports));
    // msgspec takes one bound at each end.
    let is_above = above.is_some_and(|bound| minimum.is_none_or(|least| bound >= least));
    let is_below = below.is_some_and(|bound| maximum.is_none_or(|most| bound <= most));
    let all = [
        if is_above { ("gt", *above) } else { ("ge", *minimum) },
        if is_below { ("lt", *below) } else { ("le", *maximum) },
        ("multiple_of", *multiple_of),
    ];
    let bounds: Vec<_> =
        all.into_iter().filter_map(|(name, bound)| Some((name, format!("{:?}", bound?)))).collect();
    let real = constrained(Expression::atom("float"), &bounds, imports);
    Expression::union(whole.into_iter().chain([real]))
}

pub(super) fn string(string: &StringType, imports: &mut Imports) -> Expression {
    let bounds = [("min_length", string.min_length), ("max_length", string.max_length)];
    let pattern = string.checked_pattern().map(|it| ("pattern", literals::pattern_of(it)));
    let bounds: Vec<_> = lengths(bounds).into_iter().chain(pattern).collect();
    constrained(Expression::atom("str"), &bounds, imports)
}

/// Only strings, integers and `null` have literal types for msgspec. Of other numbers, bounds leave
/// only the one; a boolean has a mark.
pub(super) fn constant(value: &serde_json::Value, imports: &mut Imports) -> Expression {
    match value {
        serde_json::Value::Null => Expression::atom("None"),
        serde_json::Value::Bool(value) => {
            let mark = if *value { "OnlyTrue" } else { "OnlyFalse" };
            imports.own("runtime/support", mark);
            Expression::atom(mark)
        }
        serde_json::Value::Number(number) if number.is_u64() && !number.is_i64() => {
            Expression::atom("int")
        }
        serde_json::Value::Number(number) if !number.is_i64() => {
            let only = literals::scalar(value).unwrap_or_default();
            let bounds = [("ge", only.clone()), ("le", only)];
            constrained(Expression::atom("float"), &bounds, imports)
        }
        _ => match literals::scalar(value) {
            Some(literal) => {
                imports.typing(LITERAL);
                Expression::Index(LITERAL, vec![Expression::atom(literal)])
            }
            None => any(imports),
        },
    }
}

/// Bounds of a length, as far as msgspec has numbers for them.
pub(super) fn lengths(bounds: [(&'static str, Option<u64>); 2]) -> Vec<(&'static str, String)> {
    bounds
        .into_iter()
        .filter_map(|(name, bound)| Some((name, bound?.min(i64::MAX.unsigned_abs()).to_string())))
        .collect()
}

pub(super) fn constrained(
    ty: Expression,
    bounds: &[(&'static str, String)],
    imports: &mut Imports,
) -> Expression {
    if bounds.is_empty() {
        return ty;
    }
    imports.typing(BOUNDED);
    imports.msgspec("Meta");
    let bounds =
        bounds.iter().map(|(name, bound)| (String::from(*name), Expression::atom(bound.clone())));
    Expression::Index(BOUNDED, vec![ty, Expression::call("Meta", bounds)])
}
