//! Formats of integers, which bound what typed receivers take.

use acp_bindgen::breaking::{Verdict, Wire};
use serde_json::json;

use super::edits::edited;

/// What is said of a property that has the format `uint32` and gets another.
fn wire(format: &str) -> Wire {
    let part = ("/$defs/OpenRequest/properties/level/format", json!(format));
    let changes = edited(format, &[part]).report().changes;
    let found = changes.iter().find(|change| change.rule.id == "format-added");
    found.unwrap_or_else(|| panic!("nothing is said of {format}")).wire
}

#[test]
fn only_what_does_not_fit_is_a_risk() {
    let narrower = wire("uint16");
    assert_eq!([narrower.old_to_new, narrower.new_to_old], [Verdict::Risk, Verdict::Ok]);
    let wider = wire("int64");
    assert_eq!([wider.old_to_new, wider.new_to_old], [Verdict::Ok, Verdict::Risk]);
    let other = wire("int32");
    assert_eq!([other.old_to_new, other.new_to_old], [Verdict::Risk, Verdict::Risk]);
}
