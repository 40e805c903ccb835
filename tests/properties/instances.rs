//! Random instances of a schema, made from the schema itself.

use serde_json::{Map, Number, Value, json};

use super::support::Random;

/// Texts that some pattern or format may ask for.
const TEXTS: [&str; 16] = [
    "a",
    "abc",
    "some-name",
    "1",
    "1.0",
    "1.2.3",
    "v1",
    "10m",
    "true",
    "2020-01-02",
    "https://example.org/a",
    "a@example.org",
    "$[ x ]",
    "${{ x }}",
    "10.1000/xyz",
    "x-a",
];

/// Makes instances that may fit; a validator says which do.
pub(crate) struct Instances<'a> {
    pub(crate) root: &'a Value,
    pub(crate) random: Random,
}

impl<'a> Instances<'a> {
    /// An instance of a schema of the document.
    pub(crate) fn of(&mut self, schema: &'a Value, depth: usize) -> Value {
        let Some(members) = schema.as_object() else { return json!("any") };
        if depth > 12 {
            return json!({});
        }
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|it| self.root.pointer(it));
            return target.map_or(json!(null), |target| self.of(target, depth + 1));
        }
        if let Some(constant) = members.get("const") {
            return constant.clone();
        }
        if let Some(values) = members.get("enum").and_then(Value::as_array) {
            return self.random.pick(values).clone();
        }
        let mut value = self.plain(members, depth);
        let listed = |keyword: &str| members.get(keyword).and_then(Value::as_array);
        let one = ["anyOf", "oneOf"].into_iter().filter_map(listed);
        let chosen: Vec<&Value> = one.map(|branches| self.random.pick(branches)).collect();
        for part in listed("allOf").into_iter().flatten().chain(chosen) {
            let part = self.of(part, depth + 1);
            match (value.as_mut(), part) {
                (Some(Value::Object(members)), Value::Object(more)) => members.extend(more),
                (None, part) => value = Some(part),
                _ => {}
            }
        }
        value.unwrap_or(json!("any"))
    }

    /// What fits the keywords beside references and alternatives, if they ask for something.
    fn plain(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Option<Value> {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(ty)) => vec![ty],
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
            _ if schema.contains_key("properties") => vec!["object"],
            _ if schema.contains_key("required") => vec!["object"],
            _ if schema.contains_key("patternProperties") => vec!["object"],
            _ if schema.contains_key("items") => vec!["array"],
            _ if schema.contains_key("pattern") => vec!["string"],
            _ => return None,
        };
        let size = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        Some(match *self.random.pick(&types) {
            "null" => Value::Null,
            "boolean" => json!(self.random.once_in(2)),
            "integer" | "number" => self.number(schema),
            "string" => self.text(schema),
            "array" => {
                let least = usize::try_from(size("minItems").unwrap_or(0)).unwrap_or(0);
                let more = if depth > 6 { 0 } else { self.random.below(3) };
                (0..least + more).map(|at| self.item(schema, at, depth)).collect()
            }
            _ => self.object(schema, depth),
        })
    }

    fn number(&mut self, schema: &Map<String, Value>) -> Value {
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
        let least = bound("minimum").or(bound("exclusiveMinimum").map(|it| it + 1)).unwrap_or(0);
        let most = bound("maximum").unwrap_or(least + 5).min(least + 5);
        let step = i64::try_from(self.random.below(6)).unwrap_or(0);
        if schema.get("type") == Some(&json!("number")) && self.random.once_in(3) {
            return json!(0.5);
        }
        Value::from(Number::from((least + step).min(most)))
    }

    fn text(&mut self, schema: &Map<String, Value>) -> Value {
        let told = ["examples", "default"].into_iter().filter_map(|it| schema.get(it));
        let told: Vec<&Value> = told
            .flat_map(|it| it.as_array().map_or(vec![it], |all| all.iter().collect()))
            .filter(|it| it.is_string())
            .collect();
        if !told.is_empty() && self.random.once_in(2) {
            return (*self.random.pick(&told)).clone();
        }
        json!(self.random.pick(&TEXTS))
    }

    fn item(&mut self, schema: &'a Map<String, Value>, at: usize, depth: usize) -> Value {
        let first = schema.get("prefixItems").or(schema.get("items")).and_then(Value::as_array);
        match first.and_then(|first| first.get(at)).or(schema.get("items")) {
            Some(item) => self.of(item, depth + 1),
            None => json!(at),
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Value {
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> =
            required.into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut members = Map::new();
        for (name, property) in properties.into_iter().flatten() {
            let is_wanted = depth < 6 && self.random.once_in(2 + depth);
            if required.contains(&name.as_str()) || is_wanted {
                members.insert(name.clone(), self.of(property, depth + 1));
            }
        }
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (pattern, values) in patterns.into_iter().flatten() {
            let name = if pattern.contains("x-") { "x-other" } else { "name" };
            if self.random.once_in(2) {
                members.insert(name.to_owned(), self.of(values, depth + 1));
            }
        }
        if let Some(values) = schema.get("additionalProperties").filter(|it| it.is_object()) {
            for name in ["first", "second"].into_iter().take(self.random.below(3)) {
                members.insert(name.to_owned(), self.of(values, depth + 1));
            }
        }
        for name in required {
            members.entry(name).or_insert(json!("any"));
        }
        Value::Object(members)
    }
}
