//! Reading a folder of templates.

use std::fs;
use std::path::{Path, PathBuf};

use super::{read_path, unreadable};
use crate::backend::folder::{EXTENSION, TemplateFile, TemplateFolder};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The deepest that folders are looked into: below any that a person makes, and above what a
/// mistaken link leads to.
const DEEPEST: usize = 32;

const HELP: &str = "`templates` names a folder, from the configuration file's own";

/// Reads all files of a folder, in order of their paths. Hidden files and folders are left out,
/// but for templates. What cannot be read is reported, and so is a link that leads out of the
/// folder: what is read gets into the package.
pub fn read_folder(folder: &Path, diagnostics: &mut Diagnostics) -> TemplateFolder {
    let label = folder.to_string_lossy().trim_end_matches('/').to_owned();
    let mut files = Vec::new();
    match fs::canonicalize(folder) {
        Ok(root) => collect(folder, &root, "", 0, &mut files, diagnostics),
        Err(error) => {
            diagnostics.push(unreadable(&format!("`{}`", folder.display()), &error).help(HELP));
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    TemplateFolder { label, files }
}

fn collect(
    folder: &Path,
    root: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<TemplateFile>,
    diagnostics: &mut Diagnostics,
) {
    let shown = || format!("`{}`", folder.display());
    let help = HELP;
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
        if let Err(problem) = check(&path, root) {
            diagnostics.push(problem);
            continue;
        }
        if path.is_dir() {
            collect(&path, root, &format!("{relative}/"), depth + 1, files, diagnostics);
            continue;
        }
        match read_path(&path.to_string_lossy(), help) {
            Ok(text) => files.push(TemplateFile { path: relative, text, source: 0 }),
            Err(error) => diagnostics.push(error),
        }
    }
}

/// Checks that an entry is a file or a folder within the root, wherever links lead to.
fn check(path: &Path, root: &Path) -> Result<(), Diagnostic> {
    let shown = format!("`{}`", path.display());
    let read = |error| unreadable(&shown, &error).help(HELP);
    let found: PathBuf = fs::canonicalize(path).map_err(read)?;
    if !found.starts_with(root) {
        let message = format!("{shown} is a link that leads out of the folder of templates");
        return Err(Diagnostic::error("outside-folder", message)
            .help("copy what it leads to into the folder"));
    }
    let kind = fs::metadata(&found).map_err(read)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    let message = format!("{shown} is neither a file nor a folder");
    Err(Diagnostic::error("unreadable", message).help("move it out of the folder of templates"))
}
