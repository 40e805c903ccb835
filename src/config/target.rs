//! Targets of generation.

use std::fmt;
use std::str::FromStr;

/// A target: a language, reference docs, or the output of custom templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A Rust crate.
    Rust,
    /// An npm package.
    #[cfg(feature = "cli")]
    TypeScript,
    /// A Python package.
    #[cfg(feature = "cli")]
    Python,
    /// Reference docs.
    #[cfg(feature = "cli")]
    Docs,
    /// A custom target, by its name.
    #[cfg(feature = "cli")]
    Custom(String),
}

impl Target {
    /// All that this build can generate by itself.
    #[cfg(feature = "cli")]
    pub const ALL: &'static [Self] = &[Self::Rust, Self::TypeScript, Self::Python, Self::Docs];
    /// All that this build can generate.
    #[cfg(not(feature = "cli"))]
    pub const ALL: &'static [Self] = &[Self::Rust];

    /// All languages that this build can generate by itself: the default targets.
    #[cfg(feature = "cli")]
    pub const LANGUAGES: &'static [Self] = &[Self::Rust, Self::TypeScript, Self::Python];
    /// All languages that this build can generate.
    #[cfg(not(feature = "cli"))]
    pub const LANGUAGES: &'static [Self] = Self::ALL;

    /// Its name: `rust`.
    pub fn id(&self) -> &str {
        match self {
            Self::Rust => "rust",
            #[cfg(feature = "cli")]
            Self::TypeScript => "typescript",
            #[cfg(feature = "cli")]
            Self::Python => "python",
            #[cfg(feature = "cli")]
            Self::Docs => "docs",
            #[cfg(feature = "cli")]
            Self::Custom(name) => name,
        }
    }

    /// Tells whether this tool has templates or code for it.
    pub fn is_built_in(&self) -> bool {
        Self::ALL.contains(self)
    }
}

/// The error about a text that names no target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTarget {
    name: String,
}

impl fmt::Display for BadTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Target::ALL.iter().map(Target::id).collect();
        let (name, known) = (&self.name, known.join(", "));
        if cfg!(feature = "cli") {
            write!(
                formatter,
                "`{name}` cannot name a target: use lowercase letters, digits, `-` and `_`, a \
                 letter first; there are {known}"
            )
        } else {
            write!(formatter, "no target is called `{name}`; there are {known}")
        }
    }
}

impl std::error::Error for BadTarget {}

impl FromStr for Target {
    type Err = BadTarget;

    /// The language of this name, else a custom target.
    fn from_str(name: &str) -> Result<Self, BadTarget> {
        if let Some(known) = Self::ALL.iter().find(|known| known.id() == name) {
            return Ok(known.clone());
        }
        #[cfg(feature = "cli")]
        {
            let is_plain =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            if name.starts_with(|first: char| first.is_ascii_lowercase())
                && name.chars().all(is_plain)
                && name.len() <= 40
            {
                return Ok(Self::Custom(name.to_owned()));
            }
        }
        Err(BadTarget { name: name.to_owned() })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Target {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.id().serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Target {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl serde::de::Visitor<'_> for Name {
            type Value = Target;

            fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
                text.write_str("a string")
            }

            // An error in here is placed at the name, one about a whole list at the list.
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Target, E> {
                name.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Name)
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for Target {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Target".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let languages: Vec<&str> = Self::ALL.iter().map(Self::id).collect();
        schemars::json_schema!({
            "description": "A language of this tool's, or the name of one of the `targets`.",
            "type": "string",
            "pattern": "^[a-z][a-z0-9_-]*$",
            "examples": languages
        })
    }
}
