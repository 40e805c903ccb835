//! The effects of a changed declaration on code that uses it.

use std::cell::LazyCell;
use std::collections::HashMap;

use serde::Serialize;

use super::context::Context;
use super::declared::Declared;
use super::namesakes::Namesakes;
use super::signature::signature;
use super::subject::{Group, Subject};
use super::types::{Names, spelled};
use crate::backend::api::{Declaration, DeclarationKind, Member, Role};
use crate::breaking::verdict::Effect;

/// An effect that users of a generated API notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeEffect {
    /// The code that it is about.
    pub kind: EffectKind,
    /// A description, with the names of code between backticks.
    pub text: String,
    /// The verdict on code. One that is no more than a new possibility breaks nothing.
    #[serde(skip)]
    pub effect: Effect,
    /// True if only the schemas tell which of two types that differ takes more.
    #[serde(skip)]
    pub(super) is_undirected: bool,
    /// True if what it is about is still there, for those who ask for what is unstable.
    #[serde(skip)]
    pub(super) is_hidden: bool,
    /// The ids of the findings that it follows from.
    #[serde(skip)]
    pub findings: Vec<String>,
    /// The parts of the protocol that it is about, for each the nearest first.
    #[serde(skip)]
    pub(super) about: Vec<Group>,
}

/// The code that a change of an API is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EffectKind {
    /// All code that uses the name: it is gone.
    Gone,
    /// Code that reads the value.
    Reads,
    /// Code that builds the value, or that implements the handler.
    Gives,
}

impl EffectKind {
    /// The kind in two or three words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Gone => "names gone",
            Self::Reads => "readers",
            Self::Gives => "builders",
        }
    }
}

impl CodeEffect {
    /// Tells whether it is about functions for messages whose methods no schema names.
    pub(super) fn is_of_extensions(&self) -> bool {
        self.about.iter().flatten().any(|part| *part == Subject::Method(String::new()))
    }
}

/// Code that tells all alternatives apart.
const EXHAUSTIVE: Effect = Effect::Conditional("exhaustive-match");

/// Code whose users have asked for what may still change.
const UNSTABLE: Effect = Effect::Conditional("unstable-feature");

/// Code that relies on a trait or a base class.
const TRAIT: Effect = Effect::Conditional("lost-trait");

/// The effects of a declaration that was (`old`), is (`new`), or is another.
pub(super) fn effects(
    old: &Declaration,
    new: Option<&Declaration>,
    context: &Context<'_>,
) -> Vec<CodeEffect> {
    let is_asked_for = !context.stable[0].has(old);
    let (effects, said) = (Vec::new(), HashMap::new());
    let mut found =
        Found { old, declared: old, context, is_asked_for, is_hiding: false, effects, said };
    if new.is_none_or(|new| new.name != old.name) {
        let text = format!("`{}` is gone", quoted(&old.name));
        let mut about = context.subjects.subjects_of(old, None, &[]);
        if let (Some(new), [own]) = (new, about.as_mut_slice()) {
            own.extend(context.subjects.subjects_of(new, None, &[]).into_iter().flatten());
        }
        found.push(Effect::Name, text, about);
    }
    if let Some(new) = new.filter(|new| found.is_hidden((old, None), (new, None))) {
        let about = context.subjects.subjects_of(new, None, &[]);
        found.is_hiding = true;
        found.push(Effect::Name, hidden(&old.name), about);
        found.is_hiding = false;
    }
    if let Some(new) = new {
        // An alias of something with members is that.
        let target = |declaration: &Declaration, declared: &Declared<'_>| -> Option<Declaration> {
            let target = declared.named(&declaration.ty)?;
            Some(Declaration { name: declaration.name.clone(), ..target.clone() })
        };
        let (before, after) = match (old.kind, new.kind) {
            (DeclarationKind::Alias, DeclarationKind::Alias) => (None, None),
            (DeclarationKind::Alias, _) => (target(old, &context.declared[0]), None),
            (_, DeclarationKind::Alias) => (None, target(new, &context.declared[1])),
            _ => (None, None),
        };
        let of = before.as_ref().unwrap_or(old);
        let mut inner = Found { old: of, ..found };
        inner.compare(after.as_ref().unwrap_or(new));
        return in_order(inner.effects);
    }
    in_order(found.effects)
}

