//! Reading a folder of templates.

use std::fs;
use std::path::Path;

use super::{read_path, unreadable};
use crate::backend::folder::{EXTENSION, TemplateFile, TemplateFolder};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The deepest that folders are looked into: below any that a person makes, and above what a
/// mistaken link leads to.
const DEEPEST: usize = 32;

/// Reads all files of a folder, in order of their paths. Hidden files and folders are left out,
/// but for templates. What cannot be read is reported.
pub fn read_folder(folder: &Path, diagnostics: &mut Diagnostics) -> TemplateFolder {
    let label = folder.to_string_lossy().trim_end_matches('/').to_owned();
    let mut files = Vec::new();
    collect(folder, "", 0, &mut files, diagnostics);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    TemplateFolder { label, files }
}

fn collect(
    folder: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<TemplateFile>,
    diagnostics: &mut Diagnostics,
) {
    let shown = || format!("`{}`", folder.display());
    let help = "`templates` names a folder, from the configuration file's own";
    if depth > DEEPEST {
        let message = format!("{} is more than {DEEPEST} folders deep", shown());
        diagnostics.push(Diagnostic::error("unreadable", message).help(help));
        return;
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return diagnostics.push(unreadable(&shown(), &error).help(help)),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return diagnostics.push(unreadable(&shown(), &error).help(help)),
        };
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            let message = format!("the name of `{}` is not UTF-8", path.display());
            diagnostics.push(Diagnostic::error("unreadable", message).help("rename it"));
            continue;
        };
        if name.starts_with('.') && !name.ends_with(EXTENSION) {
            continue;
        }
        let relative = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{relative}/"), depth + 1, files, diagnostics);
            continue;
        }
        match read_path(&path.to_string_lossy(), help) {
            Ok(text) => files.push(TemplateFile { path: relative, text, source: 0 }),
            Err(error) => diagnostics.push(error),
        }
    }
}
