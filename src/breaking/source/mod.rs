//! What a change of a schema does to users' code: the generated public API before and after, and
//! what each finding takes from it, changes in it or asks of it.

mod effects;
mod language;

pub use effects::{CodeEffect, EffectKind};
pub use language::Language;

use std::collections::BTreeMap;

use serde::Serialize;
use similar::{Algorithm, ChangeTag, TextDiff};

use super::change::Change;
use crate::backend::api::Declaration;
use crate::backend::{DocsMode, Options, Runtime};
use crate::ir::Protocol;

/// The generated public APIs of two protocols, as far as they differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeDiff {
    /// Each language that was asked for.
    pub languages: Vec<LanguageDiff>,
    /// The letters and digits of each type's name in code, by its name in the schema.
    #[serde(skip)]
    types: BTreeMap<String, String>,
    /// The same for methods, by their wire names.
    #[serde(skip)]
    methods: BTreeMap<String, Vec<String>>,
}

/// The public API of one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanguageDiff {
    /// The language as people write it.
    pub name: &'static str,
    /// The language as the command line has it, which is also its name for fenced code.
    pub id: &'static str,
    /// The declarations that differ, in the order of the old API, each new one after the one
    /// that it follows in the new.
    pub declarations: Vec<DeclarationDiff>,
}

/// One declaration: a type, a handler, a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeclarationDiff {
    /// Its name.
    pub name: String,
    /// What has become of it.
    pub fate: Fate,
    /// Its lines, those far from any difference left out.
    pub lines: Vec<DiffLine>,
    /// What users notice.
    pub effects: Vec<CodeEffect>,
}

/// What has become of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is another.
    Changed,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `+` for one of the new API, `-` for one of the old, a space for one of both, and `…` for
    /// lines that were left out.
    pub mark: char,
    /// The line.
    pub text: String,
}

/// Lines around a difference that are shown with it.
const CONTEXT: usize = 1;

/// Generates both protocols in memory and compares what their users see.
pub fn code_diff(old: &Protocol, new: &Protocol, languages: &[Language]) -> CodeDiff {
    // A package's name is no part of the comparison.
    let package = new.package_name();
    let languages = languages
        .iter()
        .map(|language| LanguageDiff {
            name: language.name(),
            id: language.id(),
            declarations: compared(
                &declarations(*language, old, &package),
                &declarations(*language, new, &package),
                *language,
            ),
        })
        .collect();
    let protocols = [new, old];
    let types = protocols.iter().flat_map(|protocol| &protocol.types);
    let types = types.map(|(name, def)| (name.clone(), key(&def.name.words.concat()))).collect();
    let mut methods: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for method in protocols.iter().flat_map(|protocol| &protocol.methods) {
        let keys = methods.entry(method.name.wire.clone()).or_default();
        for key in [key(&method.name.words.concat()), key(&method.name.wire)] {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    CodeDiff { languages, types, methods }
}

impl CodeDiff {
    /// Whether nothing differs in any language.
    pub fn is_empty(&self) -> bool {
        self.languages.iter().all(|language| language.declarations.is_empty())
    }

    /// The declarations of a language that a finding is about.
    pub fn declarations<'a>(
        &'a self,
        language: &'a LanguageDiff,
        change: &'a Change,
    ) -> impl Iterator<Item = &'a DeclarationDiff> {
        language.declarations.iter().filter(|declaration| self.concerns(change, declaration))
    }

    /// What a finding means for users of a language.
    pub fn effects<'a>(
        &'a self,
        language: &'a LanguageDiff,
        change: &'a Change,
    ) -> Vec<&'a CodeEffect> {
        let all: Vec<&CodeEffect> = self
            .declarations(language, change)
            .flat_map(|declaration| &declaration.effects)
            .collect();
        let wanted = match self.methods.get(&change.path) {
            Some(keys) if change.rule.id.starts_with("method-") => keys.clone(),
            _ => last_part(&change.path).map(key).into_iter().collect(),
        };
        let own: Vec<&CodeEffect> = all
            .iter()
            .filter(|effect| wanted.iter().any(|wanted| effect.concerns(wanted)))
            .copied()
            .collect();
        // A path that code has no name for, or none at all: it is about the whole.
        if own.is_empty() { all } else { own }
    }

    fn concerns(&self, change: &Change, declaration: &DeclarationDiff) -> bool {
        let name = key(&declaration.name);
        if change.rule.id.starts_with("method-")
            && let Some(keys) = self.methods.get(&change.path)
        {
            let has = |wanted: &String| {
                name == *wanted || declaration.effects.iter().any(|effect| effect.concerns(wanted))
            };
            if keys.iter().any(has) {
                return true;
            }
        }
        let variant = last_part(&change.path).map(key).unwrap_or_default();
        [&change.ty].into_iter().chain(&change.also_types).any(|ty| {
            let ty = self.types.get(ty).cloned().unwrap_or_else(|| key(ty));
            name == ty || (!variant.is_empty() && name == format!("{ty}{variant}"))
        })
    }
}

