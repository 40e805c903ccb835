//! One run at a time in a package's folder.
//!
//! A run that writes has a folder of its own there (see [`stage`]). It makes that folder first and
//! then looks for those of others: of two runs, the one that made its folder later sees that of the
//! other, so that never both go on. If each sees the other, the one with the lower number waits,
//! and the other one steps back until it has ended.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::disk::Disk;
use super::{MANIFEST, stage};
use crate::diagnostic::Diagnostic;

/// The longest time to wait for another run: far longer than writing takes.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Lets the threads of this process plan and write one after the other: its folder says which
/// process writes, not which thread.
pub(super) fn of_threads() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reason why a run got no turn.
pub(super) enum NoTurn {
    /// Its folder cannot be made or removed.
    Disk(std::io::Error),
    /// This process does not end.
    Busy(u32),
}

impl From<std::io::Error> for NoTurn {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

/// Makes this run's folder in that of a package once no other run writes there.
pub(super) fn take(folder: &Path, patience: Duration, disk: &mut Disk<'_>) -> Result<(), NoTurn> {
    let (start, own) = (Instant::now(), stage::stage_for(folder));
    if own.is_dir() {
        // Of a process that once had this number.
        disk.remove_dir_all(&own)?;
    }
    disk.create_dir(&own)?;
    loop {
        let others = stage::others(folder);
        let Some(other) = others.first() else { return Ok(()) };
        if start.elapsed() > patience {
            disk.remove_dir_all(&own)?;
            return Err(NoTurn::Busy(*other));
        }
        if others.iter().any(|other| *other < std::process::id()) {
            disk.remove_dir_all(&own)?;
            while !stage::others(folder).is_empty() && start.elapsed() <= patience {
                thread::sleep(PAUSE);
            }
            disk.create_dir(&own)?;
        } else {
            thread::sleep(PAUSE);
        }
    }
}

/// The finding that another run does not end.
pub(super) fn busy(folder: &Path, process: u32) -> Diagnostic {
    let message = format!("another run, process {process}, is writing to `{}`", folder.display());
    let stage = stage::stage_of(folder, process);
    Diagnostic::error("folder-in-use", message).help(format!(
        "nothing was changed; run the command again when it has ended, or remove `{}` if it has",
        stage.display()
    ))
}

/// Reads a package's folder while no other run changes it: again, if one did.
pub(super) fn read_undisturbed<T>(folder: &Path, mut read: impl FnMut() -> T) -> T {
    let manifest = || fs::read(folder.join(MANIFEST)).ok();
    let start = Instant::now();
    loop {
        while !stage::others(folder).is_empty() && start.elapsed() <= PATIENCE {
            thread::sleep(PAUSE);
        }
        let before = manifest();
        let read = read();
        let is_disturbed = !stage::others(folder).is_empty() || manifest() != before;
        if !is_disturbed || start.elapsed() > PATIENCE {
            return read;
        }
    }
}
