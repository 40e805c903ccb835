//! Tuples: arrays of which the schema says what the items are, by their places.

use super::{Lowerer, Path};
use crate::ir::{ArrayType, Tuple, TupleItem, Type, TypeKind};
use crate::schema::SchemaObject;

impl<'a> Lowerer<'a> {
    /// Lowers an array with a prefix. One that can have no items is an array of none.
    pub(super) fn tuple(&mut self, schema: &'a SchemaObject, path: &Path) -> TypeKind {
        let is_never = |item: &SchemaObject| item.boolean == Some(false);
        // What no value fits has no place, and nothing comes after it.
        let end = schema.prefix.iter().position(is_never);
        let places = end.unwrap_or(schema.prefix.len());
        let most = schema.max_items.and_then(|most| usize::try_from(most).ok());
        let count = most.map_or(places, |most| most.min(places));
        let is_closed = end.is_some()
            || most.is_some_and(|most| most <= count)
            || schema.items.as_deref().is_some_and(is_never);
        let least = schema.min_items.unwrap_or(0);
        let items = schema.prefix.iter().take(count).enumerate().map(|(at, item)| TupleItem {
            ty: self.position(item, &path.child(&format!("item{at}"))).into_type(),
            docs: item.docs.clone(),
            location: item.location.clone(),
        });
        let items: Vec<TupleItem> = items.collect();
        let rest = if is_closed {
            self.satisfiable("array", Some(least), Some(count as u64), schema, path);
            None
        } else {
            Some(self.items(schema, count as u64, path))
        };
        if items.is_empty() {
            if let Some(array) = rest.as_ref().filter(|array| array.unique) {
                self.unique_items(array, &schema.location, path);
            }
            let none = ArrayType {
                items: Box::new(Type::Any),
                min_items: None,
                max_items: Some(0),
                unique: false,
            };
            return TypeKind::Alias { target: Type::Array(rest.unwrap_or(none)) };
        }
        if schema.unique_items {
            self.unenforced("uniqueItems", &schema.location, path);
        }
        // That items differ is a matter of the whole tuple.
        let rest = rest.map(|rest| ArrayType { unique: false, ..rest });
        let required = usize::try_from(least).unwrap_or(usize::MAX).min(count);
        TypeKind::Tuple(Tuple { items, required, rest, unique: schema.unique_items })
    }
}
