//! Default values as Rust expressions.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use serde_json::{Map, Number, Value};

use super::scope::Scope;
use crate::backend::rust::{literals, names};
use crate::decode::{Decoder, Mode};
use crate::ir::{Enum, EnumBase, Type, TypeKind};

/// The value of a field that is absent.
#[derive(Clone, Debug)]
pub(crate) struct DefaultValue {
    /// The expression; where the value is in a `Some`, that of what is in it.
    pub inner: TokenStream,
    /// True if the value is in a `Some`.
    pub is_some: bool,
    pub form: Form,
}

/// The kinds of expressions, by what may be done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The type's own `Default`.
    Standard,
    /// A constant.
    Constant,
    /// A call.
    Call,
    /// The path of a function to call.
    Function,
}

impl DefaultValue {
    fn new(form: Form, inner: TokenStream) -> Self {
        Self { inner, is_some: false, form }
    }

    /// `None`.
    pub(super) fn none() -> Self {
        Self::new(Form::Standard, quote!(None))
    }

    /// The whole expression.
    pub(crate) fn expression(&self) -> TokenStream {
        let inner = &self.inner;
        let call = if self.form == Form::Function { quote!(#inner()) } else { quote!(#inner) };
        if self.is_some { quote!(Some(#call)) } else { call }
    }

    /// The value of an `Option`, or this one.
    pub(crate) fn or_else(&self, option: &TokenStream) -> TokenStream {
        let (inner, expression) = (&self.inner, self.expression());
        match self.form {
            Form::Standard => quote!(#option.unwrap_or_default()),
            Form::Constant => quote!(#option.unwrap_or(#expression)),
            Form::Function if !self.is_some => quote!(#option.unwrap_or_else(#inner)),
            Form::Call | Form::Function => quote!(#option.unwrap_or_else(|| #expression)),
        }
    }

    /// Tells whether it is the `Default` of its type.
    pub(crate) fn is_standard(&self) -> bool {
        self.form == Form::Standard
    }

    /// What the runtime's macro for fields calls that: a word, and what goes with it.
    pub(crate) fn otherwise(&self) -> (&'static str, Option<TokenStream>) {
        let expression = self.expression();
        match self.form {
            Form::Standard => ("default", None),
            Form::Constant => ("or", Some(expression)),
            Form::Function if !self.is_some => ("or_else", Some(self.inner.clone())),
            Form::Call | Form::Function => ("or_else", Some(quote!(|| #expression))),
        }
    }

    /// The value, in a box.
    pub(super) fn boxed(self) -> Self {
        if self.form == Form::Standard {
            return Self::new(Form::Standard, quote!(Box::default()));
        }
        let expression = self.expression();
        Self::new(Form::Call, quote!(Box::new(#expression)))
    }

    /// The value, in a `Some`.
    pub(super) fn some(self) -> Self {
        let form = if self.form == Form::Constant { Form::Constant } else { Form::Call };
        Self { inner: self.expression(), is_some: true, form }
    }
}

/// The value of the type that a JSON value stands for. The value has been checked against the
/// type.
pub(super) fn default(scope: &Scope<'_>, ty: &Type, value: &Value) -> DefaultValue {
    let resolved = scope.resolve(ty);
    let standard = |code: TokenStream| DefaultValue::new(Form::Standard, code);
    match (resolved, value) {
        (Type::Nullable { .. }, Value::Null) => DefaultValue::none(),
        (Type::Nullable { inner }, _) => default(scope, inner, value).some(),
        (Type::Null, _) => standard(quote!(())),
        (Type::Any, Value::Null) => standard(quote!(json::Value::Null)),
        (Type::Boolean, Value::Bool(boolean)) => {
            let form = if *boolean { Form::Constant } else { Form::Standard };
            DefaultValue::new(form, quote!(#boolean))
        }
        (Type::Integer(_), Value::Number(_)) => integer(value).unwrap_or_else(|| parsed(value)),
        (Type::Number(_), Value::Number(number)) => match number.as_f64() {
            Some(0.0) => standard(quote!(0.0)),
            Some(number) => DefaultValue::new(Form::Constant, literals::float(number)),
            None => parsed(value),
        },
        (Type::String(_), Value::String(text)) if text.is_empty() => {
            standard(quote!(String::new()))
        }
        (Type::String(_), Value::String(text)) => {
            DefaultValue::new(Form::Call, quote!(String::from(#text)))
        }
        (Type::Array(_), Value::Array(items)) if items.is_empty() => standard(quote!(Vec::new())),
        (Type::Map(map), Value::Object(members)) if members.is_empty() => {
            let is_object = matches!(scope.resolve(&map.values), Type::Any);
            let object = quote!(json::Object::new());
            standard(if is_object { object } else { quote!(json::Map::new()) })
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
            enumerated(&ident, values, value).unwrap_or_else(|| parsed(value))
        }
        (TypeKind::Alias { target: Type::String(string) }, Value::String(text))
            if !string.is_bounded() =>
        {
            DefaultValue::new(Form::Call, quote!(#ident::from(#text)))
        }
        (TypeKind::Record(_), Value::Object(_)) if is_empty(scope, ty, value) => {
            DefaultValue::new(Form::Standard, quote!(#ident::new()))
        }
        _ => parsed(value),
    }
}

/// Tells whether a value is what a record of nothing becomes by the defaults of its fields.
fn is_empty(scope: &Scope<'_>, ty: &Type, value: &Value) -> bool {
    let decoder = Decoder::new(scope.protocol, &scope.plan, Mode::Lenient);
    let empty = decoder.decode(ty, &Value::Object(Map::new()));
    empty.is_ok_and(|empty| decoder.decode(ty, value).is_ok_and(|value| value == empty))
}

fn integer(value: &Value) -> Option<DefaultValue> {
    let number = value.as_number().and_then(Number::as_i128)?;
    let form = if number == 0 { Form::Standard } else { Form::Constant };
    Some(DefaultValue::new(form, literals::integer(number)))
}

fn enumerated(ident: &Ident, values: &Enum, value: &Value) -> Option<DefaultValue> {
    if let Some(known) = values.values.iter().find(|known| known.value == *value) {
        let variant = names::variant(&known.name);
        return Some(DefaultValue::new(Form::Constant, quote!(#ident::#variant)));
    }
    match (&values.base, value) {
        (EnumBase::String, Value::String(text)) if !values.is_bounded() => {
            Some(DefaultValue::new(Form::Call, quote!(#ident::from(#text))))
        }
        _ => None,
    }
}

/// An expression that decodes the value from its JSON text.
fn parsed(value: &Value) -> DefaultValue {
    let text = value.to_string();
    DefaultValue::new(Form::Call, quote!(json::constant(#text)))
}
