//! How unions are decoded.

use serde::Serialize;

use super::decoders::{Decoder, DecoderBuilder};
use super::fields::{FieldsModel, Key};
use crate::backend::kinds::{self, KINDS};
use crate::backend::typescript::literals::literal;
use crate::ir::{OpenVariant, Selector, Type, Union, Variant};

/// How a union is decoded.
#[derive(Debug, Serialize)]
pub(super) struct UnionDecoder {
    /// Whether every value of it is an object.
    is_object: bool,
    /// The fields that stand beside the variants.
    pub(super) shared: Option<FieldsModel>,
    /// The variable that holds the value: with fields beside the variants, it may already be a
    /// changed copy.
    subject: &'static str,
    /// How variants are told apart by their tag.
    tag: Option<TagDecoder>,
    /// How they are told apart by the kind of JSON: literals of kinds, and what is done then.
    kinds: Vec<Arm>,
    /// What is done where neither tells, in order.
    steps: Vec<Step>,
}

/// How variants are told apart by their tag.
#[derive(Debug, Serialize)]
struct TagDecoder {
    key: Key,
    /// One for each known tag, or for several with the same payload.
    arms: Vec<Arm>,
}

/// A branch of a `switch`.
#[derive(Debug, Serialize)]
struct Arm {
    /// The cases' literals.
    cases: Vec<String>,
    steps: Vec<Step>,
}

/// A step that may end the function.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Step {
    /// Decodes the value for good.
    Decode { decoder: Decoder },
    /// Decodes it into a variable, which is the result unless it failed.
    Try { name: String, decoder: Decoder },
    /// Takes the unknown variant, if there is a tag. What it holds beside has to be right.
    Open { payload: Option<Decoder> },
    /// Says that nothing fits.
    Refuse { expected: String },
    /// Says that the tag is none of these literals.
    BadTag { known: Vec<String> },
}

impl UnionDecoder {
    pub(super) fn new(decoders: &mut DecoderBuilder<'_>, union: &Union) -> Self {
        let shared = (!union.shared.is_empty()).then(|| FieldsModel::new(decoders, &union.shared));
        let changes = shared.as_ref().is_some_and(|fields| fields.changes);
        let untagged: Vec<&Variant> = union.untagged().collect();
        let all_objects = untagged.iter().all(|variant| {
            let payload = variant.payload.as_ref();
            payload.is_none_or(|payload| kinds::is_object(decoders.scope.protocol, payload))
        });
        let is_object = union.tag().is_some() && all_objects || !union.shared.is_empty();
        if is_object {
            decoders.imports.decoding(["isObject", "mismatch"]);
        }
        let mut builder = UnionBuilder { decoders, union };
        let tag = union
            .tag()
            .filter(|_| union.open.is_some() || union.tagged().next().is_some())
            .map(|tag| builder.tag(&tag.wire, is_object));
        let (kinds, steps) = if tag.is_none() && !is_object {
            builder.by_kind(&untagged)
        } else {
            (Vec::new(), builder.rest(&untagged, is_object))
        };
        let subject = if changes { "result" } else { "value" };
        Self { is_object, shared, subject, tag, kinds, steps }
    }
}

struct UnionBuilder<'p, 'a> {
    decoders: &'p mut DecoderBuilder<'a>,
    union: &'p Union,
}

impl UnionBuilder<'_, '_> {
    /// The branches for known tags.
    fn tag(&mut self, tag: &str, is_object: bool) -> TagDecoder {
        let mut arms: Vec<Arm> = Vec::new();
        for variant in &self.union.variants {
            let Selector::Tag { value } = &variant.selector else { continue };
            let case = literal(value);
            let steps = vec![Step::Decode { decoder: self.decoder(variant) }];
            match arms.last_mut() {
                Some(arm) if arm.steps == steps => arm.cases.push(case),
                _ => arms.push(Arm { cases: vec![case], steps }),
            }
        }
        if !is_object {
            self.decoders.imports.decoding(["isObject"]);
        }
        TagDecoder { key: Key::new(self.decoders, tag), arms }
    }

