//! Suites that give what comes out to the tools of its language: compilers, formatters, package
//! managers.
//!
//! A module is the suite of the folder of its name, but for what `fast` has of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

#[cfg(unix)]
#[path = "../action/mod.rs"]
mod action;
#[path = "../breaking_source/mod.rs"]
mod breaking_source;
mod build_script;
#[path = "../cases/compile.rs"]
mod cases;
#[path = "../codecs/mod.rs"]
mod codecs;
#[path = "../docs/formats.rs"]
mod docs;
mod everyday;
mod file_names;
#[path = "../generated/builds.rs"]
mod generated;
mod guides;
#[path = "../join/languages.rs"]
mod join;
mod names;
#[path = "../packaging/mod.rs"]
mod packaging;
mod pages;
#[path = "../payloads/mod.rs"]
mod payloads;
#[cfg(unix)]
#[path = "../ports/mod.rs"]
mod ports;
#[path = "../python/mod.rs"]
mod python;
mod runtimes;
#[path = "../support/mod.rs"]
mod support;
#[path = "../templates/mod.rs"]
mod templates;
mod toolchains;
#[path = "../typescript/mod.rs"]
mod typescript;
mod typescript_runtime;
#[path = "../typify/mod.rs"]
mod typify;
