//! Decoders of unions.

use serde::Serialize;

use super::decoders::{Decoder, DecoderBuilder, OuterKeys};
use super::fields::{FieldsModel, Key};
use crate::backend::typescript::literals::literal;
use crate::decode::{Candidates, Choice, KnownKeys, Step, TagPlan, UnionPlan};
use crate::ir::{JsonType, JsonTypes, Type, Union, Variant};

/// The decoder of a union.
#[derive(Debug, Serialize)]
pub(super) struct UnionDecoder {
    /// True if every value of it is an object.
    is_object: bool,
    /// The fields that stand beside the variants.
    pub(super) shared: Option<FieldsModel>,
    /// The variable that holds the value: with fields beside the variants, it may already be a
    /// changed copy.
    subject: &'static str,
    tag: Option<TagDecoder>,
    /// The steps where the tag does not tell, in order.
    steps: Vec<StepModel>,
    /// True if they are taken strictly first.
    strict_first: bool,
    /// True if the function is told which keys are not its own.
    takes_outer: bool,
    /// The lists of variants of which the one that knows most keys is taken.
    rankings: Vec<Ranking>,
}

/// The selection of variants by their tag.
#[derive(Debug, Serialize)]
struct TagDecoder {
    key: Key,
    /// An arm for each known tag, or for several with the same payload.
    arms: Vec<TagArm>,
}

/// The literals of tags, and how their payload is decoded.
#[derive(Debug, Serialize)]
struct TagArm {
    cases: Vec<String>,
    decoder: Decoder,
}

/// The words of JSON types, and what is done for a value of them.
#[derive(Debug, PartialEq, Serialize)]
struct Arm {
    cases: Vec<String>,
    steps: Vec<StepModel>,
}

/// Variants, and the keys that each knows and others do not.
#[derive(Debug, Serialize)]
struct Ranking {
    name: String,
    /// The function of each, and its keys; without them it knows every key.
    variants: Vec<(String, Option<Vec<Key>>)>,
}

/// A step that may end the function.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum StepModel {
    /// Decodes the value for good.
    Decode { decoder: Decoder },
    /// Decodes it into a variable, which is the result unless it failed.
    Try { name: String, decoder: Decoder },
    /// The same with a function, unless it has failed before.
    TryOnce { name: String, function: String },
    /// Decodes it as the variant that knows most of its keys, of a ranking; with `once`, no variant
    /// is tried that has failed before.
    Best { ranking: String, once: bool },
    /// Takes the unknown variant, if there is a tag. What it holds beside has to be right.
    Open { payload: Option<Decoder> },
    /// Looks at the JSON type first.
    Switch { arms: Vec<Arm> },
    /// Says that nothing fits.
    Refuse { expected: String },
    /// Says that the tag is none of these literals.
    BadTag { known: Vec<String> },
}

impl UnionDecoder {
    pub(super) fn new(decoders: &mut DecoderBuilder<'_>, union: &Union, plan: &UnionPlan) -> Self {
        let shared = (!union.shared.is_empty())
            .then(|| FieldsModel::new(decoders, &union.shared, &plan.shared));
        let changes = shared.as_ref().is_some_and(|fields| !fields.is_empty());
        if plan.is_object {
            decoders.imports.decoding(["isObject", "mismatch"]);
        }
        if plan.strict_first {
            decoders.imports.decoding(["strictFirst"]);
        }
        let mut builder = UnionBuilder::new(decoders, union, plan);
        let tag = plan.tag.as_ref().map(|tag| builder.tag(tag));
        let mut steps = Vec::new();
        for step in &plan.steps {
            match step {
                Step::Choose(choice) => steps.extend(builder.choice(choice)),
                Step::Open => steps.push(builder.open()),
            }
        }
        if !matches!(steps.last(), Some(StepModel::Decode { .. })) {
            steps.push(builder.refusal());
        }
        let needs_tag =
            |step: &StepModel| matches!(step, StepModel::Open { .. } | StepModel::BadTag { .. });
        let tag = tag.filter(|tag| !tag.arms.is_empty() || steps.iter().any(needs_tag));
        Self {
            is_object: plan.is_object,
            subject: if changes { "result" } else { "value" },
            rankings: builder.rankings,
            strict_first: plan.strict_first,
            takes_outer: decoders.takes_outer,
            shared,
            tag,
            steps,
        }
    }
}

