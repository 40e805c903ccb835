//! Agreeing on a version.

use super::super::json;
use super::rules::Rules;
use super::{CallError, message};

/// How the ends agree on a version: one asks in the params of a request, the other answers in its
/// result.
#[derive(Clone, Debug)]
pub struct Negotiation {
    /// The request.
    pub method: &'static str,
    /// The property of its params with the version that is asked for.
    pub params: &'static str,
    /// The property of its result with the version that is spoken.
    pub result: &'static str,
    /// The versions that this end speaks, as JSON, from the lowest to the highest.
    pub versions: &'static [&'static str],
    /// Whether this end answers the request.
    pub answers: bool,
}

impl Negotiation {
    /// The version to speak with a peer that asks with these params, by its place among those of
    /// this end: the one it asks for, else the highest one below that, else the highest. None: it
    /// asks for nothing.
    pub(super) fn asked(&self, params: &str) -> Option<usize> {
        let asked = message::member(params, self.params)?;
        let below = || {
            let asked = number(asked)?;
            let is_below = |own: &&str| number(own).is_some_and(|own| own < asked);
            self.versions.iter().rposition(is_below)
        };
        let found = self.place(asked).or_else(below);
        found.or(self.versions.len().checked_sub(1))
    }

    /// The version that a result tells. None: it tells none, and is not what it should be.
    ///
    /// # Errors
    ///
    /// This end does not speak it: what each end speaks.
    pub(super) fn told(&self, result: &str, rules: &Rules) -> Result<Option<usize>, CallError> {
        let told = message::member(result, self.result);
        let Some(told) = told.filter(|told| self.is_version(told)) else {
            return Ok(None);
        };
        self.place(told).map(Some).ok_or_else(|| {
            let own: Vec<_> = self.versions.iter().map(|own| shown(own)).collect();
            let (peer, own) = (shown(told), own.join(", "));
            CallError::Version(format!(
                "the {} speaks version {peer}; this {} speaks {own}",
                rules.far.unwrap_or("peer"),
                rules.near
            ))
        })
    }

    /// The place of the highest version.
    pub(super) fn highest(&self) -> usize {
        self.versions.len().saturating_sub(1)
    }

    /// A result that tells this version, whatever it told before. None: it is no object.
    pub(super) fn with_version(&self, result: &str, version: usize) -> Option<String> {
        message::with_member(result, self.result, self.versions.get(version)?)
    }

    /// Whether something is a version at all, if not one of this end.
    fn is_version(&self, told: &str) -> bool {
        let of_text = |version: &str| version.starts_with('"');
        let of_number = |version: &str| number(version).is_some();
        let is_alike =
            |own: &&str| of_text(own) && of_text(told) || of_number(own) && of_number(told);
        self.versions.first().is_some_and(is_alike)
    }

    fn place(&self, version: &str) -> Option<usize> {
        self.versions.iter().position(|own| is_same(own, version))
    }
}

fn is_same(one: &str, other: &str) -> bool {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => json::decode::<String>(one).is_ok_and(|one| json::decode(other) == Ok(one)),
    }
}

fn number(version: &str) -> Option<i64> {
    json::decode(version).ok()
}

/// A version in a sentence.
fn shown(version: &str) -> &str {
    version.trim_matches('"')
}
