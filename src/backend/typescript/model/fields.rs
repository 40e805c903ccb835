//! Decoders of an object's fields.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;

use super::decoders::{Decoder, DecoderBuilder};
use crate::backend::names::{Words, words};
use crate::backend::typescript::literals::literal;
use crate::decode::{FieldPlan, Items, OnAbsent, OnInvalid, OnNull, Substitute};
use crate::ir::{Field, Type};

/// The decoders of fields. What has changed is put into a copy.
#[derive(Debug, Serialize)]
pub(super) struct FieldsModel {
    /// If there are any, the object may turn out to be wrong when it has already changed.
    fields: Vec<FieldDecoder>,
    /// The functions that decode them, if there are too many for one.
    batches: Vec<Batch>,
}

/// A function that decodes some of the fields of an object.
#[derive(Debug, Serialize)]
struct Batch {
    name: String,
    fields: Vec<FieldDecoder>,
}

/// The most fields that one function decodes: the compiler follows only so many branches.
const MOST_FIELDS: usize = 100;

/// The decoder of a field.
#[derive(Debug, Serialize)]
pub(super) struct FieldDecoder {
    key: Key,
    /// True if nothing else would notice that it is not there.
    is_missed: bool,
    /// The expression that an absent field takes.
    default: Option<String>,
    /// True if nothing is decoded if it is absent, or `null`.
    skips_absent: bool,
    skips_null: bool,
    decoder: Decoder,
    /// The function that sees to a value that changed or failed.
    reaction: &'static str,
    /// The expression in place of a value that failed.
    fallback: Option<String>,
}

/// A property's name.
#[derive(Debug, Serialize)]
pub(super) struct Key {
    literal: String,
    /// True if every object has one of that name by its prototype, which does not count.
    is_inherited: bool,
}

impl Key {
    pub(super) fn new(builder: &mut DecoderBuilder<'_>, name: &str) -> Self {
        let is_inherited = INHERITED.contains(name);
        if is_inherited {
            builder.imports.decoding(["own"]);
        }
        Self { literal: literal(name), is_inherited }
    }
}

/// The properties of `Object.prototype`.
static INHERITED: Words = LazyLock::new(|| {
    words(
        "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ \
         constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString \
         valueOf",
    )
});

impl FieldsModel {
    pub(super) fn new(
        builder: &mut DecoderBuilder<'_>,
        fields: &[Field],
        plans: &[FieldPlan],
    ) -> Self {
        builder.imports.decoding(["isObject", "mismatch"]);
        let fields = fields.iter().zip(plans).map(|(field, plan)| {
            let location = field.name.camel();
            let decoder = match plan.items {
                Items::ValidOnly => builder.lenient(&field.ty, &location),
                Items::All => builder.decoder(&field.ty, &location),
            };
            // Numbers that JavaScript does not hold are refused in any JSON, too.
            let decoder = if decoder.is_any() { builder.value("any", Vec::new()) } else { decoder };
            FieldDecoder::new(builder, field, plan, decoder)
        });
        let mut fields: Vec<FieldDecoder> = fields.collect();
        if !fields.is_empty() {
            builder.imports.decoding(["FAIL"]);
        }
        let mut batches = Vec::new();
        while fields.len() > MOST_FIELDS || !batches.is_empty() && !fields.is_empty() {
            let others = fields.split_off(fields.len().min(MOST_FIELDS));
            let name = builder.batch(batches.len() + 1);
            batches.push(Batch { name, fields: std::mem::replace(&mut fields, others) });
        }
        Self { fields, batches }
    }

    /// Tells whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.batches.is_empty()
    }
}

impl FieldDecoder {
    fn new(
        builder: &mut DecoderBuilder<'_>,
        field: &Field,
        plan: &FieldPlan,
        decoder: Decoder,
    ) -> Self {
        let default = match &plan.absent {
            OnAbsent::Default(value) => {
                builder.imports.decoding(["fill"]);
                Some(default_value(builder, field, value, &decoder))
            }
            OnAbsent::Refuse | OnAbsent::Leave => None,
        };
        // Decoding itself notices what is not there, unless that is forgiven.
        let is_missed = plan.absent == OnAbsent::Refuse && plan.invalid != OnInvalid::Refuse;
        if is_missed {
            builder.imports.decoding(["missing"]);
        }
        let (reaction, fallback) = reaction(builder, field, plan, &decoder);
        Self {
            key: Key::new(builder, &field.name.wire),
            is_missed,
            skips_absent: plan.absent == OnAbsent::Leave,
            skips_null: plan.null == OnNull::Keep,
            default,
            decoder,
            reaction,
            fallback,
        }
    }
}

/// The function that sees to a value that changed or failed, and what it puts in place of one
/// that failed.
fn reaction(
    builder: &mut DecoderBuilder<'_>,
    field: &Field,
    plan: &FieldPlan,
    decoder: &Decoder,
) -> (&'static str, Option<String>) {
    let mut value = |substitute: &Substitute| match substitute {
        Substitute::Absent => None,
        Substitute::Value(value) => Some(default_value(builder, field, value, decoder)),
    };
    let (function, fallback) = match (&plan.invalid, &plan.null) {
        (OnInvalid::Become(invalid), OnNull::Become(null)) if invalid != null => {
            let or_undefined = |value: Option<String>| value.unwrap_or_else(|| "undefined".into());
            let (null, invalid) = (or_undefined(value(null)), or_undefined(value(invalid)));
            ("forgive", Some(format!("field === null ? {null} : {invalid}")))
        }
        (OnInvalid::Become(invalid), _) => ("forgive", value(invalid)),
        (OnInvalid::Refuse, OnNull::Become(null)) => ("forgiveNull", value(null)),
        (OnInvalid::Refuse, OnNull::Keep | OnNull::Decode) => ("put", None),
    };
    builder.imports.decoding([function]);
    (function, fallback)
}

/// A default as an expression. Within records, defaults are filled in.
fn default_value(
    builder: &mut DecoderBuilder<'_>,
    field: &Field,
    value: &Value,
    decoder: &Decoder,
) -> String {
    let fresh = builder.fresh(value);
    let is_whole = matches!(value, Value::Array(items) if items.is_empty())
        || !matches!(value, Value::Array(_) | Value::Object(_))
        || holds_no_record(builder, &field.ty);
    match &decoder.function {
        Some(function) if !is_whole => {
            let given = [fresh, String::from("context")];
            let arguments: Vec<String> =
                given.into_iter().chain(decoder.arguments.iter().cloned()).collect();
            format!("{function}({})", arguments.join(", "))
        }
        _ => fresh,
    }
}

/// Tells whether a value of the type has no fields in it that could have defaults, as far as is
/// seen at once.
fn holds_no_record(builder: &DecoderBuilder<'_>, ty: &Type) -> bool {
    match builder.scope.protocol.resolve(ty) {
        Type::Array(array) => holds_no_record(builder, &array.items),
        Type::Map(map) => holds_no_record(builder, &map.values),
        Type::Nullable { inner } => holds_no_record(builder, inner),
        Type::Named { .. } => false,
        _ => true,
    }
}
