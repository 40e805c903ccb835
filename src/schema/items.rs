//! The keywords of an array's items, by their places and of the others.
//!
//! `prefixItems` with `items` is the same as a list of `items` with `additionalItems`, which is how
//! drafts before 2020-12 write it.

use super::SchemaObject;
use super::dialect::Dialect;
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::source::{Node, Span};

impl Reader<'_> {
    /// Reads `items`, `prefixItems` or `additionalItems`.
    pub(super) fn items(&mut self, schema: &mut SchemaObject, keyword: &str, value: &Node) {
        let list = value.as_array();
        match (keyword, self.dialects.at(self.key), list) {
            ("items", Dialect::Draft2020, Some(_)) => {
                let error = Diagnostic::error(
                    "malformed-keyword",
                    "`items` must be an object or a boolean",
                );
                self.report(
                    error
                        .at(self.location(value.span))
                        .help("write a list of schemas as `prefixItems`"),
                );
            }
            ("items", _, Some(_)) => schema.prefix = self.prefix(keyword, value),
            ("items", ..) => schema.items = Some(Box::new(self.schema(value))),
            ("prefixItems", Dialect::Old | Dialect::Draft2019, _) => {
                self.without_effect(keyword, "drafts before 2020-12 write it as a list of `items`");
            }
            ("prefixItems", ..) => schema.prefix = self.prefix(keyword, value),
            // It counts beside a list of `items` alone.
            _ => {}
        }
    }

    /// Reads what counts only beside other keywords.
    pub(super) fn finish_items(&mut self, schema: &mut SchemaObject, node: &Node) {
        let is_list = node.get("items").is_some_and(|items| items.as_array().is_some());
        let members = node.as_object();
        let dialect = self.dialects.at(node.span);
        if let Some(others) = members.and_then(|members| members.get("additionalItems")) {
            self.inside("additionalItems", |reader| {
                if is_list && dialect != Dialect::Draft2020 {
                    schema.items = Some(Box::new(reader.schema(&others.value)));
                } else {
                    reader.key = others.key;
                    let help = "write the schema of the other items as `items`";
                    reader.without_effect("additionalItems", help);
                }
            });
        }
        if is_list && node.get("prefixItems").is_some() && dialect == Dialect::Unknown {
            self.report(
                Diagnostic::error("malformed-keyword", "`items` is a list beside `prefixItems`")
                    .at(schema.location.clone())
                    .help("write the schema of the other items as `items`"),
            );
        }
    }

    /// The schemas of items by their places. An empty list says nothing.
    fn prefix(&mut self, keyword: &str, value: &Node) -> Vec<SchemaObject> {
        match value.as_array() {
            Some([]) => Vec::new(),
            _ => self.branches(keyword, value),
        }
    }

    /// Tells whether bounds can be made exclusive by a flag beside them, as in draft 4.
    pub(super) fn has_flags(&self, span: Span) -> bool {
        matches!(self.dialects.at(span), Dialect::Old | Dialect::Unknown)
    }

    /// Reads what says that a bound beside it is exclusive: `exclusiveMinimum: true`.
    pub(super) fn finish_bounds(&mut self, schema: &mut SchemaObject, node: &Node) {
        let is_set = |keyword| node.get(keyword).and_then(Node::as_bool) == Some(true);
        if !self.has_flags(node.span) {
            return;
        }
        if is_set("exclusiveMinimum") && schema.bounds.minimum.is_some() {
            schema.bounds.exclusive_minimum = schema.bounds.minimum.take();
        }
        if is_set("exclusiveMaximum") && schema.bounds.maximum.is_some() {
            schema.bounds.exclusive_maximum = schema.bounds.maximum.take();
        }
    }

    pub(super) fn without_effect(&mut self, keyword: &str, help: &str) {
        self.report(
            Diagnostic::warning("unknown-keyword", format!("`{keyword}` has no effect here"))
                .at(self.key_location())
                .help(help),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::decode::{DecodePlan, Decoder, Mode, UnknownFields};
    use crate::ir::Type;
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    const LATEST: &str = "https://json-schema.org/draft/2020-12/schema";
    const SEVENTH: &str = "http://json-schema.org/draft-07/schema#";

    /// Which of these values fit a schema, and the codes of what is said of it.
    fn fitting(dialect: &str, schema: &Value, values: Value) -> (Vec<Value>, Vec<&'static str>) {
        let document = json!({ "$schema": dialect, "title": "T", "$defs": { "T": schema } });
        let loaded = load(SchemaText::from_value("t.json", &document), Purpose::Generate);
        let codes = loaded.diagnostics.iter().map(|it| it.code).filter(|it| *it != "no-methods");
        let codes = codes.collect();
        let Some(protocol) = loaded.protocol else { return (Vec::new(), codes) };
        let plan = DecodePlan::new(&protocol, UnknownFields::Drop);
        let decoder = Decoder::new(&protocol, &plan, Mode::Strict);
        let ty = Type::Named { name: String::from("T") };
        let Value::Array(values) = values else { panic!("a list of values") };
        (values.into_iter().filter(|value| decoder.decode(&ty, value).is_ok()).collect(), codes)
    }

    #[test]
    fn a_prefix_alone_forbids_neither_fewer_items_nor_more() {
        let schema = json!({ "type": "array", "prefixItems": [{ "type": "string" }] });
        let (fits, codes) = fitting(LATEST, &schema, json!([[], ["a"], ["a", 1], [1]]));
        assert_eq!((fits, codes), (vec![json!([]), json!(["a"]), json!(["a", 1])], vec![]));
    }

    #[test]
    fn an_empty_prefix_says_nothing() {
        let schema = json!({ "type": "array", "prefixItems": [], "items": { "type": "integer" } });
        let (fits, codes) = fitting(LATEST, &schema, json!([[], [1, 2], ["a"]]));
        assert_eq!((fits, codes), (vec![json!([]), json!([1, 2])], vec![]));
    }

    #[test]
    fn no_items_leave_the_empty_array() {
        let schema = json!({ "type": "array", "items": false });
        let (fits, codes) = fitting(LATEST, &schema, json!([[], [1]]));
        assert_eq!((fits, codes), (vec![json!([])], vec![]));
    }

    #[test]
    fn a_list_of_items_is_a_prefix_but_in_the_draft_that_has_no_such_list() {
        let schema = json!({
            "type": "array", "items": [{ "type": "string" }],
            "additionalItems": { "type": "integer" },
        });
        let values = json!([[], ["a"], ["a", 1], ["a", "b"], [1]]);
        let expected = vec![json!([]), json!(["a"]), json!(["a", 1])];
        for dialect in [SEVENTH, "https://json-schema.org/draft/2019-09/schema", "", "other"] {
            assert_eq!(fitting(dialect, &schema, values.clone()), (expected.clone(), vec![]));
        }
        let (_, codes) = fitting(LATEST, &schema, values);
        assert_eq!(codes, ["malformed-keyword", "unknown-keyword"]);
    }

    #[test]
    fn what_a_draft_does_not_know_has_no_effect_and_is_said() {
        let schema = json!({
            "type": "array", "prefixItems": [{ "type": "string" }], "items": { "type": "integer" },
        });
        let (fits, codes) = fitting(SEVENTH, &schema, json!([["a"], [1]]));
        assert_eq!((fits, codes), (vec![json!([1])], vec!["unknown-keyword"]));
        let schema = json!({
            "type": "array", "items": { "type": "integer" }, "additionalItems": false,
        });
        let (fits, codes) = fitting("", &schema, json!([[1, 2]]));
        assert_eq!((fits, codes), (vec![json!([1, 2])], vec!["unknown-keyword"]));
    }

    #[test]
    fn tuples_at_one_place_are_met_item_by_item() {
        let schema = json!({ "allOf": [
            { "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }] },
            { "type": "array", "prefixItems": [{ "minimum": 3 }], "minItems": 1,
              "items": { "minLength": 2 } },
        ] });
        let values = json!([[], [3], [2], [3, "ab"], [3, "a"], [3, "ab", "cd"], [3, "ab", "c"]]);
        let (fits, codes) = fitting(LATEST, &schema, values);
        let expected = [json!([3]), json!([3, "ab"]), json!([3, "ab", "cd"])];
        assert_eq!(fits[..2], expected[..2]);
        // What has no type stays without its bounds, which is said.
        assert!(fits.contains(&expected[2]) && !codes.is_empty());
    }
}
