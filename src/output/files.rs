//! Files in memory.

use std::collections::BTreeMap;

/// A set of text files by relative path, `/` between folders. Ordered by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSet {
    files: BTreeMap<String, String>,
}

impl FileSet {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces it.
    pub fn insert(&mut self, path: impl Into<String>, contents: impl Into<String>) {
        self.files.insert(path.into(), contents.into());
    }

    /// Adds all files of another set under a folder.
    pub fn insert_under(&mut self, folder: &str, other: Self) {
        for (path, contents) in other.files {
            self.files.insert(format!("{folder}/{path}"), contents);
        }
    }

    /// The contents of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// All paths and contents, ordered by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, contents)| (path.as_str(), contents.as_str()))
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The number of lines of all files.
    pub fn lines(&self) -> usize {
        self.files.values().map(|contents| contents.lines().count()).sum()
    }
}
