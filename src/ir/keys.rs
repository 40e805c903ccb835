//! Rules for the keys of an object.

use indexmap::IndexMap;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::StringType;

/// The rules for the keys of an object: how many there are, how they are spelled, and which ask for
/// others. All keys count that are on the wire, the tag of a union around it among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct KeyRules {
    /// `minProperties`: enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub min_properties: Option<u64>,
    /// `maxProperties`: enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_properties: Option<u64>,
    /// `propertyNames`: enforced in strict mode.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub names: Option<KeyNames>,
    /// `dependentRequired`: where the key is there, so are these. Enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "IndexMap::is_empty"))]
    pub dependent: IndexMap<String, Vec<String>>,
    /// `anyOf` and `oneOf` of nothing but `required`. Enforced.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub choices: Vec<KeyChoice>,
}

/// Sets of keys, of which an object has at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct KeyChoice {
    /// The sets, in the order of the schema. Each has a key, and there are two or more.
    pub sets: Vec<Vec<String>>,
    /// True for `oneOf`: the object has no second of them.
    pub only_one: bool,
}

impl KeyChoice {
    /// The number of sets that an object has whole.
    pub(crate) fn count(&self, has: impl Fn(&str) -> bool) -> usize {
        self.sets.iter().filter(|set| set.iter().all(|key| has(key))).count()
    }

    /// Tells whether an object with these keys is allowed.
    pub fn fits(&self, has: impl Fn(&str) -> bool) -> bool {
        let count = self.count(has);
        count == 1 || count > 1 && !self.only_one
    }

    /// Tells whether each object that this allows is allowed by another choice. The order of sets
    /// and of keys makes no difference.
    pub fn implies(&self, other: &Self) -> bool {
        let covers = |one: &[String], of: &[String]| of.iter().all(|key| one.contains(key));
        if !other.only_one {
            return self.sets.iter().all(|set| other.sets.iter().any(|of| covers(set, of)));
        }
        let is_same = |one: &[String], of: &[String]| covers(one, of) && covers(of, one);
        let has = |all: &[Vec<String>], set: &[String]| all.iter().any(|it| is_same(it, set));
        self.only_one
            && self.sets.iter().all(|set| has(&other.sets, set))
            && other.sets.iter().all(|set| has(&self.sets, set))
    }

    /// The sets in words, for errors and documentation: `a, or b and c`.
    pub(crate) fn words(&self, quote: impl Fn(&str) -> String) -> String {
        let quoted = |set: &Vec<String>| {
            let names: Vec<String> = set.iter().map(|name| quote(name)).collect();
            names.join(" and ")
        };
        let sets: Vec<String> = self.sets.iter().map(quoted).collect();
        sets.join(", or ")
    }

    /// The keys that an object has to have, for the error about one that has not.
    pub fn expected(&self) -> String {
        let one = if self.only_one { "exactly one" } else { "one" };
        format!("{one} of these properties: {}", self.words(str::to_owned))
    }

    /// The keyword that says it.
    pub(crate) fn keyword(&self) -> &'static str {
        if self.only_one { "oneOf" } else { "anyOf" }
    }
}

/// The keys that `propertyNames` allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct KeyNames {
    /// The lengths and the pattern of a key.
    pub text: StringType,
    /// The only keys allowed, from `enum` or `const`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub listed: Option<Vec<String>>,
}

impl KeyRules {
    /// The keywords that say them.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> {
        let choices = self.choices.iter().map(KeyChoice::keyword);
        let others = [
            ("minProperties", self.min_properties.is_some()),
            ("maxProperties", self.max_properties.is_some()),
            ("propertyNames", self.names.is_some()),
            ("dependentRequired", !self.dependent.is_empty()),
        ]
        .into_iter()
        .filter_map(|(keyword, is_said)| is_said.then_some(keyword));
        others.chain(choices)
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(only_one: bool, sets: &[&[&str]]) -> KeyChoice {
        let owned = |set: &&[&str]| set.iter().map(|key| (*key).to_owned()).collect();
        KeyChoice { sets: sets.iter().map(owned).collect(), only_one }
    }

    #[test]
    fn a_choice_implies_what_allows_as_much() {
        let any = choice(false, &[&["a"], &["b", "c"]]);
        let turned = choice(false, &[&["c", "b"], &["a"]]);
        let one = choice(true, &[&["a"], &["b", "c"]]);
        let more = choice(false, &[&["a"], &["b"]]);
        assert!(any.implies(&turned) && turned.implies(&any));
        assert!(one.implies(&any) && !any.implies(&one));
        assert!(any.implies(&more) && !more.implies(&any));
        assert!(!one.implies(&choice(true, &[&["a"], &["b"]])));
    }
}
