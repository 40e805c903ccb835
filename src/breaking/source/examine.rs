//! The effects on code, laid at the door of findings.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::alike::is_alike;
use super::comparison::{ComparedApi, Difference, SourceComparison};
use super::context::Context;
use super::declared::Declared;
use super::effects::{CodeEffect, effects};
use super::language::Language;
use super::lost::Losses;
use super::owners::Owners;
use super::stable::StableCode;
use super::subject::{Subject, Subjects};
use super::types::Names;
use crate::backend::api::{Api, Declaration, Origin};
use crate::backend::{DocsMode, Options, Runtime};
use crate::breaking::compare::{ComparedLocation, End, Finding, NOWHERE};
use crate::breaking::rules;
use crate::breaking::verdict::{Direction, Effect, Source};
use crate::ir::Protocol;

/// The effects of findings on code.
pub(in crate::breaking) struct Examined<'a> {
    pub(in crate::breaking) comparison: SourceComparison,
    /// The verdict of each finding, those that are new at the end.
    pub(in crate::breaking) verdicts: Vec<Source>,
    /// Findings for code alone: differences of generated code that no other explains.
    pub(in crate::breaking) unexplained: Vec<Finding<'a>>,
}

/// Generates the APIs of both protocols and finds out what each finding, by its id, does to code.
/// `partners` are definitions that stand for each other under different names.
pub(in crate::breaking) fn examine<'a>(
    findings: &[Finding<'a>],
    ids: &[String],
    partners: &[(&str, &str)],
    [old, new]: [&'a Protocol; 2],
) -> Examined<'a> {
    let mut examined = Examined {
        comparison: SourceComparison::default(),
        verdicts: vec![Source::OK; findings.len()],
        unexplained: Vec::new(),
    };
    // A package's name is no part of the comparison.
    let options = Options::new(new.package_name(), DocsMode::Off, Runtime::Embedded);
    // Code of methods that no schema binds would not be generated.
    let is_guessed = old.methods.iter().chain(&new.methods).any(|method| method.inferred);
    let known = Owners::new(findings, [old, new]);
    for language in Language::ALL {
        let apis = [old, new].map(|protocol| language.backend().api(protocol, &options));
        let stable = [old, new].map(|it| StableCode::new(it, *language, &options));
        let context =
            context(*language, (findings, partners), [old, new], [&apis[0], &apis[1]], stable);
        let mut differences = differences([&apis[0], &apis[1]], &context);
        for difference in &mut differences {
            let declaration = (difference.old.map(|at| &apis[0].declarations[at]))
                .or(difference.new.map(|at| &apis[1].declarations[at]));
            for effect in &mut difference.effects {
                if is_guessed && effect.is_of_extensions() {
                    continue;
                }
                let mut owners = known.findings_behind(effect, *language);
                if let (true, Some(declaration)) = (owners.is_empty(), declaration) {
                    owners = known.far(effect, declaration).to_vec();
                }
                if owners.is_empty()
                    && effect.effect != Effect::Ok
                    && !is_guessed
                    && let Some(declaration) = declaration
                {
                    owners.push(findings.len() + examined.explain(effect, declaration, [old, new]));
                }
                for owner in owners {
                    let verdict = language.effect_mut(&mut examined.verdicts[owner]);
                    *verdict = verdict.and(match findings.get(owner) {
                        Some(finding) if effect.is_undirected => directed(finding),
                        _ => effect.effect,
                    });
                    let unexplained = || examined.unexplained[owner - findings.len()].id();
                    effect.findings.push(ids.get(owner).cloned().unwrap_or_else(unexplained));
                }
            }
            let own = difference.effects.iter().flat_map(|effect| &effect.findings).cloned();
            difference.findings = own.collect();
            if let Some(declaration) = declaration {
                let subjects = context.subjects.subjects_of(declaration, None, &[]);
                let about = known.of_declaration(declaration, &subjects);
                difference.findings.extend(about.into_iter().filter_map(|at| ids.get(at)).cloned());
            }
        }
        let [old, new] = apis;
        let compared = ComparedApi { language: *language, old, new, differences };
        examined.comparison.languages.push(compared);
    }
    examined
}

impl<'a> Examined<'a> {
    /// The position of the finding that generated code is another though the schema says the
    /// same, which is added if there is none yet.
    fn explain(
        &mut self,
        effect: &CodeEffect,
        declaration: &Declaration,
        [old, new]: [&'a Protocol; 2],
    ) -> usize {
        let of = match &declaration.of {
            Origin::Type(ty) | Origin::Variant { ty, .. } => Some(ty.as_str()),
            Origin::Method(_) | Origin::Side(_) | Origin::Protocol => None,
        };
        // What a method does is said of its params.
        let params = effect.about.iter().flatten().find_map(|subject| match subject {
            Subject::Within(ty) => Some(ty.as_str()),
            _ => None,
        });
        let def = of.or(params);
        let end = |protocol: &'a Protocol| {
            let found = def.and_then(|def| protocol.types.get_key_value(def));
            // A side stands nowhere in a schema.
            let location =
                found.or(protocol.types.first()).map_or(&NOWHERE, |(_, def)| &def.location);
            End::new(found.map(|(name, _)| name.as_str()), location)
        };
        let (old_end, new_end) = (end(old), end(new));
        let ty = old_end.def.or(new_end.def).unwrap_or(&old.title.wire);
        let known = self.unexplained.iter().position(|finding| finding.location.ty == ty);
        known.unwrap_or_else(|| {
            let location = ComparedLocation::new(ty, old_end, new_end);
            let rule = &rules::GENERATED_API_CHANGED;
            self.unexplained.push(Finding::new(rule, &location, &effect.text));
            self.verdicts.push(Source::OK);
            self.unexplained.len() - 1
        })
    }
}

