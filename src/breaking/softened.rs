//! The reasons that soften a finding, and whether they decide how much it counts.

use super::compare::{ANNOUNCED, Finding, UNCHECKED};
use super::verdict::{Direction, Effect, Source, Verdict, Wire};
use super::witness::Proof;

/// The reason why what may still change breaks no promise.
const UNSTABLE: &str = "the schema says that it is unstable: nobody may rely on it yet";

/// The effect on messages by which a finding counts: that in effect, where the schema itself softens
/// it, with a capability, stability or leniency, so that nobody gets what is rejected.
///
/// That peers had notice changes nothing for those that took none, and what generated receivers do
/// not look at others may: there the schemas alone decide.
pub(super) fn counted(wire: Wire, softened: Option<(Wire, &str)>) -> Wire {
    match softened {
        Some((effective, why)) if ![ANNOUNCED, UNCHECKED].contains(&why) => effective,
        _ => wire,
    }
}

/// The effect on code by which a finding counts: code that uses what is unstable has no promise, so
/// that it breaks under a condition.
pub(super) fn counted_source(source: Source, is_unstable: bool) -> Source {
    let counted = |effect: Effect| match effect {
        effect if is_unstable && effect.is_breaking() => Effect::Conditional("unstable"),
        effect => effect,
    };
    let Source { rust, typescript, python } = source;
    Source { rust: counted(rust), typescript: counted(typescript), python: counted(python) }
}

/// Softens what is said of a finding about what is unstable: it is a risk at most.
pub(super) fn by_stability(proof: &mut Proof, finding: &Finding<'_>, source: Source) {
    let breaks = |wire: Wire| wire.worst() == Verdict::Break;
    let is_broken = breaks(counted(finding.wire, proof.effective)) || source.is_breaking();
    if !finding.is_unstable || !is_broken {
        return;
    }
    let mut wire = proof.effective.map_or(finding.wire, |(wire, _)| wire);
    for direction in Direction::BOTH {
        wire = wire.with(direction, wire.towards(direction).min(Verdict::Risk));
    }
    proof.effective = Some((wire, UNSTABLE));
}
