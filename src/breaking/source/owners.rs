//! The findings that effects on code follow from.

use std::collections::{HashMap, HashSet};

use super::effects::CodeEffect;
use super::language::Language;
use super::subject::{Group, Subject};
use crate::backend::api::{Declaration, DeclarationKind, Origin};
use crate::breaking::compare::{ComparedLocation, Finding};
use crate::breaking::rules;
use crate::breaking::verdict::{Effect, Level};
use crate::ir::{Protocol, TypeKind};

/// All findings, by what they are about: their positions, each list in order.
pub(super) struct Owners<'f, 'a> {
    findings: &'f [Finding<'a>],
    /// By the wire names of methods.
    methods: HashMap<&'f str, Vec<usize>>,
    /// By definitions, and the names of fields, variants and values in them.
    parts: HashMap<&'f str, HashMap<&'f str, Vec<usize>>>,
    /// By definitions that they are about as a whole.
    wholes: HashMap<&'f str, Vec<usize>>,
    /// By definitions that they are in.
    within: HashMap<&'f str, Vec<usize>>,
    /// By unions that they are in, those about one of its variants left out.
    beside: HashMap<&'f str, Vec<usize>>,
    /// Those that hide something from users who do not ask for what is unstable.
    hiding: Vec<usize>,
    /// Those about what connections can do.
    of_connections: Vec<usize>,
}

/// Rules about what connections can do.
const OF_CONNECTIONS: [&str; 6] = [
    "negotiation-changed",
    "remote-added",
    "remote-removed",
    "handle-changed",
    "stream-changed",
    "shorthand-changed",
];

/// Rules about what no code is made of.
const WITHOUT_CODE: [&str; 11] = [
    "structure-only",
    "annotation-only",
    "capability-added",
    "capability-removed",
    "capability-changed",
    "capabilities-moved",
    "cancellation-changed",
    "catalogue-changed",
    "lifecycle-changed",
    "deprecated",
    "no-longer-deprecated",
];

