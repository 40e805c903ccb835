//! Values of tuples.

use serde_json::Value;

use super::build::{Builder, MOST};
use crate::ir::Tuple;

/// The most items of a tuple that is built.
const LONGEST: usize = 1000;

impl<'a> Builder<'a> {
    /// As many items as this, each the smallest at its place.
    pub(super) fn places(&mut self, tuple: &'a Tuple, count: usize) -> Option<Vec<Value>> {
        (0..count).map(|at| self.smallest(tuple.item(at)?)).collect()
    }

    /// The smallest tuple that has this item at a place.
    pub(super) fn with_item(
        &mut self,
        tuple: &'a Tuple,
        place: usize,
        item: Value,
    ) -> Option<Value> {
        let least = usize::try_from(tuple.least()).ok()?.min(LONGEST);
        let places = 0..least.max(place + 1);
        let mut item = Some(item);
        let items = places.map(|at| match item.take_if(|_| at == place) {
            Some(item) => Some(item),
            None => self.smallest(tuple.item(at)?),
        });
        items.collect::<Option<_>>().map(Value::Array)
    }

    /// Tuples of all numbers of items that matter, and of all kinds of items at each place.
    pub(super) fn vary_tuple(
        &mut self,
        tuple: &'a Tuple,
        focus: Option<&str>,
        depth: usize,
        found: &mut Vec<Value>,
    ) {
        let least = usize::try_from(tuple.least()).unwrap_or(usize::MAX);
        let most = tuple.most().and_then(|most| usize::try_from(most).ok());
        let own = tuple.items.len();
        let counts = [least, own, own + 1].into_iter().chain(most).chain(self.lengths.clone());
        let mut counts: Vec<usize> = counts
            .filter(|count| *count >= least && most.is_none_or(|most| *count <= most))
            .filter(|count| *count <= LONGEST)
            .collect();
        counts.sort_unstable();
        counts.dedup();
        for count in counts {
            found.extend(self.places(tuple, count).map(Value::Array));
        }
        if depth == 0 {
            return;
        }
        for place in 0..=own {
            let Some(ty) = tuple.item(place) else { break };
            let mut items = Vec::new();
            self.vary(ty, focus, depth - 1, &mut items);
            for item in items.into_iter().take(MOST) {
                found.extend(self.with_item(tuple, place, item));
            }
        }
    }
}
