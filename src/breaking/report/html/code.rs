//! Generated code on the page.

use serde::Serialize;

use super::words::{Text, fragment, identifier, text};
use crate::breaking::change::Change;
use crate::breaking::report::prose::plain;
use crate::breaking::source::{CodeDiff, DeclarationDiff, Fate, LanguageDiff};

/// The declarations of a language that differ.
#[derive(Debug, Serialize)]
pub(super) struct Language {
    name: &'static str,
    declarations: Vec<Declaration>,
}

#[derive(Debug, Serialize)]
struct Declaration {
    id: String,
    name: String,
    fate: &'static str,
    lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    mark: String,
    state: &'static str,
    text: String,
}

/// The effect of a finding on code of a language.
#[derive(Debug, Serialize)]
pub(super) struct CodeOfFinding {
    id: &'static str,
    name: &'static str,
    effects: Vec<Noticed>,
    declarations: Vec<Reference>,
}

#[derive(Debug, Serialize)]
struct Noticed {
    who: &'static str,
    text: Vec<Text>,
}

/// A link to a declaration.
#[derive(Debug, Serialize)]
struct Reference {
    id: String,
    href: String,
    name: String,
}

/// The most effects that are told of a finding in one language.
const EFFECTS: usize = 12;

/// All declarations that differ, by language.
pub(super) fn languages(diff: &CodeDiff) -> Vec<Language> {
    let languages = diff.languages.iter().filter(|language| !language.declarations.is_empty());
    let declarations = |language: &LanguageDiff| {
        language.declarations.iter().map(|each| declaration(language, each)).collect()
    };
    languages
        .map(|language| Language { name: language.name, declarations: declarations(language) })
        .collect()
}

/// Lists the effects of a finding on code, by language.
pub(super) fn code_of(diff: &CodeDiff, change: &Change) -> Vec<CodeOfFinding> {
    let of = |language: &LanguageDiff| CodeOfFinding {
        id: language.id,
        name: language.name,
        effects: language
            .effects(change)
            .into_iter()
            .take(EFFECTS)
            .map(|effect| Noticed { who: effect.kind.label(), text: text(&effect.text) })
            .collect(),
        declarations: language
            .declarations(change)
            .map(|each| {
                let id = id(language, each);
                Reference { href: fragment(&id), id, name: plain(&each.name) }
            })
            .collect(),
    };
    diff.languages.iter().map(of).filter(|code| !code.declarations.is_empty()).collect()
}

fn id(language: &LanguageDiff, declaration: &DeclarationDiff) -> String {
    identifier(&format!("code-{}-{}", language.id, declaration.name))
}

fn declaration(language: &LanguageDiff, declaration: &DeclarationDiff) -> Declaration {
    let line = |line: &crate::breaking::source::DiffLine| Line {
        mark: if line.mark == '…' { String::new() } else { line.mark.to_string() },
        state: match line.mark {
            '+' => "added",
            '-' => "removed",
            '…' => "gap",
            _ => "",
        },
        text: if line.mark == '…' { "…".to_owned() } else { plain(&line.text) },
    };
    Declaration {
        id: id(language, declaration),
        name: plain(&declaration.name),
        fate: match declaration.fate {
            Fate::Added => "added",
            Fate::Removed => "removed",
            Fate::Changed => "changed",
        },
        lines: declaration.lines.iter().map(line).collect(),
    }
}