    /// What is tried where no tag matches.
    fn rest(&mut self, untagged: &[&Variant], is_object: bool) -> Vec<Step> {
        if self.union.tag().is_none() {
            return self.by_shape(untagged);
        }
        let Some(open) = &self.union.open else {
            if untagged.is_empty() {
                let known: Vec<&str> = self.union.tagged().map(|(tag, _)| tag).collect();
                return vec![self.bad_tag(&known)];
            }
            return self.by_shape(untagged);
        };
        let position =
            |variant: &Variant| self.union.variants.iter().position(|it| std::ptr::eq(it, variant));
        let (before, after): (Vec<&Variant>, Vec<&Variant>) = untagged
            .iter()
            .partition(|variant| position(variant).is_some_and(|at| at < open.position));
        let (mut steps, ended) = self.attempts(&before);
        if ended {
            return steps;
        }
        steps.push(self.open(open));
        let (more, ended) = self.attempts(&after);
        steps.extend(more);
        if !ended {
            steps.push(if untagged.is_empty() && is_object {
                self.bad_tag(&[])
            } else {
                self.refuse(untagged)
            });
        }
        steps
    }

    /// The first of several variants that fits. A single one says itself what is wrong.
    fn by_shape(&mut self, variants: &[&Variant]) -> Vec<Step> {
        if let [variant] = variants {
            return vec![Step::Decode { decoder: self.decoder(variant) }];
        }
        let (mut steps, ended) = self.attempts(variants);
        if !ended {
            steps.push(self.refuse(variants));
        }
        steps
    }

    /// Tries variants in order, up to one that takes anything; whether there is such a one.
    fn attempts(&mut self, variants: &[&Variant]) -> (Vec<Step>, bool) {
        let mut steps = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for variant in variants {
            let decoder = self.decoder(variant);
            if decoder.is_any() {
                steps.push(Step::Decode { decoder });
                return (steps, true);
            }
            let mut name = format!("as{}", variant.name.pascal());
            while names.contains(&name) {
                name.push('_');
            }
            self.decoders.imports.decoding(["FAIL"]);
            names.push(name.clone());
            steps.push(Step::Try { name, decoder });
        }
        (steps, false)
    }

    /// Variants told apart by the kind of JSON where that is possible.
    fn by_kind(&mut self, variants: &[&Variant]) -> (Vec<Arm>, Vec<Step>) {
        let protocol = self.decoders.scope.protocol;
        let mut groups: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
        for (index, kind) in KINDS.iter().enumerate() {
            let fits = |at: &usize| match variants.get(*at).map(|it| it.payload.as_ref()) {
                Some(Some(payload)) => kinds::kinds(protocol, payload).has(index),
                _ => true,
            };
            let fitting: Vec<usize> = (0..variants.len()).filter(fits).collect();
            match groups.iter_mut().find(|(others, _)| *others == fitting) {
                Some((_, cases)) => cases.push(literal(kind)),
                None => groups.push((fitting, vec![literal(kind)])),
            }
        }
        if groups.len() == 1 {
            return (Vec::new(), self.by_shape(variants));
        }
        let refusal = vec![self.refuse(variants)];
        groups.retain(|(fitting, _)| !fitting.is_empty());
        let mut arms = Vec::with_capacity(groups.len());
        for (fitting, cases) in groups {
            let fitting: Vec<&Variant> =
                fitting.iter().filter_map(|at| variants.get(*at).copied()).collect();
            arms.push(Arm { cases, steps: self.by_shape(&fitting) });
        }
        self.decoders.imports.decoding(["kind"]);
        (arms, refusal)
    }

    fn decoder(&mut self, variant: &Variant) -> Decoder {
        let payload = variant.payload.as_ref().unwrap_or(&Type::Any);
        self.decoders.decoder(payload, &variant.name.camel())
    }

    fn open(&mut self, open: &OpenVariant) -> Step {
        let payload = open.payload.as_ref().unwrap_or(&Type::Any);
        let decoder = self.decoders.decoder(payload, &open.name.camel());
        if decoder.is_any() {
            return Step::Open { payload: None };
        }
        self.decoders.imports.decoding(["FAIL"]);
        Step::Open { payload: Some(decoder) }
    }

    fn bad_tag(&mut self, known: &[&str]) -> Step {
        self.decoders.imports.decoding(["badTag"]);
        Step::BadTag { known: known.iter().map(|tag| literal(tag)).collect() }
    }

    fn refuse(&mut self, variants: &[&Variant]) -> Step {
        self.decoders.imports.decoding(["refuse"]);
        let protocol = self.decoders.scope.protocol;
        let mut names: Vec<String> = Vec::new();
        if self.union.tag().is_some() || !self.union.shared.is_empty() {
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
        Step::Refuse { expected: literal(&expected) }
    }
}
