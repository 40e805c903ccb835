//! Values that a series of updates makes up.

mod series;

use serde::Serialize;

use super::json::{self, Decode, Object, Value};
#[doc(hidden)]
pub use series::Series;

/// Values by a key, in the order in which they first came.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyed<T>(Vec<(String, T)>);

impl<T> Keyed<T> {
    /// The value of a key.
    pub fn get(&self, key: impl AsRef<str>) -> Option<&T> {
        let key = key.as_ref();
        let found = self.0.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value)
    }

    /// The keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Decode + Serialize + PartialEq> Keyed<T> {
    /// Applies a change to the value that its key names. Says whether it is another one then.
    #[doc(hidden)]
    pub fn apply(&mut self, path: &[&str], change: Change) -> bool {
        let Some(key) = key(change.update(), path) else {
            return false;
        };
        if let Some((_, value)) = self.0.iter_mut().find(|(known, _)| *known == key) {
            let changed = change.decoded(Some(value), Some(&key));
            let Some(changed) = changed.filter(|it| it != value) else {
                return false;
            };
            *value = changed;
        } else {
            let Some(value) = change.decoded(None, Some(&key)) else {
                return false;
            };
            self.0.push((key, value));
        }
        true
    }

    /// Gives the values that go on this status instead: those whose member is one of `open`, or
    /// absent. Says whether there were any.
    #[doc(hidden)]
    pub fn end(&mut self, member: &str, open: &[&str], status: &str) -> bool {
        let mut has_changed = false;
        for (_, value) in &mut self.0 {
            let mut members = object(Some(value));
            let is_open = match members.get(member) {
                None | Some(Value::Null) => true,
                Some(before) => before.as_str().is_some_and(|it| open.contains(&it)),
            };
            if is_open {
                members.insert(member.to_owned(), Value::String(status.to_owned()));
                if let Some(ended) = Change::Replace(members).decoded(None, None) {
                    *value = ended;
                    has_changed = true;
                }
            }
        }
        has_changed
    }

    /// Removes the value that a key names. Says whether there was one.
    #[doc(hidden)]
    pub fn remove(&mut self, path: &[&str], update: &Object) -> bool {
        let key = key(update, path);
        let found = self
            .0
            .iter()
            .position(|(known, _)| Some(known) == key.as_ref());
        found.map(|index| self.0.remove(index)).is_some()
    }
}

impl<T> Default for Keyed<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// What an update does to a value.
#[doc(hidden)]
pub enum Change {
    /// It takes its place.
    Replace(Object),
    /// Its members do that with those of the value, `null` for none; or, in some, with the members
    /// of these.
    Patch(Object, &'static [&'static str]),
    /// One of its members goes to the end of something in the value.
    Append(Object, Addition),
}

/// Where a member of an update goes.
#[doc(hidden)]
pub struct Addition {
    /// The path of the value's key.
    pub key: &'static [&'static str],
    /// The member of the update.
    pub from: &'static str,
    /// The path in the value of what becomes longer.
    pub to: &'static [&'static str],
    /// What that is.
    pub series: Series,
}

impl Change {
    /// Applies it to a value that may not be there. Says whether it is another one then.
    #[doc(hidden)]
    pub fn apply<T: Decode + Serialize + PartialEq>(self, value: &mut Option<T>) -> bool {
        match self.decoded(value.as_ref(), None) {
            Some(changed) if value.as_ref() != Some(&changed) => {
                *value = Some(changed);
                true
            }
            _ => false,
        }
    }

    fn update(&self) -> &Object {
        match self {
            Self::Replace(update) | Self::Patch(update, _) | Self::Append(update, _) => update,
        }
    }

    /// What becomes of a value.
    fn decoded<T: Decode + Serialize>(self, value: Option<&T>, key: Option<&str>) -> Option<T> {
        let members = match self {
            Self::Replace(update) => update,
            Self::Patch(update, merged) => patched(object(value), update, merged),
            Self::Append(update, addition) => {
                addition.added(value.map(|it| object(Some(it))), key, update)?
            }
        };
        let text = json::encode(&Value::Object(members)).ok()?;
        json::decode(&text).ok()
    }
}

impl Addition {
    /// A value to which the member of an update was added; a new one if there is none.
    fn added(
        &self,
        value: Option<Object>,
        key: Option<&str>,
        mut update: Object,
    ) -> Option<Object> {
        let added = update.remove(self.from)?;
        let mut value = Value::Object(value.unwrap_or_else(|| keyed(self.key, key)));
        let mut place = &mut value;
        for name in self.to {
            if !matches!(place, Value::Object(_)) {
                *place = Value::Object(Object::new());
            }
            let Value::Object(members) = place else {
                return None;
            };
            place = members.entry((*name).to_owned()).or_insert(Value::Null);
        }
        *place = self
            .series
            .longer(std::mem::replace(place, Value::Null), added)?;
        match value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }
}

/// An object that has nothing but a key.
fn keyed(path: &[&str], key: Option<&str>) -> Object {
    let mut members = Object::new();
    if let (Some((first, rest)), Some(key)) = (path.split_first(), key) {
        let value = if rest.is_empty() {
            Value::String(key.to_owned())
        } else {
            Value::Object(keyed(rest, Some(key)))
        };
        members.insert((*first).to_owned(), value);
    }
    members
}

/// The tag of an update, and its other members.
#[doc(hidden)]
pub fn parts<T: Serialize>(update: &T, tag: &str) -> Option<(String, Object)> {
    let mut update = object(Some(update));
    match update.remove(tag)? {
        Value::String(tag) => Some((tag, update)),
        _ => None,
    }
}

fn object<T: Serialize>(value: Option<&T>) -> Object {
    match value
        .map(json::encode)
        .map(|text| json::decode(&text.ok()?).ok())
    {
        Some(Some(Value::Object(members))) => members,
        _ => Object::new(),
    }
}

fn key(update: &Object, path: &[&str]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let value = rest
        .iter()
        .try_fold(update.get(*first)?, |value, name| value.get(name))?;
    value.as_str().map(str::to_owned)
}

fn patched(mut members: Object, update: Object, merged: &[&str]) -> Object {
    for (name, value) in update {
        let is_merged = merged.contains(&name.as_str());
        match (value, members.get_mut(&name)) {
            (Value::Null, _) => {
                members.remove(&name);
            }
            (Value::Object(update), Some(Value::Object(inner))) if is_merged => {
                *inner = patched(std::mem::take(inner), update, &[]);
            }
            (Value::Object(update), _) if is_merged => {
                let inner = patched(Object::new(), update, &[]);
                members.insert(name, Value::Object(inner));
            }
            (value, _) => {
                members.insert(name, value);
            }
        }
    }
    members
}