struct UnionBuilder<'p, 'a> {
    decoders: &'p mut DecoderBuilder<'a>,
    union: &'p Union,
    plan: &'p UnionPlan,
    /// The keys that do not belong to the variants.
    owned: OuterKeys,
    rankings: Vec<Ranking>,
}

impl<'p, 'a> UnionBuilder<'p, 'a> {
    fn new(decoders: &'p mut DecoderBuilder<'a>, union: &'p Union, plan: &'p UnionPlan) -> Self {
        let tag = plan.tag.iter().map(|tag| tag.property.as_str());
        let shared = union.shared.iter().map(|field| field.name.wire.as_str());
        let keys = tag.chain(shared).map(literal).collect();
        let owned = OuterKeys { passes_on: decoders.takes_outer, keys };
        Self { decoders, union, plan, owned, rankings: Vec::new() }
    }

    /// The branches for known tags.
    fn tag(&mut self, tag: &TagPlan) -> TagDecoder {
        let mut arms: Vec<TagArm> = Vec::new();
        for (value, variant) in &tag.variants {
            let case = literal(value);
            let decoder = self.decoder(*variant);
            match arms.last_mut() {
                Some(arm) if arm.decoder == decoder => arm.cases.push(case),
                _ => arms.push(TagArm { cases: vec![case], decoder }),
            }
        }
        if !self.plan.is_object {
            self.decoders.imports.decoding(["isObject"]);
        }
        TagDecoder { key: Key::new(self.decoders, &tag.property), arms }
    }

    /// Tries variants, by the JSON type of the value if that makes a difference.
    fn choice(&mut self, choice: &Choice) -> Vec<StepModel> {
        if let [(_, candidates)] = choice.arms.as_slice() {
            return self.candidates(candidates);
        }
        self.decoders.imports.decoding(["kind"]);
        let words = |types: &JsonTypes| types.iter().map(|ty| literal(JsonType::words(ty)));
        let mut arms = Vec::new();
        for (types, candidates) in &choice.arms {
            if *candidates != Candidates::None {
                arms.push(Arm {
                    cases: words(types).collect(),
                    steps: self.candidates(candidates),
                });
            }
        }
        vec![StepModel::Switch { arms }]
    }

    fn candidates(&mut self, candidates: &Candidates) -> Vec<StepModel> {
        match candidates {
            Candidates::None => Vec::new(),
            Candidates::Only(variant) => {
                vec![StepModel::Decode { decoder: self.decoder(*variant) }]
            }
            Candidates::InOrder(order) => {
                order.iter().map(|variant| self.attempt(*variant)).collect()
            }
            Candidates::MostKeys(known) => vec![self.best(known)],
        }
    }

    /// Tries a variant, unless it takes anything.
    fn attempt(&mut self, variant: usize) -> StepModel {
        let decoder = self.decoder(variant);
        if decoder.is_any() {
            return StepModel::Decode { decoder };
        }
        self.decoders.imports.decoding(["FAIL"]);
        let names = self.union.variants.iter().map(|variant| variant.name.pascal());
        let taken: Vec<String> = names.take(variant + 1).collect();
        let name = taken.last().cloned().unwrap_or_default();
        let again = taken.iter().filter(|other| **other == name).count().saturating_sub(1);
        let name = format!("as{name}{}", "_".repeat(again));
        if !self.plan.is_retried || self.is_scalar(variant) {
            return StepModel::Try { name, decoder };
        }
        self.decoders.imports.decoding(["attempt"]);
        let function = self.decoders.function(decoder, &self.location(variant));
        StepModel::TryOnce { name, function }
    }

