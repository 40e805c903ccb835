//! `format`, as far as generated code holds to it: integers of so many bits.

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

use crate::ir::IntegerFormat;
use crate::lower::integer_format;

/// The bounds that a `format` means: none where generated code takes it for a description.
struct Format {
    range: Option<(i128, i128)>,
}

/// Reads `format` for the validator, with the schema that it stands in.
#[allow(clippy::unnecessary_wraps, reason = "the validator asks for it")]
pub(super) fn keyword<'a>(
    schema: &'a Map<String, Value>,
    format: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let is_integer = match schema.get("type") {
        Some(Value::String(name)) => name == "integer",
        Some(Value::Array(names)) => {
            let has = |name: &str| names.iter().any(|it| it == name);
            has("integer") && !has("number")
        }
        _ => false,
    };
    let format = format.as_str().filter(|_| is_integer).and_then(integer_format);
    Ok(Box::new(Format { range: format.map(IntegerFormat::range) }))
}

impl<'i> Keyword<'i> for Format {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, value) {
            return Ok(());
        }
        Err(ValidationError::custom("out of range"))
    }

    fn is_valid(&self, value: &'i Value) -> bool {
        let Some(((low, high), number)) = self.range.zip(value.as_number()) else { return true };
        match number.as_i128() {
            Some(number) => (low..=high).contains(&number),
            #[allow(clippy::cast_precision_loss, reason = "only far larger numbers get here")]
            None => number.as_f64().is_none_or(|it| (low as f64..=high as f64).contains(&it)),
        }
    }
}
