//! Verdicts: the effects of a change on messages and on code.

use serde::{Serialize, Serializer};

/// The effect on messages in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every valid message of the sender means the same to the receiver.
    Ok,
    /// Data is silently lost, or something behaves in another way.
    Risk,
    /// Some valid message of the sender is rejected by the receiver.
    Break,
}

/// A way between a peer that has the old schema and one that has the new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The sender has the old schema, the receiver the new.
    OldToNew,
    /// The sender has the new schema, the receiver the old.
    NewToOld,
}

impl Direction {
    /// Both ways.
    pub const BOTH: [Self; 2] = [Self::OldToNew, Self::NewToOld];

    /// The way as people write it.
    pub fn arrow(self) -> &'static str {
        match self {
            Self::OldToNew => "old→new",
            Self::NewToOld => "new→old",
        }
    }
}

/// The effects on messages, in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Wire {
    /// From a peer with the old schema to one with the new.
    pub old_to_new: Verdict,
    /// From a peer with the new schema to one with the old.
    pub new_to_old: Verdict,
}

impl Wire {
    /// Nothing happens to messages.
    pub const OK: Self = Self { old_to_new: Verdict::Ok, new_to_old: Verdict::Ok };

    /// The verdict of one way.
    pub fn of(self, direction: Direction) -> Verdict {
        match direction {
            Direction::OldToNew => self.old_to_new,
            Direction::NewToOld => self.new_to_old,
        }
    }

    /// Changes the verdict for one direction.
    #[must_use]
    pub fn with(mut self, direction: Direction, verdict: Verdict) -> Self {
        match direction {
            Direction::OldToNew => self.old_to_new = verdict,
            Direction::NewToOld => self.new_to_old = verdict,
        }
        self
    }

    /// The worse verdict of the two ways.
    pub fn worst(self) -> Verdict {
        self.old_to_new.max(self.new_to_old)
    }

    /// For each way the worse verdict of the two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            old_to_new: self.old_to_new.max(other.old_to_new),
            new_to_old: self.new_to_old.max(other.new_to_old),
        }
    }
}

/// The effect on code that was written against what is generated from the old schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It goes on as it is.
    Ok,
    /// Only code that is written in the way named breaks.
    Conditional(&'static str),
    /// Code that reads the value breaks.
    Readers,
    /// Code that builds the value breaks.
    Builders,
    /// A generated name is gone.
    Name,
    /// Code that uses it breaks, whatever it does.
    Break,
}

impl Effect {
    /// Tells whether code that is written as it should be breaks.
    pub fn is_breaking(self) -> bool {
        !matches!(self, Self::Ok | Self::Conditional(_))
    }

    /// The effect on code of two changes together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Ok, effect) | (effect, Self::Ok) => effect,
            (Self::Conditional(_), effect) if effect.is_breaking() => effect,
            (effect, Self::Conditional(_)) => effect,
            (one, another) if one == another => one,
            _ => Self::Break,
        }
    }

    /// The effect in the words of the report's JSON form.
    pub fn text(self) -> String {
        match self {
            Self::Ok => "ok".to_owned(),
            Self::Conditional(written) => format!("cond:{written}"),
            Self::Readers => "recv".to_owned(),
            Self::Builders => "send".to_owned(),
            Self::Name => "name".to_owned(),
            Self::Break => "break".to_owned(),
        }
    }
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

/// The effects on code, by language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Source {
    /// Rust: `#[non_exhaustive]` types with constructors.
    pub rust: Effect,
    /// TypeScript: interfaces and unions of literals.
    pub typescript: Effect,
    /// Python: annotated classes, checked by a type checker.
    pub python: Effect,
}

impl Source {
    /// Nothing happens to code.
    pub const OK: Self = Self { rust: Effect::Ok, typescript: Effect::Ok, python: Effect::Ok };

    /// The effects with their languages' names, in the order of the report.
    pub fn languages(self) -> [(&'static str, Effect); 3] {
        [("Rust", self.rust), ("TypeScript", self.typescript), ("Python", self.python)]
    }

    /// Tells whether code in any of the languages breaks.
    pub fn is_breaking(self) -> bool {
        self.languages().iter().any(|(_, effect)| effect.is_breaking())
    }
}

/// The attention that a finding deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Someone breaks.
    Breaking,
    /// Something may be lost or behave in another way.
    Risky,
    /// An addition that disturbs nobody.
    Safe,
    /// Good to know.
    Info,
}

impl Level {
    /// All levels, the worst first.
    pub const ALL: [Self; 4] = [Self::Breaking, Self::Risky, Self::Safe, Self::Info];

    /// The level's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Risky => "risky",
            Self::Safe => "safe",
            Self::Info => "info",
        }
    }
}
