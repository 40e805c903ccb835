//! Plans: what a run would change on disk. Planning changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::change::{Action, Change};
use super::paths::check_paths;
use super::scan::{DiskScan, Found};
use super::{FileSet, MANIFEST, Manifest, turn};
use crate::diagnostic::{Diagnostic, Diagnostics, reason};

/// The changes that a run would make.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The packages, in the order given.
    pub packages: Vec<PackagePlan<'a>>,
    /// Files that this tool did not write are overwritten.
    pub(super) force: bool,
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
/// set; every one of them is reported. While another run writes to a folder, it is waited for.
pub fn plan<'a>(
    packages: impl IntoIterator<Item = (PathBuf, &'a FileSet)>,
    force: bool,
    diagnostics: &mut Diagnostics,
) -> Plan<'a> {
    let _turn = turn::of_threads();
    let mut taken = BTreeSet::new();
    let read = |(folder, files): (PathBuf, &'a FileSet)| {
        let parts = folder.components().filter(|part| *part != Component::CurDir);
        if !taken.insert(parts.collect::<PathBuf>()) {
            let message = format!("two packages have the folder `{}`", folder.display());
            let error = Diagnostic::error("same-folder", message);
            diagnostics.push(error.help("give each target an `out` of its own"));
            return None;
        }
        let (plan, found) = turn::read_undisturbed(&folder, || {
            let mut found = Diagnostics::new();
            let manifest = Manifest::new(files);
            (package(&folder, files, manifest, force, &mut found), found)
        });
        diagnostics.extend(found);
        plan
    };
    Plan { packages: packages.into_iter().filter_map(read).collect(), force }
}

/// The plan of the same packages, as the disk is now.
pub(super) fn again<'a>(plan: &Plan<'a>) -> Result<Plan<'a>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let packages = plan.packages.iter().filter_map(|known| {
        let manifest = known.new_manifest.clone();
        package(&known.folder, known.files, manifest, plan.force, &mut diagnostics)
    });
    let plan = Plan { packages: packages.collect(), force: plan.force };
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(plan) }
}

fn package<'a>(
    folder: &Path,
    files: &'a FileSet,
    new_manifest: Manifest,
    force: bool,
    diagnostics: &mut Diagnostics,
) -> Option<PackagePlan<'a>> {
    if let Some(diagnostic) = linked(folder).or_else(|| not_a_folder(folder)) {
        diagnostics.push(diagnostic);
        return None;
    }
    let (old_manifest, old_text) = match read_manifest(folder, force) {
        Ok(read) => read,
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            return None;
        }
    };
    let mut scan = DiskScan::new(folder, &old_manifest, &new_manifest);
    let mut changes = BTreeMap::new();
    let mut unwanted = Vec::new();
    let mut told = BTreeSet::new();
    check_paths(files, diagnostics);
    for (path, contents) in files.iter() {
        match scan.decide(path, contents, force) {
            Ok(Some(action)) => drop(changes.insert(path, action)),
            Ok(None) => {}
            // A folder in the way is so for all that is to be in it.
            Err(diagnostic) if !told.insert(diagnostic.message.clone()) => {}
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    for path in old_manifest.paths().filter(|path| !new_manifest.has(path)) {
        match scan.at(path) {
            Found::File(_) | Found::Link => drop(changes.insert(path, Action::Remove)),
            Found::Nothing => {}
            // Not what was written, or not reached without following a link.
            Found::Folder | Found::Blocked(_) | Found::Behind(..) => continue,
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
    let folder = folder.to_owned();
    Some(PackagePlan { folder, files, changes, unwanted, old_manifest, new_manifest })
}

/// Says that the folder is a link. The folder above it is the one that was chosen; where a link in
/// it leads, nobody said.
fn linked(folder: &Path) -> Option<Diagnostic> {
    let to = fs::read_link(folder).ok()?;
    let message =
        format!("`{}` is in the way: it is a link to `{}`", folder.display(), to.display());
    Some(
        Diagnostic::error("foreign-file", message)
            .help("move it away, or choose another folder with `--out`"),
    )
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
