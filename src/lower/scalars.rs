//! Numbers and strings, with their constraints.

use serde_json::Number;

use super::{Lowerer, Path};
use crate::diagnostic::Diagnostic;
use crate::ir::{IntegerFormat, IntegerType, NumberType, StringType, Type, real_step, whole_step};
use crate::schema::SchemaObject;

impl<'a> Lowerer<'a> {
    pub(super) fn integer(&mut self, schema: &'a SchemaObject, path: &Path) -> Type {
        let integer = integer_type(schema);
        if schema.multiple_of.as_ref().is_some_and(|step| whole_step(step).is_none()) {
            self.unenforced("multipleOf", &schema.location, path);
        }
        let (low, high) = integer.range();
        self.satisfiable("integer", Some(low), Some(high), schema, path);
        Type::Integer(integer)
    }

    /// Reports bounds that keep every value of this kind out.
    pub(super) fn satisfiable<T: PartialOrd>(
        &mut self,
        what: &str,
        low: Option<T>,
        high: Option<T>,
        schema: &'a SchemaObject,
        path: &Path,
    ) {
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            self.diagnostics.push(
                Diagnostic::error("unsatisfiable", format!("no {what} fits {}", path.label))
                    .at(schema.location.clone())
                    .help("the smallest allowed value is above the largest; correct the bounds"),
            );
        }
    }

    pub(super) fn number(&mut self, schema: &'a SchemaObject, path: &Path) -> Type {
        let multiple_of = schema.multiple_of.as_ref().and_then(real_step);
        if schema.multiple_of.is_some() && multiple_of.is_none() {
            self.unenforced("multipleOf", &schema.location, path);
        }
        let minimum = schema.bounds.minimum.as_ref().and_then(Number::as_f64);
        let maximum = schema.bounds.maximum.as_ref().and_then(Number::as_f64);
        self.satisfiable("number", minimum, maximum, schema, path);
        Type::Number(NumberType {
            minimum,
            maximum,
            above: schema.bounds.exclusive_minimum.as_ref().and_then(Number::as_f64),
            below: schema.bounds.exclusive_maximum.as_ref().and_then(Number::as_f64),
            multiple_of,
            format: schema.format.clone(),
        })
    }

    pub(super) fn string(&mut self, schema: &'a SchemaObject, path: &Path) -> Type {
        self.satisfiable("string", schema.min_length, schema.max_length, schema, path);
        let (format, encoding) = (schema.format.clone(), schema.encoding.clone());
        Type::String(StringType { format, encoding, ..self.text(schema, path) })
    }
}

/// The integer type of a schema. Fractional bounds are rounded inwards, exclusive ones made
/// inclusive.
pub(super) fn integer_type(schema: &SchemaObject) -> IntegerType {
    let bounds = &schema.bounds;
    let minimum = bounds.minimum.as_ref().and_then(ceiling);
    let above = bounds.exclusive_minimum.as_ref().and_then(floor).map(|bound| bound + 1);
    let maximum = bounds.maximum.as_ref().and_then(floor);
    let below = bounds.exclusive_maximum.as_ref().and_then(ceiling).map(|bound| bound - 1);
    IntegerType {
        format: schema.format.as_deref().and_then(integer_format),
        minimum: minimum.into_iter().chain(above).max(),
        maximum: maximum.into_iter().chain(below).min(),
        multiple_of: schema.multiple_of.as_ref().and_then(whole_step).filter(|step| *step > 1),
    }
}

/// The integers that a `format` means, if it is one of those that generated code holds to.
pub(crate) fn integer_format(format: &str) -> Option<IntegerFormat> {
    Some(match format {
        "int8" => IntegerFormat::Int8,
        "int16" => IntegerFormat::Int16,
        "int32" => IntegerFormat::Int32,
        "int64" | "int" => IntegerFormat::Int64,
        "uint8" => IntegerFormat::Uint8,
        "uint16" => IntegerFormat::Uint16,
        "uint32" => IntegerFormat::Uint32,
        "uint64" | "uint" => IntegerFormat::Uint64,
        _ => return None,
    })
}

fn ceiling(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| number.as_f64().map(|value| saturating(value.ceil())))
}

fn floor(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| number.as_f64().map(|value| saturating(value.floor())))
}

#[allow(clippy::cast_possible_truncation, reason = "a float cast saturates")]
fn saturating(value: f64) -> i128 {
    (value as i128).clamp(i128::MIN / 2, i128::MAX / 2)
}
