//! Filters for names, literals and comments.

use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{Environment, Error, ErrorKind};

use super::paths::CASES;
use super::syntax::{letters, syntax};
use super::value::member;
use crate::backend::syntax::SyntaxFilters;
use crate::ir::Name;

pub(super) fn extend(environment: &mut Environment<'static>) {
    for (case, join) in CASES {
        environment.add_filter(case, move |value: &Value| name(value).map(|name| join(&name)));
    }
    environment.add_filter("ident", ident);
    environment.add_filter("literal", literal);
    environment.add_filter("doc", doc);
    environment.add_filter("json", |value: Serde<serde_json::Value>| value.0.to_string());
}

/// A name of the model, or one made from text.
fn name(value: &Value) -> Result<Name, Error> {
    if let Some(text) = value.as_str() {
        return Ok(Name::new(text));
    }
    serde_json::to_value(Serde::<&Value>(value).0)
        .ok()
        .and_then(|value| serde_json::from_value(value).ok())
        .ok_or_else(|| {
            let message = format!("a case is for a name or text, not for {}", article(value));
            Error::new(ErrorKind::InvalidOperation, message)
        })
}

/// `{{ field.name | snake | ident("python", reserved=["self"]) }}`
#[allow(clippy::needless_pass_by_value, reason = "minijinja asks for this signature")]
fn ident(value: &Value, language: &str, options: Kwargs) -> Result<String, Error> {
    let filters = filters(language)?;
    let text = value.as_str().ok_or_else(|| {
        let message = "an identifier is made from text: give the name a case first, as in \
                       `name | snake | ident(\"rust\")`";
        Error::new(ErrorKind::InvalidOperation, message)
    })?;
    let reserved: Option<Vec<String>> = options.get("reserved")?;
    options.assert_all_used()?;
    let ident = (filters.ident)(&letters(text));
    let is_reserved = reserved.is_some_and(|words| words.contains(&ident));
    Ok(if is_reserved { ident + "_" } else { ident })
}

/// `{{ value.value | literal("rust") }}`
#[allow(clippy::needless_pass_by_value, reason = "minijinja asks for this signature")]
fn literal(value: Serde<serde_json::Value>, language: &str) -> Result<String, Error> {
    (filters(language)?.literal)(&value.0).ok_or_else(|| {
        let message = format!("`{language}` has no literal of an array or object: walk through it");
        Error::new(ErrorKind::InvalidOperation, message)
    })
}

/// `{% for line in type.docs | doc("c") %}`
fn doc(value: &Value, language: &str) -> Result<Value, Error> {
    let filters = filters(language)?;
    let text = match value.as_str() {
        Some(text) => text.to_owned(),
        None => member(value, "description").as_str().unwrap_or_default().to_owned(),
    };
    Ok(Value::from_iter((filters.doc)(&text)))
}

fn filters(language: &str) -> Result<SyntaxFilters, Error> {
    syntax(language).map_err(|why| Error::new(ErrorKind::InvalidOperation, why))
}

fn article(value: &Value) -> String {
    format!("a value that is {}", value.kind())
}
