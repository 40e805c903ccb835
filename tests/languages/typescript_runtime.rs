//! TypeScript packages that have no copy of the runtime, but depend on its package.

use std::path::PathBuf;

use acp_bindgen::output::FileSet;
use acp_bindgen::{Config, Generator, Runtime, Target};

use crate::runtimes::built_typescript;
use crate::support::{self, Node};

/// The lines that a protocol of one method and two types may become.
const LINES: usize = 800;

/// Two ends of a connection within a program.
const TALK: &str = r#"import assert from "node:assert";
import { ConnectionError, GreeterSideConnection, streamPair } from "greeting";
import { greeter } from "greeting/app";
import { remote } from "greeting/remote";

const [near, far] = streamPair();
const answering = greeter()
  .onRequest("greet", ({ name }) => ({ text: `Hello, ${name}` }))
  .connect(near);
const silent = { greet: () => ({ text: "" }) };
const asking = new GreeterSideConnection(() => silent, far);
assert.deepEqual(await asking.greet({ name: "Ann" }), { text: "Hello, Ann" });
await asking.close();
await answering.closed;
await assert.rejects(asking.greet({ name: "Bob" }), ConnectionError);
assert.equal(typeof remote, "function");
// @ts-expect-error: this protocol has no methods but its own.
assert.throws(() => greeter().onRequest("_other", () => ({})), TypeError);
"#;

/// A program of two protocols: what is the runtime's is the same for both, for the compiler, too.
const BOTH: &str = r#"import assert from "node:assert";
import * as acp from "acp";
import * as greeting from "greeting";
import { spawn } from "greeting/node";
import { listen } from "acp/remote/node";

const ends = acp.streamPair();
const handler = { greet: () => ({ text: "Hello" }) };
const near = new greeting.GreeterSideConnection(() => handler, ends[0]);
const far = new greeting.GreeterSideConnection(() => handler, ends[1]);
const peers: acp.Peer[] = [near, far];
assert.ok(peers.every((peer) => peer instanceof greeting.Peer));
assert.ok(!(far instanceof acp.AgentPeer));
assert.ok(acp.RequestError.authRequired() instanceof greeting.RequestError);
assert.ok(greeting.RequestError.parseError() instanceof acp.RequestError);
const error: acp.ConnectionError | undefined = await near
  .close()
  .then(() => near.greet({ name: "Ann" }))
  .then(() => undefined)
  .catch((error: unknown) => {
    return error instanceof greeting.ConnectionError ? error : undefined;
  });
assert.ok(error instanceof acp.ConnectionError);
const codec: acp.Codec<greeting.GreetRequest> = greeting.GreetRequestCodec;
assert.throws(() => codec.decode({}), acp.DecodeError);
assert.ok([spawn, listen].every((it) => typeof it === "function"));
"#;

/// The package of a protocol, without a copy of the runtime.
fn package(schema: &str, name: &str) -> FileSet {
    let config = Config {
        schema: vec![schema.to_owned()],
        target: vec![Target::TypeScript],
        name: Some(name.to_owned()),
        runtime: Some(Runtime::Package),
        ..Config::default()
    };
    let mut diagnostics = acp_bindgen::diagnostic::Diagnostics::new();
    let inputs = config.read_inputs(&mut diagnostics).unwrap();
    let mut generation = Generator::new(config).generate(inputs);
    assert!(!generation.diagnostics.has_errors(), "{:?}", generation.diagnostics);
    generation.packages.remove(0).files
}

fn greeting() -> FileSet {
    let schema = support::root().join("tests/languages/greeting.json");
    package(schema.to_str().unwrap(), "greeting")
}

/// A folder with both packages, built, and with these programs.
fn workspace(node: &Node, programs: &[(&str, &str)]) -> PathBuf {
    let mut files = FileSet::new();
    files.insert_under("acp", package("acp@v1", "acp"));
    files.insert_under("greeting", greeting());
    files.insert("programs/package.json", "{\n  \"type\": \"module\"\n}\n");
    for (name, text) in programs {
        files.insert(format!("programs/{name}.ts"), *text);
    }
    let folder = support::synced("typescript-runtime", &files);
    let modules = folder.join("node_modules");
    support::link(&built_typescript(node), &modules.join("acp-bindgen-runtime"));
    for name in ["acp", "greeting"] {
        let package = folder.join(name);
        support::link(&package, &modules.join(name));
        node.link("@types", &package);
        support::run(node.tsc().arg("--project").arg(&package));
    }
    folder
}

#[test]
fn two_protocols_share_a_runtime() {
    let Some(node) = support::node() else { return };
    let programs = [("talk", TALK), ("both", BOTH)];
    let folder = workspace(&node, &programs);
    support::check_typescript(&node, &folder);
    for (name, _) in programs {
        let (source, program) = (format!("programs/{name}.ts"), format!("programs/{name}.js"));
        let mut esbuild = node.esbuild();
        esbuild
            .args([&source, "--format=esm", "--target=es2022"])
            .arg(format!("--outfile={program}"));
        support::run(esbuild.args(["--log-level=warning"]).current_dir(&folder));
        support::run(node.node().arg(program).current_dir(&folder));
    }
}

#[test]
fn a_small_protocol_is_a_small_package() {
    let files = greeting();
    assert!(files.iter().all(|(path, _)| !path.contains("runtime")));
    let lines: usize = files.iter().map(|(_, text)| text.lines().count()).sum();
    assert!(lines <= LINES, "{lines} lines");
}

/// The versions of the runtime that packages ask for are those of the tool.
#[test]
fn the_runtime_has_the_version_of_the_tool() {
    let manifest = support::root().join("templates/typescript/runtime/package.json");
    let manifest = std::fs::read_to_string(manifest).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let package: serde_json::Value =
        serde_json::from_str(greeting().get("package.json").unwrap()).unwrap();
    let asked = concat!("^", env!("CARGO_PKG_VERSION"));
    assert_eq!(package["dependencies"], serde_json::json!({ "acp-bindgen-runtime": asked }));
    for members in ["peerDependencies", "peerDependenciesMeta"] {
        assert_eq!(package[members], manifest[members]);
    }
}
