//! Constraints and formats.

use super::Comparer;
use super::draft::{Draft, Site};
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
    pub(super) fn integers(&mut self, site: &Site<'a>, old: &IntegerType, new: &IntegerType) {
        self.lower(site, "smallest value", old.minimum, new.minimum);
        self.upper(site, "largest value", old.maximum, new.maximum);
        if old.format != new.format {
            let word =
                |of: &IntegerType| of.format.map(|format| format!("{format:?}").to_lowercase());
            self.format(site, word(old).as_deref(), word(new).as_deref());
        }
    }

    pub(super) fn numbers(&mut self, site: &Site<'a>, old: &NumberType, new: &NumberType) {
        self.lower(site, "smallest value", old.minimum, new.minimum);
        self.upper(site, "largest value", old.maximum, new.maximum);
        self.format(site, old.format.as_deref(), new.format.as_deref());
    }

    pub(super) fn strings(&mut self, site: &Site<'a>, old: &StringType, new: &StringType) {
        self.lower(site, "smallest length", old.min_length, new.min_length);
        self.upper(site, "largest length", old.max_length, new.max_length);
        match (&old.pattern, &new.pattern) {
            (None, Some(pattern)) => {
                self.room(site, Room::Less, format!("must now match `{pattern}`"));
            }
            (Some(pattern), None) => {
                self.room(site, Room::More, format!("need no longer match `{pattern}`"));
            }
            (Some(from), Some(to)) if from != to => {
                // Which of the two takes more is not for a comparison of texts to say.
                let summary = format!("must match `{to}` instead of `{from}`");
                let both = Wire { old_to_new: Verdict::Break, new_to_old: Verdict::Break };
                let draft = Draft::new(&rules::CONSTRAINT_TIGHTENED, site, summary).wire(both);
                self.report(draft);
            }
            _ => {}
        }
        let encoded = |string: &StringType| {
            string.encoding.as_deref() == Some("base64") || string.format.as_deref() == Some("byte")
        };
        if encoded(old) && encoded(new) {
            if (&old.encoding, &old.format) != (&new.encoding, &new.format) {
                let summary = "that the text is base64 is said with another keyword";
                self.report(Draft::new(&rules::FORMAT_REPRESENTATION_CHANGED, site, summary));
            }
            return;
        }
        self.format(site, old.format.as_deref(), new.format.as_deref());
        self.format(site, old.encoding.as_deref(), new.encoding.as_deref());
    }

    pub(super) fn counts(&mut self, site: &Site<'a>, old: &ArrayType, new: &ArrayType) {
        self.lower(site, "smallest number of items", old.min_items, new.min_items);
        self.upper(site, "largest number of items", old.max_items, new.max_items);
    }

    fn format(&mut self, site: &Site<'a>, old: Option<&str>, new: Option<&str>) {
        let (rule, summary) = match (old, new) {
            (None, Some(to)) => (&rules::FORMAT_ADDED, format!("now has the format `{to}`")),
            (Some(from), Some(to)) if from != to => {
                (&rules::FORMAT_ADDED, format!("has the format `{to}` instead of `{from}`"))
            }
            (Some(from), None) => {
                let summary = format!("no longer has the format `{from}`");
                let back = Wire { old_to_new: Verdict::Ok, new_to_old: Verdict::Risk };
                self.report(Draft::new(&rules::FORMAT_ADDED, site, summary).wire(back));
                return;
            }
            _ => return,
        };
        let mut draft = Draft::new(rule, site, summary);
        if old.is_some() {
            draft.wire = Wire { old_to_new: Verdict::Risk, new_to_old: Verdict::Risk };
        }
        self.report(draft);
    }

    fn lower<T: PartialOrd + ToString>(
        &mut self,
        site: &Site<'a>,
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
        self.room(site, room, told(what, old, new));
    }

    fn upper<T: PartialOrd + ToString>(
        &mut self,
        site: &Site<'a>,
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
        self.room(site, room, told(what, old, new));
    }

    fn room(&mut self, site: &Site<'a>, room: Room, summary: String) {
        let rule = match room {
            Room::Less => &rules::CONSTRAINT_TIGHTENED,
            Room::More => &rules::CONSTRAINT_LOOSENED,
        };
        self.report(Draft::new(rule, site, summary));
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
