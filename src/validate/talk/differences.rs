//! Where the schema and generated code differ about a payload.

use serde_json::Value;

use crate::decode::{PathStep, Remark, RemarkKind};
use crate::policy::Rule;
use crate::schema_validator::{Problem, SchemaValidator, Violation};
use crate::source::{Location, Node, Sources, segments};
use crate::validate::rules;

/// The longest value of a keyword that is shown.
const SHOWN: usize = 60;

/// The schema of a protocol with all its keywords.
#[derive(Debug)]
pub(in crate::validate) struct WholeSchema<'a> {
    validator: SchemaValidator,
    root: &'a Node,
    texts: &'a Sources,
}

/// A place in a payload about which the schema and generated code differ.
pub(super) struct Difference {
    pub(super) rule: &'static Rule,
    pub(super) message: String,
    /// The steps to the place.
    pub(super) steps: Vec<PathStep>,
    /// The place in the schema.
    pub(super) schema: Option<Location>,
}

impl<'a> WholeSchema<'a> {
    /// Takes a schema document, and the texts that it stands in.
    pub(in crate::validate) fn new(root: &'a Node, texts: &'a Sources) -> Self {
        Self { validator: SchemaValidator::new(root), root, texts }
    }

    /// The differences about a value of a definition, on which generated code remarks this. None if
    /// the schema cannot be judged.
    pub(super) fn differences(
        &self,
        definition: &str,
        value: &Value,
        remarks: &[Remark],
    ) -> Vec<Difference> {
        match self.validator.takes(definition, value) {
            None => Vec::new(),
            Some(true) => remarks.iter().filter_map(refused_by_code).collect(),
            // Nothing is taken of what is refused as a whole.
            Some(false) if remarks.iter().any(Remark::is_refusal) => Vec::new(),
            Some(false) => {
                let mut violations = self.validator.violations(definition, value);
                violations.retain(|violation| !remarks.iter().any(|it| tells(it, violation)));
                violations.into_iter().map(|it| self.refused_by_schema(it)).collect()
            }
        }
    }

    fn refused_by_schema(&self, violation: Violation) -> Difference {
        let (node, location) = self.found(&violation.pointer);
        let keyword = &violation.keyword;
        // Names of properties break what stands in the keyword, not the keyword itself.
        let own = node.filter(|_| violation.pointer.ends_with(&format!("/{keyword}")));
        let why = match violation.problem {
            Problem::Unmet => match own.map(|node| node.to_value().to_string()) {
                Some(value) if value.chars().count() <= SHOWN => format!("`{keyword}` is {value}"),
                _ => format!("`{keyword}` does not fit"),
            },
            Problem::Missing => format!("`{keyword}` asks for it"),
            Problem::Denied => format!("`{keyword}` allows nothing here"),
            Problem::Forbidden => "nothing is allowed here".to_owned(),
            Problem::Somewhere => "somewhere in it".to_owned(),
            Problem::NoneFits => format!("nothing in `{keyword}` fits"),
            Problem::SeveralFit => format!("more than one of `{keyword}` fits"),
        };
        Difference {
            rule: &rules::REFUSED_BY_SCHEMA,
            message: format!("the schema refuses this, {why}; generated code takes it"),
            steps: violation.steps,
            schema: Some(location),
        }
    }

    /// The part of the schema that a pointer leads to, and its location: that of the innermost part
    /// on the way, if there is no such part.
    fn found(&self, pointer: &str) -> (Option<&'a Node>, Location) {
        let mut last = self.root;
        let mut at = Some(last);
        for segment in segments(pointer).unwrap_or_default() {
            at = at.and_then(|at| match at.as_array() {
                Some(items) => items.get(segment.parse::<usize>().ok()?),
                None => at.get(&segment),
            });
            last = at.unwrap_or(last);
        }
        (at, self.texts.location(pointer, last.span))
    }
}

/// The difference that a remark is about, where the schema takes the whole value.
fn refused_by_code(remark: &Remark) -> Option<Difference> {
    let what = match &remark.kind {
        RemarkKind::Refused(_) => "refuses it",
        RemarkKind::Forgiven { .. } => "forgives it as if it were wrong",
        RemarkKind::UnknownProperty { .. }
        | RemarkKind::UnknownValue { .. }
        | RemarkKind::UnknownVariant { .. } => return None,
    };
    Some(Difference {
        rule: &rules::REFUSED_BY_CODE,
        message: format!("the schema takes this; generated code {what}"),
        steps: remark.steps().cloned().collect(),
        schema: remark.schema.clone(),
    })
}

/// Tells whether a remark says already that the schema refuses something: it is about the same
/// part, or one in it that decides whether a branch fits.
fn tells(remark: &Remark, violation: &Violation) -> bool {
    let is_said = match &remark.kind {
        RemarkKind::Forgiven { .. } => true,
        RemarkKind::UnknownProperty { is_denied, .. } => *is_denied,
        _ => false,
    };
    let (said, broken) = (remark.steps().count(), violation.steps.len());
    let is_one_way = remark.steps().zip(&violation.steps).all(|(one, other)| one == other);
    let may_be_inside = matches!(violation.problem, Problem::NoneFits | Problem::Somewhere);
    is_said && is_one_way && (said <= broken || may_be_inside)
}
