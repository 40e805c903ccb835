//! The list of files that a run wrote, kept beside them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::FileSet;
use crate::parallel;

/// The name of the list in a package's folder.
pub const MANIFEST: &str = ".acp-bindgen.json";

/// So many bytes are much to hash.
const LARGE: usize = 8 << 20;

/// The version of the list's form.
const VERSION: u32 = 1;

/// The files of a package's folder that are this tool's: a later run may overwrite and remove
/// these and no others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// SHA-256 of each file as written, in hexadecimal, by relative path. Empty for a file that
    /// a run was about to change when it was killed.
    files: BTreeMap<String, String>,
}

impl Manifest {
    /// The list of these files.
    pub fn new(files: &FileSet) -> Self {
        let list = |(path, contents): (&str, &str)| (path.to_owned(), digest(contents.as_bytes()));
        let size: usize = files.iter().map(|(_, contents)| contents.len()).sum();
        let digests = parallel::map_if(size > LARGE, files.iter().collect(), list);
        Self { files: digests.into_iter().collect() }
    }

    /// Reads a list. The error says in a few words what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut list: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut member = |name| list.remove(name).ok_or_else(|| format!("it has no `{name}`"));
        let (version, files) = (member("version")?, member("files")?);
        if version != VERSION {
            return Err(format!("its version is {version}, not {VERSION}"));
        }
        if let Some(name) = list.keys().next() {
            return Err(format!("it has a `{name}`, which is unknown"));
        }
        let files: BTreeMap<String, String> =
            serde_json::from_value(files).map_err(|error| error.to_string())?;
        match files.keys().find(|path| !is_plain(path)) {
            Some(path) => Err(format!("it lists `{path}`, which is no path within the folder")),
            None => Ok(Self { files }),
        }
    }

    /// The text of the list.
    pub fn to_text(&self) -> String {
        let list = json!({ "version": VERSION, "files": self.files });
        format!("{list:#}\n")
    }

    /// Tells whether a file is on the list.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Tells whether any file below this folder is on the list.
    pub(super) fn has_below(&self, folder: &str) -> bool {
        let prefix = format!("{folder}/");
        let mut after = self.files.range(prefix.clone()..);
        after.next().is_some_and(|(path, _)| path.starts_with(&prefix))
    }

    /// The paths on the list, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Tells whether these are not the bytes that were written.
    pub fn is_edited(&self, path: &str, contents: &[u8]) -> bool {
        self.files.get(path).is_some_and(|known| !known.is_empty() && *known != digest(contents))
    }

    /// The list to leave while files change from those of one list to those of another: a
    /// run that is killed has then left no file that the next one would not know.
    #[must_use]
    pub fn during_change_to(&self, next: &Self) -> Self {
        let mut files = self.files.clone();
        for (path, digest) in &next.files {
            if files.get(path) != Some(digest) {
                files.insert(path.clone(), String::new());
            }
        }
        Self { files }
    }
}

/// Tells whether a path is relative, has only plain names in it, and can mean nothing else on
/// another system.
pub(super) fn is_plain(path: &str) -> bool {
    let plain_name = |name: &str| !name.is_empty() && name != "." && name != "..";
    path.split('/').all(plain_name) && !path.contains(['\\', ':', '\0'])
}

fn digest(contents: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in hmac_sha256::Hash::hash(contents) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> FileSet {
        let mut files = FileSet::new();
        for (path, contents) in list {
            files.insert(*path, *contents);
        }
        files
    }

    #[test]
    fn the_text_reads_back() {
        let manifest = Manifest::new(&files(&[("src/b.rs", "b"), ("a", "")]));
        let text = manifest.to_text();
        assert_eq!(Manifest::parse(&text), Ok(manifest));
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_path_that_leads_out_is_refused() {
        for path in ["../a", "/a", "a/../../b", "", "a//b", "c:\\a", "a\\..\\b", "."] {
            let text = serde_json::json!({"version": 1, "files": {path: ""}}).to_string();
            assert!(Manifest::parse(&text).is_err(), "{path}");
        }
        assert!(Manifest::parse(r#"{"version": 2, "files": {}}"#).is_err());
        assert!(Manifest::parse("[]").is_err());
    }

    #[test]
    fn an_interrupted_change_owns_old_and_new() {
        let old = Manifest::new(&files(&[("gone", "1"), ("same", "1"), ("changed", "1")]));
        let new = Manifest::new(&files(&[("same", "1"), ("changed", "2"), ("new", "1")]));
        let between = old.during_change_to(&new);
        assert_eq!(between.paths().collect::<Vec<_>>(), ["changed", "gone", "new", "same"]);
        assert!(!between.is_edited("changed", b"1") && !between.is_edited("changed", b"2"));
        assert!(between.is_edited("same", b"2"));
    }
}
