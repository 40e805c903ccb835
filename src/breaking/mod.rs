//! What a change of a schema breaks: two protocols in, a [`Report`] out.
//!
//! [`compare()`] looks at the model, not at JSON: an inline type and a reference to it, a `oneOf`
//! and an `anyOf`, a constant and an `enum` of one are the same. Each difference is a [`Change`]
//! of some [`Rule`], reported once however many messages it shows up in.

mod change;
mod compare;
pub mod policy;
mod reach;
mod relation;
pub mod report;
mod rules;
mod shape;
pub mod source;
mod verdict;
mod witness;

pub use change::{Affected, Change, SourceLocation};
pub use compare::{Subject, compare};
pub use report::Report;
pub use rules::{RULES, Rule, rule};
pub use verdict::{Direction, Effect, Level, Source, Verdict, Wire};
pub use witness::Witness;
