//! Findings of a comparison.

use serde::{Serialize, Serializer};

use super::compare::{ChangedText, End, Finding};
use super::rules::{self, Rule};
use super::softened::{counted, counted_source};
use super::verdict::{Direction, Level, Source, Verdict, Wire};
use super::witness::{Proof, Witness};
use crate::ir::Payload;
use crate::source::Location;

/// The remedy for what is gone after it was deprecated.
const ANNOUNCED: &str =
    "Say in the changelog that it is gone, and what to use instead; peers had notice.";

/// The remedy for what is refused though nothing of its kind is elsewhere.
const GATE: &str = "Keep messages that hold it from peers that have the other schema: put it \
     behind a capability (`x-capability`), or into a method of its own.";

/// A difference between two protocols, however many messages it shows up in.
///
/// This is the entry of `changes` in the report's JSON form: the names of its fields there are
/// those given here, but for `ty`, which is `type`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// A name that stays the same from run to run and is unique in a report, for links and
    /// waivers: `RULE:TYPE.PATH`.
    pub id: String,
    /// The rule, in JSON its name.
    #[serde(serialize_with = "rule_id")]
    pub rule: &'static Rule,
    /// The definition that has changed: its name in the old schema, or in the new one if it is
    /// new. For a method, the type of its params.
    #[serde(rename = "type")]
    pub ty: String,
    /// Other definitions that have changed in exactly the same way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_types: Vec<String>,
    /// The location in the definition: properties joined by dots, `[]` for the items of an array, `[0]` for the first of a tuple,
    /// `{}` for the values of a map, `<TAG=VALUE>` or `<NAME>` for a variant. For a method, its
    /// wire name. Empty for the definition as a whole.
    pub path: String,
    /// The change, in one sentence without a full stop.
    pub summary: String,
    /// The attention that it deserves.
    pub level: Level,
    /// True if anybody breaks: on the wire, in effect where the schema softens it, or in any
    /// language's code that may rely on it.
    pub breaking: bool,
    /// The effect on messages by the schemas alone, without what receivers forgive.
    pub wire: Wire,
    /// The effect on messages where receivers forgive what the schema says they do. Absent where
    /// that makes no difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective_wire: Option<Wire>,
    /// Why `effective_wire` is milder, or why the finding counts for less than it does to code, in
    /// one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub softened_by: Option<String>,
    /// The effect on code.
    pub source: Source,
    /// The payloads that what has changed can be a part of, in the old protocol or the new.
    pub positions: Vec<Payload>,
    /// The named types through which it gets there, those nearest to the payloads last.
    pub reaches: Vec<String>,
    /// The sides whose messages are rejected or lose something, and the sides that notice.
    #[serde(rename = "hurt")]
    pub affected: Vec<Affected>,
    /// The capability without which a peer does not get to see the change.
    pub gated_by: Option<String>,
    /// True if it is about what is unstable.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
    /// The descriptions that are others, in full.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<ChangedText>,
    /// Messages that prove the verdict.
    pub witness: Vec<Witness>,
    /// The hint: what to do about it.
    pub remedy: String,
    /// The location in the old schema.
    pub old: Option<SourceLocation>,
    /// The location in the new schema.
    pub new: Option<SourceLocation>,
}

impl Change {
    /// The entry of a finding, once it is proved and weighed.
    pub(super) fn new(
        id: String,
        finding: Finding<'_>,
        proof: Proof,
        source: Source,
        (level, breaking): (Level, bool),
    ) -> Self {
        let Finding { rule, location, also, only, positions, wire, .. } = finding;
        let mut also_types: Vec<String> = Vec::new();
        for other in &also {
            // They come in the order of the schema, all of one definition together.
            if other.ty != location.ty && also_types.last().is_none_or(|last| last != other.ty) {
                also_types.push(other.ty.to_owned());
            }
        }
        // A definition or method that one schema does not have has no place there; anything
        // inside a definition has that of the definition.
        let is_whole =
            location.path.is_empty() && location.focus.is_none() || rule.id.starts_with("method-");
        let located = |end: &End<'_>, other: Direction| {
            let is_there = !(is_whole && only == Some(other)) && end.location.line > 0;
            is_there.then(|| end.location.into())
        };
        let effective_wire = proof.effective.map(|(wire, _)| wire);
        let in_effect = effective_wire.unwrap_or(wire);
        let felt = if is_felt(in_effect, level) { in_effect } else { Wire::OK };
        Self {
            id,
            rule,
            ty: location.ty.to_owned(),
            also_types,
            level,
            breaking,
            affected: affected(felt, |direction| match &finding.by_direction {
                Some(each) if rule == &rules::METHOD_SIDE_MOVED => match direction {
                    Direction::OldToNew => each.old_to_new.iter().collect(),
                    Direction::NewToOld => each.new_to_old.iter().collect(),
                },
                _ => positions.iter().collect::<Vec<_>>(),
            }),
            softened_by: proof.effective.map(|(_, why)| why.to_owned()),
            effective_wire: effective_wire.filter(|effective| *effective != wire),
            wire,
            source,
            positions,
            reaches: finding.reaches,
            gated_by: finding.gate.map(|gate| gate.path),
            unstable: finding.is_unstable,
            texts: finding.texts,
            witness: proof.witness,
            remedy: if finding.was_deprecated {
                ANNOUNCED.to_owned()
            } else {
                remedy(rule, counted(wire, proof.effective), source)
            },
            old: located(&location.old, Direction::NewToOld),
            new: located(&location.new, Direction::OldToNew),
            summary: finding.summary,
            path: location.path,
        }
    }
}

