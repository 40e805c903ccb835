//! The page of a comparison, as its readers use it.

use std::process::Command;

use serde_json::{Value, json};

use super::{support, visited};

#[test]
fn the_page_of_a_comparison_filters_links_and_opens() {
    let Some(chromium) = support::chromium() else { return };
    let schemas = support::root().join("tests/report/schemas");
    let mut diff = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    diff.args(["diff", "old.json", "new.json", "--format", "html", "--code"]);
    let page = support::run(diff.args(["--fail-on", "never"]).current_dir(schemas));
    let script = include_str!("report.js");
    let page = format!("{page}<script>{script}</script>\n");
    let folder = support::scratch("report-page");
    support::write_files(&folder, [("page.html", page.as_str())]);

    let page = visited(&chromium, &folder.join("page.html"), "chromium-report");
    let found = page.split('{').skip(1).collect::<Vec<_>>().join("{");
    let found = format!("{{{}}}", found.rsplit_once('}').unwrap().0);
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let found: Value = serde_json::from_str(&found).unwrap_or_else(|_| panic!("{page}"));
    let expected = json!({
        "title": "old.json → new.json",
        "all": [
            "property-became-required",
            "property-removed-optional",
            "property-added-required",
            "default-changed",
            "enum-value-added-closed",
            "property-added-optional",
            "property-added-optional",
        ],
        "newToOld": ["property-added-required", "default-changed", "enum-value-added-closed"],
        "guest": 5,
        "python": [
            "property-became-required",
            "property-removed-optional",
            "property-added-required",
            "default-changed",
            "enum-value-added-closed",
        ],
        "notBreaking": ["property-added-optional", "property-added-optional"],
        "count": "2 of 7 findings",
        "groups": ["method door/open", "method door/rang", "Generated code"],
        "cleared": true,
        "searching": "search",
        "searched": ["enum-value-added-closed"],
        "nothing": [],
        "none": true,
        "linked": [true, false, true],
        "panes": ["old", "new"],
        "code": [
            "-  speed?: number;",
            "-  colour?: string;",
            "+  speed: number;",
            "+  key: string;",
        ],
        "witness": "door/open",
        "permalink": true,
        "closed": true,
        "next": 1,
        "previous": 0,
        "themes": true,
        // The page's own and this test's: none of the schema's.
        "scripts": 2,
    });
    assert_eq!(found, expected);
}
