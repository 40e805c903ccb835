//! The differences of generated APIs, as they are shown.

use serde::Serialize;

use super::comparison::{ComparedApi, Difference, SourceComparison};
use super::effects::CodeEffect;
use super::language::Language;
use super::lines::{DiffLine, lines};

use crate::breaking::change::Change;

/// The generated public APIs of two protocols, as far as they differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeDiff {
    /// Each language that was asked for.
    pub languages: Vec<LanguageDiff>,
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

/// A declaration: a type, a handler, a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeclarationDiff {
    /// Its name.
    pub name: String,
    /// Its fate.
    pub fate: Fate,
    /// Its lines, those far from any difference left out.
    pub lines: Vec<DiffLine>,
    /// The effects that users notice.
    pub effects: Vec<CodeEffect>,
    /// The ids of the findings that it has to do with.
    #[serde(skip)]
    pub findings: Vec<String>,
}

/// The fate of a declaration.
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

impl SourceComparison {
    /// The differences of the APIs, in these languages.
    pub fn diff(&self, languages: &[Language]) -> CodeDiff {
        let of = |language: &Language| {
            let compared = self.languages.iter().find(|compared| compared.language == *language);
            let declarations = compared.into_iter().flat_map(|compared| {
                compared.differences.iter().map(|difference| declaration(compared, difference))
            });
            let declarations = declarations.collect();
            LanguageDiff { name: language.name(), id: language.id(), declarations }
        };
        CodeDiff { languages: languages.iter().map(of).collect() }
    }
}

fn declaration(compared: &ComparedApi, difference: &Difference) -> DeclarationDiff {
    let old = difference.old.and_then(|at| compared.old.declarations.get(at));
    let new = difference.new.and_then(|at| compared.new.declarations.get(at));
    DeclarationDiff {
        name: old.or(new).map(|each| each.name.clone()).unwrap_or_default(),
        fate: match (old, new) {
            (Some(_), Some(_)) => Fate::Changed,
            (Some(_), None) => Fate::Removed,
            _ => Fate::Added,
        },
        lines: lines(old, new),
        effects: difference.effects.clone(),
        findings: difference.findings.clone(),
    }
}

impl CodeDiff {
    /// Tells whether nothing differs in any language.
    pub fn is_empty(&self) -> bool {
        self.languages.iter().all(|language| language.declarations.is_empty())
    }
}

impl LanguageDiff {
    /// The declarations that a change has to do with.
    pub fn declarations<'a>(
        &'a self,
        change: &'a Change,
    ) -> impl Iterator<Item = &'a DeclarationDiff> {
        self.declarations.iter().filter(|declaration| declaration.findings.contains(&change.id))
    }

    /// The effects of a change on users.
    pub fn effects<'a>(&'a self, change: &'a Change) -> Vec<&'a CodeEffect> {
        let effects = self.declarations(change).flat_map(|declaration| &declaration.effects);
        effects.filter(|effect| effect.findings.contains(&change.id)).collect()
    }
}
