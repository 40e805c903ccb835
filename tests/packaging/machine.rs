//! A machine on which this repository is not.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support;

/// An empty folder elsewhere, and commands that are told of nothing in here. It is gone when this is
/// dropped.
pub(super) struct Machine {
    folder: TempDir,
    /// Where in the folder programs are installed.
    programs: &'static str,
}

impl Machine {
    /// The folder has the same name in every run, so that cargo compiles less in a second one.
    pub(super) fn new(name: &str, programs: &'static str) -> Self {
        let mut checkout = DefaultHasher::new();
        support::root().hash(&mut checkout);
        let name = format!("acp-bindgen-{name}-{:016x}", checkout.finish());
        // Of a run that was killed.
        std::fs::remove_dir_all(std::env::temp_dir().join(&name)).ok();
        let folder = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir().unwrap();
        assert!(!folder.path().starts_with(support::root()), "{}", folder.path().display());
        Self { folder, programs }
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the folder.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// Writes files into the folder.
    pub(super) fn write<'a>(&self, files: impl IntoIterator<Item = (&'a str, &'a str)>) {
        support::write_files(self.folder(), files);
    }

    /// Has a command run in the folder, find what is installed there, and know no path into the
    /// repository but those that it is given.
    pub(super) fn takes<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let root = support::root();
        for (name, value) in std::env::vars_os() {
            if value.to_string_lossy().contains(&*root.to_string_lossy()) {
                command.env_remove(name);
            }
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::split_paths(&path).filter(|folder| !folder.starts_with(root));
        let path = std::iter::once(self.path(self.programs)).chain(path);
        command.env("PATH", std::env::join_paths(path).unwrap()).current_dir(self.folder())
    }

    /// Runs a command that must succeed, and gives its standard output.
    pub(super) fn runs(&self, words: &[&str]) -> String {
        support::run(self.takes(Command::new(words[0]).args(&words[1..])))
    }

    /// Runs a command that must end with exit code 1, as one does that has found something; gives
    /// its standard output.
    pub(super) fn finds(&self, words: &[&str]) -> String {
        let output = self.takes(Command::new(words[0]).args(&words[1..])).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }
}
