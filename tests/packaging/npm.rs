//! npm packages: packed, bundled, documented.

use std::path::{Path, PathBuf};
use std::process::Command;

use acp_bindgen::output::FileSet;

use crate::generated::packages::read;
use crate::runtimes::built_typescript;
use crate::support::{self, Node};

/// A package of ACP v1 that is built, in a folder of its own.
fn built(node: &Node, test: &str) -> PathBuf {
    let folder = support::target().join("packaging").join(test);
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", "typescript"]);
    support::run(generate.args(["--name", "acp", "--out"]).arg(&folder));
    let package = folder.join("typescript");
    node.link("@types", &package);
    support::run(node.tsc().arg("--project").arg(&package));
    package
}

fn tool(modules: &Path, script: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(modules.join(script));
    command
}

#[test]
fn it_is_packed_as_npm_and_typescript_expect() {
    let (Some(node), Some(tools)) = (support::node(), support::npm_packaging()) else { return };
    let package = built(&node, "packed");
    check_packed(&tools, &package, "acp", &[]);
}

/// The runtime, too, which has a module for each that generated code imports.
#[test]
fn the_runtime_is_packed_as_npm_and_typescript_expect() {
    let (Some(node), Some(tools)) = (support::node(), support::npm_packaging()) else { return };
    let package = built_typescript(&node);
    let modules = ["--entrypoints", "codec.js", "connection.js", "remote/node/listen.js", "--"];
    check_packed(&tools, &package, "acp-bindgen-runtime", &modules);
}

/// Packs a package, which npm's tools judge. `modules`: the tool's arguments that name what a manifest
/// has a pattern for.
fn check_packed(tools: &Path, package: &Path, name: &str, modules: &[&str]) {
    let mut publint = tool(tools, "publint/src/cli.js");
    let said = support::run(publint.arg("--strict").current_dir(package));
    assert!(said.contains("All good!"), "{said}");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut pack = Command::new(npm);
    support::run(pack.args(["pack", "--ignore-scripts", "--silent"]).current_dir(package));
    let manifest = std::fs::read_to_string(package.join("package.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let packed = format!("{name}-{}.tgz", manifest["version"].as_str().unwrap());
    // There is no module for `require`, which is what the profile says.
    let mut attw = tool(tools, "@arethetypeswrong/cli/dist/index.js");
    attw.args(["--profile", "esm-only"]).args(modules).arg(&packed);
    support::run(attw.current_dir(package));
}

/// The registry of JavaScript takes sources, and wants to know the types of all that is public
/// without a type checker.
#[test]
fn jsr_takes_it_as_it_is() {
    let (Some(node), Some(deno)) = (support::node(), support::platform("deno")) else { return };
    for runtime in ["embedded", "package"] {
        let folder = support::scratch(&format!("packaging-jsr-{runtime}"));
        let config = r#"
            schema = "bundled:acp@v1"
            target = ["typescript"]
            [package]
            version = "1.0.0"
            license = "MIT"
            [targets.typescript]
            name = "@my/acp"
            specifiers = "ts"
        "#;
        support::write_files(&folder, [("acp-bindgen.toml", config)]);
        support::run(support::acp_bindgen(&folder).args(["generate", "--runtime", runtime]));
        let package = folder.join("acp-sdk/typescript");
        for name in ["@types", "undici-types"] {
            node.link(name, &package);
        }
        if runtime == "package" {
            let mut files = FileSet::new();
            let built = built_typescript(&node);
            read(&built.join("dist"), "dist", &mut files);
            let manifest = std::fs::read_to_string(built.join("package.json")).unwrap();
            files.insert("package.json", manifest);
            let there = package.join("node_modules/acp-bindgen-runtime");
            support::write_files(&there, files.iter());
        }
        let mut publish = Command::new(&deno);
        publish.args(["publish", "--dry-run", "--allow-dirty"]).current_dir(&package);
        publish.env("NO_COLOR", "1").env("DENO_DIR", folder.join("deno"));
        support::run(&mut publish);
    }
}

#[test]
fn its_documentation_is_complete() {
    let (Some(node), Some(tools)) = (support::node(), support::npm_packaging()) else { return };
    let package = built(&node, "documented");
    let mut typedoc = tool(&tools, "typedoc/bin/typedoc");
    typedoc.args(["--excludeInternal", "--treatWarningsAsErrors", "--entryPoints", "src/index.ts"]);
    typedoc.args(["--entryPoints", "src/node.ts", "--out", "docs"]);
    // Where the sources are in some repository is no part of what is asked.
    typedoc.arg("--disableSources").current_dir(&package);
    support::run(&mut typedoc);
    assert!(package.join("docs/classes/index.ClientSideConnection.html").is_file());
}

#[test]
fn a_bundle_holds_only_what_is_used() {
    let Some(node) = support::node() else { return };
    let package = built(&node, "bundled");
    let dist = package.join("dist/index.js");
    let bundle = |name: &str, imports: &str| {
        let source = package.join(format!("{name}.js"));
        let from = serde_json::to_string(&dist).unwrap();
        let code = format!("import {{ {imports} }} from {from};\nconsole.log({imports});\n");
        std::fs::write(&source, code).unwrap();
        let mut esbuild = node.esbuild();
        let bundle =
            support::run(esbuild.args(["--bundle", "--minify", "--format=esm"]).arg(source));
        (bundle.clone(), gzipped(&bundle))
    };
    let (client, size) = bundle("client", "ClientSideConnection, ndJsonStream");
    assert!(client.contains("session/prompt"));
    assert!(size <= 40_000, "the client half is {size} bytes");
    let (codec, size) = bundle("codec", "StopReasonCodec");
    assert!(codec.contains("max_turn_requests"));
    assert!(!codec.contains("session/") && !codec.contains("sessionUpdate"), "{codec}");
    assert!(size <= 2_000, "one codec is {size} bytes");
}

/// The size of a text after `gzip`, as Node has it.
fn gzipped(text: &str) -> usize {
    let folder = support::scratch("gzipped");
    let file = folder.join(format!("{}.js", text.len()));
    std::fs::write(&file, text).unwrap();
    let program =
        "console.log(require('zlib').gzipSync(require('fs').readFileSync(process.argv[1])).length)";
    let mut node = Command::new("node");
    support::run(node.args(["-e", program]).arg(file)).trim().parse().unwrap()
}
