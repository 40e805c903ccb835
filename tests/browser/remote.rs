//! The example of an agent on the network: its page, as people use it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::support;

#[test]
fn the_page_of_an_agent_on_the_network_talks_and_connects_again() {
    let (Some(node), Some(chromium)) = (support::node(), support::chromium()) else { return };
    let example = example();
    support::link(node.modules(), &example.join("target/sdk/node_modules"));
    let agent = Started::new(&example);
    assert!(speaks_http2(&agent.url), "clients that are no pages cannot talk with it");

    let mut browse = node.node();
    browse.arg(support::root().join("tests/browser/remote.mjs")).arg(chromium);
    browse.arg(support::scratch("chromium-remote")).arg(&agent.url);
    let found = support::run(&mut browse);
    let found: Value = serde_json::from_str(&found).unwrap_or_else(|_| panic!("{found}"));
    let expected = |uses_http: bool| {
        json!({
            "connected": "Connected.",
            "grew": true,
            "talk": [["user", "one two three"], ["agent", "one two three"]],
            "stopped": "Stopped.",
            "problems": [],
            "again": "Connected. Lost: session/prompt.",
            "loaded": [["user", "one two three"], ["agent", "one two three"]],
            "asked": ["user", "four five six seven eight nine ten"],
            "isCut": true,
            "isSame": true,
            "answered": [["user", "still there?"], ["agent", "still there?"]],
            "kept": true,
            "usesHttp": uses_http,
            "faults": [],
        })
    };
    for (transport, uses_http) in [("websocket", false), ("http", true), ("auto", false)] {
        assert_eq!(found[transport], expected(uses_http), "{transport}");
    }
}

/// Whether a server takes HTTP/2 without TLS, which only needs a feature of `axum`.
fn speaks_http2(url: &str) -> bool {
    let mut tcp = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    tcp.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    let mut frame = [0; 9];
    // The first frame of each end is one of settings.
    tcp.read_exact(&mut frame).is_ok() && frame[3] == 4
}

/// A copy of the example, beside packages that this build of the tool generates.
fn example() -> PathBuf {
    let folder = support::target().join("browser/remote");
    let generated = folder.join("generated/acp-v1");
    for language in ["rust", "typescript"] {
        let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        generate.args(["generate", "--schema", "bundled:acp@v1", "--target", language]);
        support::run(generate.args(["--name", "acp", "--out"]).arg(&generated));
    }
    let example = folder.join("examples/remote-agent");
    let source = support::root().join("examples/remote-agent");
    for path in ["run", "Cargo.toml", "page", "src"] {
        copy(&source.join(path), &example.join(path));
    }
    copy(&support::root().join("Cargo.lock"), &example.join("Cargo.lock"));
    example
}

/// Copies a file, if it is another, or what is in a folder.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().flatten() {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else if std::fs::read(from).unwrap() != std::fs::read(to).unwrap_or_default() {
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
    }
}

/// The example, which runs until it is dropped.
struct Started {
    child: Child,
    url: String,
}

impl Started {
    fn new(example: &Path) -> Self {
        let mut command = Command::new(example.join("run"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CARGO_") && name != "CARGO_HOME" {
                command.env_remove(name);
            }
        }
        command.arg("0").env("CARGO_TARGET_DIR", support::target().join("generated-code"));
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://"), "the example did not start: `{url}`");
        Self { child, url }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
