//! Files of packages that have another path than usual.

use std::ops::Range;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::Target;
use crate::backend::moves::Move;
use crate::source::{Location, SourceText, Sources, Span};

/// Files of packages that have another path than usual: `[targets.NAME.files]`.
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    names: Vec<(Target, FileName)>,
    /// The text of the configuration file that says them.
    text: Option<SourceText>,
}

/// A file of a package and its new path.
#[derive(Clone, Debug)]
struct FileName {
    from: String,
    to: String,
    /// The bytes of the two in the file.
    ranges: Option<[Range<usize>; 2]>,
}

impl PartialEq for FileNames {
    /// Compares what is said, not where.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for FileNames {}

impl FileNames {
    /// Adds a file of a target's package: the path that it usually has, and the one that it is to
    /// have.
    pub fn push(&mut self, target: Target, from: impl Into<String>, to: impl Into<String>) {
        let name = FileName { from: from.into(), to: to.into(), ranges: None };
        self.names.push((target, name));
    }

    /// The files, in the order given: the target of each, the path that it usually has, and the one
    /// that it is to have.
    pub fn iter(&self) -> impl Iterator<Item = (&Target, &str, &str)> {
        self.names.iter().map(|(target, name)| (target, name.from.as_str(), name.to.as_str()))
    }

    /// Tells whether every file has its usual path.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Remembers where a configuration file says them.
    pub(super) fn locate(&mut self, label: &str, text: &str) {
        #[derive(Deserialize)]
        struct Places {
            #[serde(default)]
            targets: IndexMap<String, Choices>,
        }
        #[derive(Deserialize)]
        struct Choices {
            #[serde(default)]
            files: IndexMap<Spanned<String>, Spanned<String>>,
        }
        if self.is_empty() {
            return;
        }
        let Ok(places) = toml::from_str::<Places>(text) else { return };
        for (target, name) in &mut self.names {
            let files = places.targets.get(target.id()).map(|choices| &choices.files);
            let mut files = files.into_iter().flatten();
            let found = files.find(|(from, _)| *from.as_ref() == name.from);
            name.ranges = found.map(|(from, to)| [from.span(), to.span()]);
        }
        self.text = Some(SourceText::new(label, text));
    }

    /// The files of a target's package that are to move. The text that says so becomes known to the
    /// run.
    pub(crate) fn moves(&self, target: &Target, sources: &mut Sources) -> Vec<Move> {
        let names = || self.names.iter().filter(|(of, _)| of == target).map(|(_, name)| name);
        let has_any = names().next().is_some();
        let source = self.text.as_ref().filter(|_| has_any).map(|text| sources.add(text.clone()));
        let locations = |name: &FileName| -> Option<[Location; 2]> {
            let (source, ranges) = (source?, name.ranges.clone()?);
            Some(ranges.map(|range| sources.location("", Span::from_range(source, &range))))
        };
        let moves = names().map(|name| Move {
            from: name.from.clone(),
            to: name.to.clone(),
            locations: locations(name),
        });
        moves.collect()
    }
}
