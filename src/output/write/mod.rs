//! Carrying out a plan: all of it, or nothing.
//!
//! Every file is first written in a folder beside its place (see [`stage`]). Only when all are
//! there does anything change, by renames, each of which is undone if a later one fails. Before
//! the first, the manifest lists the files of the old tree and of the new one, so that whatever
//! a killed run leaves is known to the next, which repairs it; after the last, it lists the new
//! ones alone.
//!
//! While a run writes to a folder, others wait (see [`turn`]). What it has then to write is found
//! anew: another run may have been there since the plan was made.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::{Disk, Hook};
use super::turn::{self, NoTurn};
use super::{Action, Change, MANIFEST, PackagePlan, Plan, plan, stage};
use crate::diagnostic::{Diagnostic, Diagnostics, reason};

/// Makes the disk what the plan says, and removes what runs that were killed left behind. Files
/// that do not change are not touched. Gives the plan that was carried out, which differs if the
/// disk is no longer as it was when the plan was made.
///
/// If anything fails, what was done is undone and the error says what failed.
pub fn write(plan: Plan<'_>) -> Result<Plan<'_>, Diagnostics> {
    write_asking(plan, turn::PATIENCE, &mut |_, _| Ok(()))
}

/// [`write()`], asking the hook before each operation, and waiting no longer for another run.
fn write_asking<'a>(
    plan: Plan<'a>,
    patience: Duration,
    hook: &mut Hook<'_>,
) -> Result<Plan<'a>, Diagnostics> {
    let _turn = turn::of_threads();
    let mut writer = Writer { disk: Disk::new(hook), journal: Vec::new(), patience };
    writer.run(plan).map_err(|failure| {
        let undone = writer.undo();
        let (path, error) = match failure {
            Failure::Disk(path, error) => (path, error),
            // No file has changed yet.
            Failure::Refused(diagnostics) => return diagnostics,
        };
        let message = format!("cannot write `{}`: {}", path.display(), reason(&error));
        let diagnostic = Diagnostic::error("unwritable", message);
        let diagnostic = match undone {
            Ok(()) => diagnostic.help("nothing was changed; choose another folder with `--out`, or make this one writable"),
            Err(error) => diagnostic.help(format!(
                "some files are already new ({}); run the command again to complete it",
                reason(&error)
            )),
        };
        diagnostic.into()
    })
}

/// The reason why nothing is written.
enum Failure {
    /// An operation failed on a path.
    Disk(PathBuf, io::Error),
    /// Another run writes, or left what is in the way.
    Refused(Diagnostics),
}

/// A step that was taken, with what it takes to undo it.
enum Step {
    /// A folder was made.
    MadeFolder(PathBuf),
    /// The folder to prepare files in was made.
    MadeStage(PathBuf),
    /// A folder that had become empty was removed.
    RemovedFolder(PathBuf),
    /// A file was put where there was none.
    Located(PathBuf),
    /// A file was moved or linked into the stage before its place got another one, or none.
    Saved { location: PathBuf, saved: PathBuf },
}

struct Writer<'a> {
    disk: Disk<'a>,
    journal: Vec<Step>,
    /// The longest time to wait for another run.
    patience: Duration,
}

/// A package, its files prepared.
struct Staged<'p> {
    package: &'p PackagePlan<'p>,
    stage: PathBuf,
}

