//! Where a configuration file says what turns out to be wrong when it is used.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Config;
use crate::diagnostic::Diagnostic;
use crate::source::{Location, SourceText, Sources, Span};

/// The places of values in a configuration file that can only be judged when they are used: the
/// names of files and rules.
#[derive(Clone, Debug, Default)]
pub struct Places {
    text: Option<SourceText>,
    places: Vec<Place>,
}

/// The place of a value.
#[derive(Clone, Debug)]
struct Place {
    /// The keys that lead to it, joined by points.
    key: String,
    /// The value, as the configuration has it: a path counts from here.
    value: String,
    range: Range<usize>,
}

impl PartialEq for Places {
    /// Places are no choices: what is chosen is the same wherever it stands.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

impl Places {
    /// The places of what a configuration has of a file, whose text and values these are.
    pub(super) fn new(text: SourceText, root: &DeTable<'_>, config: &Config) -> Self {
        let mut places = Self { text: Some(text), places: Vec::new() };
        places.add_all(root, "schema", &config.schema);
        places.add_all(root, "overlay", &config.overlay);
        places.add_all(root, "catalogue", config.catalogue.as_slice());
        places.add_all(root, "aliases", &path(config.aliases.as_deref()));
        places.add_all(root, "package.license", config.package.license.as_slice());
        places.add_all(root, "package.license-file", &path(config.package.license_file.as_deref()));
        places.add_all(root, "targets.docs.since", &path(config.targets.since.as_deref()));
        for templates in &config.targets.templates {
            let target = templates.target.as_ref().map(super::Target::id).unwrap_or_default();
            let key = format!("targets.{target}.templates");
            places.add_all(root, &key, &path(Some(&templates.folder)));
        }
        let tables = [&config.diff.waivers, &config.lint.waivers, &config.validate.waivers];
        for (table, waivers) in ["diff", "lint", "validate"].iter().zip(tables) {
            places.add_all(root, &format!("{table}.waivers"), &path(waivers.as_deref()));
            if let Some(DeValue::Table(rules)) = find(root, &format!("{table}.rules")) {
                places.places.extend(rules.keys().map(|name| Place {
                    key: format!("{table}.rules"),
                    value: name.get_ref().to_string(),
                    range: name.span(),
                }));
            }
        }
        places
    }

    /// Adds the values of a key: one, or those of a list.
    fn add_all(&mut self, root: &DeTable<'_>, key: &str, values: &[String]) {
        let ranges = match find_spanned(root, key) {
            Some(value) => match value.get_ref() {
                DeValue::Array(items) => items.iter().map(Spanned::span).collect(),
                _ => vec![value.span()],
            },
            None => Vec::new(),
        };
        self.places.extend(values.iter().zip(ranges).map(|(value, range)| Place {
            key: key.to_owned(),
            value: value.clone(),
            range,
        }));
    }

    /// Forgets where values of a key are: others were chosen.
    pub(super) fn forget(&mut self, key: &str) {
        self.places.retain(|place| place.key != key);
    }

    /// The text that places are in, as the only one.
    pub(super) fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        if let Some(text) = &self.text {
            sources.add(text.clone());
        }
        sources
    }

    /// Where the value of one of these keys stands.
    fn find(&self, keys: &[&str], value: &str) -> Option<Location> {
        let is_it = |place: &&Place| place.value == value && keys.contains(&place.key.as_str());
        let place = self.places.iter().find(is_it)?;
        Some(self.sources().location("", Span::from_range(0, &place.range)))
    }

    /// Says of a finding about the value of a key where the value stands. The text is added to those
    /// that findings point into.
    pub(crate) fn put_into(
        &self,
        finding: &mut Diagnostic,
        key: &str,
        value: &str,
        sources: &mut Sources,
    ) {
        let is_it = |place: &&Place| place.value == value && place.key == key;
        let place = self.places.iter().find(is_it);
        if let (Some(place), Some(text)) = (place, &self.text) {
            let source = sources.add(text.clone());
            finding.location = Some(sources.location("", Span::from_range(source, &place.range)));
        }
    }

    /// Says of what is wrong with the value of one of these keys where the value stands, unless it
    /// is known to be in another text.
    pub(super) fn put(&self, error: &mut Diagnostic, keys: &[&str], value: &str) {
        if error.location.is_none() {
            error.location = self.find(keys, value);
        }
    }
}

/// A path as text, if there is one.
fn path(path: Option<&std::path::Path>) -> Vec<String> {
    path.map(|path| path.to_string_lossy().into_owned()).into_iter().collect()
}

fn find<'t, 'i>(root: &'t DeTable<'i>, key: &str) -> Option<&'t DeValue<'i>> {
    find_spanned(root, key).map(Spanned::get_ref)
}

/// The value that keys, joined by points, lead to.
pub(super) fn find_spanned<'t, 'i>(
    root: &'t DeTable<'i>,
    key: &str,
) -> Option<&'t Spanned<DeValue<'i>>> {
    let (first, rest) =
        key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let value = root.get(first)?;
    match (rest, value.get_ref()) {
        (None, _) => Some(value),
        (Some(rest), DeValue::Table(table)) => find_spanned(table, rest),
        (Some(_), _) => None,
    }
}
