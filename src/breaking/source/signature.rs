//! The effects of a function's new signature.

use super::context::Context;
use crate::backend::api::{Member, Parameter, Position};
use crate::breaking::verdict::{Effect, Relation};

/// A changed signature.
pub(super) struct Changed<'a> {
    pub(super) effect: Effect,
    /// The parameters in which the two differ.
    parameters: Vec<&'a Parameter>,
    /// The types in which the two differ.
    pub(super) types: Vec<&'a str>,
}

/// Compares the signatures of two functions, which users call, or write if it is a handler's.
pub(super) fn signature<'a>(
    old: &'a Member,
    new: &'a Member,
    is_handler: bool,
    context: &Context<'_>,
) -> Changed<'a> {
    let mut changed = Changed { effect: Effect::Ok, parameters: Vec::new(), types: Vec::new() };
    let is_strict = !context.language.has_subtypes();
    // Whoever writes a function reads its parameters and builds its result.
    let (gives, gets) = if is_handler {
        (Effect::Readers, Effect::Builders)
    } else {
        (Effect::Builders, Effect::Readers)
    };
    let refuses = |old: &str, new: &str, refused: Relation| match context.relation(old, new) {
        Relation::Same => false,
        Relation::Other => true,
        found => is_strict || found == refused,
    };
    let mut seen: Vec<&Parameter> = Vec::new();
    // What both have is only in another place because of what one of them has.
    let has = |of: &Member, field: &str| of.parameters.iter().any(|other| other.of == *field);
    let is_moved = |it: &&Parameter| !it.of.is_empty() && has(old, &it.of) && has(new, &it.of);
    let mut moved: Vec<&Parameter> = Vec::new();
    for (index, was) in old.parameters.iter().enumerate() {
        let Some(is) = counterpart(was, index, new) else {
            changed.take(Effect::Builders, Some(was).filter(|it| !is_moved(it)));
            continue;
        };
        seen.push(is);
        let is_swapped = was.of != is.of && !was.of.is_empty() && !is.of.is_empty();
        let is_needed = is.required && !was.required;
        let narrowed = if is_handler { Relation::Wider } else { Relation::Narrower };
        if is_swapped {
            changed.take(Effect::Builders, [was, is].into_iter().filter(|it| !is_moved(it)));
            moved.extend([was, is]);
            continue;
        }
        if is_needed {
            changed.take(Effect::Builders, [was, is]);
        }
        if refuses(&was.ty, &is.ty, narrowed) {
            changed.take(gives, [was, is]);
            changed.types.extend([was.ty.as_str(), is.ty.as_str()]);
        }
    }
    for is in &new.parameters {
        let is_known = seen.iter().any(|known| std::ptr::eq(*known, is));
        if !is_known && (is.required || is_strict) {
            changed.take(Effect::Builders, [is]);
        }
    }
    if changed.parameters.is_empty() {
        changed.parameters = moved;
    }
    let widened = if is_handler { Relation::Narrower } else { Relation::Wider };
    if refuses(&old.ty, &new.ty, widened) {
        changed.effect = changed.effect.and(gets);
        changed.types.extend([old.ty.as_str(), new.ty.as_str()]);
    }
    if is_handler && is_strict && changed.effect != Effect::Ok {
        changed.effect = Effect::Break;
    }
    changed
}

impl<'a> Changed<'a> {
    /// The fields that these parameters fill, or one without a name if they fill none.
    pub(super) fn fields(&self) -> Vec<&'a str> {
        let fields = self.parameters.iter().map(|parameter| parameter.of.as_str());
        let mut fields: Vec<&str> = fields.filter(|of| !of.is_empty()).collect();
        fields.dedup();
        if fields.is_empty() { vec![""] } else { fields }
    }

    fn take(&mut self, effect: Effect, parameters: impl IntoIterator<Item = &'a Parameter>) {
        self.effect = self.effect.and(effect);
        self.parameters.extend(parameters);
    }
}

/// The parameter that gets what another got.
fn counterpart<'a>(was: &Parameter, index: usize, new: &'a Member) -> Option<&'a Parameter> {
    // Two have one name where the schema has an error.
    let by_name = || {
        let mut namesakes = new.parameters.iter().filter(|is| is.name == was.name);
        let first = namesakes.clone().next();
        namesakes.find(|is| is.of == was.of).or(first)
    };
    match was.position {
        Position::Keyword => by_name(),
        Position::Positional => {
            new.parameters.get(index).filter(|is| is.position == Position::Positional)
        }
    }
}
