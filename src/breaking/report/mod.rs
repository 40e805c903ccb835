//! The report of a comparison: what every format prints.

mod alike;
mod extra;
mod first;
mod github;
mod groups;
mod html;
mod legend;
mod markdown;
mod prose;
mod sarif;
mod summary;
mod text;
mod texts;
mod view;
mod witness;

pub use extra::{code_text, json_with};
pub use github::github;
pub use html::html;
pub use markdown::markdown;
pub(crate) use markdown::prose;
pub(crate) use prose::{place, told};
pub use sarif::sarif;
pub use summary::summary;
pub use text::{headline, text};
pub use view::View;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::change::Change;
pub use super::verdict::{Directions, Languages};
use super::verdict::{Effect, Level, Source, Verdict, Wire};
use crate::ir::Protocol;

/// The outcome of a comparison. Its JSON form is what `diff --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The old schema.
    pub old: Compared,
    /// The new schema.
    pub new: Compared,
    /// The whole in one glance.
    pub verdict: Verdicts,
    /// The numbers of changes by effect.
    pub tally: Tally,
    /// Remarks on the comparison itself.
    pub notes: Vec<String>,
    /// The changes: the worst level first, then in the order of the schemas.
    pub changes: Vec<Change>,
    /// The number of further ones, which are about what is unstable.
    #[serde(skip_serializing_if = "is_none_left_out")]
    pub left_out: usize,
    /// The number of further ones, whose rules are to be ignored.
    #[serde(skip)]
    pub ignored: usize,
}

/// A loaded schema.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The schema's name: a file name without its folder, or `bundled:…`.
    pub label: String,
    /// The version of the schema's release, where one is known.
    pub release: Option<String>,
    /// The version of the protocol that peers tell each other, where the schema says.
    pub protocol_version: Option<Value>,
    /// The digest of the schema's text.
    pub digest: String,
}

impl From<&Protocol> for Compared {
    fn from(protocol: &Protocol) -> Self {
        Self {
            label: protocol.origin.label.clone(),
            release: protocol.origin.version.clone(),
            protocol_version: protocol.version.clone(),
            digest: protocol.origin.digest.clone(),
        }
    }
}

/// The worst of all changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdicts {
    /// The effect on messages by the schemas alone.
    pub wire: Wire,
    /// The effect on messages where receivers forgive what the schemas say they do.
    pub effective_wire: Wire,
    /// The effect on messages that decides: that in effect where a capability, stability or
    /// leniency of the schemas softens it.
    pub counted_wire: Wire,
    /// The effect on code.
    pub source: Languages<SourceVerdict>,
    /// The effect on code that decides: code that uses what is unstable has no promise.
    pub counted_source: Languages<SourceVerdict>,
    /// True if anybody breaks.
    pub breaking: bool,
    /// The next version, by the rules of semantic versioning.
    pub suggested: Bump,
    /// The next version if nothing were softened.
    pub strictly_suggested: Bump,
}

/// The effect on code in a language, of all changes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceVerdict {
    /// Code goes on as it is.
    Ok,
    /// Only code written in certain ways breaks.
    Cond,
    /// Code breaks.
    Break,
}

/// The next version, by the rules of semantic versioning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// Nothing that a user could notice.
    Patch,
    /// Something is new.
    Minor,
    /// Something breaks.
    Major,
}

impl Bump {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

/// The numbers of changes by effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Changes that reject messages by the schemas alone, by way.
    pub wire_breaks: Directions<usize>,
    /// Changes that lose something by the schemas alone, by way.
    pub wire_risks: Directions<usize>,
    /// Changes that reject messages, and count as such, by way.
    pub counted_wire_breaks: Directions<usize>,
    /// Changes that lose something, and count as such, by way.
    pub counted_wire_risks: Directions<usize>,
    /// Changes that break code, by language.
    pub source_breaks: Languages<usize>,
    /// Changes that break code, and count as such, by language.
    pub counted_source_breaks: Languages<usize>,
    /// Changes by level.
    pub levels: Levels,
}

/// The number of changes of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels([usize; Level::ALL.len()]);

impl Levels {
    /// The changes of one level.
    pub fn count(&self, level: Level) -> usize {
        Level::ALL.iter().zip(self.0).find(|(other, _)| **other == level).map_or(0, |(_, n)| n)
    }
}