    /// Tells whether the values of a variant have no parts, so that trying again costs little.
    fn is_scalar(&self, variant: usize) -> bool {
        let payload = self.union.variants.get(variant).and_then(|it| it.payload.as_ref());
        payload.is_some_and(|payload| {
            let protocol = self.decoders.scope.protocol;
            matches!(
                protocol.resolve(payload),
                Type::Null
                    | Type::Boolean
                    | Type::Integer(_)
                    | Type::Number(_)
                    | Type::String(_)
                    | Type::Literal { .. }
            )
        })
    }

    fn best(&mut self, known: &[(usize, KnownKeys)]) -> StepModel {
        self.decoders.imports.decoding(["FAIL", "mostKeys", "type Ranked"]);
        // What all of them know makes no difference.
        let in_all = |key: &String| {
            known.iter().all(|(_, keys)| match keys {
                KnownKeys::Every => false,
                KnownKeys::Listed(keys) => keys.contains(key),
            })
        };
        let variants = known.iter().map(|(variant, keys)| {
            let decoder = self.decoder(*variant);
            let function = self.decoders.function(decoder, &self.location(*variant));
            let keys = match keys {
                KnownKeys::Every => None,
                KnownKeys::Listed(keys) => {
                    let own = keys.iter().filter(|key| !in_all(key));
                    Some(own.map(|key| Key::new(self.decoders, key)).collect())
                }
            };
            (function, keys)
        });
        let variants = variants.collect();
        if self.plan.is_retried {
            self.decoders.imports.decoding(["attempt"]);
        }
        let name = self.decoders.ranking(self.rankings.len());
        self.rankings.push(Ranking { name: name.clone(), variants });
        StepModel::Best { ranking: name, once: self.plan.is_retried }
    }

    fn open(&mut self) -> StepModel {
        let open = self.union.open.as_ref();
        let payload = open.and_then(|open| open.payload.as_ref()).unwrap_or(&Type::Any);
        let location = open.map(|open| open.name.camel()).unwrap_or_default();
        let decoder = self.payload(payload, &location);
        if decoder.is_any() {
            return StepModel::Open { payload: None };
        }
        self.decoders.imports.decoding(["FAIL"]);
        StepModel::Open { payload: Some(decoder) }
    }

    fn refusal(&mut self) -> StepModel {
        if self.plan.is_by_tag_alone() {
            self.decoders.imports.decoding(["badTag"]);
            let is_open = self.plan.steps.contains(&Step::Open);
            let tags = self.plan.tag.iter().flat_map(|tag| &tag.variants);
            let known = tags.filter(|_| !is_open).map(|(tag, _)| literal(tag)).collect();
            return StepModel::BadTag { known };
        }
        self.decoders.imports.decoding(["refuse"]);
        StepModel::Refuse { expected: literal(&self.plan.expected) }
    }

    fn decoder(&mut self, variant: usize) -> Decoder {
        let found: Option<&Variant> = self.union.variants.get(variant);
        let payload = found.and_then(|variant| variant.payload.as_ref()).unwrap_or(&Type::Any);
        self.payload(payload, &self.location(variant))
    }

    /// The end of the names of functions that are made for a variant.
    fn location(&self, variant: usize) -> String {
        self.union.variants.get(variant).map(|it| it.name.camel()).unwrap_or_default()
    }

    /// Decides the decoder of a payload: one that looks at all keys is told which are not its own.
    fn payload(&mut self, payload: &Type, location: &str) -> Decoder {
        let mut decoder = self.decoders.decoder(payload, location);
        let has_owned = self.owned.passes_on || !self.owned.keys.is_empty();
        if has_owned && self.decoders.looks_at_all_keys(payload) {
            decoder.outer = Some(self.owned.clone());
        }
        decoder
    }
}
