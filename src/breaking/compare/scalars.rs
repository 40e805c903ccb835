//! Constraints and formats.

use std::cmp::Ordering::{self, Greater, Less};
use std::fmt::Display;

use super::Comparer;
use super::cause::{Cause, Limit, Measure};
use super::finding::{ComparedLocation, Finding};
use crate::breaking::relation::names_fit;
use crate::breaking::rules::{self, Rule};
use crate::breaking::shape::List;
use crate::breaking::verdict::{Direction, Verdict, Wire};
use crate::ir::{
    IntegerFormat, IntegerType, KeyChoice, KeyRules, NumberType, Protocol, StringType,
    is_multiple_of,
};
use crate::pattern;

/// The most texts that two patterns are compared by.
const TEXTS: usize = 200;

impl<'a> Comparer<'a> {
    pub(super) fn integers(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &IntegerType,
        new: &IntegerType,
    ) {
        self.bound(at, (Measure::Number, "smallest value"), (old.minimum, new.minimum), Less);
        self.bound(at, (Measure::Number, "largest value"), (old.maximum, new.maximum), Greater);
        #[allow(clippy::cast_precision_loss, reason = "a step is compared as decoders reckon")]
        let step = |of: &IntegerType| of.multiple_of.map(|step| step as f64);
        self.step(at, step(old), step(new));
        let word = |format: IntegerFormat| format!("{format:?}").to_lowercase();
        match (old.format, new.format) {
            (Some(from), Some(to)) if from != to => {
                let summary = format!("has the format `{}` instead of `{}`", word(to), word(from));
                self.widths(at, (old, new), summary);
            }
            (from, to) => self.format(at, from.map(word).as_deref(), to.map(word).as_deref()),
        }
    }

    /// Compares two formats of integers: whoever has the wider one may write what does not fit.
    fn widths(
        &mut self,
        at: &ComparedLocation<'a>,
        (old, new): (&IntegerType, &IntegerType),
        summary: String,
    ) {
        let fits = |sent: &IntegerType, expected: &IntegerType| {
            let ((least, most), (low, high)) = (sent.range(), expected.range());
            if least >= low && most <= high { Verdict::Ok } else { Verdict::Risk }
        };
        let wire = Wire::OK
            .with(Direction::OldToNew, fits(old, new))
            .with(Direction::NewToOld, fits(new, old));
        self.report(Finding::new(&rules::FORMAT_ADDED, at, summary).wire(wire));
    }

    pub(super) fn numbers(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &NumberType,
        new: &NumberType,
    ) {
        let turned = |of: Option<f64>| of.map(|bound| -bound);
        let low = |of: &NumberType| Bound::tightest([(of.minimum, 0), (of.above, 1)]);
        let high = |of: &NumberType| {
            let found = Bound::tightest([(turned(of.maximum), 0), (turned(of.below), 1)]);
            found.map(|bound| Bound { value: -bound.value, beyond: -bound.beyond })
        };
        self.bound(at, (Measure::Number, "smallest value"), (low(old), low(new)), Less);
        self.bound(at, (Measure::Number, "largest value"), (high(old), high(new)), Greater);
        self.step(at, old.multiple_of, new.multiple_of);
        self.format(at, old.format.as_deref(), new.format.as_deref());
    }

