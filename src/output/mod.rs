//! The output of a run, and how it reaches the disk: all of it or nothing.
//!
//! [`plan()`] compares packages with what is on disk and changes nothing; a plan is then shown
//! ([`changes`](Plan::changes)), checked ([`check()`]) or carried out ([`write()`]).

mod change;
#[cfg(feature = "cli")]
mod check;
mod disk;
mod files;
mod manifest;
mod paths;
mod plan;
mod replace;
mod scan;
mod stage;
mod turn;
mod write;

pub use change::{Action, Change};
#[cfg(feature = "cli")]
pub use check::check;
pub use files::FileSet;
pub use manifest::{MANIFEST, Manifest};
pub use plan::{PackagePlan, Plan, plan};
pub use replace::replace;
pub use write::write;