impl Serialize for Levels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Level::ALL.iter().map(|level| level.name()).zip(self.0))
    }
}

impl Report {
    /// Orders the changes and sums them up.
    pub fn new(
        old: &Protocol,
        new: &Protocol,
        notes: Vec<String>,
        mut changes: Vec<Change>,
        ignored: usize,
    ) -> Self {
        changes.sort_by_key(|change| change.level);
        let tally = tally(&changes);
        let verdict = verdict(&changes);
        Self {
            old: old.into(),
            new: new.into(),
            verdict,
            tally,
            notes,
            changes,
            left_out: 0,
            ignored,
        }
    }

    /// Says that so many changes of what is unstable are not among these.
    pub(super) fn leave_out(&mut self, count: usize) {
        self.left_out = count;
        self.notes.extend(left_out(count));
    }

    /// Adds a change.
    pub(super) fn add(&mut self, change: Change) {
        self.changes.push(change);
        self.changes.sort_by_key(|change| change.level);
        self.tally = tally(&self.changes);
        self.verdict = verdict(&self.changes);
    }

    /// Tells whether the two protocols are the same in every respect that was compared.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// Says how many findings about what is unstable are left out, if there are any.
pub(crate) fn left_out(count: usize) -> Option<String> {
    let what = match count {
        0 => return None,
        1 => "1 finding",
        _ => &format!("{count} findings"),
    };
    let is = if count == 1 { "is" } else { "are" };
    Some(format!("{what} about what is unstable {is} left out"))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
pub(crate) fn is_none_left_out(count: &usize) -> bool {
    *count == 0
}

fn tally(changes: &[Change]) -> Tally {
    let wires = |wanted: Verdict, wire: fn(&Change) -> Wire| {
        changes.iter().fold(Directions::both(0), |sum, change| {
            sum.zip(wire(change), |sum, verdict| sum + usize::from(verdict == wanted))
        })
    };
    let strict = |change: &Change| change.wire;
    let sources = |source: fn(&Change) -> Source| {
        changes.iter().fold(Languages::all(0), |sum, change| {
            sum.zip(source(change), |sum, effect| sum + usize::from(effect.is_breaking()))
        })
    };
    let level = |level: &Level| changes.iter().filter(|change| change.level == *level).count();
    Tally {
        wire_breaks: wires(Verdict::Break, strict),
        wire_risks: wires(Verdict::Risk, strict),
        counted_wire_breaks: wires(Verdict::Break, Change::counted_wire),
        counted_wire_risks: wires(Verdict::Risk, Change::counted_wire),
        source_breaks: sources(|change| change.source),
        counted_source_breaks: sources(Change::counted_source),
        levels: Levels(Level::ALL.each_ref().map(level)),
    }
}

fn verdict(changes: &[Change]) -> Verdicts {
    let worst = |wire: &dyn Fn(&Change) -> Wire| {
        changes.iter().fold(Wire::OK, |worst, change| worst.zip(wire(change), Verdict::max))
    };
    let word = |effect: Effect| match effect {
        Effect::Ok => SourceVerdict::Ok,
        Effect::Conditional(_) => SourceVerdict::Cond,
        _ => SourceVerdict::Break,
    };
    let source = |source: fn(&Change) -> Source| {
        changes.iter().fold(Languages::all(SourceVerdict::Ok), |worst, change| {
            worst.zip(source(change), |worst, effect| worst.max(word(effect)))
        })
    };
    let breaking = changes.iter().any(|change| change.breaking);
    let is_new = changes.iter().any(|change| change.level != Level::Info);
    let bump = |breaking: bool| match (breaking, is_new) {
        (true, _) => Bump::Major,
        (false, true) => Bump::Minor,
        (false, false) => Bump::Patch,
    };
    Verdicts {
        wire: worst(&|change| change.wire),
        effective_wire: worst(&|change| change.effective_wire.unwrap_or(change.wire)),
        counted_wire: worst(&Change::counted_wire),
        source: source(|change| change.source),
        counted_source: source(Change::counted_source),
        breaking,
        suggested: bump(breaking),
        strictly_suggested: bump(breaking || changes.iter().any(Change::is_softened)),
    }
}
