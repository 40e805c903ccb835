//! Replaces a single file so that there is a whole one at every moment.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes the text of a new or an existing file, all of it or nothing.
///
/// The text is written beside the file and then takes its place, so that neither a kill nor a full
/// disk takes what was there. A link goes on leading to the file. A pipe, or whatever else is no
/// file, is written to as it is.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let found = fs::metadata(path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return fs::write(path, text);
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = path.with_file_name(unique_name());
    let replaced = write_new(&beside, text)
        .and_then(|()| found.map_or(Ok(()), |it| fs::set_permissions(&beside, it.permissions())))
        .and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// Makes a file name that no other running process uses.
fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!(".acp-bindgen-new-{}-{count}", std::process::id())
}

/// Writes a file that is not there. One of this name is from a process that was killed.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let _ = fs::remove_file(path);
    io::Write::write_all(&mut fs::File::create_new(path)?, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_and_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a.toml");
        for text in ["one", "two"] {
            replace(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        assert!(replace(&folder.path().join("nowhere/a"), "").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::TempDir::new().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        replace(&link, "two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
