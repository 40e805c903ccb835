//! Verdicts: the effects of a change on messages and on code.

use serde::{Serialize, Serializer};

use crate::diagnostic::Severity;

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

    /// Gives the other direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::OldToNew => Self::NewToOld,
            Self::NewToOld => Self::OldToNew,
        }
    }

    /// The way as people write it.
    pub fn arrow(self) -> &'static str {
        match self {
            Self::OldToNew => "old→new",
            Self::NewToOld => "new→old",
        }
    }
}

/// A value for each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Directions<T> {
    /// From a peer with the old schema to one with the new.
    pub old_to_new: T,
    /// From a peer with the new schema to one with the old.
    pub new_to_old: T,
}

impl<T: Copy> Directions<T> {
    /// Gives both directions the same value.
    pub const fn both(value: T) -> Self {
        Self { old_to_new: value, new_to_old: value }
    }

    /// The value of one way.
    pub fn towards(self, direction: Direction) -> T {
        match direction {
            Direction::OldToNew => self.old_to_new,
            Direction::NewToOld => self.new_to_old,
        }
    }

    /// Changes the value of one way.
    #[must_use]
    pub fn with(mut self, direction: Direction, value: T) -> Self {
        match direction {
            Direction::OldToNew => self.old_to_new = value,
            Direction::NewToOld => self.new_to_old = value,
        }
        self
    }

    /// Puts the values of two together, each way.
    #[must_use]
    pub fn zip<U: Copy>(self, other: Directions<U>, join: impl Fn(T, U) -> T) -> Self {
        Self {
            old_to_new: join(self.old_to_new, other.old_to_new),
            new_to_old: join(self.new_to_old, other.new_to_old),
        }
    }
}

/// The effects on messages, in each direction.
pub type Wire = Directions<Verdict>;

impl Wire {
    /// Nothing happens to messages.
    pub const OK: Self = Self::both(Verdict::Ok);

    /// The worse verdict of the two ways.
    pub fn worst(self) -> Verdict {
        self.old_to_new.max(self.new_to_old)
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

/// A value for each language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Languages<T> {
    /// Rust: `#[non_exhaustive]` types with constructors.
    pub rust: T,
    /// TypeScript: interfaces and unions of literals.
    pub typescript: T,
    /// Python: annotated classes, checked by a type checker.
    pub python: T,
}

impl<T: Copy> Languages<T> {
    /// Gives all languages the same value.
    pub const fn all(value: T) -> Self {
        Self { rust: value, typescript: value, python: value }
    }

    /// The values with their languages' names, in the order of the report.
    pub fn languages(self) -> [(&'static str, T); 3] {
        [("Rust", self.rust), ("TypeScript", self.typescript), ("Python", self.python)]
    }

    /// Puts the values of two together, for each language.
    #[must_use]
    pub fn zip<U: Copy>(self, other: Languages<U>, join: impl Fn(T, U) -> T) -> Self {
        Self {
            rust: join(self.rust, other.rust),
            typescript: join(self.typescript, other.typescript),
            python: join(self.python, other.python),
        }
    }
}

/// The effects on code, by language.
pub type Source = Languages<Effect>;

impl Source {
    /// Nothing happens to code.
    pub const OK: Self = Self::all(Effect::Ok);

    /// Tells whether code in any of the languages breaks.
    pub fn is_breaking(self) -> bool {
        self.languages().iter().any(|(_, effect)| effect.is_breaking())
    }
}

/// The relation of the values of a type to those of the type that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Equal, perhaps under another name.
    Same,
    /// There are more.
    Wider,
    /// There are fewer.
    Narrower,
    /// Each has values that the other does not have, or neither is known.
    Other,
}

impl Relation {
    /// The relation of two types: whether the new one takes all of the old, and the old one all of
    /// the new.
    pub(super) fn new(takes_old: bool, takes_new: bool) -> Self {
        match (takes_old, takes_new) {
            (true, true) => Self::Same,
            (true, false) => Self::Wider,
            (false, true) => Self::Narrower,
            (false, false) => Self::Other,
        }
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

    /// The severity of a finding of this level.
    pub fn severity(self) -> Severity {
        match self {
            Self::Breaking => Severity::Error,
            Self::Risky => Severity::Warning,
            Self::Safe | Self::Info => Severity::Info,
        }
    }

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