impl Writer<'_> {
    fn run<'a>(&mut self, known: Plan<'a>) -> Result<Plan<'a>, Failure> {
        let mut folders: Vec<&Path> = known.packages.iter().map(|it| it.folder.as_path()).collect();
        let is_clean = !folders.iter().any(|folder| stage::has_leftovers(folder));
        if known.is_current() && is_clean {
            return Ok(known);
        }
        // All runs take their turns in the same order, so that no two wait for each other.
        folders.sort_unstable();
        for folder in folders {
            self.take_turn(folder)?;
        }
        let plan = plan::again(&known).map_err(Failure::Refused)?;
        let changed = plan.packages.iter().filter(|package| !package.changes.is_empty());
        let staged: Vec<Staged<'_>> =
            changed.map(|package| self.prepare(package)).collect::<Result<_, _>>()?;
        for Staged { package, stage } in &staged {
            self.location(
                &stage.join("during"),
                &package.folder.join(MANIFEST),
                &stage.join("was"),
            )?;
        }
        for staged in &staged {
            self.remove_unwanted(staged)?;
            self.location_files(staged)?;
        }
        for Staged { package, stage } in &staged {
            self.location(
                &stage.join("after"),
                &package.folder.join(MANIFEST),
                &stage.join("gone"),
            )?;
        }
        for package in &plan.packages {
            // All is in place. What cannot be removed now is removed by the next run.
            let _ = self.disk.remove_dir_all(&stage::stage_for(&package.folder));
        }
        Ok(plan)
    }

    /// Waits until no other run writes to a folder, and keeps others from it from then on.
    fn take_turn(&mut self, folder: &Path) -> Result<(), Failure> {
        self.make_folders(folder)?;
        let stage = stage::stage_for(folder);
        match turn::take(folder, self.patience, &mut self.disk) {
            Ok(()) => self.journal.push(Step::MadeStage(stage)),
            Err(NoTurn::Disk(error)) => return Err(Failure::Disk(stage, error)),
            Err(NoTurn::Busy(process)) => {
                return Err(Failure::Refused(turn::busy(folder, process).into()));
            }
        }
        at(folder, stage::remove_leftovers(folder, &mut self.disk))
    }

    /// Writes the new files and both manifests into the stage.
    fn prepare<'p>(&mut self, package: &'p PackagePlan<'p>) -> Result<Staged<'p>, Failure> {
        let stage = stage::stage_for(&package.folder);
        let during = package.old_manifest.during_change_to(&package.new_manifest).to_text();
        let after = package.new_manifest.to_text();
        for (name, text) in [("during", during), ("after", after)] {
            let path = stage.join(name);
            at(&path, self.disk.write(&path, &text))?;
        }
        for (number, change) in files(package) {
            if let Some(contents) = package.files.get(&change.path) {
                let path = new(&stage, number);
                at(&path, self.disk.write(&path, contents))?;
            }
        }
        Ok(Staged { package, stage })
    }

    /// Moves away the files that are no longer wanted, and the folders that only they filled.
    fn remove_unwanted(&mut self, staged: &Staged<'_>) -> Result<(), Failure> {
        let Staged { package, stage } = staged;
        for (number, change) in files(package).filter(|(_, change)| change.action == Action::Remove)
        {
            let location = package.folder.join(&change.path);
            self.save_by_move(&location, &old(stage, number))?;
        }
        for path in &package.unwanted {
            for folder in parents(&package.folder, path) {
                let is_empty = fs::read_dir(&folder).is_ok_and(|mut rest| rest.next().is_none());
                if is_empty {
                    at(&folder, self.disk.remove_dir(&folder))?;
                    self.journal.push(Step::RemovedFolder(folder));
                }
            }
        }
        Ok(())
    }

    fn location_files(&mut self, staged: &Staged<'_>) -> Result<(), Failure> {
        let Staged { package, stage } = staged;
        for (number, change) in files(package).filter(|(_, change)| change.action != Action::Remove)
        {
            let location = package.folder.join(&change.path);
            if let Some(folder) = location.parent() {
                self.make_folders(folder)?;
            }
            self.location(&new(stage, number), &location, &old(stage, number))?;
        }
        Ok(())
    }

    /// Puts a prepared file in its place; what stands there is saved first.
    fn location(&mut self, prepared: &Path, location: &Path, saved: &Path) -> Result<(), Failure> {
        match fs::symlink_metadata(location) {
            Ok(found) if found.is_file() => {
                at(location, self.disk.link(location, saved))?;
                at(location, self.disk.rename(prepared, location))?;
                self.journal.push(Step::Saved { location: location.into(), saved: saved.into() });
            }
            found => {
                if found.is_ok() {
                    self.save_by_move(location, saved)?;
                }
                at(location, self.disk.rename(prepared, location))?;
                self.journal.push(Step::Located(location.into()));
            }
        }
        Ok(())
    }

    fn save_by_move(&mut self, location: &Path, saved: &Path) -> Result<(), Failure> {
        at(location, self.disk.rename(location, saved))?;
        self.journal.push(Step::Saved { location: location.into(), saved: saved.into() });
        Ok(())
    }

    fn make_folders(&mut self, folder: &Path) -> Result<(), Failure> {
        let missing: Vec<&Path> = folder
            .ancestors()
            .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            match self.disk.create_dir(folder) {
                Ok(()) => self.journal.push(Step::MadeFolder(folder.into())),
                // Another run was faster.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
                Err(error) => return Err(Failure::Disk(folder.into(), error)),
            }
        }
        Ok(())
    }

    /// Takes back every step, the last first. Tries all, and gives the first failure.
    fn undo(&mut self) -> io::Result<()> {
        let mut outcome = Ok(());
        while let Some(step) = self.journal.pop() {
            let undone = match step {
                Step::MadeFolder(folder) => match self.disk.remove_dir(&folder) {
                    // Another run is already at work in it.
                    Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
                    removed => removed,
                },
                // It still holds what could not be put back.
                Step::MadeStage(_) if outcome.is_err() => Ok(()),
                Step::MadeStage(stage) => self.disk.remove_dir_all(&stage),
                Step::RemovedFolder(folder) => self.disk.create_dir(&folder),
                Step::Located(location) => self.disk.remove_file(&location),
                Step::Saved { location, saved } => self.disk.rename(&saved, &location),
            };
            outcome = outcome.and(undone);
        }
        outcome
    }
}

/// The changes of a package's own files, numbered.
fn files<'p>(package: &'p PackagePlan<'_>) -> impl Iterator<Item = (usize, &'p Change)> {
    package.changes.iter().enumerate().filter(|(_, change)| change.path != MANIFEST)
}

fn new(stage: &Path, number: usize) -> PathBuf {
    stage.join(format!("new-{number}"))
}

fn old(stage: &Path, number: usize) -> PathBuf {
    stage.join(format!("old-{number}"))
}

/// The folders above a file within its package's folder, the innermost first.
fn parents(folder: &Path, path: &str) -> Vec<PathBuf> {
    let inner = Path::new(path).ancestors().skip(1);
    inner
        .filter(|parent| !parent.as_os_str().is_empty())
        .map(|parent| folder.join(parent))
        .collect()
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.map_err(|error| Failure::Disk(path.into(), error))
}

#[cfg(test)]
mod tests;
