//! Reading the text of a schema or an overlay from wherever the user has it.

#[cfg(feature = "cli")]
mod folder;
mod git;
#[cfg(feature = "cli")]
mod order;
mod references;
#[cfg(feature = "cli")]
mod versions;

use std::fs::{self, File};
use std::io::{self, Read};

#[cfg(feature = "cli")]
pub use self::folder::read_folder;
#[cfg(feature = "cli")]
pub use self::order::in_order;
pub use self::references::MappedUrl;
use self::references::read_referred;
#[cfg(feature = "cli")]
pub use self::versions::{Steps, VersionName, at_revision, is_new_since, name_versions};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest, reason};
use crate::load::Inputs;
use crate::schema::SchemaText;
#[cfg(feature = "bundled")]
use crate::schema::bundled;
use crate::source::{MAX_BYTES, is_path};

const BUNDLED: &str = "bundled:";
const GIT: &str = "git:";

/// Reads a protocol's texts by their names: a schema, else the default one, schemas that add to
/// it, its overlays, its catalogue, and what references lead to. All that cannot be read is
/// reported. A bundled schema comes with its own overlay.
pub fn read(
    schemas: &[String],
    overlays: &[String],
    catalogue: Option<&str>,
    refs: &[MappedUrl],
    diagnostics: &mut Diagnostics,
) -> Option<Inputs> {
    read_placed((schemas, overlays), catalogue, refs, &|_, _| {}, diagnostics)
}

/// Reads a protocol's texts by their names. `place` says of what is wrong with one where it is
/// named.
pub(crate) fn read_placed(
    (schemas, overlays): (&[String], &[String]),
    catalogue: Option<&str>,
    refs: &[MappedUrl],
    place: &dyn Fn(&mut Diagnostic, &str),
    diagnostics: &mut Diagnostics,
) -> Option<Inputs> {
    let schema = schemas.first().cloned().or_else(default_schema).ok_or_else(|| {
        Diagnostic::error("no-schema", "no schema is named").help("name one with `--schema`")
    });
    let extensions = schemas.get(1..).unwrap_or_default();
    let names =
        schema.iter().chain(extensions).chain(overlays).map(String::as_str).chain(catalogue);
    if names.filter(|name| *name == "-").count() > 1 {
        diagnostics.push(
            Diagnostic::error("unreadable", "standard input is named twice")
                .help("only one text can come from standard input; put the other in a file"),
        );
        return None;
    }
    let mut texts = |name: &str| match read_one(name) {
        Ok(texts) => texts,
        Err(mut error) => {
            place(&mut error, name);
            diagnostics.push(error);
            Vec::new()
        }
    };
    let schema = schema.map(|name| texts(&name));
    let extensions: Vec<SchemaText> =
        extensions.iter().filter_map(|name| texts(name).into_iter().next()).collect();
    let overlays: Vec<SchemaText> = overlays.iter().flat_map(|name| texts(name)).collect();
    let catalogue = catalogue.and_then(|name| texts(name).into_iter().next());
    let mut schema = schema.map_err(|error| diagnostics.push(error)).ok()?.into_iter();
    let inputs = Inputs::new(schema.next()?, schema.chain(overlays).collect());
    if diagnostics.has_errors() {
        return None;
    }
    let mut inputs = Inputs { extensions, ..inputs.catalogue(catalogue) };
    read_referred(&mut inputs, refs);
    Some(inputs)
}

/// Reads a schema that is named on its own, the overlays it brings with it and those named here,
/// what their references lead to, and the list of methods beside it.
pub fn read_schema(
    name: &str,
    overlays: &[String],
    refs: &[MappedUrl],
) -> Result<Inputs, Diagnostic> {
    let mut texts = read_one(name)?.into_iter();
    let Some(schema) = texts.next() else {
        return Err(Diagnostic::error("no-schema", "no schema is named"));
    };
    let mut inputs = Inputs { methods: read_methods(name), ..Inputs::new(schema, texts.collect()) };
    for name in overlays {
        inputs.overlays.extend(read_one(name)?);
    }
    read_referred(&mut inputs, refs);
    Ok(inputs)
}

/// Reads the list of methods beside a schema, if there is one: for `NAME.json` that is
/// `NAME.meta.json`, and for a name with `schema` in it the same name with `meta`.
fn read_methods(schema: &str) -> Option<SchemaText> {
    if schema == "-" || schema.starts_with(BUNDLED) {
        return None;
    }
    let start = schema.rfind(['/', '\\', ':']).map_or(0, |at| at + 1);
    let (folder, file) = schema.split_at(start);
    let stem = file.strip_suffix(".json")?;
    let beside = [format!("{stem}.meta.json"), file.replace("schema", "meta")];
    beside
        .iter()
        .filter(|name| *name != file)
        .map(|name| format!("{folder}{name}"))
        .filter(|name| !is_path(name) || std::path::Path::new(name).is_file())
        .find_map(|name| read_one(&name).ok()?.into_iter().next())
}

/// Reads a text file, with the same limits and findings as a schema.
#[cfg(feature = "cli")]
pub fn read_path(path: &str, help: &str) -> Result<String, Diagnostic> {
    into_text(path, read_file(path, help)?)
}

/// Reads a file of messages, or standard input by the name `-`.
#[cfg(feature = "cli")]
pub fn read_messages(name: &str) -> Result<String, Diagnostic> {
    let bytes = if name == "-" {
        read_limited(io::stdin().lock()).map_err(|error| unreadable("standard input", &error))?
    } else {
        read_file(name, "give a file of messages, or `-` for standard input")?
    };
    into_text(if name == "-" { "<stdin>" } else { name }, bytes)
}

