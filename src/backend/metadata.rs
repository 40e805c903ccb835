//! The metadata of manifests: version, licence, repository, authors, description.

use std::path::PathBuf;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// How to write a version.
#[cfg(feature = "cli")]
pub(crate) const VERSION_HELP: &str =
    "use three numbers, as in `1.2.3`, and perhaps `-alpha.N`, `-beta.N` or `-rc.N`";

/// The metadata in the manifest of every package: `[package]` in the configuration file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct Metadata {
    /// The version, such as `1.2.3` or `2.0.0-beta.1`. By default that of the schema where a
    /// language takes it for one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub version: Option<String>,
    /// The licence, as an SPDX expression.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub license: Option<String>,
    /// The file with the text of the licence, which every package carries as `LICENSE`. By default
    /// the text is that of `license`, where that is `MIT`, `Apache-2.0` or both.
    #[cfg_attr(feature = "serde", serde(rename = "license-file"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub license_file: Option<PathBuf>,
    /// The address of the repository.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub repository: Option<String>,
    /// The authors, each as `Name` or `Name <address>`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub authors: Vec<String>,
    /// The description of the package, in a sentence. By default the protocol's title and the
    /// language.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub description: Option<String>,
}

impl Metadata {
    /// The names of all choices, as keys.
    pub const KEYS: [&'static str; 6] =
        ["version", "license", "license-file", "repository", "authors", "description"];

    /// Tells whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes from another the choices that these leave open.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            version: self.version.or(other.version),
            license: self.license.or(other.license),
            license_file: self.license_file.or(other.license_file),
            repository: self.repository.or(other.repository),
            authors: if self.authors.is_empty() { other.authors } else { self.authors },
            description: self.description.or(other.description),
        }
    }

    /// Tells whether every language takes the version for one, or there is none.
    pub fn is_version_good(&self) -> bool {
        self.version.as_deref().is_none_or(is_version)
    }
}

/// Tells whether every language takes this for a version: three numbers, and perhaps `-alpha.N`,
/// `-beta.N` or `-rc.N`.
fn is_version(version: &str) -> bool {
    let (numbers, stage) = version.split_once('-').unwrap_or((version, "rc.0"));
    let (stage, number) = stage.split_once('.').unwrap_or((stage, ""));
    let is_number = |part: &str| {
        let is_digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_digits && part.len() < 10 && (part == "0" || !part.starts_with('0'))
    };
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && ["alpha", "beta", "rc"].contains(&stage)
        && is_number(number)
}

/// A text as a basic string of TOML, quotes and all, in ASCII.
pub(super) fn toml_string(text: &str) -> String {
    let escaped = text.chars().map(|character| match character {
        '"' | '\\' => format!("\\{character}"),
        ' '..='~' => character.to_string(),
        _ => format!("\\U{:08x}", u32::from(character)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{is_version, toml_string};

    #[test]
    fn versions_are_those_of_every_language() {
        for version in ["0.0.0", "1.15.1", "2.0.0-rc.1", "1.0.0-beta.12"] {
            assert!(is_version(version), "{version}");
        }
        for version in
            ["", "1.2", "01.2.3", "1.2.3-", "v1.2.3", "1.2.3.4", "1.2.3-draft.1", "1.2.3-rc", "1\""]
        {
            assert!(!is_version(version), "{version}");
        }
    }

    #[test]
    fn strings_of_toml_are_escaped() {
        assert_eq!(toml_string("a\"\\\u{e9}\n"), "\"a\\\"\\\\\\U000000e9\\U0000000a\"");
    }
}
