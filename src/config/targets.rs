//! Choices that concern one target only.

use std::path::PathBuf;
use std::str::FromStr;

use indexmap::IndexMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Target;
use crate::backend::docs::Format;

/// Choices that concern one target only: `[targets.NAME]` in the configuration file.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Targets {
    /// A folder of templates that replace those of a language, or make up a custom target. `DIR`
    /// alone is for the only target. May be repeated.
    #[arg(long, value_name = "TARGET=DIR")]
    pub templates: Vec<Templates>,

    /// The format of reference docs (target `docs`): `html` by default.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
}

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

impl Targets {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These choices, and of others what these leave open.
    pub(super) fn or(mut self, other: Self) -> Self {
        for templates in other.templates {
            if self.templates.iter().all(|of| of.target != templates.target) {
                self.templates.push(templates);
            }
        }
        self.format = self.format.or(other.format);
        self
    }
}

/// The choices for a single target in the configuration file. `json_schema` describes them.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Choices {
    #[serde(skip_serializing_if = "Option::is_none")]
    templates: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
}

impl Serialize for Targets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = IndexMap::<&str, Choices>::new();
        for Templates { target, folder } in &self.templates {
            if let Some(target) = target {
                table.entry(target.id()).or_default().templates = Some(folder.clone());
            }
        }
        if self.format.is_some() {
            table.entry(Target::Docs.id()).or_default().format = self.format;
        }
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Targets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = IndexMap::<String, Choices>::deserialize(deserializer)?;
        let mut targets = Self::default();
        for (name, choices) in table {
            let target: Target = name.parse().map_err(D::Error::custom)?;
            if choices.format.is_some() {
                if target != Target::Docs {
                    let message = format!("`{name}` has no `format`: only `docs` has");
                    return Err(D::Error::custom(message));
                }
                targets.format = choices.format;
            }
            if let Some(folder) = choices.templates {
                targets.templates.push(Templates { target: Some(target), folder });
            } else if !target.is_built_in() {
                return Err(D::Error::custom(format!("`{name}` has no `templates`")));
            }
        }
        Ok(targets)
    }
}
