//! The version that a schema states, beside what has changed in it.

use semver::Version;

use super::change::Change;
use super::compare::{ComparedLocation, End, Finding, ROOT, Subject};
use super::policy::RuleLevels;
use super::report::{Bump, Report};
use super::rules;
use super::verdict::{Level, Source};
use super::witness::Proof;
use crate::source::Node;

/// Adds a finding to a report where the versions that both schemas state disagree with it.
pub(super) fn judge(report: &mut Report, old: Subject<'_>, new: Subject<'_>, levels: &RuleLevels) {
    let stated = |subject: Subject<'_>| stated(subject.document?);
    let Some((was, is)) = stated(old).zip(stated(new)) else { return };
    let Some(summary) = disagreement(&was, &is, report) else { return };
    let rule = &rules::VERSION_DISAGREES;
    let weight = match levels.get(rule.id).map(|chosen| chosen.level()) {
        Some(None) => {
            report.ignored += 1;
            return;
        }
        Some(Some(level)) => (level, level == Level::Breaking),
        None => (rule.level, false),
    };
    let mut location = ComparedLocation::new(
        &old.protocol.title.wire,
        End::new(None, &ROOT),
        End::new(None, &ROOT),
    );
    location.path.push_str("version");
    let finding = Finding::new(rule, &location, summary).located(None);
    let id = finding.id();
    report.add(Change::new(id, finding, Proof::default(), Source::OK, weight));
}

/// The version that a document states.
fn stated(document: &Node) -> Option<Version> {
    Version::parse(document.get("version")?.as_str()?).ok()
}

/// The reason why a version cannot follow another after such changes, if it cannot.
fn disagreement(was: &Version, is: &Version, report: &Report) -> Option<String> {
    let asked = report.verdict.suggested;
    let order = is.cmp_precedence(was);
    if order.is_lt() {
        return Some(format!("the version was {was} and is now {is}, which is lower"));
    }
    // That a description reads better asks for nothing.
    if asked == Bump::Patch {
        return None;
    }
    let needs = match asked {
        Bump::Major => "something breaks",
        _ => "something is new",
    };
    if order.is_eq() {
        return Some(format!("the version is still {is}, but {needs}"));
    }
    // Before a release nothing is promised.
    if !was.pre.is_empty() || asked <= step(was, is) {
        return None;
    }
    let next = next(was, asked);
    Some(format!("the version was {was} and is now {is}, but {needs}: that asks for {next}"))
}

/// The step from a release to a higher version. Below 1.0.0 each part counts for more by one.
fn step(was: &Version, is: &Version) -> Bump {
    let is_early = was.major == 0;
    match (was.major == is.major, was.minor == is.minor) {
        (false, _) => Bump::Major,
        (true, false) if is_early => Bump::Major,
        (true, true) if !is_early => Bump::Patch,
        _ => Bump::Minor,
    }
}

/// The version that follows another by a step. Before a release (`2.0.0-alpha.3`) it is the next
/// one before that release, whatever has changed. Below 1.0.0 each step is lower by one.
pub(crate) fn next(version: &Version, bump: Bump) -> Version {
    let Version { major, minor, patch, ref pre, .. } = *version;
    if !pre.is_empty() {
        let next = Version::parse(&format!("{major}.{minor}.{patch}-{}", after(pre)));
        return next.unwrap_or_else(|_| Version::new(major, minor, patch));
    }
    match (bump, major) {
        (Bump::Major, 0) => Version::new(0, minor + 1, 0),
        (Bump::Major, _) => Version::new(major + 1, 0, 0),
        (Bump::Minor, 1..) => Version::new(major, minor + 1, 0),
        (Bump::Minor | Bump::Patch, _) => Version::new(major, minor, patch + 1),
    }
}

/// The identifiers that come after those before a release: the last number is one higher. Without
/// one, a first is added.
fn after(pre: &str) -> String {
    let mut parts: Vec<String> = pre.split('.').map(str::to_owned).collect();
    let numbers = parts.iter_mut().rev().map(|part| part.parse::<u64>().map(|it| (part, it)));
    match numbers.flatten().next() {
        Some((part, number)) => *part = number.saturating_add(1).to_string(),
        None => parts.push(String::from("1")),
    }
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).expect("it is a version")
    }

    #[test]
    fn the_next_version_follows_the_last() {
        for (last, bump, expected) in [
            ("1.6.0", Bump::Major, "2.0.0"),
            ("1.6.2", Bump::Minor, "1.7.0"),
            ("1.6.2", Bump::Patch, "1.6.3"),
            ("0.4.2", Bump::Major, "0.5.0"),
            ("0.4.2", Bump::Minor, "0.4.3"),
            ("1.6.2+build.7", Bump::Minor, "1.7.0"),
            ("2.0.0-alpha.3", Bump::Major, "2.0.0-alpha.4"),
            ("2.0.0-alpha.3+build.7", Bump::Patch, "2.0.0-alpha.4"),
            ("2.0.0-beta", Bump::Minor, "2.0.0-beta.1"),
            ("2.0.0-rc.9.x", Bump::Minor, "2.0.0-rc.10.x"),
            ("2.0.0-rc9", Bump::Major, "2.0.0-rc9.1"),
            ("0.1.0-alpha.1", Bump::Major, "0.1.0-alpha.2"),
        ] {
            let last = version(last);
            let found = next(&last, bump);
            assert_eq!(found.to_string(), expected);
            assert!(found > last, "{found}");
        }
    }

    #[test]
    fn a_step_is_as_large_as_the_first_number_that_changes() {
        for (was, is, expected) in [
            ("1.2.3", "2.0.0", Bump::Major),
            ("1.2.3", "2.0.0-alpha.1", Bump::Major),
            ("1.2.3", "1.3.0", Bump::Minor),
            ("1.2.3", "1.2.4", Bump::Patch),
            ("0.2.3", "0.3.0", Bump::Major),
            ("0.2.3", "0.2.4", Bump::Minor),
            ("0.9.0", "1.0.0", Bump::Major),
        ] {
            assert_eq!(step(&version(was), &version(is)), expected, "{was} to {is}");
        }
    }
}