fn in_order(mut effects: Vec<CodeEffect>) -> Vec<CodeEffect> {
    effects.sort_by_key(|effect| effect.kind);
    effects
}

/// Says that a name is there only for those who ask for it.
fn hidden(name: &str) -> String {
    format!("`{}` is there only with the feature `unstable`", quoted(name))
}

struct Found<'a> {
    /// The old declaration to compare: of an alias, the one that it stands for, under its name.
    old: &'a Declaration,
    /// The declaration itself.
    declared: &'a Declaration,
    context: &'a Context<'a>,
    /// True if only users who have asked for what is unstable have what is looked at.
    is_asked_for: bool,
    /// True if what is looked at is still there, for those users.
    is_hiding: bool,
    effects: Vec<CodeEffect>,
    /// The positions of effects, by their texts.
    said: HashMap<String, Vec<usize>>,
}

impl Found<'_> {
    fn push(&mut self, effect: Effect, text: String, about: Vec<Group>) {
        let kind = match effect {
            Effect::Name => EffectKind::Gone,
            Effect::Builders => EffectKind::Gives,
            Effect::Readers | Effect::Break | Effect::Conditional(_) | Effect::Ok => {
                EffectKind::Reads
            }
        };
        self.push_as(kind, effect, text, about);
    }

    fn push_as(&mut self, kind: EffectKind, effect: Effect, text: String, about: Vec<Group>) {
        let effect = if self.is_asked_for && effect.is_breaking() { UNSTABLE } else { effect };
        let (is_undirected, is_hidden) = (false, self.is_hiding);
        let findings = Vec::new();
        let effect = CodeEffect { kind, text, effect, is_undirected, is_hidden, findings, about };
        // One text is said of one thing, most often.
        let said = self.said.entry(effect.text.clone()).or_default();
        if !said.iter().any(|known| self.effects.get(*known) == Some(&effect)) {
            said.push(self.effects.len());
            self.effects.push(effect);
        }
    }

    /// Says of the last effect that which of two types takes more is not known from their text.
    fn undirected(&mut self) {
        let has_subtypes = self.context.language.has_subtypes();
        if let Some(last) = self.effects.last_mut() {
            last.is_undirected = has_subtypes && last.effect == Effect::Break;
        }
    }

    fn compare(&mut self, new: &Declaration) {
        let (old, declared, context) = (self.old, self.declared, self.context);
        let whole = |types: &[&str]| context.subjects.subjects_of(declared, None, types);
        let is_other = std::mem::discriminant(&old.kind) != std::mem::discriminant(&new.kind);
        let effect = if is_other { Effect::Break } else { context.value(&old.ty, &new.ty) };
        if effect != Effect::Ok {
            // Attributes stand before the line that says what it is.
            let line = |of: &Declaration| quoted(of.head.last().map_or("", String::as_str));
            let is_choice = matches!(new.kind, DeclarationKind::Choice { .. });
            let text = if declared.kind == DeclarationKind::Alias && is_choice {
                let (name, ty) = (quoted(&declared.name), quoted(&declared.ty));
                format!("`{name}` was `{ty}` and is now one of several types")
            } else {
                format!("`{}` is now `{}`", line(old), line(new))
            };
            self.push(effect, text, whole(&[&old.ty, &new.ty]));
            self.undirected();
            if is_other {
                return;
            }
        }
        if let (
            DeclarationKind::Choice { exhaustive: was },
            DeclarationKind::Choice { exhaustive: is },
        ) = (old.kind, new.kind)
            && was != is
        {
            let (effect, word) =
                if was { (EXHAUSTIVE, "may now") } else { (Effect::Builders, "can no longer") };
            let text = format!("`{}` {word} be something that has no name", old.name);
            self.push(effect, text, whole(&[]));
        }
        let bases = self.bases_of(new);
        for base in &old.bases {
            let renamed = context.names.0.spelled_out(base);
            if !bases.contains(&base.as_str()) && !bases.contains(&renamed.as_str()) {
                let text = format!("`{}` is no longer `{base}`", old.name);
                let about = context.losses.about(old, base, &context.declared, &context.subjects);
                self.push(TRAIT, text, about);
            }
        }
        let stable = &context.stable;
        let is_asked_for = self.is_asked_for;
        let (before, mut after) = (Namesakes::new(&old.members), Namesakes::new(&new.members));
        let (types, new_types) = (
            LazyCell::new(|| types(&old.members, &context.names.0)),
            LazyCell::new(|| types(&new.members, &context.names.1)),
        );
        for member in old.members.iter().filter(|member| !member.name.is_empty()) {
            self.is_asked_for = is_asked_for || !stable[0].has_member(old, member);
            // Where names clash, it is the first that none before it has become.
            let twin = if after.have(member) {
                after.take(member)
            } else if is_type(member) {
                new_types.get(&spelled(&member.ty, &context.names.0)).copied()
            } else {
                None
            };
            match twin {
                None if member.role == Role::Trait
                    && bases.contains(&context.names.0.spelled_out(&member.name).as_str()) => {}
                None => self.gone(member, |name| format!("`{name}` is gone")),
                Some(other) if self.is_hidden((old, Some(member)), (new, Some(other))) => {
                    self.is_hiding = true;
                    self.gone(member, hidden);
                    self.is_hiding = false;
                }
                Some(other) => self.changed(member, other),
            }
        }
        for member in new.members.iter().filter(|member| !member.name.is_empty()) {
            let is_known =
                || is_type(member) && types.contains_key(&spelled(&member.ty, &context.names.1));
            if !before.have(member) && !is_known() {
                self.is_asked_for = is_asked_for || !stable[1].has_member(new, member);
                self.added(new, member);
            }
        }
        self.is_asked_for = is_asked_for;
    }

    /// Tells whether users have had a declaration, or a member of it, that they now have to ask
    /// for; of a declaration that they have to ask for, no member.
    fn is_hidden(
        &self,
        (old, member): (&Declaration, Option<&Member>),
        (new, other): (&Declaration, Option<&Member>),
    ) -> bool {
        let [before, after] = &self.context.stable;
        match member.zip(other) {
            None => before.has(old) && !after.has(new),
            Some((member, other)) => {
                let was = before.has_member(old, member);
                was && after.has(new) && !after.has_member(new, other)
            }
        }
    }

    /// The traits and classes that a declaration of the new API can be used as.
    fn bases_of<'d>(&self, new: &'d Declaration) -> Vec<&'d str>
    where
        Self: 'd,
    {
        let traits = new.members.iter().filter(|member| member.role == Role::Trait);
        let mut bases: Vec<&str> = traits.map(|member| member.name.as_str()).collect();
        bases.extend(new.bases.iter().map(String::as_str));
        let declared = &self.context.declared[1];
        let mut next = 0;
        while let Some(base) = bases.get(next).copied() {
            next += 1;
            for further in declared.all_named(base).flat_map(|each| &each.bases) {
                if !bases.contains(&further.as_str()) {
                    bases.push(further);
                }
            }
        }
        bases
    }

    fn name(&self, member: &Member) -> String {
        if member.ty == member.name {
            return quoted(&member.name);
        }
        let call = if member.role.is_function() { "()" } else { "" };
        // A function can be a declaration by itself.
        if member.role.is_function() && self.old.name == member.name {
            return format!("{}{call}", quoted(&member.name));
        }
        let separator = self.context.language.separator();
        format!("{}{separator}{}{call}", self.old.name, quoted(&member.name))
    }

    fn gone(&mut self, member: &Member, text: impl Fn(&str) -> String) {
        let about = self.context.subjects.subjects_of(self.old, Some(member), &[&member.ty]);
        let name = self.name(member);
        match member.role {
            Role::Optional | Role::Required => {
                // It is a name that is gone, too.
                self.push_as(EffectKind::Gone, Effect::Break, text(&name), about);
            }
            Role::Alternative if member.ty == member.name => {
                let text = format!("`{}` can no longer be `{name}`", self.old.name);
                // What has no name in the schema is only for those who build the value.
                let effect = if member.of.is_empty() { Effect::Builders } else { Effect::Name };
                self.push_as(EffectKind::Gives, effect, text, about);
            }
            Role::Trait => self.push(TRAIT, text(&name), about),
            _ => self.push(Effect::Name, text(&name), about),
        }
    }

    fn changed(&mut self, old: &Member, new: &Member) {
        let (context, name) = (self.context, self.name(old));
        let text = format!("`{name}`: `{}` is now `{}`", shown(old), shown(new));
        let about = context.subjects.subjects_of(self.old, Some(old), &[&old.ty, &new.ty]);
        let has_subtypes = context.language.has_subtypes();
        match (old.role, new.role) {
            (Role::Optional, Role::Required) if has_subtypes => {
                let value = context.value(&old.ty, &new.ty);
                self.push(value.and(Effect::Builders), text, about);
            }
            (Role::Optional | Role::Required, Role::Optional | Role::Required) => {
                let effect = context.value(&old.ty, &new.ty);
                if effect != Effect::Ok {
                    self.push(effect, text, about);
                    self.undirected();
                }
            }
            (Role::Alternative, Role::Alternative)
                if old.ty != old.name && context.value(&old.ty, &new.ty) != Effect::Ok =>
            {
                self.push(Effect::Break, text, about);
            }
            (was, is) if was.is_function() && is.is_function() => {
                let is_handler = self.old.kind == DeclarationKind::Handler;
                let must_now = is_handler && was == Role::OptionalFunction && is == Role::Function;
                let mut changed = signature(old, new, is_handler, context);
                if must_now {
                    changed.effect = changed.effect.and(Effect::Builders);
                }
                if changed.effect != Effect::Ok {
                    let about = context.subjects.of_function(
                        self.old,
                        if old.of.is_empty() { new } else { old },
                        (&changed.fields(), &changed.types),
                    );
                    self.push(changed.effect, text, about);
                }
            }
            _ => {}
        }
    }

    fn added(&mut self, new: &Declaration, member: &Member) {
        let about = self.context.subjects.subjects_of(new, Some(member), &[&member.ty]);
        let name = self.name(member);
        match member.role {
            Role::Alternative => {
                let exhaustive = self.old.kind == DeclarationKind::Choice { exhaustive: true };
                let effect = if exhaustive { EXHAUSTIVE } else { Effect::Ok };
                self.push(effect, format!("`{}` may now be `{name}`", self.old.name), about);
            }
            Role::Required if self.context.language.has_subtypes() => {
                self.push(Effect::Builders, format!("`{name}` must be given"), about);
            }
            Role::Function if new.kind == DeclarationKind::Handler => {
                self.push(Effect::Builders, format!("`{name}` must be written"), about);
            }
            _ => {}
        }
    }
}

/// Tells whether a member has no name but that of its type.
fn is_type(member: &Member) -> bool {
    matches!(member.role, Role::Alternative | Role::Trait) && member.ty == member.name
}

/// The first member of each type, of those that have no other name.
fn types<'m>(members: &'m [Member], names: &Names) -> HashMap<String, &'m Member> {
    let all = members.iter().filter(|member| is_type(member)).rev();
    all.map(|member| (spelled(&member.ty, names), member)).collect()
}

fn shown(member: &Member) -> String {
    match member.text.trim().trim_end_matches([',', ';']) {
        "" if member.role.is_function() => {
            let given = member.parameters.iter().map(|given| {
                let mark = if given.required { "" } else { "?" };
                format!("{}{mark}: {}", given.name, given.ty)
            });
            let given = given.collect::<Vec<_>>().join(", ");
            quoted(&format!("{}({given}): {}", member.name, member.ty))
        }
        "" => quoted(&format!("{}: {}", member.name, member.ty)),
        text => quoted(text),
    }
}

/// Code that can stand between backticks.
fn quoted(code: &str) -> String {
    code.replace('`', "'")
}
