//! Every page that is written is one that everybody can use: judged by axe.

use std::path::Path;

use serde_json::Value;

use super::support;

fn page(folder: &Path, arguments: &[&str]) -> String {
    support::run(support::acp_bindgen(folder).args(arguments))
}

#[test]
fn axe_finds_no_fault_with_any_page() {
    let (Some(node), Some(chromium)) = (support::node(), support::chromium()) else { return };
    let Some(modules) = support::npm_docs() else { return };
    let root = support::root();
    let small = ["diff", "old.json", "new.json", "--format", "html", "--code"];
    let small = [&small[..], &["--fail-on", "never"]].concat();
    let unchanged = ["diff", "old.json", "old.json", "--format", "html"];
    let versions = ["matrix", "versions", "--format", "html"];
    let schemas = root.join("tests/report/schemas");
    let folder = support::scratch("axe");
    let docs = ["generate", "--schema", "bundled:acp@v1", "--target", "docs", "--out"];
    support::run(support::acp_bindgen(&folder).args(docs).arg(&folder));
    let docs = std::fs::read_to_string(folder.join("docs/index.html")).unwrap();
    let pages = [
        ("report.html", page(&schemas, &small)),
        ("same.html", page(&schemas, &unchanged)),
        ("matrix.html", page(&root.join("tests/cli/files"), &versions)),
        ("docs.html", docs),
    ];
    support::write_files(&folder, pages.iter().map(|(name, text)| (*name, text.as_str())));
    let mut judge = node.node();
    judge.arg(root.join("tests/browser/axe.mjs")).arg(chromium).arg(folder.join("profile"));
    judge.arg(&folder).arg(modules.join("axe-core/axe.min.js"));
    judge.args(pages.iter().map(|(name, _)| match *name {
        "docs.html" => "docs.html:2",
        name => name,
    }));
    let said = support::run(&mut judge);
    let found: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
    // It had something to say at each look, of which there are two where all can be opened.
    assert!(found["passed"].as_u64().unwrap() > 28 * 10, "{}", found["passed"]);
    let faults = found["found"].as_array().unwrap();
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}
