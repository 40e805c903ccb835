//! Makes the plan of a protocol.

use std::collections::HashSet;

use serde_json::Value;

use super::beyond::keep_members;
use super::error::one_of;
use super::keys::Keys;
use super::plan::{
    Candidates, Choice, DecodePlan, FieldPlan, Items, KnownKeys, Listed, OnAbsent, OnInvalid,
    OnNull, RecordPlan, Rest, Step, Substitute, TagPlan, TypePlan, UnionPlan,
};
use crate::decode::UnknownFields;
use crate::ir::{
    Enum, Fallback, Field, JsonType, JsonTypes, Protocol, Record, Selector, Type, TypeKind, Union,
    UnknownProperties, Variant,
};

/// The most values of an enum that are looked at one by one.
const MANY: usize = 32;

/// Where the values of an enum stand that are strings: of two that are the same, the first.
fn listed(of: &Enum) -> Listed {
    let values = of.values.iter().enumerate().rev();
    values.filter_map(|(at, value)| Some((value.value.as_str()?.to_owned(), at))).collect()
}

impl DecodePlan {
    /// Decides how each definition of a protocol is decoded.
    pub fn new(protocol: &Protocol, unknown: UnknownFields) -> Self {
        let planner = Planner { protocol, unknown, kept: keep_members(protocol) };
        let plan = |(name, kind): (&String, &TypeKind)| {
            let plan = match kind {
                TypeKind::Record(record) => TypePlan::Record(planner.record(name, record)),
                TypeKind::Union(union) => TypePlan::Union(planner.union(name, union)),
                TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => return None,
            };
            Some((name.clone(), plan))
        };
        let types = protocol.types.iter().map(|(name, def)| (name, &def.kind));
        let listed = protocol.types.iter().filter_map(|(name, def)| match &def.kind {
            TypeKind::Enum(of) if of.values.len() > MANY => Some((name.clone(), listed(of))),
            _ => None,
        });
        let mut plan = Self { types: types.filter_map(plan).collect(), listed: listed.collect() };
        plan.mark_retried(protocol);
        plan
    }

    /// Marks the unions that are part of a variant that is tried.
    fn mark_retried(&mut self, protocol: &Protocol) {
        let is_doubtful = |name: &&String| self.union(name).is_some_and(UnionPlan::is_doubtful);
        let doubtful: Vec<&String> = protocol.types.keys().filter(is_doubtful).collect();
        let tried = doubtful.iter().filter_map(|name| match &protocol.type_def(name)?.kind {
            TypeKind::Union(union) => Some(union.untagged()),
            _ => None,
        });
        let payloads = tried.flatten().filter_map(|variant| variant.payload.as_ref()?.named());
        for name in protocol.reachable(payloads) {
            if let Some(TypePlan::Union(union)) = self.types.get_mut(name) {
                union.is_retried = union.is_doubtful();
            }
        }
    }
}

struct Planner<'a> {
    protocol: &'a Protocol,
    unknown: UnknownFields,
    /// The records that keep members in any case.
    kept: HashSet<&'a str>,
}

/// A variant that no tag selects, and its place among all.
type Untagged<'a> = (usize, &'a Variant);

impl<'a> Planner<'a> {
    fn record(&self, name: &str, record: &Record) -> RecordPlan {
        let rest = match (&record.unknown, self.unknown) {
            (UnknownProperties::Kept { ty }, _) => Rest::Kept(ty.clone()),
            (UnknownProperties::Unspecified, _) if self.kept.contains(name) => {
                Rest::Kept(Type::Any)
            }
            (_, UnknownFields::Preserve) => Rest::Kept(Type::Any),
            (_, UnknownFields::Drop) => Rest::Dropped,
        };
        let forbidden = record.forbidden.clone();
        let (keys, closed) = (record.keys.clone(), record.unknown.is_denied());
        RecordPlan { fields: self.fields(&record.fields), rest, forbidden, keys, closed }
    }

    fn fields(&self, fields: &[Field]) -> Vec<FieldPlan> {
        fields.iter().map(|field| self.field(field)).collect()
    }

