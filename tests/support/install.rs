//! Installs a pinned set of tools once, however many test binaries ask.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The folder under `target/tools/` where a set of tools is installed.
///
/// The folder is named for the set and a digest of the manifests that pin it, so that changing a
/// version installs anew. `install` gets the empty folder, with the manifests copied into it; it
/// is called again in the next run if it failed or was killed.
pub(crate) fn installed(
    set: &str,
    manifests: &[&Path],
    install: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    for manifest in manifests {
        read(manifest)?.hash(&mut hasher);
    }
    let tools = super::target().join("tools");
    fs::create_dir_all(&tools).map_err(|error| format!("{}: {error}", tools.display()))?;
    let folder = tools.join(format!("{set}-{:016x}", hasher.finish()));
    let stamp = folder.join(".installed");

    let _guard = lock(&tools.join(format!("{set}.lock")))?;
    if stamp.exists() {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for manifest in manifests {
        let name = manifest.file_name().ok_or("a manifest without a name")?;
        fs::write(folder.join(name), read(manifest)?).map_err(|error| error.to_string())?;
    }
    install(&folder)?;
    fs::write(stamp, "").map_err(|error| error.to_string())?;
    Ok(folder)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Held until dropped; the system lets go of it if the process dies.
#[allow(clippy::incompatible_msrv, reason = "the tests run on a current toolchain")]
fn lock(path: &Path) -> Result<File, String> {
    let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
    file.lock().map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(file)
}
