//! How unions are decoded.

use serde::Serialize;

use super::code::{assign, call, give, property, read, words};
use super::decoder::{Decoder, Parts};
use super::fields::{Fields, fields};
use crate::backend::doc::{Doc, text};
use crate::backend::kinds::{self, KINDS};
use crate::backend::typescript::text::literal;
use crate::ir::{OpenVariant, Selector, Type, Union, Variant};

/// Statements that decode a union.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct UnionCode {
    /// Whether every value of it is an object.
    pub(super) is_object: bool,
    /// The fields that stand beside the variants.
    pub(super) shared: Option<Fields>,
    /// How variants are told apart by their tag.
    pub(super) tagged: Option<Tagged>,
    /// How they are told apart by the kind of JSON: each arm has the cases of a `switch`, and
    /// what is done then.
    pub(super) kinds: Vec<Arm>,
    /// What is tried where neither tells, in order.
    pub(super) steps: Vec<Step>,
}

/// How variants are told apart by their tag.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct Tagged {
    /// `const tag = value["type"];`
    pub(super) read: String,
    /// One for each known tag, or for several with the same payload.
    pub(super) arms: Vec<Arm>,
}

/// A branch of a `switch`.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct Arm {
    /// The cases' literals.
    pub(super) cases: Vec<String>,
    /// What is done then.
    pub(super) steps: Vec<Step>,
}

/// A statement that may end the function.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::backend::typescript) enum Step {
    /// `return …;`
    Give { give: String },
    /// `const NAME = …;`, which is given unless it failed.
    Try { name: String, decode: String },
    /// The unknown variant, if there is a tag: `const checked = …;` has to work, where there is
    /// one.
    Open { check: Option<String>, give: &'static str },
}

/// Makes the statements for a union.
pub(super) fn union(parts: &mut Parts<'_>, union: &Union) -> UnionCode {
    let shared = (!union.shared.is_empty()).then(|| fields(parts, &union.shared));
    // With fields beside the variants, the object may already be a changed copy.
    let subject =
        if shared.as_ref().is_some_and(|fields| fields.changes) { "result" } else { "value" };
    let untagged: Vec<&Variant> = union.untagged().collect();
    let all_objects = |variants: &[&Variant]| {
        variants.iter().all(|variant| match &variant.payload {
            Some(payload) => kinds::is_object(parts.scope.protocol, payload),
            None => true,
        })
    };
    let is_object = union.tag().is_some() && all_objects(&untagged) || !union.shared.is_empty();
    if is_object {
        parts.used.objects();
    }
    let mut maker = Maker { parts, subject };
    let tagged = union
        .tag()
        .filter(|_| union.open.is_some() || union.tagged().next().is_some())
        .map(|tag| maker.tagged(union, &tag.wire, is_object));
    if tagged.is_none() && !is_object {
        let (kinds, steps) = maker.by_kind(union, &untagged);
        return UnionCode { is_object, shared, tagged, kinds, steps };
    }
    let steps = maker.rest(union, &untagged, is_object);
    UnionCode { is_object, shared, tagged, kinds: Vec::new(), steps }
}

impl Step {
    fn give(give: String) -> Self {
        Self::Give { give }
    }
}

struct Maker<'p, 'a> {
    parts: &'p mut Parts<'a>,
    /// The variable that holds the value.
    subject: &'static str,
}

impl Maker<'_, '_> {
    /// The branches for known tags.
    fn tagged(&mut self, union: &Union, tag: &str, is_object: bool) -> Tagged {
        let mut arms: Vec<(Arm, String)> = Vec::new();
        for variant in &union.variants {
            let Selector::Tag { value } = &variant.selector else { continue };
            let case = literal(value);
            let body = self.whole(variant, 6);
            match arms.last_mut() {
                Some((arm, last)) if *last == body => arm.cases.push(case),
                _ => {
                    let steps = vec![Step::give(body.clone())];
                    arms.push((Arm { cases: vec![case], steps }, body));
                }
            }
        }
        let read = if is_object {
            read("const tag", "value", tag, self.parts.used, 2)
        } else {
            // A value of another kind has no tag.
            let property = property("value", tag, self.parts.used);
            self.parts.used.decoding("isObject");
            assign("const tag", conditional("isObject(value)", property), 2)
        };
        Tagged { read, arms: arms.into_iter().map(|(arm, _)| arm).collect() }
    }

    /// What is tried where no tag matches.
    fn rest(&mut self, union: &Union, untagged: &[&Variant], is_object: bool) -> Vec<Step> {
        let Some(tag) = union.tag() else { return self.by_shape(union, untagged, 2) };
        let Some(open) = &union.open else {
            if untagged.is_empty() {
                let known: Vec<&str> = union.tagged().map(|(tag, _)| tag).collect();
                return vec![self.bad_tag(&tag.wire, &known)];
            }
            return self.by_shape(union, untagged, 2);
        };
        let position = |variant: &Variant| {
            union.variants.iter().position(|other| std::ptr::eq(other, variant))
        };
        let (before, after): (Vec<&Variant>, Vec<&Variant>) = untagged
            .iter()
            .partition(|variant| position(variant).is_some_and(|at| at < open.position));
        let (mut steps, ended) = self.attempts(&before, 2);
        if ended {
            return steps;
        }
        steps.push(self.open(open));
        let (more, ended) = self.attempts(&after, 2);
        steps.extend(more);
        if !ended {
            steps.push(if untagged.is_empty() && is_object {
                self.bad_tag(&tag.wire, &[])
            } else {
                self.refuse(union, untagged, 2)
            });
        }
        steps
    }

