//! The output of a run, and how it reaches the disk: all of it or nothing.
//!
//! [`plan()`] compares packages with what is on disk and changes nothing; a plan is then shown
//! ([`changes`](Plan::changes)), checked ([`check()`]) or carried out ([`write()`]).
//!
//! ```
//! use acp_bindgen::diagnostic::Diagnostics;
//! use acp_bindgen::output::{Action, FileSet, plan, write};
//!
//! let mut files = FileSet::new();
//! files.insert("greeting.txt", "Hello\n");
//! let folder = tempfile::tempdir()?;
//! let package = || [(folder.path().join("hello"), &files)];
//! let mut diagnostics = Diagnostics::new();
//!
//! let first = plan(package(), false, &mut diagnostics);
//! assert_eq!(first.changes().count(), 2, "the file, and the list of files");
//! assert!(write(first).is_ok());
//! assert!(plan(package(), false, &mut diagnostics).is_current());
//!
//! std::fs::write(folder.path().join("hello/greeting.txt"), "Goodbye\n")?;
//! let second = plan(package(), false, &mut diagnostics);
//! let actions: Vec<Action> = second.changes().map(|(_, change)| change.action).collect();
//! assert_eq!(actions, [Action::Update { edited: true }]);
//! assert!(diagnostics.is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```

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