    fn field(&self, field: &Field) -> FieldPlan {
        let absent = match &field.default {
            _ if field.presence.is_required() => OnAbsent::Refuse,
            Some(value) => OnAbsent::Default(value.clone()),
            None => OnAbsent::Leave,
        };
        let substitute = |fallback: &Fallback| match (fallback, &absent) {
            (Fallback::Value { value }, _) | (Fallback::Absent, OnAbsent::Default(value)) => {
                Substitute::Value(value.clone())
            }
            (Fallback::Absent, _) => Substitute::Absent,
        };
        let null = match &field.leniency.on_null {
            _ if field.presence.is_nullable() => OnNull::Keep,
            Some(fallback) if !self.protocol.admits_null(&field.ty) => {
                OnNull::Become(substitute(fallback))
            }
            _ => OnNull::Decode,
        };
        let invalid = match &field.leniency.on_error {
            Some(fallback) => OnInvalid::Become(substitute(fallback)),
            None => OnInvalid::Refuse,
        };
        let items = if field.leniency.skip_invalid_items { Items::ValidOnly } else { Items::All };
        FieldPlan { absent, null, invalid, items }
    }

    fn union(&self, name: &str, union: &'a Union) -> UnionPlan {
        let own = Type::Named { name: name.to_owned() };
        let types = self.protocol.json_types(&own);
        let is_object = types == JsonType::Object.into();
        let tag = union.tag().map(|property| {
            let variants: Vec<(String, usize)> = indexed(union)
                .filter_map(|(index, variant)| Some((variant.tag()?.to_owned(), index)))
                .collect();
            let known = variants.iter().filter(|_| union.open.is_none());
            let known: Vec<Value> = known.map(|(tag, _)| Value::from(tag.as_str())).collect();
            let expected = one_of(known.iter());
            TagPlan { property: property.wire.clone(), variants, expected }
        });
        let steps = self.steps(union, is_object);
        UnionPlan {
            is_object,
            shared: self.fields(&union.shared),
            tag,
            bare: match self.unknown {
                UnknownFields::Preserve => Rest::Kept(Type::Any),
                UnknownFields::Drop => Rest::Dropped,
            },
            strict_first: steps.iter().any(Step::is_doubtful) && self.may_forgive(union),
            is_retried: false,
            steps,
            expected: self.expected(union),
        }
    }

    /// Tells whether something is forgiven anywhere in the variants that no tag selects.
    fn may_forgive(&self, union: &Union) -> bool {
        let payloads = union.untagged().filter_map(|variant| variant.payload.as_ref()?.named());
        self.protocol.reachable(payloads).into_iter().any(|name| {
            let fields = match self.protocol.type_def(name).map(|def| &def.kind) {
                // Members that it denies, or the spelling of keys.
                Some(TypeKind::Record(record)) if is_laxer(record) => return true,
                Some(TypeKind::Record(record)) => &record.fields,
                Some(TypeKind::Union(union)) => &union.shared,
                Some(TypeKind::Tuple(tuple)) => return tuple.types().any(has_lax_maps),
                Some(TypeKind::Alias { target }) => return has_lax_maps(target),
                _ => return false,
            };
            if fields.iter().any(|field| has_lax_maps(&field.ty)) {
                return true;
            }
            fields.iter().any(|field| !field.leniency.is_strict())
        })
    }

    fn steps(&self, union: &'a Union, is_object: bool) -> Vec<Step> {
        let untagged: Vec<Untagged<'a>> =
            indexed(union).filter(|(_, variant)| variant.selector == Selector::Untagged).collect();
        // A variant that is alone says itself what is wrong with a value, unless the value may
        // also be one of the open variant.
        let is_final = |ty: JsonType| {
            let takes = |(_, variant): &&Untagged<'a>| self.takes(variant, ty);
            union.open.is_none()
                || ty != JsonType::Object && untagged.iter().filter(takes).count() == 1
        };
        let choose = |variants: &[Untagged<'a>]| {
            let choice = self.choice(variants, is_object, &is_final);
            let is_empty = choice.arms.iter().all(|(_, found)| *found == Candidates::None);
            (!is_empty).then_some(Step::Choose(choice))
        };
        match &union.open {
            Some(open) => {
                let before = untagged.partition_point(|(index, _)| *index < open.position);
                let (before, after) = untagged.split_at(before);
                let steps = [choose(before), Some(Step::Open), choose(after)];
                steps.into_iter().flatten().collect()
            }
            None => choose(&untagged).into_iter().collect(),
        }
    }

