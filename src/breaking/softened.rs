//! What softens a finding, and whether that decides how much it counts.

use super::compare::{ANNOUNCED, UNCHECKED};
use super::verdict::Wire;

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
