//! Default values as Rust expressions.

use serde_json::Value;

use super::read;
use super::scope::Scope;
use crate::backend::rust::{ident, literal};
use crate::ir::{Enum, EnumBase, Field, Record, Type, TypeKind};

/// How deeply defaults may be nested in defaults before they are compared no further.
const MAX_DEPTH: usize = 32;

/// The value of a field that is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) struct DefaultValue {
    /// The expression.
    pub code: String,
    /// What may be done with it.
    pub form: Form,
}

/// What an expression of a default is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::backend::rust) enum Form {
    /// The same as the type's own `Default`.
    Standard,
    /// A constant.
    Constant,
    /// A call.
    Call,
}

impl DefaultValue {
    fn new(form: Form, code: impl Into<String>) -> Self {
        Self { code: code.into(), form }
    }

    /// The expression, in a box.
    pub(super) fn boxed(self) -> Self {
        match self.form {
            Form::Standard => Self { code: String::from("Box::default()"), ..self },
            _ => Self { code: format!("Box::new({})", self.code), form: Form::Call },
        }
    }
}

/// The value of the type that a JSON value stands for. The value has been checked against the
/// type.
pub(super) fn default(scope: &Scope<'_>, ty: &Type, value: &Value) -> DefaultValue {
    let resolved = scope.resolve(ty);
    match (resolved, value) {
        (Type::Nullable { .. }, Value::Null) => DefaultValue::new(Form::Standard, "None"),
        (Type::Nullable { inner }, _) => {
            let inner = default(scope, inner, value);
            let form = if inner.form == Form::Constant { Form::Constant } else { Form::Call };
            DefaultValue::new(form, format!("Some({})", inner.code))
        }
        (Type::Null, _) => DefaultValue::new(Form::Standard, "()"),
        (Type::Any, Value::Null) => DefaultValue::new(Form::Standard, "json::Value::Null"),
        (Type::Boolean, Value::Bool(boolean)) => {
            let form = if *boolean { Form::Constant } else { Form::Standard };
            DefaultValue::new(form, boolean.to_string())
        }
        (Type::Integer(_), Value::Number(_)) => integer(value).unwrap_or_else(|| parsed(value)),
        (Type::Number(_), Value::Number(number)) => match number.as_f64() {
            Some(0.0) => DefaultValue::new(Form::Standard, "0.0"),
            Some(number) => DefaultValue::new(Form::Constant, literal::float(number)),
            None => parsed(value),
        },
        (Type::String(_), Value::String(text)) if text.is_empty() => {
            DefaultValue::new(Form::Standard, "String::new()")
        }
        (Type::String(_), Value::String(text)) => {
            DefaultValue::new(Form::Call, format!("String::from({})", literal::string(text)))
        }
        (Type::Array(_), Value::Array(items)) if items.is_empty() => {
            DefaultValue::new(Form::Standard, "Vec::new()")
        }
        (Type::Map(_), Value::Object(members)) if members.is_empty() => {
            let name = scope.expression(resolved);
            let name = name.split('<').next().unwrap_or_default();
            DefaultValue::new(Form::Standard, format!("{name}::new()"))
        }
        (Type::Named { .. }, _) => named(scope, resolved, value),
        _ => parsed(value),
    }
}

fn named(scope: &Scope<'_>, ty: &Type, value: &Value) -> DefaultValue {
    let Some((wire, def)) = scope.definition(ty) else { return parsed(value) };
    let ident = scope.ident(wire);
    match (&def.kind, value) {
        (TypeKind::Enum(values), _) => {
            enumerated(ident, values, value).unwrap_or_else(|| parsed(value))
        }
        (TypeKind::Alias { target: Type::String(string) }, Value::String(text))
            if read::string_bounds(string).is_none() =>
        {
            DefaultValue::new(Form::Call, format!("{ident}::from({})", literal::string(text)))
        }
        (TypeKind::Record(record), Value::Object(_)) if is_defaultable(record) => {
            let empty = Value::Object(serde_json::Map::new());
            if filled(scope, ty, value, 0) == filled(scope, ty, &empty, 0) {
                DefaultValue::new(Form::Standard, format!("{ident}::new()"))
            } else {
                parsed(value)
            }
        }
        _ => parsed(value),
    }
}

/// Whether a record can be made of nothing.
pub(super) fn is_defaultable(record: &Record) -> bool {
    record.fields.iter().all(is_optional)
}

/// Whether a value of the record needs no value of the field.
fn is_optional(field: &Field) -> bool {
    !field.presence.is_required() || matches!(field.ty, Type::Literal { .. })
}

fn integer(value: &Value) -> Option<DefaultValue> {
    let number = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from))?;
    let form = if number == 0 { Form::Standard } else { Form::Constant };
    Some(DefaultValue::new(form, literal::integer(number)))
}

fn enumerated(ident: &str, values: &Enum, value: &Value) -> Option<DefaultValue> {
    if let Some(known) = values.values.iter().find(|known| known.value == *value) {
        let variant = ident::variant(&known.name);
        return Some(DefaultValue::new(Form::Constant, format!("{ident}::{variant}")));
    }
    match (&values.base, value) {
        (EnumBase::String, Value::String(text)) => {
            Some(DefaultValue::new(Form::Call, format!("{ident}::from({})", literal::string(text))))
        }
        _ => None,
    }
}

/// An expression that reads the value from its JSON text.
fn parsed(value: &Value) -> DefaultValue {
    let text = literal::string(&value.to_string());
    DefaultValue::new(Form::Call, format!("json::constant({text})"))
}

/// The value with the defaults of absent fields filled in.
fn filled(scope: &Scope<'_>, ty: &Type, value: &Value, depth: usize) -> Value {
    let Some((_, def)) = scope.definition(ty).filter(|_| depth < MAX_DEPTH) else {
        return value.clone();
    };
    let (TypeKind::Record(record), Value::Object(members)) = (&def.kind, value) else {
        return value.clone();
    };
    let mut members = members.clone();
    for field in &record.fields {
        let present = members.get(&field.name.wire).or(field.default.as_ref());
        if let Some(present) = present {
            let value = filled(scope, &field.ty, present, depth + 1);
            members.insert(field.name.wire.clone(), value);
        }
    }
    Value::Object(members)
}
