//! Violations: keywords of a schema that a value does not satisfy.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use crate::decode::PathStep;
use crate::source::segments;

/// A keyword of a schema that a part of a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The steps to the part, from the outside in.
    pub(crate) steps: Vec<PathStep>,
    /// The keyword.
    pub(crate) keyword: String,
    /// The JSON pointer of the keyword in the schema.
    pub(crate) pointer: String,
    /// The kind of the problem.
    pub(crate) problem: Problem,
}

/// The kinds of problems that a keyword can have with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The value is not what the keyword asks for.
    Unmet,
    /// Something that has to be there is missing.
    Missing,
    /// The keyword allows no more than what it stands beside.
    Denied,
    /// Nothing may be there: the schema is `false`.
    Forbidden,
    /// No schema of a list takes the value.
    NoneFits,
    /// Something in the value is wrong.
    Somewhere,
    /// More than one schema of a list takes the value, where one has to.
    SeveralFit,
}

impl Violation {
    /// A violation of which only the schema is known: it has this pointer.
    pub(super) fn somewhere(pointer: &str) -> Self {
        let (steps, keyword, problem) = (Vec::new(), String::new(), Problem::Somewhere);
        Self { steps, keyword, pointer: pointer.to_owned(), problem }
    }

    /// The violations that an error of the validator means: of an error about several properties,
    /// one for each; of one about branches, those of the branch that is meant. None if the
    /// validator could not tell.
    pub(super) fn from_error(error: &ValidationError<'_>, value: &Value) -> Vec<Self> {
        let (problem, properties) = match error.kind() {
            ValidationErrorKind::BacktrackLimitExceeded { .. }
            | ValidationErrorKind::RegexEngineFailure { .. }
            | ValidationErrorKind::Referencing(_) => return Vec::new(),
            ValidationErrorKind::AnyOf { context }
            | ValidationErrorKind::OneOfNotValid { context } => match meant(context) {
                Some(errors) => {
                    return errors.iter().flat_map(|it| Self::from_error(it, value)).collect();
                }
                None => (Problem::NoneFits, Vec::new()),
            },
            ValidationErrorKind::OneOfMultipleValid { .. } => (Problem::SeveralFit, Vec::new()),
            ValidationErrorKind::Required { property } => {
                (Problem::Missing, property.as_str().map(str::to_owned).into_iter().collect())
            }
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                (Problem::Denied, unexpected.clone())
            }
            ValidationErrorKind::FalseSchema => (Problem::Forbidden, Vec::new()),
            _ => (Problem::Unmet, Vec::new()),
        };
        let violation = Self {
            steps: steps(error.instance_path().as_str(), value),
            keyword: error.kind().keyword().to_owned(),
            pointer: error.schema_path().as_str().to_owned(),
            problem,
        };
        if properties.is_empty() {
            return vec![violation];
        }
        let of_property = |name: String| {
            let mut one = violation.clone();
            one.steps.push(PathStep::Key(name));
            one
        };
        properties.into_iter().map(of_property).collect()
    }
}

/// The errors of the branch that a value is meant for: the only one of which it has the type and
/// the constants.
fn meant<'e>(
    branches: &'e [Vec<ValidationError<'static>>],
) -> Option<&'e [ValidationError<'static>]> {
    let is_other = |error: &ValidationError<'_>| {
        matches!(
            error.kind(),
            ValidationErrorKind::Type { .. }
                | ValidationErrorKind::Constant { .. }
                | ValidationErrorKind::Enum { .. }
                | ValidationErrorKind::FalseSchema
        )
    };
    let mut fitting = branches.iter().filter(|errors| !errors.iter().any(is_other));
    fitting
        .next()
        .filter(|errors| !errors.is_empty() && fitting.next().is_none())
        .map(Vec::as_slice)
}

/// The steps of a JSON pointer into a value.
fn steps(pointer: &str, value: &Value) -> Vec<PathStep> {
    let mut at = Some(value);
    let step = |segment: String| {
        let index = segment.parse().ok().filter(|_| at.is_some_and(Value::is_array));
        at = at.and_then(|at| match index {
            Some(index) => at.get::<usize>(index),
            None => at.get(&segment),
        });
        index.map_or(PathStep::Key(segment), PathStep::Index)
    };
    segments(pointer).unwrap_or_default().into_iter().map(step).collect()
}