    pub(super) fn strings(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &StringType,
        new: &StringType,
    ) {
        self.bound(
            at,
            (Measure::Length, "smallest length"),
            (old.min_length, new.min_length),
            Less,
        );
        self.bound(
            at,
            (Measure::Length, "largest length"),
            (old.max_length, new.max_length),
            Greater,
        );
        self.patterns(at, old, new);
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

    /// Compares the patterns of two strings. Two are compared by texts that match them: a text that
    /// only one takes tells, and where there is none, it is not said which of the two takes more.
    fn patterns(&mut self, at: &ComparedLocation<'a>, old: &StringType, new: &StringType) {
        let refused = |sent: &str, expected: &str| {
            let texts = pattern::texts(sent, TEXTS);
            texts.iter().any(|text| pattern::matches(expected, text) == Some(false))
        };
        let both = Some(Wire::both(Verdict::Break));
        let (tighter, looser) = (&rules::CONSTRAINT_TIGHTENED, &rules::CONSTRAINT_LOOSENED);
        let (rule, wire, summary) = match (&old.pattern, &new.pattern) {
            (None, Some(to)) => (tighter, None, format!("must now match `{to}`")),
            (Some(from), None) => (looser, None, format!("need no longer match `{from}`")),
            (Some(from), Some(to)) if from != to => {
                let summary = format!("must match `{to}` instead of `{from}`");
                match (refused(from, to), refused(to, from)) {
                    (true, false) => (tighter, None, summary),
                    (false, true) => (looser, None, summary),
                    (true, true) => (tighter, both, summary),
                    (false, false) => {
                        let unknown = "which of the two takes more is not judged";
                        (&rules::NOT_JUDGED, None, format!("{summary}; {unknown}"))
                    }
                }
            }
            _ => return,
        };
        let cause = Cause::Pattern([old, new].map(|string| string.pattern.clone()));
        let mut finding = Finding::new(rule, at, summary).caused_by(cause);
        finding.wire = wire.unwrap_or(finding.wire);
        let receivers = [(new, Direction::OldToNew), (old, Direction::NewToOld)];
        for (_, direction) in receivers.into_iter().filter(|(it, _)| !it.checks_pattern) {
            finding = finding.unchecked_in(direction);
        }
        self.report(finding);
    }

    pub(super) fn counts(&mut self, at: &ComparedLocation<'a>, old: List<'_>, new: List<'_>) {
        let ((least, most), (new_least, new_most)) = (old.bounds(), new.bounds());
        let some = |least: u64| Some(least).filter(|least| *least > 0);
        let what = (Measure::Length, "smallest number of items");
        self.bound(at, what, (some(least), some(new_least)), Less);
        let what = (Measure::Length, "largest number of items");
        self.bound(at, what, (most, new_most), Greater);
        let (rule, summary, is_checked) = match (old.is_unique(), new.is_unique()) {
            (false, true) => {
                let summary = "two items may no longer be the same";
                (&rules::CONSTRAINT_TIGHTENED, summary, is_distinct(self.new, new))
            }
            (true, false) => {
                let summary = "two items may now be the same";
                (&rules::CONSTRAINT_LOOSENED, summary, is_distinct(self.old, old))
            }
            _ => return,
        };
        let finding = Finding::new(rule, at, summary).caused_by(Cause::Repetition);
        self.report(if is_checked { finding } else { finding.unchecked() });
    }

    /// Compares the steps of which numbers are multiples.
    fn step(&mut self, at: &ComparedLocation<'a>, old: Option<f64>, new: Option<f64>) {
        let (tighter, looser) = (&rules::CONSTRAINT_TIGHTENED, &rules::CONSTRAINT_LOOSENED);
        let (rule, summary) = match (old, new) {
            (None, Some(to)) => (tighter, format!("must now be a multiple of {to}")),
            (Some(from), None) => (looser, format!("need no longer be a multiple of {from}")),
            (Some(from), Some(to)) if is_multiple_of(from, to) && is_multiple_of(to, from) => {
                return;
            }
            (Some(from), Some(to)) => {
                let rule = if is_multiple_of(from, to) { looser } else { tighter };
                (rule, format!("must be a multiple of {to} instead of {from}"))
            }
            (None, None) => return,
        };
        let finding = Finding::new(rule, at, summary).caused_by(Cause::Step([old, new]));
        let is_other = old
            .zip(new)
            .is_some_and(|(from, to)| !is_multiple_of(from, to) && !is_multiple_of(to, from));
        let both = Wire::both(Verdict::Break);
        self.report(if is_other { finding.wire(both) } else { finding });
    }

    /// Compares the rules for the keys of an object.
    pub(super) fn key_rules(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a KeyRules,
        new: &'a KeyRules,
    ) {
        let fewest = (Measure::Length, "smallest number of properties");
        self.bound(at, fewest, (old.min_properties, new.min_properties), Less);
        let most = (Measure::Length, "largest number of properties");
        self.bound(at, most, (old.max_properties, new.max_properties), Greater);
        let (tighter, looser) = (&rules::CONSTRAINT_TIGHTENED, &rules::CONSTRAINT_LOOSENED);
        match (&old.names, &new.names) {
            (None, Some(_)) => {
                self.unchecked(
                    at,
                    tighter,
                    "the names of properties are now restricted",
                    Cause::Name,
                );
            }
            (Some(_), None) => {
                let summary = "the names of properties are no longer restricted";
                self.unchecked(at, looser, summary, Cause::Name);
            }
            (Some(from), Some(to)) if from != to => {
                let summary = "other names of properties are allowed";
                let finding = |rule| Finding::new(rule, at, summary).caused_by(Cause::Name);
                self.report(match (names_fit(from, to), names_fit(to, from)) {
                    (true, true) => return,
                    (true, false) => finding(looser).unchecked(),
                    (false, true) => finding(tighter).unchecked(),
                    (false, false) => finding(tighter).unchecked().wire(Wire::both(Verdict::Break)),
                });
            }
            _ => {}
        }
        let said =
            |of: &KeyRules, choice: &KeyChoice| of.choices.iter().any(|it| it.implies(choice));
        let added = new.choices.iter().filter(|choice| !said(old, choice));
        for choice in added {
            let summary = format!("must now have {}", choice.expected());
            let cause = Cause::Choice(choice.clone());
            self.report(Finding::new(tighter, at, summary).caused_by(cause));
        }
        let removed = old.choices.iter().filter(|choice| !said(new, choice));
        for choice in removed {
            let summary = format!("need no longer have {}", choice.expected());
            let cause = Cause::Choice(choice.clone());
            self.report(Finding::new(looser, at, summary).caused_by(cause));
        }
        for (key, wanted) in dependencies(new).filter(|it| !dependencies(old).any(|old| old == *it))
        {
            let summary = format!("an object with `{key}` must now have `{wanted}`");
            let cause = Cause::Dependent(key.to_owned(), wanted.to_owned());
            self.report(Finding::new(tighter, at, summary).caused_by(cause));
        }
        for (key, wanted) in dependencies(old).filter(|it| !dependencies(new).any(|new| new == *it))
        {
            let summary = format!("an object with `{key}` need no longer have `{wanted}`");
            let cause = Cause::Dependent(key.to_owned(), wanted.to_owned());
            self.report(Finding::new(looser, at, summary).caused_by(cause));
        }
    }

    /// Reports a constraint that was added or removed, and that generated receivers do not look
    /// at.
    pub(super) fn turned_unchecked(
        &mut self,
        at: &ComparedLocation<'a>,
        (was, is): (bool, bool),
        (tighter, looser): (&str, &str),
        cause: Cause,
    ) {
        match (was, is) {
            (false, true) => self.unchecked(at, &rules::CONSTRAINT_TIGHTENED, tighter, cause),
            (true, false) => self.unchecked(at, &rules::CONSTRAINT_LOOSENED, looser, cause),
            _ => {}
        }
    }

    fn unchecked(
        &mut self,
        at: &ComparedLocation<'a>,
        rule: &'static Rule,
        summary: &str,
        cause: Cause,
    ) {
        self.report(Finding::new(rule, at, summary).caused_by(cause).unchecked());
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
    fn bound<T: Extent>(
        &mut self,
        at: &ComparedLocation<'a>,
        what: (Measure, &str),
        bounds: (Option<T>, Option<T>),
        tighter: Ordering,
    ) {
        if let Some(finding) = moved(at, what, bounds, tighter) {
            self.report(finding);
        }
    }
}

/// Each key that asks for another, with that.
fn dependencies(rules: &KeyRules) -> impl Iterator<Item = (&str, &str)> {
    let each = rules.dependent.iter();
    each.flat_map(|(key, wanted)| wanted.iter().map(|it| (key.as_str(), it.as_str())))
}

/// The finding about a bound that was changed, added or removed.
fn moved<'a, T: Extent>(
    at: &ComparedLocation<'a>,
    (measure, what): (Measure, &str),
    (old, new): (Option<T>, Option<T>),
    tighter: Ordering,
) -> Option<Finding<'a>> {
    let limits = [old, new].map(|bound| bound.map(|bound| bound.limit(tighter == Less)));
    let (is_tighter, summary) = match (old, new) {
        (Some(from), Some(to)) if from != to => {
            let summary = format!("the {what} was {from} and is now {to}");
            (from.partial_cmp(&to) == Some(tighter), summary)
        }
        (None, Some(to)) => (true, format!("the {what} is now {to}")),
        (Some(from), None) => (false, format!("the {what} is no longer {from}")),
        _ => return None,
    };
    let rule = if is_tighter { &rules::CONSTRAINT_TIGHTENED } else { &rules::CONSTRAINT_LOOSENED };
    Some(Finding::new(rule, at, summary).caused_by(Cause::Bound(measure, limits)))
}