/// Reads one text, followed by the overlays it brings with it.
fn read_one(name: &str) -> Result<Vec<SchemaText>, Diagnostic> {
    const HELP: &str =
        "a schema is a path, `-` for standard input, `bundled:NAME`, or `git:REV:PATH`";
    if let Some(bundled) = name.strip_prefix(BUNDLED) {
        return read_bundled(bundled);
    }
    if is_bundled(name) && !std::path::Path::new(name).exists() {
        return read_bundled(name);
    }
    let bytes = if name == "-" {
        read_limited(io::stdin().lock()).map_err(|error| unreadable("standard input", &error))?
    } else if let Some(object) = name.strip_prefix(GIT) {
        git::read(name, object)?
    } else {
        read_file(name, near_bundled(name).as_deref().unwrap_or(HELP))?
    };
    let label = if name == "-" { "<stdin>" } else { name };
    Ok(vec![SchemaText::new(label, into_text(label, bytes)?)])
}

fn into_text(label: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large(label));
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(label, &error))?;
    // A byte order mark is no part of JSON, but some editors write one (RFC 8259, 8.1).
    Ok(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))
}

#[cfg(feature = "bundled")]
fn default_schema() -> Option<String> {
    bundled::NAMES.first().map(|name| format!("{BUNDLED}{name}"))
}

#[cfg(not(feature = "bundled"))]
fn default_schema() -> Option<String> {
    None
}

/// Tells whether a name that may be a path is also that of a bundled schema.
#[cfg(feature = "bundled")]
pub fn is_bundled(name: &str) -> bool {
    bundled::NAMES.contains(&bundled_name(name).as_str())
}

/// Tells whether a name that may be a path is also that of a bundled schema: this build has none.
#[cfg(not(feature = "bundled"))]
pub fn is_bundled(_: &str) -> bool {
    false
}

/// Tells whether a name is the path of a file, and not that of a bundled schema.
#[cfg(feature = "cli")]
pub fn is_file(name: &str) -> bool {
    is_path(name) && (!is_bundled(name) || std::path::Path::new(name).exists())
}

/// The question whether a bundled schema is meant by a name that is nearly its own.
#[cfg(feature = "bundled")]
fn near_bundled(name: &str) -> Option<String> {
    let near = nearest(name, bundled::NAMES)?;
    Some(format!("did you mean `{BUNDLED}{near}`?"))
}

#[cfg(not(feature = "bundled"))]
fn near_bundled(_: &str) -> Option<String> {
    None
}

/// The whole name of a bundled schema: where only the protocol is named, its first one.
#[cfg(feature = "bundled")]
fn bundled_name(name: &str) -> String {
    let is_of = |known: &&str| known.split('@').next() == Some(name);
    bundled::NAMES.into_iter().find(is_of).unwrap_or(name).to_owned()
}

#[cfg(feature = "bundled")]
fn read_bundled(name: &str) -> Result<Vec<SchemaText>, Diagnostic> {
    if let Some((schema, overlay)) = bundled::text(&bundled_name(name)) {
        return Ok(vec![schema, overlay]);
    }
    let message = format!("no schema `{name}` is bundled");
    let names = bundled::NAMES.map(|name| format!("`{BUNDLED}{name}`")).join(", ");
    Err(Diagnostic::error("unknown-schema", message).help(match nearest(name, bundled::NAMES) {
        Some(near) => format!("did you mean `{BUNDLED}{near}`?"),
        None => format!("there are {names}"),
    }))
}

#[cfg(not(feature = "bundled"))]
fn read_bundled(name: &str) -> Result<Vec<SchemaText>, Diagnostic> {
    let message = format!("no schema `{name}` is bundled: this build has none");
    Err(Diagnostic::error("unknown-schema", message).help("build with the feature `bundled`"))
}

fn read_file(path: &str, help: &str) -> Result<Vec<u8>, Diagnostic> {
    let failed = |error: io::Error| {
        let diagnostic = unreadable(&format!("`{path}`"), &error);
        match near_file(path) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(help),
        }
    };
    let metadata = fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(Diagnostic::error("unreadable", format!("`{path}` is a folder"))
            .help("give a file in it"));
    }
    // A size is known before anything is read, unless the path is a pipe or a device.
    if metadata.len() > MAX_BYTES as u64 {
        return Err(too_large(path));
    }
    File::open(path).and_then(read_limited).map_err(failed)
}

/// Reads at most one byte more than is allowed, so that the caller sees that it was too much.
fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The file beside a missing one whose name is most like it.
fn near_file(path: &str) -> Option<String> {
    let path = std::path::Path::new(path);
    let folder = path.parent()?;
    let listed = if folder.as_os_str().is_empty() { ".".as_ref() } else { folder };
    let names: Vec<String> = fs::read_dir(listed)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let near = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.join(near).to_string_lossy().into_owned())
}

fn unreadable(what: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error("unreadable", format!("cannot read {what}: {}", reason(error)))
}

fn too_large(label: &str) -> Diagnostic {
    let message = format!("`{label}` is larger than {} MiB", MAX_BYTES >> 20);
    Diagnostic::error("too-large", message)
        .help("no schema is that large, and a trace can be split; is this the right file?")
}

fn not_utf8(label: &str, error: &std::string::FromUtf8Error) -> Diagnostic {
    let valid = error.utf8_error().valid_up_to();
    let before = error.as_bytes().get(..valid).unwrap_or_default();
    let before = String::from_utf8_lossy(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    let byte = error.as_bytes().get(valid).copied().unwrap_or_default();
    let message =
        format!("`{label}` is not UTF-8: byte 0x{byte:02x} at line {line}, column {column}");
    Diagnostic::error("not-utf8", message).help("save the file as UTF-8 (RFC 8259, 8.1)")
}
