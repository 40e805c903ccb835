//! The folder in which a run prepares its files, inside the folder they are for: there it is on
//! the same file system, so that a rename is all it takes to put a file in place. It also tells
//! other runs that one is writing.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::disk::Disk;

const PREFIX: &str = ".acp-bindgen-";

/// The age from which the folder of a process that seems to live is nevertheless that of one that
/// was killed: its number may have gone to another process, or the system may not say who lives. A
/// run that writes changes its folder all the time.
const ABANDONED: Duration = Duration::from_secs(10);

/// The place to prepare files for a package's folder.
pub(super) fn stage_for(folder: &Path) -> PathBuf {
    stage_of(folder, std::process::id())
}

/// The place in which a process prepares files for a package's folder.
pub(super) fn stage_of(folder: &Path, process: u32) -> PathBuf {
    folder.join(format!("{PREFIX}{process}"))
}

/// Tells whether a name is one of such a folder.
pub(super) fn is_stage(name: &str) -> bool {
    process_of(name).is_some()
}

/// The numbers of other processes that are writing to a package's folder.
pub(super) fn others(folder: &Path) -> Vec<u32> {
    stages(folder)
        .filter(|(process, entry)| is_running(*process) && !is_abandoned(entry))
        .map(|(process, _)| process)
        .collect()
}

/// Tells whether a package's folder holds what a run that was killed left there.
pub(super) fn has_leftovers(folder: &Path) -> bool {
    stages(folder).any(|(process, entry)| !is_running(process) || is_abandoned(&entry))
}

/// Removes what runs that were killed left in a package's folder, but for the folder of this run.
pub(super) fn remove_leftovers(folder: &Path, disk: &mut Disk<'_>) -> io::Result<()> {
    for (process, entry) in stages(folder) {
        let is_ours = process == std::process::id();
        if !is_ours && (!is_running(process) || is_abandoned(&entry)) {
            match disk.remove_dir_all(&entry.path()) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

/// The folders of runs in a package's folder.
fn stages(folder: &Path) -> impl Iterator<Item = (u32, fs::DirEntry)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let process = entry.file_name().to_str().and_then(process_of)?;
        entry.file_type().is_ok_and(|kind| kind.is_dir()).then_some((process, entry))
    })
}

fn process_of(name: &str) -> Option<u32> {
    name.strip_prefix(PREFIX)?.parse().ok()
}

/// Tells whether another process of this number runs, as far as the system tells. What bears the
/// number of this process, before it has begun to write, is older than it.
fn is_running(process: u32) -> bool {
    let processes = Path::new("/proc");
    if process == std::process::id() {
        return false;
    }
    if !processes.join("self").exists() {
        return true;
    }
    // One that ended and whose parent has not noticed yet is listed, too, as a zombie.
    let state = fs::read_to_string(processes.join(process.to_string()).join("stat"));
    state.is_ok_and(|text| text.rsplit_once(')').is_some_and(|(_, it)| !it.starts_with(" Z")))
}

fn is_abandoned(entry: &fs::DirEntry) -> bool {
    match entry.metadata().and_then(|metadata| metadata.modified()) {
        Ok(at) => at.elapsed().is_ok_and(|age| age > ABANDONED),
        // It has just been removed.
        Err(_) => true,
    }
}