    /// The variants to try for each JSON type.
    fn choice(
        &self,
        variants: &[Untagged<'a>],
        is_object: bool,
        is_final: &dyn Fn(JsonType) -> bool,
    ) -> Choice {
        let possible = if is_object { &[JsonType::Object][..] } else { &JsonType::EACH };
        let mut arms: Vec<(JsonTypes, Candidates)> = Vec::new();
        for ty in possible {
            let takes = |(_, variant): &&Untagged<'a>| self.takes(variant, *ty);
            let fitting: Vec<Untagged<'a>> = variants.iter().filter(takes).copied().collect();
            let found = self.candidates(&fitting, *ty, is_final(*ty));
            match arms.iter_mut().find(|(_, other)| *other == found) {
                Some((types, _)) => *types = types.union((*ty).into()),
                None => arms.push(((*ty).into(), found)),
            }
        }
        Choice { arms }
    }

    /// Tells whether a variant takes values of a JSON type.
    fn takes(&self, variant: &Variant, ty: JsonType) -> bool {
        let payload = variant.payload.as_ref();
        payload.is_none_or(|payload| self.protocol.json_types(payload).contains(ty))
    }

    fn candidates(&self, variants: &[Untagged<'a>], ty: JsonType, is_final: bool) -> Candidates {
        match variants {
            [] => return Candidates::None,
            [(only, _)] if is_final => return Candidates::Only(*only),
            _ => {}
        }
        if ty == JsonType::Object {
            return self.of_objects(variants, is_final);
        }
        self.in_order(variants.iter().copied(), is_final)
    }

    /// Variants in an order that is right for each value, up to one that takes anything.
    fn in_order(&self, variants: impl Iterator<Item = Untagged<'a>>, is_final: bool) -> Candidates {
        let mut order = Vec::new();
        for (index, variant) in variants {
            order.push(index);
            let payload = variant.payload.as_ref().map(|payload| self.protocol.resolve(payload));
            if matches!(payload, None | Some(Type::Any)) {
                break;
            }
        }
        match order.as_slice() {
            [only] if is_final => Candidates::Only(*only),
            _ => Candidates::InOrder(order),
        }
    }

    /// Orders variants that are objects so that each knows more keys of whatever it accepts than
    /// those after it; if there is no such order, the keys of the value have to decide.
    fn of_objects(&self, variants: &[Untagged<'a>], is_final: bool) -> Candidates {
        let keys: Vec<Keys<'a>> = variants
            .iter()
            .map(|(_, variant)| Keys::new(self.protocol, variant.payload.as_ref()))
            .collect();
        let may_precede = |first: usize, second: usize| {
            let (one, other) = (&keys[first], &keys[second]);
            one.is_disjoint(other) || one.outnumbers(other, first < second)
        };
        let mut left: Vec<usize> = (0..variants.len()).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let is_next =
                |at: &usize| left.iter().all(|other| other == at || may_precede(*at, *other));
            let Some(next) = left.iter().position(is_next) else {
                let listed =
                    |((index, _), keys): (&Untagged<'a>, Keys<'a>)| (*index, keys.listed());
                let known: Vec<(usize, KnownKeys)> =
                    variants.iter().zip(keys).map(listed).collect();
                return Candidates::MostKeys(known);
            };
            order.push(left.remove(next));
        }
        self.in_order(order.into_iter().map(|at| variants[at]), is_final)
    }

    /// `TextContent or null`
    fn expected(&self, union: &Union) -> String {
        let mut words: Vec<String> = Vec::new();
        let any = Type::Any;
        for variant in union.untagged() {
            let word = self.protocol.describe(variant.payload.as_ref().unwrap_or(&any));
            if !words.contains(&word) {
                words.push(word);
            }
        }
        match words.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::from("an object"),
        }
    }
}

/// Tells whether a lenient decoder takes objects with other keys than a strict one.
fn is_laxer(record: &Record) -> bool {
    let kept = record.unknown.kept();
    record.unknown.is_denied() || record.keys.names.is_some() || kept.is_some_and(has_lax_maps)
}

/// Tells the same of the maps that a type is made of, by its own name or without one.
fn has_lax_maps(ty: &Type) -> bool {
    match ty {
        Type::Map(map) => map.keys.names.is_some() || has_lax_maps(&map.values),
        Type::Array(array) => has_lax_maps(&array.items),
        Type::Nullable { inner } => has_lax_maps(inner),
        _ => false,
    }
}

fn indexed(union: &Union) -> impl Iterator<Item = Untagged<'_>> {
    union.variants.iter().enumerate()
}
