//! Reports as text.

use std::fmt::Write as _;

use acp_bindgen::breaking::{Report, Verdict};

pub(crate) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Risk => "risk",
        Verdict::Break => "break",
    }
}

/// Each change in a line: its verdicts, what it is, and whether there is proof.
pub(crate) fn shown(report: &Report) -> String {
    let mut text = String::new();
    for change in &report.changes {
        let wire =
            format!("{}/{}", verdict(change.wire.old_to_new), verdict(change.wire.new_to_old));
        let softened = change.effective_wire.map_or_else(String::new, |wire| {
            format!(" softened to {}/{}", verdict(wire.old_to_new), verdict(wire.new_to_old))
        });
        let also = if change.also_types.is_empty() {
            String::new()
        } else {
            format!(" and {} more", change.also_types.len())
        };
        let gate =
            change.gated_by.as_ref().map_or_else(String::new, |gate| format!(" gated by {gate}"));
        writeln!(
            text,
            "  {} {wire}{softened} {}{also}{gate}: {}",
            change.level.name(),
            change.id,
            change.summary
        )
        .unwrap();
        for witness in &change.witness {
            let said = match (&witness.message, &witness.missing) {
                (Some(message), _) => {
                    format!("{message} -> {}", witness.rejected.as_deref().unwrap_or_default())
                }
                (None, missing) => {
                    format!("no witness: {}", missing.as_deref().unwrap_or_default())
                }
            };
            writeln!(text, "    {}: {said}", witness.direction.arrow()).unwrap();
        }
    }
    text
}