/// The verdict on code that uses a type which has become another, where values of the narrower
/// type can be used as the wider.
fn directed(finding: &Finding<'_>) -> Effect {
    let verdict = |direction| finding.wire.towards(direction);
    match verdict(Direction::OldToNew).cmp(&verdict(Direction::NewToOld)) {
        Ordering::Greater => Effect::Builders,
        Ordering::Less => Effect::Readers,
        Ordering::Equal => Effect::Break,
    }
}

/// The names of two APIs, those of renamed definitions taken for the same.
fn context<'a>(
    language: Language,
    (findings, partners): (&[Finding<'_>], &[(&str, &str)]),
    protocols: [&'a Protocol; 2],
    apis: [&'a Api; 2],
    stable: [StableCode; 2],
) -> Context<'a> {
    let of = |name: &str| Origin::Type(name.to_owned());
    let mut renamed: HashMap<Origin, Origin> = HashMap::new();
    let ends = findings.iter().map(|finding| (finding.location.old.def, finding.location.new.def));
    let ends = ends.filter_map(|(old, new)| old.zip(new)).filter(|(old, new)| old != new);
    for (old, new) in ends.chain(partners.iter().copied()) {
        renamed.entry(of(old)).or_insert_with(|| of(new));
    }
    for finding in findings {
        if let ([old, new], true) =
            (finding.methods.as_slice(), finding.rule == &rules::METHOD_RENAMED)
        {
            renamed.insert(Origin::Method((*old).to_owned()), Origin::Method((*new).to_owned()));
        }
    }
    let [old, new] = apis;
    let mut names = (Names::new(old), Names::new(new));
    let mut partners = HashMap::new();
    let declared = [Declared::of_api(old), Declared::of_api(new)];
    let (before, after) = (numbered(old), numbered(new));
    let known: HashSet<&str> = before.iter().map(|(name, _)| *name).collect();
    let after: HashMap<_, usize> =
        after.into_iter().enumerate().map(|(at, key)| (key, at)).collect();
    for (at, (declaration, key)) in old.declarations.iter().zip(&before).enumerate() {
        if let Some(same) = after.get(key) {
            partners.insert(at, *same);
            continue;
        }
        let became = |of: &Origin| {
            declared[1].with_origin(of).find(|(_, each)| {
                each.kind == declaration.kind && !known.contains(each.name.as_str())
            })
        };
        let partner = if let Origin::Variant { ty, variant } = &declaration.of {
            if let Some(Origin::Type(ty)) = renamed.get(&Origin::Type(ty.clone())) {
                became(&Origin::Variant { ty: ty.clone(), variant: variant.clone() })
            } else {
                // Its classes alone have other names, if it has as many of them.
                renamed_class(declaration, &declared)
            }
        } else {
            became(renamed.get(&declaration.of).unwrap_or(&declaration.of))
        };
        if let Some((partner, new)) = partner {
            partners.insert(at, partner);
            names.0.rename(&declaration.name, &new.name);
        }
    }
    let subjects = Subjects::new(protocols, apis);
    Context { language, names, declared, stable, partners, subjects, losses: Losses::default() }
}

/// The position of what a variant's class has become: of those that only one side has by name, each
/// is that in the same place, if there are as many.
fn renamed_class<'a>(
    declaration: &Declaration,
    [old, new]: &[Declared<'a>; 2],
) -> Option<(usize, &'a Declaration)> {
    let only = |api: &Declared<'a>, other: &Declared<'a>| -> Vec<(usize, &'a Declaration)> {
        api.with_origin(&declaration.of)
            .filter(|(_, each)| other.named(&each.name).is_none())
            .collect()
    };
    let (gone, come) = (only(old, new), only(new, old));
    let position = gone.iter().position(|(_, each)| each.name == declaration.name);
    come.get(position.filter(|_| gone.len() == come.len())?).copied()
}

/// The names of declarations, each with the number of those before it that have the same name.
/// Where names clash, no code is generated, but there is something to compare.
fn numbered(api: &Api) -> Vec<(&str, usize)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let names = api.declarations.iter().map(|each| each.name.as_str());
    let numbered = names.map(|name| {
        let count = seen.entry(name).or_default();
        *count += 1;
        (name, *count - 1)
    });
    numbered.collect()
}

/// The declarations that differ, in the order of the old API, each new one after the one that it
/// follows in the new.
fn differences([old, new]: [&Api; 2], context: &Context<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    let known: HashSet<(&str, usize)> = numbered(old).into_iter().collect();
    let news = numbered(new);
    let added = |at: usize| Difference { new: Some(at), ..Difference::default() };
    let mut next = 0;
    for (at, declaration) in old.declarations.iter().enumerate() {
        let partner = context.partners.get(&at).copied();
        let counterpart = partner.and_then(|at| new.declarations.get(at));
        let same = counterpart.filter(|new| new.name == declaration.name);
        let is_other = same.is_none_or(|new| !is_alike(declaration, new));
        let effects = effects(declaration, counterpart, context);
        if is_other || !effects.is_empty() {
            let new = partner.filter(|_| same.is_some());
            found.push(Difference { old: Some(at), new, effects, findings: Vec::new() });
        }
        // New ones stand where the new API has them, once all before them have been seen.
        if let (Some(partner), Some(_)) = (partner, same) {
            for (at, key) in news.iter().enumerate().take(partner).skip(next) {
                if !known.contains(key) {
                    found.push(added(at));
                }
            }
            next = next.max(partner + 1);
        }
    }
    for (at, key) in news.iter().enumerate().skip(next) {
        if !known.contains(key) {
            found.push(added(at));
        }
    }
    found
}
