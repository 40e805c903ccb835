//! Reading what the references of a schema lead to: files beside it, and those that stand for URLs.

use std::collections::HashSet;
use std::fs;
use std::str::FromStr;

use serde_json::Value;

use super::{GIT, git, into_text, read_file};
use crate::diagnostic::Diagnostic;
use crate::load::Inputs;
use crate::schema::{ReferredText, SchemaText, is_absolute, resolve_uri};

/// A file that is read where references name a URL: one URL, or all that begin with one that ends
/// in `/`, for which a folder is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedUrl {
    /// The URL.
    pub url: String,
    /// The file or the folder.
    pub file: String,
}

impl FromStr for MappedUrl {
    type Err = &'static str;

    /// Reads `URL=FILE`. Only a URL may have `=` in it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (url, file) = text.rsplit_once('=').ok_or("there is no `=` in it")?;
        Ok(Self { url: url.to_owned(), file: file.to_owned() })
    }
}

/// Reads the texts that references lead to, from those of a protocol and from each other. Nothing
/// is read from the network. What cannot be read is an error only where a reference leads to it.
pub(super) fn read_referred(inputs: &mut Inputs, mapped_urls: &[MappedUrl]) {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let texts = std::iter::once(&inputs.schema).chain(&inputs.extensions).chain(&inputs.overlays);
    let mut wanted: Vec<(String, String)> =
        texts.flat_map(|it| leads(it, None, mapped_urls)).collect();
    while let Some((uri, name)) = wanted.pop() {
        if !seen.insert(uri.clone()) {
            continue;
        }
        let text = read_text(&name).map_err(|error| error.message);
        if let Ok(text) = &text {
            wanted.extend(leads(text, Some(&uri), mapped_urls));
        }
        found.push(ReferredText { uri, text });
    }
    inputs.referred = found;
}

/// Reads a file, or one that git has. A reference does not lead to standard input, to a bundled
/// schema, or to a pipe, which might never end.
fn read_text(name: &str) -> Result<SchemaText, Diagnostic> {
    let bytes = if let Some(object) = name.strip_prefix(GIT) {
        git::read(name, object)?
    } else {
        let is_special = |it: fs::Metadata| !it.is_file() && !it.is_dir();
        if fs::metadata(name).is_ok_and(is_special) {
            let message = format!("`{name}` is no regular file");
            return Err(Diagnostic::error("unreadable", message));
        }
        read_file(name, "a path counts from the folder of the text that refers to it")?
    };
    Ok(SchemaText::new(name, into_text(name, bytes)?))
}

/// Collects the URIs that the references of a text lead to, each with the name of the text for it.
fn leads(text: &SchemaText, uri: Option<&str>, mapped_urls: &[MappedUrl]) -> Vec<(String, String)> {
    let others = other_texts(&text.text);
    if others.is_empty() {
        return Vec::new();
    }
    let id = serde_json::from_str::<Value>(&text.text)
        .ok()
        .and_then(|root| Some(root.get("$id").or_else(|| root.get("id"))?.as_str()?.to_owned()));
    let base = match (uri, id) {
        (Some(uri), Some(id)) => Some(resolve_uri(uri, &id)),
        (uri, id) => id.or_else(|| uri.map(str::to_owned)),
    };
    let mut found = Vec::new();
    for other in others {
        let absolute =
            base.as_deref().map_or_else(|| other.clone(), |base| resolve_uri(base, &other));
        if let Some(name) = mapped(&absolute, mapped_urls) {
            found.push((absolute, name));
        }
        if let Some(name) = mapped(&other, mapped_urls) {
            found.push((resolve_uri(&text.label, &other), name));
        } else if !is_absolute(&other) && !other.starts_with(['/', '\\']) {
            let path = resolve_uri(&text.label, &other);
            found.push((path.clone(), path));
        }
    }
    found
}

/// The file that stands for a URL.
fn mapped(uri: &str, mapped_urls: &[MappedUrl]) -> Option<String> {
    if let Some(it) = mapped_urls.iter().find(|it| it.url == uri) {
        return Some(it.file.clone());
    }
    let folders = mapped_urls.iter().filter(|it| it.url.ends_with('/'));
    let MappedUrl { url, file } =
        folders.filter(|it| uri.starts_with(&it.url)).max_by_key(|it| it.url.len())?;
    let rest = uri.get(url.len()..).filter(|rest| !rest.split('/').any(|it| it == ".."))?;
    Some(format!("{}/{rest}", file.trim_end_matches(['/', '\\'])))
}

/// The texts that the references of one name, without their fragments: of all that are written as
/// references, those in examples among them.
fn other_texts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, keyword) in text.match_indices("\"$ref\"") {
        let rest = text.get(at + keyword.len()..).unwrap_or_default().trim_start();
        let Some(value) = rest.strip_prefix(':').map(str::trim_start) else { continue };
        if !value.starts_with('"') || value.starts_with("\"#") {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<String>();
        let Some(Ok(reference)) = values.next() else { continue };
        let name = reference.split('#').next().unwrap_or_default();
        if !name.is_empty() && !found.iter().any(|it| it == name) {
            found.push(name.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_references_to_other_texts_are_read() {
        let text = r##"{"$ref":"#/$defs/A","a":{"$ref" : "b.json#/$defs/B"},"b":{"$ref":"b.json"},
            "c":{"$ref":"caf\u00e9.json#x"},"d":"$ref","e":{"$ref":1},"f":{"$ref":"#"}}"##;
        assert_eq!(other_texts(text), ["b.json", "café.json"]);
    }

    #[test]
    fn a_url_is_a_file_or_in_a_folder() {
        let mapped_urls =
            [("https://a/b.json", "one.json"), ("https://a/", "folder/"), ("https://a/c/", "c")]
                .map(|(url, file)| MappedUrl { url: url.to_owned(), file: file.to_owned() });
        let file = |uri| mapped(uri, &mapped_urls);
        assert_eq!(file("https://a/b.json").as_deref(), Some("one.json"));
        assert_eq!(file("https://a/d/e.json").as_deref(), Some("folder/d/e.json"));
        assert_eq!(file("https://a/c/e.json").as_deref(), Some("c/e.json"));
        assert_eq!(file("https://a/../e.json"), None);
        assert_eq!(file("https://b/b.json"), None);
    }
}
