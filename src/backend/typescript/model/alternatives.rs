//! The types of a union's variants.

use serde::Serialize;

use crate::backend::typescript::literals;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{OpenVariant, Selector, Type, Union, Variant};

/// The type of a variant: what it holds, its tag, or both.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Alternative {
    /// The variant's name in the model. Empty where it is not just one variant's.
    #[serde(skip)]
    pub(super) of: String,
    /// The type of what it holds, in parentheses where the tag's type needs them.
    pub(super) payload: Option<String>,
    pub(super) tag: Option<Tag>,
}

/// The tag in a variant's type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Tag {
    /// It is this literal.
    Known { value: String },
    /// There is none.
    Absent,
    /// It is any that is not known, and there may be other properties.
    Unknown,
}

impl Alternative {
    /// Makes the alternative of a variant with this tag.
    pub(super) fn new(scope: Scope<'_>, variant: &Variant, tag: Option<&str>) -> Self {
        let payload = variant.payload.as_ref();
        let tag = match (&variant.selector, tag) {
            (Selector::Tag { value }, Some(_)) => {
                Some(Tag::Known { value: literals::literal(value) })
            }
            (Selector::Untagged, Some(tag)) if scope.lacks_property(payload, tag) => {
                Some(Tag::Absent)
            }
            _ => None,
        };
        Self::from_parts(&variant.name.wire, payload.map(|payload| scope.expression(payload)), tag)
    }

    /// Makes the alternative of the variant of unknown tags.
    pub(super) fn open(scope: Scope<'_>, open: &OpenVariant) -> Self {
        let payload = open.payload.as_ref().map(|payload| scope.expression(payload));
        Self::from_parts(&open.name.wire, payload, Some(Tag::Unknown))
    }

    fn is_same_type(&self, other: &Self) -> bool {
        (&self.payload, &self.tag) == (&other.payload, &other.tag)
    }

    fn from_parts(variant: &str, payload: Option<Expr>, tag: Option<Tag>) -> Self {
        let payload = match (payload, &tag) {
            (Some(Expr::UNKNOWN) | None, Some(_)) => None,
            (Some(payload), Some(_)) => Some(payload.operand()),
            (payload, None) => {
                Some(payload.unwrap_or_else(|| Expr::map(Expr::UNKNOWN)).to_string())
            }
        };
        Self { of: variant.to_owned(), payload, tag }
    }
}

/// The types of the variants in order, each once. If one of them takes everything, it is the only
/// one.
pub(super) fn alternatives(scope: Scope<'_>, union: &Union) -> Vec<Alternative> {
    let tag = union.tag().map(|tag| tag.wire.as_str());
    let mut all: Vec<Alternative> = Vec::new();
    for (index, variant) in union.variants.iter().enumerate() {
        if let Some(open) = union.open.as_ref().filter(|open| open.position == index) {
            all.push(Alternative::open(scope, open));
        }
        match &variant.payload {
            Some(payload) if tag.is_none() => {
                let is_any = *scope.protocol.resolve(payload) == Type::Any;
                let payload = if is_any { &Type::Any } else { payload };
                let types = scope.expression(payload).alternatives().into_iter();
                all.extend(
                    types.map(|ty| Alternative::from_parts(&variant.name.wire, Some(ty), None)),
                );
            }
            _ => all.push(Alternative::new(scope, variant, tag)),
        }
    }
    let last = union.open.as_ref().filter(|open| open.position >= union.variants.len());
    all.extend(last.map(|open| Alternative::open(scope, open)));
    let anything = Alternative::from_parts("", Some(Expr::UNKNOWN), None);
    if all.iter().any(|other| other.is_same_type(&anything)) {
        return vec![anything];
    }
    let mut once: Vec<Alternative> = Vec::with_capacity(all.len());
    for alternative in all {
        if !once.iter().any(|other| other.is_same_type(&alternative)) {
            once.push(alternative);
        }
    }
    if once.is_empty() {
        once.push(Alternative::from_parts("", Some(Expr::union([])), None));
    }
    once
}
