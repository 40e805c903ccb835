//! Differences between files and the disk.

/// A difference between what should be on disk and what is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path within the package's folder.
    pub path: String,
    /// The action that removes the difference.
    pub action: Action,
}

/// An action on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is not there.
    Create,
    /// It has other contents; `edited` if they are not what this tool last wrote.
    Update {
        /// True if a person changed the file, as far as the manifest knows.
        edited: bool,
    },
    /// It was written once and is no longer wanted.
    Remove,
}
