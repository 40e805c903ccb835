//! The names of several versions of a schema: files, the files of a folder, revisions of git.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::order::in_order;
use super::{GIT, git, unreadable};
use crate::diagnostic::Diagnostic;
use crate::source::is_path;

/// A version of a schema, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionName {
    /// The name that people know it by.
    pub label: String,
    /// The name of the schema's text, for [`read_schema`](super::read_schema).
    pub schema: String,
    /// The name under which it was or will be released. `None`: it has none yet.
    pub version: Option<String>,
    /// The day on which it was made, where git knows.
    pub date: Option<String>,
}

/// The revisions between the ends of a range that count as versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Steps {
    /// Every tag.
    Tag,
    /// Every commit that changed the schema.
    Commit,
}

/// Finds the versions that names stand for, in their order.
///
/// A name is `A..B`, revisions of git (nothing after the dots: the file as it is now), a folder
/// of schemas, or a schema's own name. `file`: the schema that revisions are of. `steps`: what
/// counts between the ends of a range.
pub fn name_versions(
    names: &[String],
    file: Option<&str>,
    steps: Option<Steps>,
) -> Result<Vec<VersionName>, Diagnostic> {
    let mut versions = Vec::new();
    for name in names {
        if let Some((old, new)) = range(name) {
            let file = file.filter(|file| is_path(file)).ok_or_else(|| {
                let message = format!("`{name}` is a range of revisions, but of no file");
                Diagnostic::error("no-schema", message)
                    .help("name the schema with `--file`, or set `schema` in acp-bindgen.toml")
            })?;
            of_range(old, new, file, steps, &mut versions)?;
        } else if is_path(name) && Path::new(name).is_dir() {
            of_folder(name, &mut versions)?;
        } else {
            versions.push(of_schema(name));
        }
    }
    tell_apart(&mut versions);
    Ok(versions)
}

/// The ends of a range of revisions, unless the name is something else.
fn range(name: &str) -> Option<(&str, &str)> {
    let (old, new) = name.split_once("..")?;
    let is_folder =
        old.is_empty() || old.ends_with(['/', '\\', ':']) || new.starts_with(['/', '\\']);
    (!is_folder && !Path::new(name).exists()).then_some((old, new))
}

fn of_range(
    old: &str,
    new: &str,
    file: &str,
    steps: Option<Steps>,
    versions: &mut Vec<VersionName>,
) -> Result<(), Diagnostic> {
    let end = if new.is_empty() { "HEAD" } else { new };
    let first = git::revision(old)?;
    let last = git::revision(end)?;
    let between = match steps {
        None => Vec::new(),
        Some(Steps::Tag) => git::tags_between(old, end)?,
        Some(Steps::Commit) => git::commits_between(old, end, file)?,
    };
    let mut revisions = vec![first];
    revisions.extend(between.into_iter().filter(|it| it.name != last.name && it.name != old));
    if !new.is_empty() {
        revisions.push(last);
    }
    versions.extend(revisions.into_iter().map(|revision| VersionName {
        schema: at_revision(&revision.name, file),
        // What is not committed yet, or where a branch ends, has no name of its own.
        version: Some(revision.name.clone()).filter(|name| name != "HEAD"),
        label: revision.name,
        date: Some(revision.date),
    }));
    if new.is_empty() {
        let label = "working copy".to_owned();
        versions.push(VersionName { label, schema: file.to_owned(), version: None, date: None });
    }
    Ok(())
}

/// Tells whether a revision is there and does not have a file that is there now.
pub fn is_new_since(revision: &str, file: &str) -> bool {
    let name = at_revision(revision, file);
    let object = name.strip_prefix(GIT).unwrap_or(&name);
    Path::new(file).is_file() && git::revision(revision).is_ok() && !git::has(object)
}

/// The name of a file's text in a revision.
pub fn at_revision(revision: &str, file: &str) -> String {
    let path = file.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    // From this folder, as the path itself is.
    let dot = if path.starts_with("../") { "" } else { "./" };
    format!("git:{revision}:{dot}{path}")
}

/// The schemas of a folder: its JSON files, but for lists of methods, in the order of versions.
fn of_folder(folder: &str, versions: &mut Vec<VersionName>) -> Result<(), Diagnostic> {
    let help = "name a folder of schemas, each called after its version: `v1.2.0.json`";
    let failed = |error| unreadable(&format!("`{folder}`"), &error).help(help);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_schema = path.extension().is_some_and(|extension| extension == "json")
            && !name.starts_with('.')
            && !name.ends_with(".meta.json")
            && name != "meta.json"
            && path.is_file();
        if is_schema {
            found.push(of_schema(&path.to_string_lossy()));
        }
    }
    if found.is_empty() {
        let message = format!("there is no schema in `{folder}`");
        return Err(Diagnostic::error("no-schema", message).help(help));
    }
    found.sort_by(|one, other| in_order(&one.label, &other.label));
    versions.append(&mut found);
    Ok(())
}

/// A schema under its own name.
fn of_schema(name: &str) -> VersionName {
    let label = if let Some((revision, _)) =
        name.strip_prefix("git:").and_then(|object| object.split_once(':'))
    {
        revision
    } else if is_path(name) {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        file.strip_suffix(".json").unwrap_or(file)
    } else {
        name.strip_prefix("bundled:").unwrap_or(name)
    };
    let label = label.to_owned();
    VersionName { version: Some(label.clone()), label, schema: name.to_owned(), date: None }
}

/// Gives versions whose labels are the same their whole names.
fn tell_apart(versions: &mut [VersionName]) {
    let mut seen = HashSet::new();
    let is_twice = |label: &String| !seen.insert(label.clone());
    let twice: HashSet<String> =
        versions.iter().map(|version| version.label.clone()).filter(is_twice).collect();
    for version in versions.iter_mut().filter(|version| twice.contains(&version.label)) {
        version.label.clone_from(&version.schema);
        if version.version.is_some() {
            version.version = Some(version.schema.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_no_paths() {
        assert_eq!(range("v1..v2"), Some(("v1", "v2")));
        assert_eq!(range("origin/main.."), Some(("origin/main", "")));
        assert_eq!(range("../old.json"), None);
        assert_eq!(range("a/../b.json"), None);
        assert_eq!(range("old.json"), None);
    }

    #[test]
    fn labels_are_short_unless_they_are_the_same() {
        let names = ["a/v1.json", "b/v1.json", "v2.json", "git:main:x.json"].map(String::from);
        let versions = name_versions(&names, None, None).unwrap();
        let labels: Vec<_> = versions.iter().map(|version| version.label.as_str()).collect();
        assert_eq!(labels, ["a/v1.json", "b/v1.json", "v2", "main"]);
    }
}
