//! The folder in which a run prepares its files, inside the folder they are for: there it is on
//! the same file system, so that a rename is all it takes to put a file in place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::Disk;

const PREFIX: &str = ".acp-bindgen-";

/// The age from which the folder of a process that seems to live is removed nevertheless: its
/// number may have gone to another process, or the system may not say who lives.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// The place to prepare files for a package's folder.
pub(super) fn stage_for(folder: &Path) -> PathBuf {
    folder.join(format!("{PREFIX}{}", std::process::id()))
}

/// Tells whether a name is one of such a folder.
pub(super) fn is_stage(name: &str) -> bool {
    process_of(name).is_some()
}

/// Removes what runs that were killed left in a package's folder.
pub(super) fn remove_leftovers(folder: &Path, disk: &mut Disk<'_>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let is_leftover = entry.file_name().to_str().and_then(process_of).is_some_and(|process| {
            entry.file_type().is_ok_and(|kind| kind.is_dir())
                && (!is_running(process) || is_abandoned(&entry))
        });
        if is_leftover {
            disk.remove_dir_all(&entry.path())?;
        }
    }
    Ok(())
}

fn process_of(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.parse().ok()
}

/// Tells whether another process of this number runs, as far as the system tells. This process has
/// not begun to write yet: what bears its number is older.
fn is_running(process: u32) -> bool {
    let processes = Path::new("/proc");
    process != std::process::id()
        && (!processes.join("self").exists() || processes.join(process.to_string()).exists())
}

fn is_abandoned(entry: &fs::DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED))
}
