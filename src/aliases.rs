//! Old names of types: a package keeps them for a while, deprecated, beside the new ones.

use semver::Version;
use serde::Deserialize;
use toml::Spanned;

use crate::diagnostic::{Diagnostic, Diagnostics, Severity, nearest};
use crate::ir::{Docs, Name, Protocol, Type, TypeDef, TypeKind};
use crate::source::{Location, SourceText, Sources, Span};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    alias: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    old: Spanned<String>,
    new: Spanned<String>,
    since: Option<Spanned<String>>,
    remove: Option<Spanned<String>>,
}

/// Adds aliases to a protocol, after all types that it has.
///
/// `text`: TOML with a table `[[alias]]` for each: `old` and `new` (names of types, as the schema or
/// as code has them), `since` (the version in which the name changed) and `remove` (the version that
/// no longer has the alias). `version`: that of the packages. Reports `bad-aliases` if the text is
/// anything else, if an old name is that of a type or a new one is not; and `alias-left-out` for an
/// alias that the version no longer has.
///
/// ```
/// use acp_bindgen::aliases::{add_aliases, with_aliases};
/// use acp_bindgen::diagnostic::Diagnostics;
/// use acp_bindgen::source::{SourceText, Sources};
/// use acp_bindgen::{Purpose, SchemaText, load};
///
/// let schema = serde_json::json!({ "$defs": { "Greeting": { "type": "string" } } });
/// let schema = SchemaText::from_value("hello.json", &schema);
/// let mut protocol = load(schema, Purpose::Generate).protocol.ok_or("the schema has errors")?;
///
/// let text = with_aliases("", &[("Salutation", "Greeting")], Some("2.0.0"));
/// let text = SourceText::new("aliases.toml", text);
/// let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
/// add_aliases(&mut protocol, text, None, &mut sources, &mut diagnostics);
/// assert!(diagnostics.is_empty());
/// let alias = protocol.type_def("Salutation").ok_or("the package keeps the old name")?;
/// assert!(alias.docs.deprecated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add_aliases(
    protocol: &mut Protocol,
    text: SourceText,
    version: Option<&str>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) {
    let toml = text.text.clone();
    let source = sources.add(text);
    let located = |range: std::ops::Range<usize>| {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        sources.location("", Span { source, start: offset(range.start), end: offset(range.end) })
    };
    let file: File = match toml::from_str(&toml) {
        Ok(file) => file,
        Err(error) => {
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            let help = "the keys of an `[[alias]]` are `old`, `new`, `since` and `remove`";
            let error = bad(message, located(error.span().unwrap_or_default()));
            diagnostics.push(error.help(help));
            return;
        }
    };
    let mut version_of = |text: &Spanned<String>| match Version::parse(text.get_ref()) {
        Ok(version) => Some(version),
        Err(error) => {
            let message = format!("`{}` is no version: {error}", text.get_ref());
            let error = bad(message, located(text.span()));
            diagnostics.push(error.help("write three numbers, as in `2.0.0`"));
            None
        }
    };
    let mut entries = Vec::new();
    for entry in file.alias {
        let (since, remove) = (entry.since.as_ref(), entry.remove.as_ref());
        let since = since.and_then(&mut version_of);
        let remove = remove.and_then(&mut version_of);
        entries.push((entry.old, entry.new, since, remove));
    }
    let version = version.and_then(|version| Version::parse(version).ok());
    for (old, new, since, remove) in entries {
        let at = located(old.span());
        if let (Some(version), Some(remove)) = (&version, &remove)
            && version >= remove
        {
            let message = format!(
                "`{}` was to be there until {remove}, and this is {version}",
                old.get_ref()
            );
            let left_out = Diagnostic::new("alias-left-out", Severity::Info, message).at(at);
            diagnostics.push(left_out.help("take its `[[alias]]` away"));
            continue;
        }
        if let Some(key) = in_code(protocol, old.get_ref()) {
            let message = format!("`{}` is the name of a type: `{key}`", old.get_ref());
            diagnostics.push(bad(message, at).help("an alias is for a name that is gone"));
            continue;
        }
        let Some(target) = key(protocol, new.get_ref()).map(str::to_owned) else {
            let known = protocol.types.keys().map(String::as_str);
            let near = nearest(new.get_ref(), known);
            let message = format!("no type is called `{}`", new.get_ref());
            let error = bad(message, located(new.span()));
            diagnostics.push(error.near(near, "`new` names a type of the schema"));
            continue;
        };
        let def = alias(protocol, old.get_ref(), &target, since.as_ref(), remove.as_ref(), at);
        protocol.types.insert(def.name.wire.clone(), def);
    }
}

/// The key of the type that has a name in code.
fn in_code<'a>(protocol: &'a Protocol, name: &str) -> Option<&'a str> {
    let words = Name::new(name).words;
    let found = protocol.types.iter().find(|(_, def)| def.name.words == words);
    found.map(|(key, _)| key.as_str())
}

/// The key of the type that has a name, in code or else in the schema.
fn key<'a>(protocol: &'a Protocol, name: &str) -> Option<&'a str> {
    let own = || protocol.types.get_key_value(name).map(|(key, _)| key.as_str());
    in_code(protocol, name).or_else(own)
}

fn alias(
    protocol: &Protocol,
    old: &str,
    target: &str,
    since: Option<&Version>,
    remove: Option<&Version>,
    location: Location,
) -> TypeDef {
    let new = protocol.type_def(target);
    let name = new.map_or_else(|| target.to_owned(), |def| def.name.pascal());
    let since = since.map(|version| format!(" since {version}")).unwrap_or_default();
    let remove = remove.map(|version| format!(" This name goes in {version}.")).unwrap_or_default();
    // The schema may call a type so that code calls otherwise.
    let is_taken = protocol.types.contains_key(old);
    let wire = if is_taken { format!("{old} (old name)") } else { old.to_owned() };
    TypeDef {
        name: Name::chosen(wire, old),
        docs: Docs {
            description: Some(format!("Called `{name}`{since}.{remove}")),
            stability: new.map(|def| def.docs.stability).unwrap_or_default(),
            deprecated: true,
            hidden: true,
        },
        kind: TypeKind::Alias { target: Type::Named { name: target.to_owned() } },
        roles: Vec::new(),
        inline: false,
        old_name: true,
        location,
    }
}

fn bad(message: impl Into<String>, at: Location) -> Diagnostic {
    Diagnostic::error("bad-aliases", message).at(at)
}

/// The text of a file of aliases with more of them: for the old names that are not in it yet.
///
/// Each entry: the old name, and the new one.
pub fn with_aliases(text: &str, renames: &[(&str, &str)], since: Option<&str>) -> String {
    let known = toml::from_str::<File>(text).map(|file| file.alias).unwrap_or_default();
    let mut text = text.to_owned();
    let string = |text: &str| toml::Value::String(text.to_owned()).to_string();
    for (old, new) in renames {
        if known.iter().any(|alias| alias.old.get_ref() == old) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
        }
        let since = since.map(|since| format!("since = {}\n", string(since))).unwrap_or_default();
        let (old, new) = (string(old), string(new));
        text.extend(["[[alias]]\nold = ", &old, "\nnew = ", &new, "\n", &since]);
    }
    text
}
