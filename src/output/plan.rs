//! Plans: what a run would change on disk. Planning changes nothing.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::manifest::is_plain;
use super::stage;
use super::{FileSet, MANIFEST, Manifest};
use crate::diagnostic::{Diagnostic, Diagnostics, reason};

/// The changes that a run would make.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The packages, in the order given.
    pub packages: Vec<PackagePlan<'a>>,
}

/// The changes that a run would make in a package's folder.
#[derive(Debug)]
pub struct PackagePlan<'a> {
    /// The folder, as the user would write it.
    pub folder: PathBuf,
    /// The files the folder should have.
    pub files: &'a FileSet,
    /// The differences, by path. The manifest is the last, if it differs.
    pub changes: Vec<Change>,
    /// The paths of files once written and no longer wanted, whether or not they are still
    /// there: the folders above them may go.
    pub(super) unwanted: Vec<String>,
    pub(super) old_manifest: Manifest,
    pub(super) new_manifest: Manifest,
}

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

impl Plan<'_> {
    /// Every change with the package it belongs to.
    pub fn changes(&self) -> impl Iterator<Item = (&PackagePlan<'_>, &Change)> {
        self.packages.iter().flat_map(|package| package.changes.iter().map(move |c| (package, c)))
    }

    /// Tells whether everything on disk is as it should be.
    pub fn is_current(&self) -> bool {
        self.changes().next().is_none()
    }
}

impl PackagePlan<'_> {
    /// The text that a changed path should hold; `None` if it should not be there.
    pub fn wanted(&self, change: &Change) -> Option<String> {
        match change.action {
            Action::Remove => None,
            _ if change.path == MANIFEST => Some(self.new_manifest.to_text()),
            _ => self.files.get(&change.path).map(String::from),
        }
    }
}

/// Compares packages, each a folder and the files it should have, with the disk.
///
/// Files that this tool wrote last (it keeps a list in [`MANIFEST`]) are its own: they are to be
/// overwritten, even if someone edited them, and removed when they are no longer wanted. A file
/// that it did not write is reported as `foreign-file` if it is in the way, unless `force` is
/// set; every one of them is reported.
pub fn plan<'a>(
    packages: impl IntoIterator<Item = (PathBuf, &'a FileSet)>,
    force: bool,
    diagnostics: &mut Diagnostics,
) -> Plan<'a> {
    let packages = packages
        .into_iter()
        .filter_map(|(folder, files)| package(folder, files, force, diagnostics))
        .collect();
    Plan { packages }
}

fn package<'a>(
    folder: PathBuf,
    files: &'a FileSet,
    force: bool,
    diagnostics: &mut Diagnostics,
) -> Option<PackagePlan<'a>> {
    if let Some(diagnostic) = not_a_folder(&folder) {
        diagnostics.push(diagnostic);
        return None;
    }
    let new_manifest = Manifest::of(files);
    let (old_manifest, old_text) = match read_manifest(&folder, force) {
        Ok(read) => read,
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            return None;
        }
    };
    let mut scan = DiskScan {
        folder: &folder,
        old: &old_manifest,
        new: &new_manifest,
        parents: HashMap::new(),
    };
    let mut changes = BTreeMap::new();
    let mut unwanted = Vec::new();
    check_paths(files, diagnostics);
    for (path, contents) in files.iter() {
        match scan.decide(path, contents, force) {
            Ok(Some(action)) => drop(changes.insert(path, action)),
            Ok(None) => {}
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    for path in old_manifest.paths().filter(|path| !new_manifest.has(path)) {
        match scan.at(path) {
            Found::File(_) | Found::Link => drop(changes.insert(path, Action::Remove)),
            Found::Nothing => {}
            // Not what was written, or not reached without following a link.
            Found::Folder | Found::Blocked(_) => continue,
        }
        unwanted.push(path.to_owned());
    }
    let mut changes: Vec<Change> = changes
        .into_iter()
        .map(|(path, action)| Change { path: path.to_owned(), action })
        .collect();
    if old_text.as_ref() != Some(&new_manifest.to_text()) {
        let action = old_text.map_or(Action::Create, |_| Action::Update { edited: false });
        changes.push(Change { path: MANIFEST.to_owned(), action });
    }
    Some(PackagePlan { folder, files, changes, unwanted, old_manifest, new_manifest })
}

/// Says which file stands where the folder, or one above it, should be.
fn not_a_folder(folder: &Path) -> Option<Diagnostic> {
    let (nearest, found) =
        folder.ancestors().find_map(|path| fs::metadata(path).ok().map(|found| (path, found)))?;
    if found.is_dir() {
        return None;
    }
    let message = format!("`{}` is a file, not a folder", nearest.display());
    Some(Diagnostic::error("unwritable", message).help("choose another folder with `--out`"))
}

/// Reads the list of an earlier run: what it says, and its text if there is one.
fn read_manifest(folder: &Path, force: bool) -> Result<(Manifest, Option<String>), Diagnostic> {
    let path = folder.join(MANIFEST);
    let broken = |why: String| {
        let message = format!("`{}` cannot be read: {why}", path.display());
        Diagnostic::error("bad-manifest", message).help(
            "it lists the files of the last run, so that others are safe; restore it, or use `--force`",
        )
    };
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok((Manifest::default(), None));
        }
        Err(error) => return Err(broken(reason(&error))),
        Ok(found) if !found.is_file() => return Err(broken("it is not a plain file".into())),
        Ok(_) => {}
    }
    let text = fs::read(&path).map_err(|error| broken(reason(&error)))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    match Manifest::parse(&text) {
        Ok(manifest) => Ok((manifest, Some(text))),
        Err(_) if force => Ok((Manifest::default(), Some(text))),
        Err(why) => Err(broken(why)),
    }
}

