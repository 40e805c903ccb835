//! What generated codecs promise beyond the wire corpus: what is copied, what errors say, how
//! values are made, and what a program pays for one of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::support;

use support::Node;

#[test]
fn typescript_codecs_keep_their_word() {
    let Some(node) = support::node() else { return };
    let folder = packages(&node);
    let tests = folder.join("codecs");
    let source = support::root().join("tests/codecs/typescript");
    let suites = ["constructors", "errors", "values"];
    let sources = suites.iter().map(|suite| format!("src/{suite}.test.ts"));
    for path in ["package.json", "tsconfig.json"].map(String::from).into_iter().chain(sources) {
        let text = fs::read_to_string(source.join(&path)).unwrap();
        support::write_files(&tests, [(path.as_str(), text.as_str())]);
    }
    for module in ["@types", "@standard-schema"] {
        node.link(module, &tests);
    }
    for name in ["acp", "shapes"] {
        let package = folder.join(name).join("typescript");
        support::link(&package, &tests.join("node_modules").join(name));
    }
    support::run(node.tsc().arg("--incremental").arg("--project").arg(&tests));
    let mut test = node.node();
    test.args(["--test", "--test-timeout=60000"]);
    test.args(suites.map(|suite| format!("dist/{suite}.test.js")));
    support::run(test.current_dir(&tests));
}

/// What is bundled for a program that uses one codec or one constructor is a small part of all.
#[test]
fn typescript_codecs_are_bundled_one_by_one() {
    let Some(node) = support::node() else { return };
    let folder = packages(&node);
    let bundle = |name: &str| {
        let program = format!("import {{ {name} }} from \"acp\";\nconsole.log({name});\n");
        let file = folder.join(format!("bundle-{name}.js"));
        fs::write(&file, program).unwrap();
        let mut esbuild = node.esbuild();
        esbuild.args(["--bundle", "--minify", "--format=esm"]).arg(&file);
        support::run(
            esbuild
                .arg(format!("--alias:acp={}", folder.join("acp/typescript").display()))
                .current_dir(&folder),
        )
    };
    let text = bundle("TextContentCodec");
    assert!(text.contains("annotations") && !text.contains("resource_link"), "{text}");
    let block = bundle("ContentBlockCodec");
    assert!(block.contains("resource_link") && !block.contains("sessionUpdate"), "{block}");
    assert!(block.len() < 10_000, "{} bytes", block.len());
    let constructors = bundle("ContentBlock");
    assert!(constructors.len() < 1_000, "{constructors}");
}

/// Generated and compiled packages of ACP v1 and of the corpus's shapes.
fn packages(node: &Node) -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = support::target().join("codecs-typescript");
        let shapes = support::root().join("tests/wire/shapes.schema.json");
        for (name, schema) in [("acp", Path::new("bundled:acp@v1")), ("shapes", &shapes)] {
            let out = folder.join(name);
            let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
            generate.args(["generate", "--target", "typescript", "--name", name]);
            support::run(generate.arg("--schema").arg(schema).arg("--out").arg(&out));
            let package = out.join("typescript");
            node.link("@types", &package);
            support::run(node.tsc().arg("--incremental").arg("--project").arg(&package));
        }
        folder
    };
    MADE.get_or_init(make).clone()
}
