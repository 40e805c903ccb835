//! Handles: things that one request opens and others use by their id.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Name;

/// The class of what a request opens (annotation `x-handle`): it knows its id, and calls what
/// takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Handle {
    /// The name of the class.
    pub name: Name,
    /// The property of the result that holds the id. The params of the other requests have it too.
    pub id: Name,
    /// The properties of the params that the other requests have too, with the same values.
    pub with: Vec<Name>,
    /// The methods of the class, each a method of the protocol.
    pub methods: Vec<HandleMethod>,
    /// The wire name of the request that gives the thing back.
    pub release: Option<String>,
}

/// A method of a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct HandleMethod {
    /// Its name in code.
    pub name: Name,
    /// The wire name of the method that it calls.
    pub method: String,
}

impl Handle {
    /// Tells whether the id can be read as `id`, too: neither the properties of the result nor the
    /// methods of the class have that name.
    #[must_use]
    pub fn has_short_id<'a>(&'a self, properties: impl IntoIterator<Item = &'a Name>) -> bool {
        let methods = self.methods.iter().map(|method| &method.name);
        !methods.chain(properties).any(is_id)
    }
}

fn is_id(name: &Name) -> bool {
    name.camel() == "id"
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    /// Whether the handle of a request has a short id.
    fn has_short_id(result: &Value, method: &str) -> bool {
        let door = json!({ "type": "object", "properties": { "door": { "type": "string" } },
            "required": ["door"], "x-side": "server", "x-method": "door/look" });
        let mut answer = json!({ "type": "object", "properties": { "door": { "type": "string" } },
            "required": ["door"], "x-side": "server", "x-method": "door/open" });
        answer["properties"].as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        let params = json!({ "type": "object", "x-side": "server", "x-method": "door/open",
            "x-handle": { "name": "Door", "id": "door", "methods": { "door/look": method } } });
        let looked = json!({ "type": "object", "x-side": "server", "x-method": "door/look" });
        let schema = json!({ "title": "T", "$defs": {
            "OpenRequest": params, "OpenResponse": answer, "LookRequest": door, "LookResponse": looked
        } });
        let loaded = load(SchemaText::from_value("t.json", &schema), Purpose::Generate);
        let protocol = loaded.protocol.unwrap();
        let opener = protocol.methods.iter().find(|method| method.handle.is_some()).unwrap();
        let result = protocol.fields(opener.result().unwrap());
        opener.handle.as_ref().unwrap().has_short_id(result.iter().map(|field| &field.name))
    }

    #[test]
    fn an_id_is_short_where_nothing_else_has_that_name() {
        assert!(has_short_id(&json!({ "identity": { "type": "string" } }), "look"));
        assert!(!has_short_id(&json!({ "id": { "type": "integer" } }), "look"));
        assert!(!has_short_id(&json!({ "ID": { "type": "integer" } }), "look"));
        assert!(!has_short_id(&json!({}), "id"));
    }
}
