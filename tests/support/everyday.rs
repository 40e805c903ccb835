//! The schemas of everyday tools, which know nothing of JSON-RPC: what packages of `PyPI` ship.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::install::installed;
use super::python::environment;
use super::{available, root, try_run};

/// A schema that a package ships.
#[derive(Clone, Debug)]
pub(crate) struct EverydaySchema {
    /// Its name: `github-workflows`.
    pub(crate) name: String,
    /// Its file.
    pub(crate) path: PathBuf,
}

/// The schemas of CI systems, manifests and compose files that `check-jsonschema` ships, and that of
/// the Debug Adapter Protocol in `debugpy`; in the order of their names. `None` where they cannot be
/// had (see [`available`]). One is left out: it refers to a file that is not shipped.
pub(crate) fn everyday_schemas() -> Option<Vec<EverydaySchema>> {
    static FOUND: OnceLock<Result<Vec<EverydaySchema>, String>> = OnceLock::new();
    available("the schemas of everyday tools", || FOUND.get_or_init(found).clone())
}

fn found() -> Result<Vec<EverydaySchema>, String> {
    let python = environment("python")?.join("python");
    let pinned = root().join("tests/support/tools/everyday/requirements.txt");
    let folder = installed("everyday", &[&pinned], |folder| {
        let pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
        let wheels = ["--only-binary", ":all:", "--requirement", "requirements.txt"];
        try_run(Command::new(&python).args(pip).args(wheels).current_dir(folder))?;
        for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.extension().is_some_and(|it| it == "whl") {
                let unpack = Command::new(&python)
                    .args(["-m", "zipfile", "--extract"])
                    .args([path.as_path(), folder])
                    .current_dir(folder)
                    .output()
                    .map_err(|error| error.to_string())?;
                if !unpack.status.success() {
                    return Err(String::from_utf8_lossy(&unpack.stderr).into_owned());
                }
            }
        }
        Ok(())
    })?;
    let vendored = folder.join("check_jsonschema/builtin_schemas/vendor");
    let files =
        fs::read_dir(&vendored).map_err(|error| format!("{}: {error}", vendored.display()))?;
    let mut paths: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    paths.push(
        folder.join("debugpy/_vendored/pydevd/_pydevd_bundle/_debug_adapter/debugProtocol.json"),
    );
    paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
    paths.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let schemas = paths.into_iter().map(|path| EverydaySchema { name: name(&path), path });
    Ok(schemas.filter(|schema| schema.name != "drone-ci").collect())
}