    /// The first of several variants that fits. A single one says itself what is wrong.
    fn by_shape(&mut self, union: &Union, variants: &[&Variant], at: usize) -> Vec<Step> {
        if let [variant] = variants {
            return vec![Step::give(self.whole(variant, at))];
        }
        let (mut steps, ended) = self.attempts(variants, at);
        if !ended {
            steps.push(self.refuse(union, variants, at));
        }
        steps
    }

    /// Tries variants in order, up to one that takes anything; whether there is such a one.
    fn attempts(&mut self, variants: &[&Variant], at: usize) -> (Vec<Step>, bool) {
        let mut steps = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for variant in variants {
            let decoder = self.decoder(variant);
            if matches!(decoder, Decoder::Any) {
                steps.push(Step::give(give(decoder.call(self.subject), at)));
                return (steps, true);
            }
            let mut name = format!("as{}", variant.name.pascal());
            while names.contains(&name) {
                name.push('_');
            }
            self.parts.used.decoding("FAIL");
            let decode = assign(&format!("const {name}"), decoder.call(self.subject), at);
            steps.push(Step::Try { name: name.clone(), decode });
            names.push(name);
        }
        (steps, false)
    }

    /// Variants told apart by the kind of JSON where that is possible.
    fn by_kind(&mut self, union: &Union, variants: &[&Variant]) -> (Vec<Arm>, Vec<Step>) {
        let protocol = self.parts.scope.protocol;
        let mut groups: Vec<(Vec<&Variant>, Vec<String>)> = Vec::new();
        for (index, kind) in KINDS.iter().enumerate() {
            let fits = |variant: &&Variant| match &variant.payload {
                Some(payload) => kinds::kinds(protocol, payload).has(index),
                None => true,
            };
            let fitting: Vec<&Variant> = variants.iter().copied().filter(fits).collect();
            let same = |(others, _): &&mut (Vec<&Variant>, Vec<String>)| {
                others
                    .iter()
                    .map(|it| std::ptr::from_ref(*it))
                    .eq(fitting.iter().map(|it| std::ptr::from_ref(*it)))
            };
            match groups.iter_mut().find(same) {
                Some((_, cases)) => cases.push(literal(kind)),
                None => groups.push((fitting, vec![literal(kind)])),
            }
        }
        if let [(all, _)] = groups.as_slice() {
            return (Vec::new(), self.by_shape(union, all, 2));
        }
        let refusal = vec![self.refuse(union, variants, 2)];
        groups.retain(|(fitting, _)| !fitting.is_empty());
        let arms = groups
            .into_iter()
            .map(|(fitting, cases)| Arm { cases, steps: self.by_shape(union, &fitting, 6) })
            .collect();
        self.parts.used.decoding("kind");
        (arms, refusal)
    }

    /// Decodes a variant for good.
    fn whole(&mut self, variant: &Variant, at: usize) -> String {
        let decoder = self.decoder(variant);
        give(decoder.call(self.subject), at)
    }

    fn decoder(&mut self, variant: &Variant) -> Decoder {
        let place = variant.name.camel();
        match &variant.payload {
            Some(payload) => self.parts.decoder(payload, &place),
            None => Decoder::Any,
        }
    }

    fn open(&mut self, open: &OpenVariant) -> Step {
        let place = open.name.camel();
        let decoder = open.payload.as_ref().map(|payload| self.parts.decoder(payload, &place));
        let check = match decoder {
            Some(decoder @ Decoder::Call(..)) => {
                self.parts.used.decoding("FAIL");
                Some(assign("const checked", decoder.call(self.subject), 4))
            }
            _ => None,
        };
        Step::Open { check, give: self.subject }
    }

    fn bad_tag(&mut self, tag: &str, known: &[&str]) -> Step {
        let mut arguments = words(["context", "tag"]);
        arguments.extend([tag].iter().chain(known).map(|word| text(literal(word))));
        Step::give(give(call(self.parts.used.decoding("badTag"), arguments), 2))
    }

    /// Says that nothing fits.
    fn refuse(&mut self, union: &Union, variants: &[&Variant], at: usize) -> Step {
        let protocol = self.parts.scope.protocol;
        let mut names: Vec<String> = Vec::new();
        if union.tag().is_some() || !union.shared.is_empty() {
            names.push(String::from("an object"));
        }
        for variant in variants {
            let name = kinds::describe(protocol, variant.payload.as_ref().unwrap_or(&Type::Any));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let expected = match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            Some((last, _)) => last.clone(),
            None => String::from("nothing"),
        };
        let arguments = words(["context", "value"]).into_iter().chain([text(literal(&expected))]);
        Step::give(give(call(self.parts.used.decoding("refuse"), arguments), at))
    }
}

/// `test ? value : undefined`
fn conditional(test: &str, value: Doc) -> Doc {
    use crate::backend::doc::{concat, group, indent};
    let branches = [Doc::Line, text("? "), value, Doc::Line, text(": undefined")];
    group(concat([text(test), indent(concat(branches))]))
}
