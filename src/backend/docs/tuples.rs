//! The items of tuples.

use minijinja::context;
use minijinja::value::Value;

use super::expression::expression;
use super::facts::{badges, constraints};
use super::writer::Writer;
use crate::ir::{Docs, Tuple, Type};

impl Writer<'_> {
    /// Rows for the items of a tuple, and one for those after them.
    pub(super) fn items(&mut self, tuple: &Tuple, owner: &str) -> Vec<Value> {
        let mut rows = Vec::new();
        for (at, item) in tuple.items.iter().enumerate() {
            rows.push(self.item(&at.to_string(), &item.ty, at < tuple.required, &item.docs, owner));
        }
        if let Some(rest) = &tuple.rest {
            let place = format!("{}…", tuple.items.len());
            let docs = Docs::default();
            let is_required = rest.min_items.is_some();
            rows.push(self.item(&place, &Type::Array(rest.clone()), is_required, &docs, owner));
        }
        rows
    }

    fn item(&mut self, place: &str, ty: &Type, required: bool, docs: &Docs, owner: &str) -> Value {
        let anchor = place.trim_end_matches('…');
        context! {
            name => self.markup.code(place),
            name_plain => self.markup.label(place),
            anchor => self.anchors.claim(&format!("{owner}-{anchor}")),
            ty => self.markup.type_attribute(&expression(ty)),
            required,
            nullable => false,
            default => None::<String>,
            badges => badges(docs),
            since => None::<String>,
            prose => self.prose(docs),
            facts => constraints(ty, &self.markup),
            notes => Vec::<String>::new(),
        }
    }
}