/// A bound that findings can be about.
trait Extent: Copy + PartialOrd + Display {
    fn limit(self, is_low: bool) -> Limit;
}

impl Extent for u64 {
    #[allow(clippy::cast_precision_loss, reason = "`Limit` reckons with it")]
    fn limit(self, is_low: bool) -> Limit {
        Limit { value: self as f64, is_low, is_excluded: false }
    }
}

impl Extent for i128 {
    #[allow(clippy::cast_precision_loss, reason = "`Limit` reckons with it")]
    fn limit(self, is_low: bool) -> Limit {
        Limit { value: self as f64, is_low, is_excluded: false }
    }
}

impl Extent for Bound {
    fn limit(self, is_low: bool) -> Limit {
        Limit { value: self.value, is_low, is_excluded: self.beyond != 0 }
    }
}

/// A bound of a number, and whether values lie beyond it: 1 if above, -1 if below, 0 if they may
/// reach it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Bound {
    value: f64,
    beyond: i8,
}

impl Bound {
    /// The highest of several lower bounds.
    fn tightest(bounds: [(Option<f64>, i8); 2]) -> Option<Self> {
        let all =
            bounds.into_iter().filter_map(|(value, beyond)| Some(Self { value: value?, beyond }));
        all.reduce(|one, other| if other > one { other } else { one })
    }
}

impl Display for Bound {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self.beyond {
            0 => "",
            1 => "above ",
            _ => "below ",
        })?;
        self.value.fmt(formatter)
    }
}

/// Tells whether decoders see to it that the items differ.
fn is_distinct(protocol: &Protocol, list: List<'_>) -> bool {
    matches!(list, List::Array(array) if protocol.is_distinct(array))
}
