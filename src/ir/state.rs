//! States: a state is made up by a series of updates.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Name;

/// The state that values of a union make up when they are applied in order (annotations `x-key`
/// and `x-patch-of` on its payloads).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct State {
    /// The name of the class that holds it.
    pub name: Name,
    /// The collections of items that it holds.
    pub collections: Vec<Collection>,
}

impl State {
    /// The name of the state of a union with this name.
    pub fn name_of(union: &Name) -> Name {
        Name::new(format!("{} state", union.words.join(" ")))
    }

    /// The collections whose open items a cancelled turn ends, each with what says so.
    pub fn ending(&self) -> impl Iterator<Item = (&Collection, &Status)> {
        self.collections.iter().filter_map(|it| Some((it, it.status.as_ref()?)))
    }

    /// The variants that change something.
    pub fn variants(&self) -> impl Iterator<Item = &StateVariant> {
        self.collections.iter().flat_map(|it| &it.variants)
    }
}

/// The items of one type in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Collection {
    /// Its name: that of the items, in the plural where they have keys.
    pub name: Name,
    /// The name of the items' type.
    pub item: String,
    /// The path of the string that tells items apart: properties from the outside in. `None`:
    /// there is one item at most.
    pub key: Option<Vec<String>>,
    /// The variants that change it.
    pub variants: Vec<StateVariant>,
    /// The property that tells whether an item still goes on, if one does.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub status: Option<Status>,
    /// The property of the item that the state can be asked for by itself.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub value: Option<StateValue>,
}

/// A property of the one item of a collection (annotation `x-value`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct StateValue {
    /// Its name in the state.
    pub name: Name,
    /// The property of the item. It is always there.
    pub property: Name,
}

/// The property that says whether an item still goes on (annotation `x-status`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Status {
    /// The property of the item.
    pub property: String,
    /// Its values for an item that goes on. An item without the property goes on, too.
    pub open: Vec<String>,
    /// Its value for an item that a cancelled turn has ended.
    pub cancelled: String,
    /// Its value for an item that begins, if that is told.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub started: Option<String>,
    /// Its value for an item that has come to its end.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub completed: Option<String>,
    /// Its value for an item that has failed.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub failed: Option<String>,
}

/// A variant that changes a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct StateVariant {
    /// Its tag.
    pub tag: String,
    /// The path in it of what names the item, if items have keys.
    pub key: Option<Vec<String>>,
    /// The change that it makes.
    pub change: StateChange,
}

/// A change of an item in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum StateChange {
    /// The value takes the item's place.
    Replace,
    /// Its members change those of the item: what is absent stays, `null` clears, anything else
    /// replaces (annotation `x-patch-of`).
    Patch,
    /// A property's value is added to the end of something in the item (annotation `x-appends`).
    Append {
        /// The property of the value.
        from: String,
        /// The path in the item of what becomes longer: properties from the outside in.
        to: Vec<String>,
        /// The kind of what becomes longer: a list or a string.
        #[cfg_attr(feature = "serde", serde(default))]
        series: Series,
    },
    /// The item is removed (annotation `x-removes`).
    Remove,
}

/// Something in an item to whose end updates add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Series {
    /// A list: each update adds one thing to it.
    #[default]
    List,
    /// A string: each update adds its text.
    Text,
    /// Bytes as a string in base64: each update adds its bytes.
    Base64,
}

impl StateChange {
    /// Tells whether the change makes a whole item where there was none.
    pub fn is_put(&self) -> bool {
        matches!(self, Self::Replace | Self::Patch)
    }
}
