//! Runs the plan of a union.

use serde_json::{Map, Value};

use super::error::{DecodeError, PathStep};
use super::mode::Mode;
use super::outer::Outer;
use super::plan::{Candidates, Rest, Step, UnionPlan};
use super::refused::Trial;
use super::remark::{RemarkKind, Remarks};
use super::run::{Decoder, Result, near, object};
use crate::ir::{JsonType, OpenVariant, Variant};

impl Decoder<'_> {
    /// Decodes a value as a union.
    pub(super) fn union(&self, outer: &Outer<'_>, plan: &UnionPlan, value: &Value) -> Result {
        let union = outer.union;
        if plan.is_object && !value.is_object() {
            return Err(DecodeError::new("an object", value));
        }
        let mut members = Map::new();
        if let Value::Object(found) = value {
            self.fields(&union.shared, &plan.shared, found, &mut members)?;
        }
        let tag = plan.tag.as_ref().map(|tag| tag.property.as_str());
        let found = tag.and_then(|tag| value.get(tag)?.as_str());
        let selected = found.and_then(|found| plan.tagged(found));
        let chosen = match selected.and_then(|index| union.variants.get(index)) {
            Some(variant) => {
                let outer = Outer { tag, ..*outer };
                let may_be_another = self.mode == Mode::Exact;
                let decode = || self.tagged(&outer, variant, plan, value);
                let body = match selected.filter(|_| may_be_another) {
                    Some(index) => self.attempt_once(index, &outer, value, decode),
                    None => decode(),
                };
                match body {
                    Err(error) if may_be_another => {
                        self.untagged(&outer, plan, value, None).map_err(|_| error)?
                    }
                    body => {
                        let tag = tag.zip(found);
                        members.extend(tag.map(|(key, tag)| (key.to_owned(), tag.into())));
                        body?
                    }
                }
            }
            None => self.untagged(outer, plan, value, found)?,
        };
        match chosen {
            Value::Object(chosen) => {
                members.extend(chosen);
                Ok(Value::Object(members))
            }
            chosen => Ok(chosen),
        }
    }

    /// The body of a variant that the tag selects.
    fn tagged(
        &self,
        outer: &Outer<'_>,
        variant: &Variant,
        plan: &UnionPlan,
        value: &Value,
    ) -> Result {
        match &variant.payload {
            Some(payload) => self.within(payload, value, Some(outer)),
            None if plan.bare == Rest::Dropped => {
                self.unknown_members(outer, value)?;
                Ok(Value::Object(Map::new()))
            }
            None => raw(outer, value),
        }
    }

    /// The variant that is found without the help of the tag; `unknown` is the tag, if it is a
    /// string. What a variant takes as it is, no other forgives.
    fn untagged(
        &self,
        outer: &Outer<'_>,
        plan: &UnionPlan,
        value: &Value,
        unknown: Option<&str>,
    ) -> Result {
        if plan.strict_first && self.mode == Mode::Lenient {
            let strict = Decoder { mode: Mode::Strict, ..*self };
            let found = self.attempt(true, || strict.steps(outer, plan, value, unknown));
            if found.is_ok() {
                return found;
            }
        }
        self.steps(outer, plan, value, unknown)
    }

    fn steps(
        &self,
        outer: &Outer<'_>,
        plan: &UnionPlan,
        value: &Value,
        unknown: Option<&str>,
    ) -> Result {
        let attempt = |index: usize| {
            let variant = outer.union.variants.get(index)?;
            let shape = || self.shape(outer, variant, value);
            self.attempt_once(index, outer, value, shape).ok()
        };
        for step in &plan.steps {
            let found = match (step, &outer.union.open) {
                (Step::Open, Some(open)) if unknown.is_some() => {
                    return self.open(outer, open, value);
                }
                (Step::Open, _) => None,
                (Step::Choose(choice), _) => match choice.candidates(JsonType::from_value(value)) {
                    Candidates::Only(index) => {
                        let Some(variant) = outer.union.variants.get(*index) else { continue };
                        return self.shape(outer, variant, value);
                    }
                    candidates => candidates.order(value).into_iter().find_map(attempt),
                },
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        Err(refusal(plan, value))
    }

    /// Decodes a value as a variant that may refuse it, unless it has done so before.
    fn attempt_once(
        &self,
        variant: usize,
        outer: &Outer<'_>,
        value: &Value,
        decode: impl FnOnce() -> Result,
    ) -> Result {
        let trial = Trial::new(value, self.mode, outer, variant);
        let Some((refused, trial)) = self.refused.zip(trial) else {
            return self.attempt(true, decode);
        };
        if let Some(error) = refused.get(&trial) {
            return Err(error);
        }
        self.attempt(true, decode).inspect_err(|error| refused.insert(trial, error.clone()))
    }

    fn shape(&self, outer: &Outer<'_>, variant: &Variant, value: &Value) -> Result {
        match &variant.payload {
            Some(payload) => self.within(payload, value, Some(outer)),
            None => Ok(value.clone()),
        }
    }

    /// An object with an unknown tag, as it came but for the shared fields.
    fn open(&self, outer: &Outer<'_>, open: &OpenVariant, value: &Value) -> Result {
        if let Some(tag) = outer.union.tag() {
            self.part(
                || PathStep::Key(tag.wire.clone()),
                Some(&open.location),
                || {
                    let known = outer.union.tagged().map(|(tag, _)| tag);
                    let found = value.get(&tag.wire).and_then(Value::as_str);
                    let near = near(found.unwrap_or_default(), known);
                    self.remark(RemarkKind::UnknownVariant { near });
                    Ok(None)
                },
            )?;
        }
        if let Some(payload) = &open.payload {
            // All its members are kept, so none is unknown.
            let mark = self.remarks.map(Remarks::mark);
            let tag = outer.union.tag().map(|tag| tag.wire.as_str());
            self.within(payload, value, Some(&Outer { tag, ..*outer }))?;
            if let (Some(remarks), Some(mark)) = (self.remarks, mark) {
                remarks.keep_refusals(mark);
            }
        }
        raw(outer, value)
    }

    /// Remarks on the members of an object that has nothing but its tag, and what belongs to the
    /// unions around it.
    fn unknown_members(&self, outer: &Outer<'_>, value: &Value) -> Result<()> {
        if self.remarks.is_none() {
            return Ok(());
        }
        for key in object(value)?.keys().filter(|key| !outer.owns(key)) {
            self.part(
                || PathStep::Key(key.clone()),
                None,
                || {
                    let known = outer.union.shared.iter().map(|field| field.name.wire.as_str());
                    let near = near(key, known);
                    self.remark(RemarkKind::UnknownProperty { is_denied: false, near });
                    Ok(None)
                },
            )?;
        }
        Ok(())
    }
}

/// The members of an object that do not belong to a union.
fn raw(outer: &Outer<'_>, value: &Value) -> Result {
    let mut members = object(value)?.clone();
    members.retain(|key, _| !outer.owns(key));
    Ok(Value::Object(members))
}

/// Says that no variant takes the value.
fn refusal(plan: &UnionPlan, value: &Value) -> DecodeError {
    let Some(tag) = plan.tag.as_ref().filter(|_| plan.is_by_tag_alone()) else {
        return DecodeError::new(&plan.expected, value);
    };
    let Some(found) = value.get(&tag.property) else {
        return DecodeError::missing().in_key(&tag.property);
    };
    DecodeError::new(&tag.expected, found).in_key(&tag.property)
}
