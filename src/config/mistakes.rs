//! The mistakes in a configuration file: all of them, each with how to put it right.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

use super::places::find_spanned;
use super::{Config, DiffConfig, LintConfig, Target, ValidateConfig, check_name};
use crate::backend::metadata::{Metadata, VERSION_HELP};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::{Sources, Span};

/// The text before the advice in the message of an error about a value.
pub(super) const HELP: &str = "\nhelp: ";

/// The tables of commands, each with its keys.
const TABLES: [(&str, &[&str]); 4] = [
    ("package", &Metadata::KEYS),
    ("diff", &DiffConfig::KEYS),
    ("lint", &LintConfig::KEYS),
    ("validate", &ValidateConfig::KEYS),
];

/// Values of keys, beside the names of targets, and the keys within `targets`.
const VALUES: &[&str] = &[
    "full",
    "off",
    "embedded",
    "none",
    "drop",
    "preserve",
    "templates",
    "specifiers",
    "files",
    "js",
    "ts",
    "format",
    "html",
    "markdown",
    "mdx",
];

/// Reads the choices in a text of TOML. What is wrong is left out, and reported: `source` is the
/// number of the text.
pub(super) fn read(
    text: &str,
    root: &Spanned<DeTable<'_>>,
    source: u32,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Config {
    let mut rest = root.clone();
    loop {
        match Config::deserialize(Deserializer::from(rest.clone())) {
            Ok(config) => return config,
            Err(error) => {
                diagnostics.push(explain(&error, source, text, sources));
                let range = error.span().unwrap_or_default();
                if !take_out(rest.get_mut(), &range) {
                    return Config::default();
                }
            }
        }
    }
}

/// Reports values that have the right type, and cannot be.
pub(super) fn check(
    config: &Config,
    root: &DeTable<'_>,
    source: u32,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    let mut report = |range: Range<usize>, error: Diagnostic| {
        diagnostics.push(error.at(sources.location("", Span::from_range(source, &range))));
    };
    let place = |key: &str| find_spanned(root, key).map(Spanned::span).unwrap_or_default();
    for (key, instead) in [("target", "every language"), ("schema", "the bundled schema")] {
        if let Some(value) = find_spanned(root, key)
            && let DeValue::Array(items) = value.get_ref()
            && items.is_empty()
        {
            let message = format!("`{key}` is an empty list");
            let error = Diagnostic::error("bad-config", message);
            report(value.span(), error.help(format!("leave it out to generate {instead}")));
        }
    }
    for target in &config.target {
        let is_named = || find_spanned(root, &format!("targets.{}", target.id())).is_some();
        if target.is_built_in() || is_named() {
            continue;
        }
        if let Some(DeValue::Array(items)) = find_spanned(root, "target").map(Spanned::get_ref) {
            let is_it = |item: &&Spanned<DeValue<'_>>| item.get_ref().as_str() == Some(target.id());
            for item in items.iter().filter(is_it) {
                report(item.span(), config.unknown_target(target.id()));
            }
        }
    }
    if let Some(error) = config.name.as_deref().and_then(|name| check_name(name).err()) {
        report(place("name"), error);
    }
    if !config.package.is_version_good() {
        let version = config.package.version.as_deref().unwrap_or_default();
        let message = format!("`{version}` is no version in every language");
        report(
            place("package.version"),
            Diagnostic::error("bad-config", message).help(VERSION_HELP),
        );
    }
}

/// Takes out the innermost member or item that has or surrounds a place. Tells whether there is
/// one.
fn take_out(table: &mut DeTable<'_>, range: &Range<usize>) -> bool {
    let surrounds = |of: Range<usize>| of.start <= range.start && range.end <= of.end;
    let mut own = None;
    for (key, value) in table.iter_mut() {
        let is_own = surrounds(key.span()) || surrounds(value.span());
        let is_out = match value.get_mut() {
            DeValue::Table(inner) => take_out(inner, range),
            DeValue::Array(items) => {
                let before = items.len();
                let others = items.iter().filter(|item| !surrounds(item.span()));
                *items = others.cloned().collect();
                items.len() < before
            }
            _ => false,
        };
        if is_out {
            return true;
        }
        if is_own {
            own = Some(key.clone());
        }
    }
    own.is_some_and(|key| table.remove(&key).is_some())
}

/// Explains an error about a text of TOML.
pub(super) fn explain(error: &Error, source: u32, text: &str, sources: &Sources) -> Diagnostic {
    let range = error.span().unwrap_or_default();
    let marked = text.get(range.clone()).unwrap_or_default();
    let location = sources.location("", Span::from_range(source, &range));
    if let Some((message, help)) = error.message().split_once(HELP) {
        return Diagnostic::error("bad-config", message).at(location).help(help);
    }
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    if message.is_empty() {
        message.push_str("not valid TOML");
    }
    if let Some((found, expected)) = message.split_once(", expected ") {
        let expected = match expected {
            "path string" => "a string",
            _ if expected.starts_with("struct ") => "a table",
            _ => expected,
        };
        message = format!("{found}, expected {expected}");
    }
    let help = help(&message, marked, text);
    Diagnostic::error("bad-config", message).at(location).help(help)
}

/// How to put right what a message says of the marked part of a text.
fn help(message: &str, marked: &str, text: &str) -> String {
    let word = marked.trim_matches(['"', '\'']);
    let targets = Target::ALL.iter().map(Target::id);
    let tables = TABLES.iter().flat_map(|(table, keys)| keys.iter().chain([table])).copied();
    let keys = Config::KEYS.iter().chain(VALUES).copied();
    let known = || keys.clone().chain(tables.clone()).chain(targets.clone());
    let in_other_case = known().find(|it| it.eq_ignore_ascii_case(word));
    let near = in_other_case.or_else(|| nearest(word, known())).filter(|near| *near != word);
    let is_scalar = !marked.is_empty() && !marked.contains(['\n', '[', '{', '"', '\'']);
    let expected = message.split_once(", expected ").map(|(_, expected)| expected);
    if toml::from_str::<toml::Table>(text).is_err() {
        return "a line is `key = \"value\"`, or begins a `[table]` (TOML 1.0)".to_owned();
    }
    if let Some(near) = near {
        return format!("did you mean `{near}`?");
    }
    if message.contains("cannot name a target") {
        return "give it another name, such as `my-target`".to_owned();
    }
    match expected {
        Some("a sequence") if marked.starts_with(['"', '\'']) => {
            format!("write a list: `[{marked}]`")
        }
        Some("a sequence") => "write a list of strings: `[\"…\"]`".to_owned(),
        Some("a string" | "a string or a list of strings") if is_scalar => {
            format!("put it in quotes: `\"{marked}\"`")
        }
        Some("a string" | "a string or a list of strings") => "write one text in quotes".to_owned(),
        Some("a table" | "a map" | "a table for each target") => {
            "make it a table: `[KEY]` on a line of its own, and what is in it below".to_owned()
        }
        Some(keys) if message.starts_with("unknown field") && keys.contains("`schema`") => {
            let tables = TABLES
                .iter()
                .map(|(table, keys)| format!(", and in [{table}] {}", keys.join(", ")));
            format!("the keys are {}{}", Config::KEYS.join(", "), tables.collect::<String>())
        }
        Some(values) if message.starts_with("unknown") => format!("use {values}"),
        _ => {
            "`acp-bindgen help generate` says what each option takes; keys take the same".to_owned()
        }
    }
}
