//! Clients on platforms beside Node, with `acp/remote` alone: each talks with our agent over HTTP and
//! over a WebSocket.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{self, Listening};

#[test]
fn deno_talks_with_an_agent() {
    talks("deno", "command.js", |deno, bundle, url| {
        let mut command = Command::new(deno);
        command.args(["run", "--no-config", "--allow-net", "--allow-read"]).arg(bundle).arg(url);
        support::run(&mut command)
    });
}

#[test]
fn bun_talks_with_an_agent() {
    talks("bun", "command.js", |bun, bundle, url| {
        support::run(Command::new(bun).arg(bundle).arg(url))
    });
}

#[test]
fn a_worker_talks_with_an_agent() {
    talks("workerd", "worker.js", |workerd, bundle, url| {
        let config = bundle.with_file_name("worker.capnp");
        std::fs::copy(programs().join("worker.capnp"), &config).unwrap();
        let mut serve = Command::new(workerd);
        serve.arg("serve").arg(config).arg("--control-fd=1").stdout(Stdio::piped());
        let mut worker = Worker(serve.spawn().unwrap());
        let mut told = String::new();
        let output = worker.0.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut told).unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        let asked = format!("http://127.0.0.1:{}/?agent={url}", told["port"]);
        let ask = "fetch(process.argv[1]).then((it) => it.text()).then(console.log)";
        support::run(Command::new("node").args(["--input-type=module", "--eval", ask, &asked]))
    });
}

/// Runs a bundled program on a platform, and judges what it says.
fn talks(platform: &str, program: &str, run: impl Fn(&Path, &Path, &str) -> String) {
    let (Some(node), Some(runtime)) = (support::node(), support::platform(platform)) else {
        return;
    };
    if !support::harness_languages().contains(&"typescript") {
        return;
    }
    support::build_harness("acp-v1", "bundled:acp@v1");
    let folder = support::scratch(platform);
    let package = support::target().join("harness/acp-v1/typescript");
    let sources = folder.join("sources");
    for name in ["talk.js", program] {
        let text = std::fs::read_to_string(programs().join(name)).unwrap();
        support::write_files(&sources, [(name, text.as_str())]);
    }
    support::link(&package, &sources.join("node_modules/acp"));
    let bundle = folder.join(program);
    let mut bundling = node.esbuild();
    bundling.args(["--bundle", "--format=esm", "--log-level=warning"]);
    bundling.arg(sources.join(program)).arg(format!("--outfile={}", bundle.display()));
    support::run(&mut bundling);
    let agent = support::root().join("tests/harness/remote").into();
    // None of them speaks HTTP/2 where there is no TLS.
    let options = json!({"http1": true}).to_string().into();
    let agent = Listening::start(&[agent, "typescript".into(), "agent".into(), options]).unwrap();
    let said: Value = serde_json::from_str(run(&runtime, &bundle, &agent.url).trim()).unwrap();
    let talk = json!({"updates": 3, "reasons": ["end_turn", "end_turn"]});
    assert_eq!(said, json!({"http": talk, "websocket": talk}));
    assert_eq!(agent.end(), None);
}

fn programs() -> std::path::PathBuf {
    support::root().join("tests/connection/typescript/platforms")
}

/// A program that is killed, by its own id, at the end.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
