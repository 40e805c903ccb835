//! The module of method names.

use std::collections::HashMap;

use crate::backend::rust::layout::Page;
use crate::backend::rust::literal;
use crate::backend::rust::model::Model;

/// A constant for each method, and the lists of those that a side handles.
pub(super) fn methods(model: &Model) -> String {
    let mut page = Page::new();
    let mut handlers: HashMap<&str, Vec<&str>> = HashMap::new();
    for side in &model.sides {
        for method in &side.methods {
            handlers.entry(&method.constant).or_default().push(&side.ident);
        }
    }
    for (constant, wire) in &model.methods {
        let by = match handlers.get(constant.as_str()) {
            Some(sides) => format!("Handled by `{}`", sides.join("` and `")),
            None => String::from("Of the protocol itself"),
        };
        page.line(&format!("/// {by}."));
        page.line(&format!("pub const {constant}: &str = {};", literal::string(wire)));
    }
    page.finish()
}