impl<'f, 'a> Owners<'f, 'a> {
    pub(super) fn new(findings: &'f [Finding<'a>], protocols: [&Protocol; 2]) -> Self {
        let variants = variants(protocols);
        let mut found = Self {
            findings,
            methods: HashMap::new(),
            parts: HashMap::new(),
            wholes: HashMap::new(),
            within: HashMap::new(),
            beside: HashMap::new(),
            hiding: Vec::new(),
            of_connections: Vec::new(),
        };
        for (index, finding) in findings.iter().enumerate() {
            for method in &finding.methods {
                add(found.methods.entry(method).or_default(), index);
            }
            for location in finding.locations() {
                found.locate(location, finding.new_name(), index, &variants);
            }
            if finding.rule == &rules::BECAME_UNSTABLE {
                found.hiding.push(index);
            }
            if OF_CONNECTIONS.contains(&finding.rule.id) {
                found.of_connections.push(index);
            }
        }
        found
    }

    fn locate(
        &mut self,
        at: &'f ComparedLocation<'a>,
        new_name: Option<&'f String>,
        index: usize,
        variants: &HashSet<(&str, &str)>,
    ) {
        let names = || [at.focus.as_ref(), new_name].into_iter().flatten();
        for def in [Some(at.ty), at.old.def, at.new.def].into_iter().flatten() {
            add(self.within.entry(def).or_default(), index);
            if !names().any(|name| variants.contains(&(def, name))) {
                add(self.beside.entry(def).or_default(), index);
            }
        }
        for def in [at.old.def, at.new.def].into_iter().flatten() {
            if at.path.is_empty() && at.focus.is_none() {
                add(self.wholes.entry(def).or_default(), index);
            }
            for name in names() {
                add(self.parts.entry(def).or_default().entry(name).or_default(), index);
            }
        }
    }

    /// The findings about a part of a protocol.
    fn about(&self, subject: &Subject) -> &[usize] {
        let found = match subject {
            Subject::Method(method) => self.methods.get(method.as_str()),
            Subject::Part { ty, name } => {
                self.parts.get(ty.as_str()).and_then(|names| names.get(name.as_str()))
            }
            Subject::Whole(ty) => self.wholes.get(ty.as_str()),
            Subject::Within(ty) => self.within.get(ty.as_str()),
        };
        found.map_or(&[], Vec::as_slice)
    }

    /// The findings that a declaration has to do with, which is about these parts, in order. What
    /// is found about the other variants of a union is no concern of one of them.
    pub(super) fn of_declaration(
        &self,
        declaration: &Declaration,
        subjects: &[Group],
    ) -> Vec<usize> {
        let about = |subject: &Subject| match (subject, &declaration.of) {
            (Subject::Within(within), Origin::Variant { ty, .. }) if within == ty => {
                self.beside.get(ty.as_str()).map_or(&[][..], Vec::as_slice)
            }
            _ => self.about(subject),
        };
        sorted(subjects.iter().flatten().flat_map(about).copied().collect())
    }

    /// The findings that an effect follows from.
    pub(super) fn findings_behind(&self, effect: &CodeEffect, language: Language) -> Vec<usize> {
        sorted(effect.about.iter().flat_map(|group| self.of_group(group, language)).collect())
    }

    /// The findings about something else that an effect follows from all the same: what only
    /// unstable parts refer to is hidden with them, and what connects follows from the protocol as
    /// a whole.
    pub(super) fn far(&self, effect: &CodeEffect, declaration: &Declaration) -> &[usize] {
        let is_of_type = matches!(declaration.of, Origin::Type(_) | Origin::Variant { .. })
            && declaration.kind != DeclarationKind::Caller;
        match (effect.is_hidden, is_of_type) {
            (true, _) => &self.hiding,
            (false, true) => &[],
            (false, false) => &self.of_connections,
        }
    }

    /// The findings about the first part of a group that there are findings about: those of rules
    /// that break code, if there are such.
    fn of_group(&self, group: &Group, language: Language) -> Vec<usize> {
        for subject in group {
            let found =
                self.about(subject).iter().filter_map(|at| Some((*at, self.findings.get(*at)?)));
            let about: Vec<(usize, &Finding<'_>)> =
                found.filter(|(_, finding)| !WITHOUT_CODE.contains(&finding.rule.id)).collect();
            let expects =
                |finding: &Finding<'_>| *language.effect_mut(&mut finding.rule.source.clone());
            let is_told = |finding: &Finding<'_>| expects(finding) != Effect::Ok;
            let mut best: Vec<usize> =
                about.iter().filter(|(_, finding)| is_told(finding)).map(|(at, _)| *at).collect();
            if best.is_empty() {
                let worst = about.iter().map(|(_, finding)| finding.rule.level).min();
                let worst = worst.unwrap_or(Level::Info);
                let about = about.iter().filter(|(_, finding)| finding.rule.level == worst);
                best = about.map(|(at, _)| *at).collect();
            }
            if matches!(subject, Subject::Within(_)) {
                best.truncate(1);
            }
            if !best.is_empty() {
                return best;
            }
        }
        Vec::new()
    }
}

/// The variants of all unions, by their definitions and names.
fn variants(protocols: [&Protocol; 2]) -> HashSet<(&str, &str)> {
    let all = protocols.into_iter().flat_map(|protocol| &protocol.types);
    let unions = all.filter_map(|(name, def)| match &def.kind {
        TypeKind::Union(union) => Some((name.as_str(), &union.variants)),
        _ => None,
    });
    let named = unions.flat_map(|(ty, variants)| {
        variants.iter().map(move |variant| (ty, variant.name.wire.as_str()))
    });
    named.collect()
}

/// Adds a position to a list of rising ones, once.
fn add(list: &mut Vec<usize>, index: usize) {
    if list.last() != Some(&index) {
        list.push(index);
    }
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list.dedup();
    list
}
