//! Constraints and formats.

use std::cmp::Ordering::{self, Greater, Less};
use std::fmt::Display;

use super::Comparer;
use super::finding::{ComparedLocation, Finding};
use crate::breaking::rules;
use crate::breaking::verdict::{Direction, Verdict, Wire};
use crate::ir::{ArrayType, IntegerType, NumberType, StringType};

impl<'a> Comparer<'a> {
    pub(super) fn integers(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &IntegerType,
        new: &IntegerType,
    ) {
        self.bound(at, "smallest value", (old.minimum, new.minimum), Less);
        self.bound(at, "largest value", (old.maximum, new.maximum), Greater);
        if old.format != new.format {
            let word =
                |of: &IntegerType| of.format.map(|format| format!("{format:?}").to_lowercase());
            self.format(at, word(old).as_deref(), word(new).as_deref());
        }
    }

    pub(super) fn numbers(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &NumberType,
        new: &NumberType,
    ) {
        self.bound(at, "smallest value", (old.minimum, new.minimum), Less);
        self.bound(at, "largest value", (old.maximum, new.maximum), Greater);
        self.format(at, old.format.as_deref(), new.format.as_deref());
    }

    pub(super) fn strings(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &StringType,
        new: &StringType,
    ) {
        self.bound(at, "smallest length", (old.min_length, new.min_length), Less);
        self.bound(at, "largest length", (old.max_length, new.max_length), Greater);
        match (&old.pattern, &new.pattern) {
            (None, Some(pattern)) => {
                let summary = format!("must now match `{pattern}`");
                self.found(&rules::CONSTRAINT_TIGHTENED, at, summary);
            }
            (Some(pattern), None) => {
                let summary = format!("need no longer match `{pattern}`");
                self.found(&rules::CONSTRAINT_LOOSENED, at, summary);
            }
            (Some(from), Some(to)) if from != to => {
                // Which of the two takes more is not for a comparison of texts to say.
                let summary = format!("must match `{to}` instead of `{from}`");
                let finding = Finding::new(&rules::CONSTRAINT_TIGHTENED, at, summary);
                self.report(finding.wire(Wire::both(Verdict::Break)));
            }
            _ => {}
        }
        let encoded = |string: &StringType| {
            string.encoding.as_deref() == Some("base64") || string.format.as_deref() == Some("byte")
        };
        if encoded(old) && encoded(new) {
            if (&old.encoding, &old.format) != (&new.encoding, &new.format) {
                let summary = "that the text is base64 is said with another keyword";
                self.found(&rules::FORMAT_REPRESENTATION_CHANGED, at, summary);
            }
            return;
        }
        self.format(at, old.format.as_deref(), new.format.as_deref());
        self.format(at, old.encoding.as_deref(), new.encoding.as_deref());
    }

    pub(super) fn counts(&mut self, at: &ComparedLocation<'a>, old: &ArrayType, new: &ArrayType) {
        self.bound(at, "smallest number of items", (old.min_items, new.min_items), Less);
        self.bound(at, "largest number of items", (old.max_items, new.max_items), Greater);
    }

    fn format(&mut self, at: &ComparedLocation<'a>, old: Option<&str>, new: Option<&str>) {
        let (wire, summary) = match (old, new) {
            (None, Some(to)) => (rules::FORMAT_ADDED.wire, format!("now has the format `{to}`")),
            (Some(from), Some(to)) if from != to => {
                let summary = format!("has the format `{to}` instead of `{from}`");
                (Wire::both(Verdict::Risk), summary)
            }
            (Some(from), None) => {
                let summary = format!("no longer has the format `{from}`");
                (Wire::OK.with(Direction::NewToOld, Verdict::Risk), summary)
            }
            _ => return,
        };
        self.report(Finding::new(&rules::FORMAT_ADDED, at, summary).wire(wire));
    }

    /// Compares a bound, which leaves less room where the old one is so in relation to the new.
    fn bound<T: PartialOrd + Display>(
        &mut self,
        at: &ComparedLocation<'a>,
        what: &str,
        (old, new): (Option<T>, Option<T>),
        tighter: Ordering,
    ) {
        let (is_tighter, summary) = match (old, new) {
            (Some(from), Some(to)) if from != to => {
                let summary = format!("the {what} was {from} and is now {to}");
                (from.partial_cmp(&to) == Some(tighter), summary)
            }
            (None, Some(to)) => (true, format!("the {what} is now {to}")),
            (Some(from), None) => (false, format!("the {what} is no longer {from}")),
            _ => return,
        };
        let rule =
            if is_tighter { &rules::CONSTRAINT_TIGHTENED } else { &rules::CONSTRAINT_LOOSENED };
        self.found(rule, at, summary);
    }
}
