//! The JSON Schema of the model's JSON form, for those who write templates.

use serde_json::Value;

use super::{IR_VERSION, Protocol};

/// The schema that the JSON form of every [`Protocol`] conforms to (draft 2020-12). It is
/// published as `schema/ir.schema.json`.
pub fn json_schema() -> Value {
    let mut schema = described::<Protocol>();
    if let Some(version) = schema.pointer_mut("/properties/ir_version") {
        *version = serde_json::json!({
            "description": version.get("description"),
            "const": IR_VERSION
        });
    }
    schema
}

/// The schema of a type, with its documentation as plain text.
pub(crate) fn described<T: schemars::JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    plain(&mut schema);
    schema
}

/// Takes what only rustdoc understands out of descriptions: links to items.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = unwrapped(&without_links(text));
            }
            members.values_mut().for_each(plain);
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        _ => {}
    }
}

/// ``[`Type::Named`](super::Type::Named)`` as `` `Type::Named` ``.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else { break };
        out.extend([before, "`", name, "`"]);
        rest = match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    out.push_str(rest);
    out
}

/// Paragraphs as one line each.
fn unwrapped(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::{unwrapped, without_links};

    #[test]
    fn links_to_items_are_only_their_names() {
        let text = "See [`A::B`](super::A::B), [`C`] and [a page](https://example.org) [`x";
        let plain = "See `A::B`, `C` and [a page](https://example.org) [`x";
        assert_eq!(without_links(text), plain);
        assert_eq!(unwrapped("a\nb\n\nc"), "a b\n\nc");
    }
}