/// The last name in a finding's path: a property, a variant or its tag's value.
fn last_part(path: &str) -> Option<&str> {
    let path = path.trim_end_matches("[]").trim_end_matches("{}");
    if path.is_empty() {
        return None;
    }
    if let Some(inner) = path.strip_suffix('>') {
        let variant = inner.rsplit('<').next().unwrap_or(inner);
        return Some(variant.rsplit('=').next().unwrap_or(variant));
    }
    path.rsplit('.').next()
}

/// The declarations of a generated package that its users may name.
fn declarations(language: Language, protocol: &Protocol, package: &str) -> Vec<Declaration> {
    let options = Options::new(package, DocsMode::Off, Runtime::Tokio);
    language.backend().api(protocol, &options).declarations
}

/// A name's letters and digits in lowercase: what stays the same between the conventions of
/// languages.
fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn compared(old: &[Declaration], new: &[Declaration], language: Language) -> Vec<DeclarationDiff> {
    let by_name = |items: &[Declaration]| -> BTreeMap<String, usize> {
        items.iter().enumerate().map(|(at, item)| (item.name.clone(), at)).collect()
    };
    let (old_names, new_names) = (by_name(old), by_name(new));
    let mut diffs = Vec::new();
    let mut push = |old: Option<&Declaration>, new: Option<&Declaration>| {
        diffs.extend(diff(old, new, language));
    };
    let mut next = new.iter().peekable();
    for item in old {
        let counterpart = new_names.get(&item.name).and_then(|at| new.get(*at));
        push(Some(item), counterpart);
        // New ones stand where the new API has them, once all before them have been seen.
        if counterpart.is_some() {
            while next.peek().is_some_and(|new| new.name != item.name) {
                let Some(added) = next.next() else { break };
                if !old_names.contains_key(&added.name) {
                    push(None, Some(added));
                }
            }
            next.next();
        }
    }
    for added in next.filter(|added| !old_names.contains_key(&added.name)) {
        push(None, Some(added));
    }
    diffs
}

fn diff(
    old: Option<&Declaration>,
    new: Option<&Declaration>,
    language: Language,
) -> Option<DeclarationDiff> {
    let fate = match (old, new) {
        (Some(_), Some(_)) => Fate::Changed,
        (Some(_), None) => Fate::Removed,
        _ => Fate::Added,
    };
    let of = |item: Option<&Declaration>| -> Vec<String> {
        item.map(|item| item.lines().map(str::to_owned).collect()).unwrap_or_default()
    };
    let (old_lines, new_lines) = (of(old), of(new));
    if old_lines == new_lines {
        return None;
    }
    let old_texts: Vec<&str> = old_lines.iter().map(String::as_str).collect();
    let new_texts: Vec<&str> = new_lines.iter().map(String::as_str).collect();
    let diff =
        TextDiff::configure().algorithm(Algorithm::Patience).diff_slices(&old_texts, &new_texts);
    let mut lines = Vec::new();
    let mut at = 0;
    for group in diff.grouped_ops(CONTEXT) {
        let start = group.first().map_or(0, |op| op.old_range().start);
        if start > at {
            // A line at the margin says what the rest is about.
            let skipped = old_texts.get(at..start).unwrap_or_default();
            let opening = skipped.iter().rposition(|line| !line.starts_with(' '));
            let before = opening.unwrap_or(0);
            // Attributes before the first such line are not missed.
            lines.extend(gap(before > 0 && at > 0));
            if let Some(text) = opening.and_then(|opening| skipped.get(opening)) {
                lines.push(DiffLine { mark: ' ', text: (*text).to_owned() });
            }
            lines.extend(gap(opening.is_none() || before + 1 < skipped.len()));
        }
        for op in &group {
            for change in diff.iter_changes(op) {
                let mark = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                lines.push(DiffLine { mark, text: change.value().to_owned() });
            }
            at = op.old_range().end;
        }
    }
    lines.extend(gap(at < old_texts.len()));
    let name = old.or(new).map(|item| item.name.clone()).unwrap_or_default();
    Some(DeclarationDiff { name, fate, lines, effects: effects::effects(old, new, language) })
}

/// What stands for lines that were left out, if any were.
fn gap(is_there: bool) -> Option<DiffLine> {
    is_there.then(|| DiffLine { mark: '…', text: String::new() })
}

#[cfg(test)]
mod tests;
