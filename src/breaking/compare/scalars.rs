//! Constraints and formats.

use super::Comparer;
use super::finding::{ComparedLocation, Finding};
use crate::breaking::rules;
use crate::breaking::verdict::{Verdict, Wire};
use crate::ir::{ArrayType, IntegerType, NumberType, StringType};

/// The values that a bound leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Less,
    More,
}

impl<'a> Comparer<'a> {
    pub(super) fn integers(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &IntegerType,
        new: &IntegerType,
    ) {
        self.lower(at, "smallest value", old.minimum, new.minimum);
        self.upper(at, "largest value", old.maximum, new.maximum);
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
        self.lower(at, "smallest value", old.minimum, new.minimum);
        self.upper(at, "largest value", old.maximum, new.maximum);
        self.format(at, old.format.as_deref(), new.format.as_deref());
    }

    pub(super) fn strings(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &StringType,
        new: &StringType,
    ) {
        self.lower(at, "smallest length", old.min_length, new.min_length);
        self.upper(at, "largest length", old.max_length, new.max_length);
        match (&old.pattern, &new.pattern) {
            (None, Some(pattern)) => {
                self.room(at, Room::Less, format!("must now match `{pattern}`"));
            }
            (Some(pattern), None) => {
                self.room(at, Room::More, format!("need no longer match `{pattern}`"));
            }
            (Some(from), Some(to)) if from != to => {
                // Which of the two takes more is not for a comparison of texts to say.
                let summary = format!("must match `{to}` instead of `{from}`");
                let both = Wire { old_to_new: Verdict::Break, new_to_old: Verdict::Break };
                let finding = Finding::new(&rules::CONSTRAINT_TIGHTENED, at, summary).wire(both);
                self.report(finding);
            }
            _ => {}
        }
        let encoded = |string: &StringType| {
            string.encoding.as_deref() == Some("base64") || string.format.as_deref() == Some("byte")
        };
        if encoded(old) && encoded(new) {
            if (&old.encoding, &old.format) != (&new.encoding, &new.format) {
                let summary = "that the text is base64 is said with another keyword";
                self.report(Finding::new(&rules::FORMAT_REPRESENTATION_CHANGED, at, summary));
            }
            return;
        }
        self.format(at, old.format.as_deref(), new.format.as_deref());
        self.format(at, old.encoding.as_deref(), new.encoding.as_deref());
    }

    pub(super) fn counts(&mut self, at: &ComparedLocation<'a>, old: &ArrayType, new: &ArrayType) {
        self.lower(at, "smallest number of items", old.min_items, new.min_items);
        self.upper(at, "largest number of items", old.max_items, new.max_items);
    }

    fn format(&mut self, at: &ComparedLocation<'a>, old: Option<&str>, new: Option<&str>) {
        let (rule, summary) = match (old, new) {
            (None, Some(to)) => (&rules::FORMAT_ADDED, format!("now has the format `{to}`")),
            (Some(from), Some(to)) if from != to => {
                (&rules::FORMAT_ADDED, format!("has the format `{to}` instead of `{from}`"))
            }
            (Some(from), None) => {
                let summary = format!("no longer has the format `{from}`");
                let back = Wire { old_to_new: Verdict::Ok, new_to_old: Verdict::Risk };
                self.report(Finding::new(&rules::FORMAT_ADDED, at, summary).wire(back));
                return;
            }
            _ => return,
        };
        let mut finding = Finding::new(rule, at, summary);
        if old.is_some() {
            finding.wire = Wire { old_to_new: Verdict::Risk, new_to_old: Verdict::Risk };
        }
        self.report(finding);
    }

    fn lower<T: PartialOrd + ToString>(
        &mut self,
        at: &ComparedLocation<'a>,
        what: &str,
        old: Option<T>,
        new: Option<T>,
    ) {
        let room = match (&old, &new) {
            (Some(from), Some(to)) if from < to => Room::Less,
            (Some(from), Some(to)) if from > to => Room::More,
            (None, Some(_)) => Room::Less,
            (Some(_), None) => Room::More,
            _ => return,
        };
        self.room(at, room, told(what, old, new));
    }

    fn upper<T: PartialOrd + ToString>(
        &mut self,
        at: &ComparedLocation<'a>,
        what: &str,
        old: Option<T>,
        new: Option<T>,
    ) {
        let room = match (&old, &new) {
            (Some(from), Some(to)) if from > to => Room::Less,
            (Some(from), Some(to)) if from < to => Room::More,
            (None, Some(_)) => Room::Less,
            (Some(_), None) => Room::More,
            _ => return,
        };
        self.room(at, room, told(what, old, new));
    }

    fn room(&mut self, at: &ComparedLocation<'a>, room: Room, summary: String) {
        let rule = match room {
            Room::Less => &rules::CONSTRAINT_TIGHTENED,
            Room::More => &rules::CONSTRAINT_LOOSENED,
        };
        self.report(Finding::new(rule, at, summary));
    }
}

fn told<T: ToString>(what: &str, old: Option<T>, new: Option<T>) -> String {
    match (old, new) {
        (Some(from), Some(to)) => {
            format!("the {what} was {} and is now {}", from.to_string(), to.to_string())
        }
        (None, Some(to)) => format!("the {what} is now {}", to.to_string()),
        (Some(from), None) => format!("the {what} is no longer {}", from.to_string()),
        (None, None) => String::new(),
    }
}
