//! A long list of a model.

use std::ops::Deref;
use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr, Serde, Value};
use serde::{Serialize, Serializer};

/// A list whose items become values of templates one at a time, as a loop comes to each: a large
/// model is not held a second time, as values. Loops are all that is cheap: an item is made again
/// each time that it is asked for.
#[derive(Debug)]
pub(crate) struct Sequence<T>(Arc<List<T>>);

/// What templates hold of it.
#[derive(Debug)]
struct List<T>(Vec<T>);

impl<T> Deref for Sequence<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0.0
    }
}

impl<T> FromIterator<T> for Sequence<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from(items.into_iter().collect::<Vec<T>>())
    }
}

impl<T> From<Vec<T>> for Sequence<T> {
    fn from(items: Vec<T>) -> Self {
        Self(Arc::new(List(items)))
    }
}

impl<T: Item> Serialize for Sequence<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from_dyn_object(Arc::clone(&self.0)).serialize(serializer)
    }
}

/// What may be an item.
pub(crate) trait Item: Serialize + std::fmt::Debug + Send + Sync + 'static {}

impl<T: Serialize + std::fmt::Debug + Send + Sync + 'static> Item for T {}

impl<T: Item> Object for List<T> {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        Some(Value::from(Serde(self.0.get(key.as_usize()?)?)))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.len())
    }
}
