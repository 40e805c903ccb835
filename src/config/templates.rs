//! Whose templates a target prints with.

use std::path::PathBuf;
use std::str::FromStr;

use super::Target;

/// A folder of templates for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Templates {
    /// The target. None: the only one that is generated.
    pub target: Option<Target>,
    /// The folder.
    pub folder: PathBuf,
}

impl FromStr for Templates {
    type Err = std::convert::Infallible;

    /// `TARGET=DIR`, or `DIR`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = text.split_once('=').and_then(|(target, folder)| {
            Some(Self { target: Some(target.parse().ok()?), folder: folder.into() })
        });
        Ok(named.unwrap_or_else(|| Self { target: None, folder: text.into() }))
    }
}

/// These, and of others what is for another target.
#[cfg(feature = "cli")]
pub(super) fn merged(mut templates: Vec<Templates>, others: Vec<Templates>) -> Vec<Templates> {
    for other in others {
        if templates.iter().all(|of| of.target != other.target) {
            templates.push(other);
        }
    }
    templates
}

/// The form in the configuration file: `[targets.NAME] templates = "DIR"`.
#[cfg(feature = "serde")]
pub(super) mod table {
    use indexmap::IndexMap;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{PathBuf, Target, Templates};

    /// What can be chosen for one target.
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
    pub(in crate::config) struct Choices {
        /// A folder of templates. For a language of this tool's, they stand in for templates of
        /// the same name; any other name is a target of your own, which they make up.
        pub(in crate::config) templates: PathBuf,
    }

    pub(in crate::config) fn serialize<S: Serializer>(
        templates: &[Templates],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let named = templates.iter().filter_map(|of| Some((of.target.as_ref()?.id(), of)));
        named
            .map(|(target, of)| (target, Choices { templates: of.folder.clone() }))
            .collect::<IndexMap<_, _>>()
            .serialize(serializer)
    }

    pub(in crate::config) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Templates>, D::Error> {
        let table = IndexMap::<String, Choices>::deserialize(deserializer)?;
        let read = |(name, choices): (String, Choices)| {
            let target: Target = name.parse().map_err(D::Error::custom)?;
            Ok(Templates { target: Some(target), folder: choices.templates })
        };
        table.into_iter().map(read).collect()
    }
}