/// The remedy of a rule, or of what this one finding breaks though others of its rule do not.
fn remedy(rule: &Rule, wire: Wire, source: Source) -> String {
    if rule.remedy != rules::NOTHING {
        return rule.remedy.to_owned();
    }
    if wire.worst() == Verdict::Break {
        return GATE.to_owned();
    }
    let broken = source.languages().into_iter().filter(|(_, effect)| effect.is_breaking());
    let broken: Vec<&str> = broken.map(|(language, _)| language).collect();
    if broken.is_empty() {
        return rules::NOTHING.to_owned();
    }
    format!(
        "Messages stay as they are; the package for {} needs a new major version.",
        broken.join(", that for ")
    )
}

impl Change {
    /// Tells whether messages are affected in a way that is worth being told: that old peers ignore
    /// what is new is known to those who send it.
    pub fn is_felt(&self) -> bool {
        is_felt(self.effective_wire.unwrap_or(self.wire), self.level)
    }

    /// The effect on messages by which the finding counts: that in effect where a capability,
    /// stability or leniency of the schema softens it, else that by the schemas alone.
    pub fn counted_wire(&self) -> Wire {
        counted(self.wire, self.effective_wire.zip(self.softened_by.as_deref()))
    }

    /// The effect on code by which the finding counts: code that uses what is unstable has no
    /// promise.
    pub fn counted_source(&self) -> Source {
        counted_source(self.source, self.unstable)
    }

    /// Tells whether messages are rejected by the schemas alone or code breaks, and that does not
    /// count.
    pub fn is_softened(&self) -> bool {
        let breaks = |wire: Wire| wire.worst() == Verdict::Break;
        let wire = breaks(self.wire) && !breaks(self.counted_wire());
        wire || self.source.is_breaking() && !self.counted_source().is_breaking()
    }

    /// The effect on messages by the schemas alone, where that is not the one that counts.
    pub fn wire_alone(&self) -> Option<Wire> {
        Some(self.wire).filter(|wire| *wire != self.counted_wire())
    }
}

fn is_felt(wire: Wire, level: Level) -> bool {
    match wire.worst() {
        Verdict::Ok => false,
        Verdict::Risk => level < Level::Safe,
        Verdict::Break => true,
    }
}

fn affected<'a>(wire: Wire, carried: impl Fn(Direction) -> Vec<&'a Payload>) -> Vec<Affected> {
    let mut found = Vec::new();
    for direction in Direction::BOTH {
        let verdict = wire.towards(direction);
        for payload in carried(direction).into_iter().filter(|_| verdict != Verdict::Ok) {
            let affected = Affected {
                direction,
                verdict,
                sender: payload.sender.clone(),
                receiver: payload.receiver.clone(),
            };
            if !found.contains(&affected) {
                found.push(affected);
            }
        }
    }
    found
}

/// A location in one of the two schemas.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SourceLocation {
    /// The JSON pointer (RFC 6901).
    pub pointer: String,
    /// The line it begins on, from 1.
    pub line: u32,
    /// The column it begins at, from 1.
    pub column: u32,
    /// The whole location, for excerpts.
    #[serde(skip)]
    pub location: Location,
}

impl From<&Location> for SourceLocation {
    fn from(location: &Location) -> Self {
        Self {
            pointer: location.pointer.clone(),
            line: location.line,
            column: location.column,
            location: location.clone(),
        }
    }
}

/// Sides that a change affects, in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Affected {
    /// The direction of the messages: from an old peer to a new one, or back.
    #[serde(rename = "way")]
    pub direction: Direction,
    /// The effect on messages.
    pub verdict: Verdict,
    /// The side that sends them.
    pub sender: String,
    /// The side that gets them.
    pub receiver: String,
}

impl Affected {
    /// Both sides.
    pub(super) fn sides(&self) -> [&str; 2] {
        [&self.sender, &self.receiver]
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn rule_id<S: Serializer>(rule: &&'static Rule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rule.id)
}
