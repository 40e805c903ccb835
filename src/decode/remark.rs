//! Remarks: what a decoder has to say of a value beside what it makes of it.

use std::cell::RefCell;

use serde_json::Value;

use super::error::{DecodeError, PathStep, path};
use crate::source::Location;

/// A remark on a part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The way to the part, from the inside out.
    steps: Vec<PathStep>,
    /// The remark.
    pub kind: RemarkKind,
    /// The location in the schema of what the part is decoded as: the innermost definition or
    /// property.
    pub schema: Option<Location>,
}

/// The kinds of remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// The part is refused, and with it the whole.
    Refused(Refusal),
    /// The part would be refused, but the schema has receivers forgive it.
    Forgiven {
        /// The reason for which it would be refused.
        refusal: Refusal,
        /// The way from the part to what is wrong in it: `items[2].name`, nothing for itself.
        within: String,
        /// The treatment of the part.
        forgiveness: Forgiveness,
    },
    /// No property of the schema has this name.
    UnknownProperty {
        /// True if the schema allows no other properties than its own. Decoders pass over them
        /// all the same.
        is_denied: bool,
        /// The property that was probably meant.
        near: Option<String>,
    },
    /// The value is none that the schema names. It is kept.
    UnknownValue {
        /// The value that was probably meant.
        near: Option<String>,
    },
    /// The tag is none that the schema names. The value is kept as it is.
    UnknownVariant {
        /// The tag that was probably meant.
        near: Option<String>,
    },
}

/// The reason for which a part is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The value that was expected: `a string`.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// True if nothing is there, but something has to be.
    pub is_missing: bool,
}

/// The treatment of a part that is forgiven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forgiveness {
    /// An item is left out.
    LeftOut,
    /// A property counts as absent.
    Absent,
    /// This value takes its place.
    Value(Value),
}

impl Remark {
    /// The steps to the part, from the outside in.
    pub fn steps(&self) -> impl Iterator<Item = &PathStep> {
        self.steps.iter().rev()
    }

    /// The path of the part: `update.content[2].text`, nothing for the value itself.
    pub fn path(&self) -> String {
        path(self.steps())
    }

    /// Tells whether the whole is refused for it.
    pub fn is_refusal(&self) -> bool {
        matches!(self.kind, RemarkKind::Refused(_))
    }
}

impl From<DecodeError> for Remark {
    fn from(error: DecodeError) -> Self {
        let refusal = Refusal::from(&error);
        Self {
            steps: error.steps,
            kind: RemarkKind::Refused(refusal),
            schema: error.schema.map(|it| *it),
        }
    }
}

impl From<&DecodeError> for Refusal {
    fn from(error: &DecodeError) -> Self {
        Self {
            expected: error.expected.clone(),
            found: error.found.clone(),
            is_missing: error.is_missing,
        }
    }
}

/// The remarks that were made so far.
#[derive(Debug, Default)]
pub(super) struct Remarks(RefCell<Vec<Remark>>);

impl Remarks {
    /// The number of remarks: later ones are those made since.
    pub(super) fn mark(&self) -> usize {
        self.0.borrow().len()
    }

    /// Makes a remark on the value that is being decoded.
    pub(super) fn push(&self, kind: RemarkKind) {
        self.0.borrow_mut().push(Remark { steps: Vec::new(), kind, schema: None });
    }

    /// Makes a remark of an error.
    pub(super) fn refuse(&self, error: DecodeError) {
        self.0.borrow_mut().push(error.into());
    }

    /// Moves what was remarked since the mark to what has this part.
    pub(super) fn move_out(&self, mark: usize, step: &PathStep, schema: Option<&Location>) {
        for remark in self.0.borrow_mut().iter_mut().skip(mark) {
            remark.steps.push(step.clone());
            if remark.schema.is_none() {
                remark.schema = schema.cloned();
            }
        }
    }

    /// Says of what was remarked since the mark where the schema has it, if nothing inside did.
    pub(super) fn locate(&self, mark: usize, schema: &Location) {
        for remark in self.0.borrow_mut().iter_mut().skip(mark) {
            remark.schema.get_or_insert_with(|| schema.clone());
        }
    }

    /// Takes everything back that was remarked since the mark. Gives the first refusal among it.
    pub(super) fn take_back(&self, mark: usize) -> Option<DecodeError> {
        let taken = self.0.borrow_mut().split_off(mark);
        taken.into_iter().find_map(|remark| match remark.kind {
            RemarkKind::Refused(refusal) => Some(DecodeError {
                steps: remark.steps,
                expected: refusal.expected,
                found: refusal.found,
                is_missing: refusal.is_missing,
                schema: remark.schema.map(Box::new),
            }),
            _ => None,
        })
    }

    /// Tells whether anything was refused since the mark.
    pub(super) fn has_refused(&self, mark: usize) -> bool {
        self.0.borrow().iter().skip(mark).any(Remark::is_refusal)
    }

    /// Keeps only refusals of what was remarked since the mark.
    pub(super) fn keep_refusals(&self, mark: usize) {
        let mut list = self.0.borrow_mut();
        let later = list.split_off(mark);
        list.extend(later.into_iter().filter(Remark::is_refusal));
    }

    /// All remarks.
    pub(super) fn into_list(self) -> Vec<Remark> {
        self.0.into_inner()
    }
}
