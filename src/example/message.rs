//! Whole JSON-RPC messages.

use serde_json::{Value, json};

use super::Examples;
use crate::ir::Method;

impl Examples<'_> {
    /// The message that calls a method: a request or a notification.
    pub fn call(&self, method: &Method) -> Option<Value> {
        let params = self.example(method.params())?;
        let mut message = json!({ "jsonrpc": "2.0" });
        if let Value::Object(members) = &mut message {
            if method.is_request() {
                members.insert("id".into(), json!(1));
            }
            members.insert("method".into(), method.name.wire.clone().into());
            // Params are an object or an array, or not there.
            if params.is_object() || params.is_array() {
                members.insert("params".into(), params);
            }
        }
        Some(message)
    }

    /// The message that answers a request. `None` for a notification, too.
    pub fn answer(&self, method: &Method) -> Option<Value> {
        let result = self.example(method.result()?)?;
        Some(json!({ "jsonrpc": "2.0", "id": 1, "result": result }))
    }
}
