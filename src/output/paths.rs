//! Paths of output files: within their folder, and possible on every system.

use std::collections::HashMap;

use super::manifest::is_plain;
use super::{FileSet, MANIFEST, stage};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The most bytes of a name that common file systems take.
const LONGEST: usize = 255;

/// Names that are devices on Windows, in every folder and with every extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Reports files that could not stand beside each other on every system, or not at all.
pub(super) fn check_paths(files: &FileSet, diagnostics: &mut Diagnostics) {
    let mut seen = HashMap::new();
    for (path, _) in files.iter() {
        if let Some(why) = why_not(path) {
            let message = format!("`{path}` cannot be the path of a file: {why}");
            diagnostics.push(
                Diagnostic::error("bad-path", message)
                    .help("rename what it is named for, with an overlay or `--name`"),
            );
        }
        if let Some(other) = seen.insert(path.to_lowercase(), path) {
            let message = format!("`{other}` and `{path}` are one file where case does not count");
            diagnostics.push(collision(message));
        }
    }
    for (path, _) in files.iter() {
        let above = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        for folder in above {
            if let Some(file) = seen.get(&folder.to_lowercase()) {
                let message = format!("`{file}` would be a file, and the folder of `{path}`");
                diagnostics.push(collision(message));
            }
        }
    }
}

fn collision(message: String) -> Diagnostic {
    Diagnostic::error("file-collision", message).help("rename one of them, with an overlay")
}

/// Says why a path cannot be that of an output file.
fn why_not(path: &str) -> Option<&'static str> {
    if !is_plain(path) {
        return Some("it leads elsewhere");
    }
    if path == MANIFEST || stage::is_stage(path.split('/').next().unwrap_or(path)) {
        return Some("that name is kept for the tool itself");
    }
    path.split('/').find_map(|name| {
        let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
        let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
        let is_port = numbered.is_some_and(|rest| {
            matches!(rest.as_bytes(), [b'0'..=b'9']) || "¹²³".contains(rest) && !rest.is_empty()
        });
        if is_port || DEVICES.contains(&stem.as_str()) {
            Some("Windows has a device of that name")
        } else if name.len() > LONGEST {
            Some("a name in it is too long")
        } else if name.ends_with(['.', ' ']) {
            Some("Windows takes no name that ends so")
        } else if name.contains(|c: char| c.is_control() || "<>\"|?*".contains(c)) {
            Some("not every system takes all of its characters")
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_or_not_every_system_takes_is_refused() {
        let long = "x".repeat(256);
        for path in [
            "",
            ".",
            "..",
            "/a",
            "../a",
            "a/../b",
            "a//b",
            "a/",
            "c:a",
            "a\\b",
            "a\0",
            "CON",
            "nul.ts",
            "src/Aux.rs",
            "com1",
            "lpt9.txt",
            "COM².py",
            "a.",
            "a ",
            "a /b",
            "a\nb",
            "a?",
            "a*b",
            "<a>",
            &long,
            ".acp-bindgen.json",
            ".acp-bindgen-12/a",
            "con .txt",
        ] {
            assert!(why_not(path).is_some(), "{path:?}");
        }
        for path in
            ["a", ".a", "a.b/c.d", "console.rs", "com", "com10", "nulls.ts", "ä b", &long[1..]]
        {
            assert_eq!(why_not(path), None, "{path:?}");
        }
    }

    #[test]
    fn files_that_would_be_one_or_a_folder_are_reported() {
        let codes = |paths: &[&str]| {
            let mut files = FileSet::new();
            for path in paths {
                files.insert(*path, "");
            }
            let mut diagnostics = Diagnostics::new();
            check_paths(&files, &mut diagnostics);
            diagnostics.iter().map(|it| it.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&["a/b", "a/c", "ab"]), [""; 0]);
        assert_eq!(codes(&["a/b", "A/B"]), ["file-collision"]);
        assert_eq!(codes(&["a/b/c", "A"]), ["file-collision"]);
        assert_eq!(codes(&["a/b/c", "a/b"]), ["file-collision"]);
    }
}
