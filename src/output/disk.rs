//! The few operations that change a disk, each of which a test can make fail.

use std::fs;
use std::io;
use std::path::Path;

/// A function that is asked before each operation, with its name and path. An error makes it fail.
pub(super) type Hook<'a> = dyn FnMut(&'static str, &Path) -> io::Result<()> + 'a;

/// Operations that change the disk.
pub(super) struct Disk<'a> {
    before: &'a mut Hook<'a>,
}

impl<'a> Disk<'a> {
    /// A disk whose operations ask first.
    pub(super) fn new(before: &'a mut Hook<'a>) -> Self {
        Self { before }
    }

    pub(super) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        (self.before)("create-dir", path)?;
        fs::create_dir(path)
    }

    pub(super) fn write(&mut self, path: &Path, contents: &str) -> io::Result<()> {
        (self.before)("write", path)?;
        fs::write(path, contents)
    }

    /// A second name for a file, or a copy where the file system has no such thing.
    pub(super) fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        (self.before)("link", from)?;
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        (self.before)("rename", to)?;
        fs::rename(from, to)
    }

    pub(super) fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        (self.before)("remove-file", path)?;
        fs::remove_file(path)
    }

    pub(super) fn remove_dir(&mut self, path: &Path) -> io::Result<()> {
        (self.before)("remove-dir", path)?;
        fs::remove_dir(path)
    }

    pub(super) fn remove_dir_all(&mut self, path: &Path) -> io::Result<()> {
        (self.before)("remove-dir-all", path)?;
        fs::remove_dir_all(path)
    }
}
