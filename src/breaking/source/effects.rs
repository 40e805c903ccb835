//! What users of a declaration notice when it changes.

use serde::Serialize;

use super::key;
use super::language::Language;
use crate::backend::api::{Declaration, DeclarationKind, Member, Role};

/// One thing that users of a generated API notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeEffect {
    /// Who notices it.
    pub kind: EffectKind,
    /// What it is, in words with the names of code between backticks.
    pub text: String,
    /// The letters and digits of the names it is about: the member's, or the declaration's; of a
    /// constructor also those of what it takes now and did not before, or the other way round.
    #[serde(skip)]
    names: Vec<String>,
}

/// Who notices a change of an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EffectKind {
    /// Whoever uses the name: it is gone.
    Gone,
    /// Whoever reads the value.
    Reads,
    /// Whoever builds the value, or writes the handler.
    Gives,
}

impl EffectKind {
    /// What it is in two or three words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Gone => "names gone",
            Self::Reads => "readers",
            Self::Gives => "builders",
        }
    }
}

impl CodeEffect {
    /// Whether it is about something of this name, given as its letters and digits.
    pub(super) fn concerns(&self, wanted: &str) -> bool {
        self.names.iter().any(|name| name == wanted)
    }
}

/// What users notice of a declaration that was, is, or is another.
pub(super) fn effects(
    old: Option<&Declaration>,
    new: Option<&Declaration>,
    language: Language,
) -> Vec<CodeEffect> {
    let separator = if language == Language::Rust { "::" } else { "." };
    let mut effects = Vec::new();
    let mut push = |kind, names: &[&str], text: String| {
        let names = names.iter().map(|name| key(name)).collect();
        let effect = CodeEffect { kind, text, names };
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    };
    let (Some(old), Some(new)) = (old, new) else {
        if let Some(old) = old {
            push(EffectKind::Gone, &[&old.name], format!("`{}` is gone", old.name));
        }
        return effects;
    };
    let named = |member: &Member| {
        if is_alternative(member) {
            member.name.replace('`', "'")
        } else {
            let call = if member.role.is_function() { "()" } else { "" };
            format!("{}{separator}{}{call}", old.name, member.name)
        }
    };
    for member in old.members.iter().filter(|member| !member.name.is_empty()) {
        let name = named(member);
        match twin(new, member) {
            None if is_alternative(member) => push(
                EffectKind::Gives,
                &[&alternative_key(&member.name)],
                format!("`{}` can no longer be `{name}`", old.name),
            ),
            None => push(EffectKind::Gone, &[&member.name], format!("`{name}` is gone")),
            Some(same) if same.text == member.text => {}
            Some(other) => {
                let was = shown(member);
                let now = shown(other);
                let became_required = other.role == Role::Required && member.role == Role::Optional;
                let kind = if became_required || other.role.is_function() {
                    EffectKind::Gives
                } else {
                    EffectKind::Reads
                };
                let mut about = parameters_apart(member, other);
                about.push(&member.name);
                push(kind, &about, format!("`{name}`: `{was}` is now `{now}`"));
            }
        }
    }
    for member in new.members.iter().filter(|member| !member.name.is_empty()) {
        if twin(old, member).is_some() {
            continue;
        }
        let name = named(member);
        if is_alternative(member) {
            let text = format!("`{}` may now be `{name}`", old.name);
            push(EffectKind::Reads, &[&alternative_key(&member.name)], text);
        } else if member.role == Role::Required {
            push(EffectKind::Gives, &[&member.name], format!("`{name}` must be given"));
        } else if is_variant(new, member) {
            let text = format!("`{}` may now be `{name}`", old.name);
            push(EffectKind::Reads, &[&member.name], text);
        } else if must_be_written(new, member) {
            push(EffectKind::Gives, &[&member.name], format!("`{name}` must be written"));
        }
    }
    let head = |item: &Declaration| item.head.join(" ");
    if head(old) != head(new) {
        let text = format!("`{}` is now `{}`", quoted(&head(old)), quoted(&head(new)));
        push(EffectKind::Reads, &[&old.name], text);
    }
    effects.sort_by_key(|effect| effect.kind);
    effects
}

/// The member of the same name and role.
fn twin<'a>(declaration: &'a Declaration, like: &Member) -> Option<&'a Member> {
    declaration.members.iter().find(|member| {
        member.name == like.name && member.role.is_function() == like.role.is_function()
    })
}

/// The names of the parameters that only one of two functions has.
fn parameters_apart<'a>(one: &'a Member, other: &'a Member) -> Vec<&'a str> {
    let names = |of: &'a Member| -> Vec<&'a str> {
        of.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    };
    let (one, other) = (names(one), names(other));
    let apart = |some: &[&'a str], others: &[&'a str]| -> Vec<&'a str> {
        some.iter().filter(|name| !others.contains(name)).copied().collect()
    };
    [apart(&one, &other), apart(&other, &one)].concat()
}

/// One of the types that a union may be: it has no name but itself.
fn is_alternative(member: &Member) -> bool {
    member.text.starts_with("  | ")
}

/// What tells an alternative apart: the last string in it, or the whole.
fn alternative_key(alternative: &str) -> String {
    alternative.rsplit('"').nth(1).unwrap_or(alternative).to_owned()
}

fn is_variant(declaration: &Declaration, member: &Member) -> bool {
    let is_choice = matches!(declaration.kind, DeclarationKind::Choice { .. });
    is_choice && member.role == Role::Alternative
}

/// Whether those who implement it have to write the new function.
fn must_be_written(declaration: &Declaration, member: &Member) -> bool {
    declaration.kind == DeclarationKind::Handler && member.role == Role::Function
}

fn shown(member: &Member) -> String {
    quoted(member.text.trim().trim_end_matches([',', ';']))
}

/// Code that can stand between backticks.
fn quoted(code: &str) -> String {
    code.replace('`', "'")
}
