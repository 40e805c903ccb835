//! The effect of a schema's change on users' code: the generated public API before and after, and
//! what each finding takes from it, changes in it or asks of it.
//!
//! The verdicts are derived from the two APIs. Each effect on code is laid at the door of the
//! findings that are about the same part of the protocol; one that belongs to none is a finding
//! of its own.

mod alike;
mod comparison;
mod context;
mod declared;
mod diff;
mod effects;
mod examine;
mod language;
mod lines;
mod lost;
mod namesakes;
mod owners;
mod signature;
mod stable;
mod subject;
mod types;

pub use comparison::SourceComparison;
pub use diff::{CodeDiff, DeclarationDiff, Fate, LanguageDiff};
pub use effects::{CodeEffect, EffectKind};
pub(super) use examine::examine;
pub use language::Language;
pub use lines::DiffLine;