/// Reports files that could not stand beside each other on every system, or not at all.
fn check_paths(files: &FileSet, diagnostics: &mut Diagnostics) {
    let mut seen = HashMap::new();
    for (path, _) in files.iter() {
        let reserved = path == MANIFEST || stage::is_stage(path.split('/').next().unwrap_or(path));
        if !is_plain(path) || reserved {
            diagnostics.push(
                Diagnostic::error("bad-path", format!("`{path}` cannot be the path of a file"))
                    .help("rename what it is named for, with an overlay or `--name`"),
            );
        }
        if let Some(other) = seen.insert(path.to_lowercase(), path) {
            let message = format!("`{other}` and `{path}` are one file where case does not count");
            diagnostics.push(
                Diagnostic::error("file-collision", message)
                    .help("rename one of them, with an overlay"),
            );
        }
    }
}

/// The state of a path on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    File(Vec<u8>),
    Link,
    Folder,
    /// Something that is in the way, in words.
    Blocked(String),
}

struct DiskScan<'a> {
    folder: &'a Path,
    old: &'a Manifest,
    new: &'a Manifest,
    /// The states of parent folders that were looked at; `Nothing` for one that is not there.
    parents: HashMap<String, Found>,
}

impl DiskScan<'_> {
    fn decide(
        &mut self,
        path: &str,
        contents: &str,
        force: bool,
    ) -> Result<Option<Action>, Diagnostic> {
        let shown = self.folder.join(path);
        let blocked = |why: &str| {
            Diagnostic::error("foreign-file", format!("`{}` is in the way: {why}", shown.display()))
                .help("move it away, or choose another folder with `--out`")
        };
        let edited = match self.at(path) {
            Found::Nothing => return Ok(Some(Action::Create)),
            Found::File(bytes) if bytes == contents.as_bytes() => return Ok(None),
            Found::File(bytes) => self.old.is_edited(path, &bytes),
            Found::Link => true,
            Found::Folder if self.will_be_gone(path) => return Ok(Some(Action::Create)),
            Found::Folder => return Err(blocked("it is a folder")),
            Found::Blocked(why) => return Err(blocked(&why)),
        };
        if self.old.has(path) || force {
            return Ok(Some(Action::Update { edited }));
        }
        let message = format!("`{}` was not written by this tool", shown.display());
        Err(Diagnostic::error("foreign-file", message)
            .help("move it away, or overwrite it with `--force`"))
    }

    /// Finds the state of a path, without following a link.
    fn at(&mut self, path: &str) -> Found {
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
            Err(error) => Found::Blocked(reason(&error)),
            Ok(found) if found.is_dir() => Found::Folder,
            // A file of ours that makes room for a folder.
            Ok(_) if self.old.has(parent) && !self.new.has(parent) => Found::Nothing,
            Ok(found) if found.is_symlink() => {
                Found::Blocked(format!("`{}` is a link", shown.display()))
            }
            Ok(_) => Found::Blocked(format!("`{}` is not a folder", shown.display())),
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
