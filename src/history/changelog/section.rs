//! The sections of a changelog, and the section of each rule.

use serde::Serialize;

use crate::breaking::Rule;

/// A section of a changelog (keepachangelog.com).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// New things.
    Added,
    /// Things that are not as they were.
    Changed,
    /// Things that are going to be removed.
    Deprecated,
    /// Things that are gone.
    Removed,
    /// Descriptions in other words.
    Wording,
}

impl Section {
    /// All sections, in the order of a changelog.
    pub const ALL: [Self; 5] =
        [Self::Added, Self::Changed, Self::Deprecated, Self::Removed, Self::Wording];

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Added => "Added",
            Self::Changed => "Changed",
            Self::Deprecated => "Deprecated",
            Self::Removed => "Removed",
            Self::Wording => "Fixed wording",
        }
    }
}

/// The section of a rule's changes. `None`: they are not told, because nobody can notice them.
///
/// The name of a rule says whether something comes or goes. It never changes: waivers have it.
pub(super) fn section_for(rule: &Rule) -> Option<Section> {
    let has = |part: &str| rule.id.split('-').any(|word| word == part);
    Some(match rule.id {
        "structure-only"
        | "version-disagrees"
        | "discriminator-annotation-added"
        | "discriminator-annotation-removed" => {
            return None;
        }
        "annotation-only" => Section::Wording,
        "deprecated" => Section::Deprecated,
        "default-removed" | "lenient-removed" | "lenient-added" | "format-added" => {
            Section::Changed
        }
        _ if has("added") => Section::Added,
        _ if has("removed") => Section::Removed,
        _ => Section::Changed,
    })
}
