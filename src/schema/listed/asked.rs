//! Whether a value fits a schema, as far as keywords can be asked.

use std::cell::Cell;

use indexmap::IndexMap;
use serde_json::Value;

use crate::ir::JsonType as Kind;
use crate::schema::values::{fits, is_equal};
use crate::schema::vocabulary::is_about;
use crate::schema::{Additional, SchemaObject};
use crate::source::Location;

/// The most schemas that are asked about one value.
const MAX_STEPS: usize = 1000;

/// The most schemas in each other that are asked.
const MAX_DEPTH: usize = 32;

/// A keyword that decides whether a value fits, and that is not looked at here.
#[derive(PartialEq)]
pub(super) struct Unclear {
    pub(super) keyword: String,
    pub(super) location: Location,
}

impl Unclear {
    fn at(keyword: &str, schema: &SchemaObject) -> Self {
        Self { keyword: keyword.to_owned(), location: schema.location.clone() }
    }
}

type Answer = Result<bool, Unclear>;

/// Schemas that are asked whether a value fits.
pub(super) struct Asked<'a> {
    definitions: &'a IndexMap<String, SchemaObject>,
    steps: Cell<usize>,
    depth: Cell<usize>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(definitions: &'a IndexMap<String, SchemaObject>) -> Self {
        Self { definitions, steps: Cell::new(0), depth: Cell::new(0) }
    }

    /// Tells whether a value fits a schema.
    pub(super) fn takes(&self, schema: &SchemaObject, value: &Value) -> Answer {
        self.steps.set(0);
        self.fits(schema, value)
    }

    fn fits(&self, schema: &SchemaObject, value: &Value) -> Answer {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_STEPS || self.depth.get() > MAX_DEPTH {
            return Err(Unclear::at("$ref", schema));
        }
        if !fits(value, schema) {
            return Ok(false);
        }
        self.depth.set(self.depth.get() + 1);
        let answers = [
            self.fits_merged(schema, value),
            self.fits_branches(schema, value),
            match value {
                Value::Array(items) => self.fits_items(schema, items),
                Value::Object(members) => self.fits_members(schema, members),
                Value::String(_) if schema.pattern.is_some() => Err(Unclear::at("pattern", schema)),
                _ => Ok(true),
            },
            fits_unmodelled(schema, value),
        ];
        self.depth.set(self.depth.get() - 1);
        all(answers)
    }

    fn fits_merged(&self, schema: &SchemaObject, value: &Value) -> Answer {
        let target = schema.reference.as_ref().map(|reference| {
            let target = self.definitions.get(&reference.name);
            target.map_or_else(|| Err(Unclear::at("$ref", schema)), |it| self.fits(it, value))
        });
        let not = schema.not.as_ref().map(|not| self.fits(not, value).map(|fits| !fits));
        let members = schema.all_of.iter().map(|it| self.fits(it, value));
        all(target.into_iter().chain(not).chain(members))
    }

    fn fits_branches(&self, schema: &SchemaObject, value: &Value) -> Answer {
        let answers = |branches: &[SchemaObject]| -> Vec<Answer> {
            branches.iter().map(|it| self.fits(it, value)).collect()
        };
        let fitting =
            |answers: &[Answer]| answers.iter().filter(|it| matches!(it, Ok(true))).count();
        let first_unclear = |answers: Vec<Answer>| answers.into_iter().find(Result::is_err);
        let any = answers(&schema.any_of);
        let one = answers(&schema.one_of);
        let fits_any = match fitting(&any) {
            0 if !any.is_empty() => first_unclear(any).unwrap_or(Ok(false)),
            _ => Ok(true),
        };
        let fits_one = match fitting(&one) {
            0 if one.is_empty() => Ok(true),
            2.. => Ok(false),
            count => first_unclear(one).unwrap_or(Ok(count == 1)),
        };
        all([fits_any, fits_one])
    }

    fn fits_items(&self, schema: &SchemaObject, items: &[Value]) -> Answer {
        let is_twice =
            |(at, item): (usize, &Value)| items.iter().take(at).any(|other| is_equal(item, other));
        if schema.unique_items && items.iter().enumerate().any(is_twice) {
            return Ok(false);
        }
        all(items.iter().enumerate().filter_map(|(at, item)| {
            let by = schema.prefix.get(at).or(schema.items.as_deref())?;
            Some(self.fits(by, item))
        }))
    }

    fn fits_members(
        &self,
        schema: &SchemaObject,
        members: &serde_json::Map<String, Value>,
    ) -> Answer {
        let (count, keys) = (members.len() as u64, &schema.keys);
        let has = |name: &str| members.contains_key(name);
        let is_complete = schema.required.iter().all(|it| has(it))
            && keys.min_properties.is_none_or(|least| count >= least)
            && keys.max_properties.is_none_or(|most| count <= most)
            && keys.choices.iter().all(|choice| choice.fits(has))
            && keys
                .dependent
                .iter()
                .all(|(name, others)| !has(name) || others.iter().all(|it| has(it)));
        if !is_complete {
            return Ok(false);
        }
        all(members.iter().flat_map(|(name, value)| {
            let by_name = keys.names.as_ref();
            let name_fits = by_name.map(|it| self.fits(it, &Value::String(name.clone())));
            let value_fits = match (schema.properties.get(name), &schema.additional) {
                (Some(property), _) => self.fits(property, value),
                (None, Additional::Unspecified | Additional::Allowed) => Ok(true),
                (None, _) if schema.unevaluated => {
                    Err(Unclear::at("unevaluatedProperties", schema))
                }
                (None, Additional::Denied) => Ok(false),
                (None, Additional::Schema(additional)) => self.fits(additional, value),
            };
            name_fits.into_iter().chain([value_fits])
        }))
    }
}

/// Tells whether keywords that the model has no word for may keep a value out.
fn fits_unmodelled(schema: &SchemaObject, value: &Value) -> Answer {
    let kind = Kind::from_value(value);
    match schema.unmodelled.iter().find(|(keyword, _)| is_about(keyword, kind)) {
        Some((keyword, location)) => {
            Err(Unclear { keyword: keyword.clone(), location: location.clone() })
        }
        None => Ok(true),
    }
}

/// `false` if one answer is; otherwise what is unclear, if something is.
fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut unclear = None;
    for answer in answers {
        match answer {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(keyword) => unclear = unclear.or(Some(keyword)),
        }
    }
    unclear.map_or(Ok(true), Err)
}
