//! What a run produces, and how it reaches the disk.

mod files;

pub use files::FileSet;
