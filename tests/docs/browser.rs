//! The page in headless Chromium: searched, followed, used by keyboard, and looked at.

#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
mod subject;

use acp_bindgen::backend::DocsMode;
use acp_bindgen::backend::docs::Format;
use serde_json::{Value, json};

use subject::{bundled, case, docs};

use crate::support;

#[test]
fn the_page_is_good_to_use() {
    let (Some(node), Some(chromium)) = (support::node(), support::chromium()) else { return };
    let folder = support::scratch("docs-browser");
    let acp = &bundled()[0].protocol;
    let hostile = case("docs-escaping").unwrap();
    let pages = [
        ("page.html", docs(acp, Format::Html, DocsMode::Full)),
        ("hostile.html", docs(&hostile.protocol, Format::Html, DocsMode::Full)),
    ];
    support::write_files(&folder, pages.iter().map(|(name, text)| (*name, text.as_str())));
    let shots = support::target().join("docs-screenshots");
    std::fs::create_dir_all(&shots).unwrap();

    let mut browse = node.node();
    browse.arg(support::root().join("tests/docs/browse.mjs")).arg(chromium);
    browse.arg(folder.join("profile")).arg(&folder).arg(&shots);
    let found = support::run(&mut browse);
    let found: Value = serde_json::from_str(&found).unwrap_or_else(|_| panic!("{found}"));
    let expected = json!({
        "scripts": 1,
        "results": ["session/new", "request"],
        "chosen": "session-new",
        "focused": "session-new",
        "inView": true,
        "marked": "#session-new",
        "second": true,
        "none": "Nothing found",
        "cleared": true,
        "said": ["session/new"],
        "deep": true,
        "followed": "#mcpserver",
        "light": "rgb(255, 255, 255)",
        "dark": "rgb(20, 22, 26)",
        "kept": "rgb(20, 22, 26)",
        "skip": "main",
        "menu": [false, true, false],
        "overflow": [],
        "cells": [false, 0, 0],
        "unlabelled": 0,
        "contrast": [],
        "hostile": { "scripts": 1, "alerts": 0, "images": 0, "frames": 0 },
        "problems": [],
        "requests": [],
    });
    assert_eq!(found, expected);
}
