//! The rules: every kind of change, and what it means. Data only; what finds the changes is in
//! [`compare`](super::compare).

mod annotations;
mod enums;
mod methods;
mod properties;
mod types;
mod unions;
mod values;

pub(crate) use annotations::*;
pub(crate) use enums::*;
pub(crate) use methods::*;
pub(crate) use properties::*;
pub(crate) use types::*;
pub(crate) use unions::*;
pub(crate) use values::*;

use serde::Serialize;

use super::verdict::{Effect, Level, Source, Verdict, Wire};
use crate::policy;

/// The remedy where nobody is disturbed.
pub(crate) const NOTHING: &str = "Nothing needs to be done.";

/// A kind of change.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// A stable name, in kebab case.
    pub id: &'static str,
    /// The attention that a change of this kind deserves.
    pub level: Level,
    /// The effect on messages.
    pub wire: Wire,
    /// The effect on code.
    pub source: Source,
    /// The change, in a few words.
    pub summary: &'static str,
    /// Why the verdict is what it is, in full sentences.
    pub why: &'static str,
    /// The remedy: what a schema's author can do instead.
    pub remedy: &'static str,
    /// A piece of a schema before such a change.
    pub before: &'static str,
    /// The piece of the schema after the change.
    pub after: &'static str,
}

impl From<&Rule> for policy::Rule {
    /// Gives the part of a rule that the rules of all commands have.
    fn from(rule: &Rule) -> Self {
        let Rule { id, level, summary, why, remedy, before, after, .. } = *rule;
        Self { id, severity: level.severity(), summary, why, remedy, before, after }
    }
}

/// Every rule, those about the largest things first.
pub static RULES: &[&Rule] = &[
    &methods::METHOD_ADDED_REQUEST,
    &methods::METHOD_ADDED_NOTIFICATION,
    &methods::METHOD_REMOVED,
    &methods::METHOD_RENAMED,
    &methods::METHOD_SIDE_MOVED,
    &methods::METHOD_KIND_CHANGED,
    &methods::METHOD_RESULT_NULL_TO_OBJECT,
    &methods::METHOD_BINDING_ANNOTATED,
    &methods::METHOD_PAYLOAD_TYPE_SWAPPED,
    &annotations::METHOD_BECAME_OPTIONAL,
    &annotations::METHOD_BECAME_MANDATORY,
    &types::TYPE_ADDED,
    &types::TYPE_REMOVED,
    &types::TYPE_RENAMED,
    &types::TYPE_INLINED,
    &types::TYPE_HOISTED,
    &types::SCALAR_NEWTYPE_HOISTED,
    &types::SCALAR_NEWTYPE_INLINED,
    &properties::PROPERTY_ADDED_OPTIONAL,
    &properties::PROPERTY_ADDED_REQUIRED,
    &properties::PROPERTY_REMOVED_OPTIONAL,
    &properties::PROPERTY_REMOVED_REQUIRED,
    &properties::PROPERTY_RENAMED_REQUIRED,
    &properties::PROPERTY_RENAMED_OPTIONAL,
    &properties::PROPERTY_BECAME_REQUIRED,
    &properties::PROPERTY_BECAME_OPTIONAL,
    &properties::PROPERTY_BECAME_OPTIONAL_WITH_DEFAULT,
    &properties::PROPERTY_BECAME_NULLABLE,
    &properties::PROPERTY_BECAME_NON_NULLABLE,
    &properties::PROPERTY_MOVED,
    &types::TYPE_WIDENED,
    &types::TYPE_NARROWED,
    &types::TYPE_CHANGED,
    &types::ANY_TO_OBJECT,
    &types::OBJECT_TO_UNION_SUPERSET,
    &types::OBJECT_TO_SINGLETON_UNION,
    &types::SCALAR_TO_OPEN_ENUM,
    &enums::ENUM_VALUE_ADDED_CLOSED,
    &enums::ENUM_VALUE_ADDED_OPEN,
    &enums::ENUM_VALUE_REMOVED_CLOSED,
    &enums::ENUM_VALUE_RENAMED,
    &enums::ENUM_OPENED,
    &enums::ENUM_CLOSED,
    &unions::UNION_VARIANT_ADDED_CLOSED,
    &unions::UNION_VARIANT_ADDED_OPEN,
    &unions::UNION_VARIANT_ADDED_ABSORBED,
    &unions::UNION_VARIANT_REMOVED,
    &unions::UNION_TAG_VALUE_RENAMED,
    &unions::UNION_TAG_PROPERTY_RENAMED,
    &unions::UNION_OPENED,
    &unions::DISCRIMINATOR_ANNOTATION_ADDED,
    &unions::DISCRIMINATOR_ANNOTATION_REMOVED,
    &values::DEFAULT_CHANGED,
    &values::DEFAULT_REMOVED,
    &values::DEFAULT_DERIVED,
    &values::CONSTRAINT_TIGHTENED,
    &values::CONSTRAINT_LOOSENED,
    &values::FORMAT_ADDED,
    &values::FORMAT_REPRESENTATION_CHANGED,
    &values::LENIENT_ADDED,
    &values::LENIENT_REMOVED,
    &annotations::CAPABILITY_ADDED,
    &annotations::CAPABILITY_REMOVED,
    &annotations::CAPABILITY_CHANGED,
    &annotations::CAPABILITIES_MOVED,
    &annotations::VERSION_CHANGED,
    &annotations::VERSION_DISAGREES,
    &annotations::NEGOTIATION_CHANGED,
    &annotations::REMOTE_ADDED,
    &annotations::REMOTE_REMOVED,
    &annotations::REMOTE_CHANGED,
    &annotations::CANCELLATION_CHANGED,
    &annotations::STREAM_CHANGED,
    &annotations::HANDLE_CHANGED,
    &annotations::STATE_CHANGED,
    &annotations::SHORTHAND_CHANGED,
    &annotations::LIFECYCLE_CHANGED,
    &annotations::CATALOGUE_CHANGED,
    &annotations::CODE_NAME_CHANGED,
    &annotations::DEPRECATED,
    &annotations::NO_LONGER_DEPRECATED,
    &annotations::BECAME_UNSTABLE,
    &annotations::BECAME_STABLE,
    &annotations::NOT_JUDGED,
    &values::ANNOTATION_ONLY,
    &values::STRUCTURE_ONLY,
    &values::ENVELOPE_RESTRUCTURED,
    &values::GENERATED_API_CHANGED,
];

/// The rule of this name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

const fn wire(old_to_new: Verdict, new_to_old: Verdict) -> Wire {
    Wire { old_to_new, new_to_old }
}

const fn source(rust: Effect, typescript: Effect, python: Effect) -> Source {
    Source { rust, typescript, python }
}
