//! The official SDKs, which the tests speak with.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::install::installed;
use super::node::npm;
use super::python::environment;
use super::{available, cargo, root, target, try_run};

/// A `node_modules` folder with `acp-2.4.0` and `acp-0.29.0`, two versions of npm
/// `@agentclientprotocol/sdk`, and with `ws`, or `None` where npm cannot be had (see [`available`]).
pub(crate) fn npm_peers() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("Node and npm's official SDKs", || FOUND.get_or_init(|| npm("peers")).clone())
}

/// A Python with `PyPI`'s `agent-client-protocol`, or `None` where it cannot be had (see
/// [`available`]).
pub(crate) fn python_peer() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("Python and PyPI's official SDK", || {
        FOUND.get_or_init(|| environment("peers").map(|programs| programs.join("python"))).clone()
    })
}

/// The examples in the source of that package, or `None` where it cannot be had (see [`available`]).
pub(crate) fn python_examples() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("the examples of PyPI's official SDK", || FOUND.get_or_init(examples).clone())
}

fn examples() -> Result<PathBuf, String> {
    Ok(source("peers", "agent-client-protocol")?.join("examples"))
}

/// The folder of `JSON-Schema-Test-Suite`, which `PyPI`'s `jsonschema` ships, or `None` where it
/// cannot be had (see [`available`]).
pub(crate) fn schema_suite() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let found = || source("suite", "jsonschema").map(|folder| folder.join("json"));
    available("the source of PyPI's jsonschema", || FOUND.get_or_init(found).clone())
}

/// The source of a package of `PyPI`, of the version that a set of tools pins.
fn source(set: &str, package: &str) -> Result<PathBuf, String> {
    let python = environment("python")?.join("python");
    let pinned = root().join(format!("tests/support/tools/{set}/requirements.txt"));
    let text = std::fs::read_to_string(&pinned).map_err(|error| error.to_string())?;
    let begins = format!("{package}==");
    let pin = text.lines().find(|line| line.starts_with(&begins));
    let pin = pin.ok_or("no version of it is pinned")?;
    let folder = installed(&format!("{set}-source"), &[&pinned], |folder| {
        let pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check"];
        let source = ["--no-deps", "--no-binary", ":all:", pin];
        try_run(Command::new(&python).args(pip).args(source).current_dir(folder))?;
        let archive = format!("{}.tar.gz", pin.replace('-', "_").replace("==", "-"));
        let unpack = ["-m", "tarfile", "--extract", &archive];
        try_run(Command::new(&python).args(unpack).current_dir(folder)).map(drop)
    })?;
    Ok(folder.join(pin.replace('-', "_").replace("==", "-")))
}

/// A Python with `PyPI`'s `agent-client-protocol` as it is spoken over HTTP and WebSocket, and with a
/// server for its agents, or `None` where it cannot be had (see [`available`]).
pub(crate) fn python_remote_peer() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("Python and PyPI's official SDK for HTTP", || {
        let found = FOUND.get_or_init(|| environment("peers-remote"));
        found.clone().map(|programs| programs.join("python"))
    })
}

/// The folder with the programs of `tests/interop/rust`, built with crates.io's
/// `agent-client-protocol` and `agent-client-protocol-http`, or `None` where its crates cannot be had (see [`available`]).
pub(crate) fn rust_peers() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("crates.io's official SDK", || FOUND.get_or_init(build).clone())
}

fn build() -> Result<PathBuf, String> {
    let target = target().join("interop");
    let manifest = root().join("tests/interop/rust/Cargo.toml");
    let at_manifest = |command: &mut Command| {
        command.arg("--quiet").arg("--locked").arg("--manifest-path").arg(&manifest);
        try_run(command.env("CARGO_TARGET_DIR", &target)).map(drop)
    };
    // What cannot be fetched is not there; what does not build is a failure.
    at_manifest(cargo().arg("fetch"))?;
    if let Err(report) = at_manifest(cargo().args(["build", "--offline"])) {
        panic!("{report}");
    }
    Ok(target.join("debug"))
}
