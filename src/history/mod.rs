//! Several versions of a schema at once: what has changed from each to the next, and which can
//! talk to each other.

mod changelog;
mod matrix;
mod version;
mod words;

pub use changelog::{Changelog, Entry, Release, Section, changelog, markdown};
pub use matrix::{Cell, Forgiven, Matrix, Table, html, matrix, text};
pub use version::Version;
pub use words::WORDS;
