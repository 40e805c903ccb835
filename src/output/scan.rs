//! Looking at the disk: what stands where a file should be.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Action, Manifest};
use crate::diagnostic::{Diagnostic, reason};

/// The state of a path on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    File(Vec<u8>),
    Link,
    Folder,
    /// Something that is in the way, in words.
    Blocked(String),
    /// The folder above the path that is in the way, and what is wrong with it.
    Behind(PathBuf, String),
}

pub(super) struct DiskScan<'a> {
    folder: &'a Path,
    old: &'a Manifest,
    new: &'a Manifest,
    /// The states of parent folders that were looked at; `Nothing` for one that is not there.
    parents: HashMap<String, Found>,
}

impl<'a> DiskScan<'a> {
    pub(super) fn new(folder: &'a Path, old: &'a Manifest, new: &'a Manifest) -> Self {
        Self { folder, old, new, parents: HashMap::new() }
    }

    pub(super) fn decide(
        &mut self,
        path: &str,
        contents: &str,
        force: bool,
    ) -> Result<Option<Action>, Diagnostic> {
        let shown = self.folder.join(path);
        let in_the_way = |path: &Path, why: &str| {
            Diagnostic::error("foreign-file", format!("`{}` is in the way: {why}", path.display()))
                .help("move it away, or choose another folder with `--out`")
        };
        let blocked = |why: &str| in_the_way(&shown, why);
        let edited = match self.at(path) {
            Found::Nothing => return Ok(Some(Action::Create)),
            Found::File(bytes) if bytes == contents.as_bytes() => return Ok(None),
            Found::File(bytes) => self.old.is_edited(path, &bytes),
            Found::Link => true,
            Found::Folder if self.will_be_gone(path) => return Ok(Some(Action::Create)),
            Found::Folder => return Err(blocked("it is a folder")),
            Found::Blocked(why) => return Err(blocked(&why)),
            Found::Behind(folder, why) => return Err(in_the_way(&folder, &why)),
        };
        if self.old.has(path) || force {
            return Ok(Some(Action::Update { edited }));
        }
        let message = format!("`{}` was not written by this tool", shown.display());
        Err(Diagnostic::error("foreign-file", message)
            .help("move it away, or overwrite it with `--force`"))
    }

    /// Finds the state of a path, without following a link.
    pub(super) fn at(&mut self, path: &str) -> Found {
        let mut end = 0;
        while let Some(slash) = path.get(end..).and_then(|rest| rest.find('/')) {
            let parent = path.get(..end + slash).unwrap_or_default();
            match self.parent(parent) {
                Found::Folder => {}
                other => return other,
            }
            end += slash + 1;
        }
        let full = self.folder.join(path);
        match fs::symlink_metadata(&full) {
            Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing,
            Err(error) => Found::Blocked(reason(&error)),
            Ok(found) if found.is_symlink() => Found::Link,
            Ok(found) if found.is_dir() => Found::Folder,
            Ok(found) if found.is_file() => match fs::read(&full) {
                Ok(bytes) => Found::File(bytes),
                Err(error) => Found::Blocked(reason(&error)),
            },
            Ok(_) => Found::Blocked("it is not a plain file".into()),
        }
    }

    fn parent(&mut self, parent: &str) -> Found {
        if let Some(known) = self.parents.get(parent) {
            return known.clone();
        }
        let shown = self.folder.join(parent);
        let found = match fs::symlink_metadata(&shown) {
            Err(error) if error.kind() == ErrorKind::NotFound => Found::Nothing,
            Err(error) => Found::Behind(shown, reason(&error)),
            Ok(found) if found.is_dir() => Found::Folder,
            // A file of ours that makes room for a folder.
            Ok(_) if self.old.has(parent) && !self.new.has(parent) => Found::Nothing,
            Ok(found) if found.is_symlink() => Found::Behind(shown, "it is a link".into()),
            Ok(_) => Found::Behind(shown, "it is not a folder".into()),
        };
        self.parents.insert(parent.to_owned(), found.clone());
        found
    }

    /// Tells whether a folder was made for files of ours that are no longer wanted and holds
    /// nothing else, so that it goes when they go.
    fn will_be_gone(&self, path: &str) -> bool {
        let Ok(mut entries) = fs::read_dir(self.folder.join(path)) else { return false };
        let all_go = entries.all(|entry| {
            let Ok(entry) = entry else { return false };
            let Ok(name) = entry.file_name().into_string() else { return false };
            let inner = format!("{path}/{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.will_be_gone(&inner),
                Ok(_) => self.old.has(&inner) && !self.new.has(&inner),
                Err(_) => false,
            }
        });
        all_go && self.old.has_below(path)
    }
}
