//! Generated TypeScript in a browser: a client and an agent in one page of headless Chromium.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../docs/browser.rs"]
mod docs;
#[path = "../support/mod.rs"]
mod support;

mod axe;
mod remote;
mod report;

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

#[test]
fn a_client_and_an_agent_talk_in_a_page() {
    let (Some(node), Some(chromium)) = (support::node(), support::chromium()) else { return };
    let folder = support::target().join("browser");
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", "typescript"]);
    support::run(generate.args(["--name", "acp", "--out"]).arg(&folder));
    let package = folder.join("typescript");
    node.link("@types", &package);
    support::run(node.tsc().arg("--project").arg(&package));

    let source = support::root().join("tests/browser/page.js");
    let alias = format!("--alias:acp={}", package.join("dist/index.js").display());
    let mut bundle = node.esbuild();
    bundle.arg(source).args(["--bundle", "--format=iife", "--charset=ascii", &alias]);
    let script = support::run(&mut bundle);
    assert!(!script.contains("</script"));
    let page = format!("<!doctype html><body>nothing yet</body><script>{script}</script>");
    support::write_files(&folder, [("page.html", page.as_str())]);

    let page = visited(&chromium, &folder.join("page.html"), "chromium");
    let body = page.split("<body>").nth(1).unwrap().split("</body>").next().unwrap();
    let body = body.split("<script>").next().unwrap();
    let found: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{body}"));
    let expected = json!({
        "protocolVersion": 1,
        "refused": -32602,
        "sessionId": "s1",
        "stopReason": "end_turn",
        "handled": ["é", "✓", "three"],
        "abandoned": "enough",
        "cancelled": true,
    });
    assert_eq!(found, expected);
}

/// The document that a page has become once nothing more happens in it.
fn visited(chromium: &Path, page: &Path, profile: &str) -> String {
    let mut browser = Command::new(chromium);
    browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"]);
    browser.args(["--no-first-run", "--disable-background-networking"]);
    browser.args(["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]);
    browser.arg(format!("--user-data-dir={}", support::scratch(profile).display()));
    browser.args(["--virtual-time-budget=30000", "--dump-dom"]);
    support::run(browser.arg(format!("file://{}", page.display())))
}
