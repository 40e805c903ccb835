//! All suites that need nothing but this crate: with `cargo test --lib`, the inner loop.
//!
//! A module is the suite of the folder of its name; `tests/README.md` says what each asks.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[path = "../architecture/mod.rs"]
mod architecture;
#[path = "../breaking/mod.rs"]
mod breaking;
mod builder;
#[path = "../cases/mod.rs"]
mod cases;
#[path = "../cli/mod.rs"]
mod cli;
#[path = "../codecs/reader.rs"]
mod codecs;
#[path = "../coming_from/mod.rs"]
mod coming_from;
mod config;
#[path = "../templates/custom.rs"]
mod custom_templates;
#[path = "../decode/mod.rs"]
mod decode;
#[path = "../diagnostics/mod.rs"]
mod diagnostics;
#[path = "../docs/mod.rs"]
mod docs;
#[path = "../generated/mod.rs"]
mod generated;
#[path = "../history/mod.rs"]
mod history;
mod hostile;
#[path = "../join/mod.rs"]
mod join;
mod large;
#[path = "../templates/layout.rs"]
mod layout;
#[path = "../lint/mod.rs"]
mod lint;
mod manifests;
mod names;
mod package;
#[path = "../project/mod.rs"]
mod project;
mod published_schemas;
#[path = "../report/mod.rs"]
mod report;
#[path = "../schemas/mod.rs"]
mod schemas;
#[path = "../templates/secrets.rs"]
mod secrets;
mod security;
#[path = "../support/mod.rs"]
mod support;
#[path = "../templates/overrides.rs"]
mod templates;
#[path = "../validate/mod.rs"]
mod validate;
#[path = "../versioning/mod.rs"]
mod versioning;
#[path = "../walkthrough/mod.rs"]
mod walkthrough;
#[path = "../writing/mod.rs"]
mod writing;
