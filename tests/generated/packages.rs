//! The packages under `generated/`.

use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::output::FileSet;

use crate::support;

/// The files of all packages of a language, under the name of their protocol.
pub(crate) fn packages(language: &str) -> FileSet {
    let mut files = FileSet::new();
    for protocol in protocols() {
        read(&protocol.join(language), &name(&protocol), &mut files);
    }
    files
}

pub(crate) fn protocols() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(support::root().join("generated"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Reads all files of a folder, but for what tools leave behind.
pub(crate) fn read(folder: &Path, prefix: &str, files: &mut FileSet) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = format!("{prefix}/{}", name(&path));
        if path.is_dir() && !["target", "node_modules", "dist"].iter().any(|it| path.ends_with(it))
        {
            read(&path, &name, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            files.insert(name, text);
        }
    }
}
