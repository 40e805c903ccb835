//! The whole way of a user who has the wheel, the npm packages or the crate, and nothing of this
//! repository: a package is generated, its agent and its client talk, and changes are previewed.

use std::fs;

use super::machine::Machine;
use super::python::{FORGIVEN, forgiving, only};
use super::tool::{VERSION, compiled, packed, root, unpacked};
use crate::guides::programs;
use crate::support;

/// What a client says of an agent that echoes.
const TALK: &str = "hello (end_turn)\n";

#[test]
fn the_wheel_is_all_that_a_user_needs() {
    let (Some(node), Some(wheels)) = (support::node(), support::wheels()) else { return };
    let wheel = only(packed(&node, &wheels), "whl");
    let name = wheel.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("acp_bindgen-{VERSION}-py3-none-")), "{name}");
    support::run(wheels.program("twine").args(["check", "--strict"]).arg(&wheel));

    let programs_of = if cfg!(windows) { "environment/Scripts" } else { "environment/bin" };
    let machine = Machine::new("wheel", programs_of);
    support::run(machine.takes(&mut wheels.python()).args([
        "-m",
        "venv",
        "--without-pip",
        "environment",
    ]));
    let pip = |arguments: &[&str]| {
        let mut pip = wheels.pip();
        pip.args(["--python", "environment"]).args(arguments);
        support::run(machine.takes(&mut pip))
    };
    pip(&["install", "--no-index", wheel.to_str().unwrap()]);
    let about = "from importlib.metadata import metadata
print(metadata('acp-bindgen').get_payload())";
    assert_eq!(machine.runs(&["python", "-c", about]).trim(), page());
    walk(&machine, "python", &["acp-bindgen"]);

    pip(&["install", "./acp-sdk/python"]);
    let installed = pip(&["freeze"]);
    let installed = installed.lines().filter_map(|line| line.split([' ', '=']).next());
    assert_eq!(installed.collect::<Vec<_>>(), ["acp", "acp-bindgen", "msgspec"]);
    let forgiving = forgiving("acp");
    assert_eq!(machine.runs(&["python", "-W", "error", "-c", &forgiving]), FORGIVEN);
    let shown = programs(&machine.path("acp-sdk/python/README.md"), "python");
    machine.write([("agent.py", &*shown[0]), ("client.py", &shown[1])]);
    let page = fs::read_to_string(machine.path("acp-sdk/python/README.md")).unwrap();
    assert!(page.contains("`python client.py python agent.py`"), "it says how they are run");
    let talk = ["python", "-W", "error", "client.py", "python", "-W", "error", "agent.py"];
    assert_eq!(machine.runs(&talk), TALK);

    let mut uvx = wheels.program("uvx");
    machine.takes(&mut uvx).args(["--quiet", "--offline", "--cache-dir", "cache", "--python"]);
    uvx.arg(machine.path(programs_of).join("python")).arg("--from").arg(&wheel);
    uvx.args(["acp-bindgen", "--version"]);
    assert_eq!(support::run(&mut uvx), format!("acp-bindgen {VERSION}\n"));
}

#[test]
fn the_npm_packages_are_all_that_a_user_needs() {
    let (Some(node), Some(wheels)) = (support::node(), support::wheels()) else { return };
    let program = only(packed(&node, &wheels), "tgz");
    let machine = Machine::new("npm", "bin");
    support::run(node.node().arg(root("packaging/npm/pack.mjs")).arg(machine.path("packed")));
    let launcher = only(&machine.path("packed"), "tgz");
    machine.write([("package.json", "{ \"type\": \"module\" }\n")]);
    let (npm, npx) = if cfg!(windows) { ("npm.cmd", "npx.cmd") } else { ("npm", "npx") };
    let install = |packages: &[&str]| {
        let options = ["install", "--offline", "--no-audit", "--no-fund", "--silent"];
        machine.runs(&[&[npm], &options[..], packages].concat());
    };
    install(&[launcher.to_str().unwrap(), program.to_str().unwrap()]);
    let about = fs::read_to_string(machine.path("node_modules/acp-bindgen/README.md")).unwrap();
    assert_eq!(about.trim(), page());
    walk(&machine, "typescript", &[npx, "--offline", "acp-bindgen"]);

    // The compiler would come from the registry, in whichever version is new.
    let package = machine.path("acp-sdk/typescript");
    node.link("@types", &package);
    support::run(machine.takes(&mut node.tsc()).current_dir(&package));
    // By the words of the README: npm takes two names with a slash between for a repository.
    let commands = programs(&package.join("README.md"), "sh").join("\n");
    let commands = commands.replace("path/to/this/folder", "acp-sdk/typescript");
    let mut folders = commands.lines().filter_map(|line| line.strip_prefix("npm install "));
    let folder = folders.next().expect("the README says how it is installed");
    // As a copy: for a link, npm asks the registry for what the package is developed with.
    install(&["--install-links", "--omit=dev", "--ignore-scripts", folder]);
    node.link("@types", machine.folder());
    let shown = programs(&package.join("README.md"), "ts");
    machine.write([("agent.ts", &*shown[0]), ("client.ts", &shown[1])]);
    let compile = commands.lines().find_map(|line| line.strip_prefix("npx tsc "));
    let compile = compile.expect("the README says how programs are compiled");
    let mut tsc = node.tsc();
    support::run(machine.takes(tsc.arg("--strict").args(compile.split(' '))));
    assert_eq!(machine.runs(&["node", "client.js", "node", "agent.js"]), TALK);
}

/// As a program, and for a build script as `docs/build-script.md` has it.
#[test]
fn the_crate_is_all_that_a_user_needs() {
    let machine = Machine::new("crate", "home/bin");
    let mut install = support::cargo();
    machine.takes(&mut install).args(["install", "--debug", "--locked", "--offline", "--quiet"]);
    install.args(["--root", "home", "--path"]).arg(unpacked());
    install.arg("--target-dir").arg(support::target().join("packaging/install"));
    support::run(install.env("CARGO_BUILD_BUILD_DIR", compiled()));
    walk(&machine, "rust", &["acp-bindgen"]);

    let target = support::target().join("generated-code");
    // It is what the registry would have.
    let packed = unpacked().display().to_string();
    let packed = format!("patch.crates-io.acp-bindgen.path = {packed:?}");
    let build = || {
        let mut build = support::cargo_with_packages();
        build.args(["build", "--offline", "--quiet", "--config", &packed]);
        support::run(machine.takes(&mut build).env("CARGO_TARGET_DIR", &target));
    };
    let page = unpacked().join("docs/build-script.md");
    let (manifest, scripts) = (programs(&page, "toml"), programs(&page, "rust"));
    let manifest = format!("[package]\nname = \"mine\"\nedition = \"2024\"\n\n{}", manifest[0]);
    machine.write([
        ("Cargo.toml", &*manifest),
        ("build.rs", &scripts[0]),
        ("src/lib.rs", &scripts[1]),
        ("schema/mine.json", &schema("string")),
        ("schema/ours.overlay.json", "{}"),
    ]);
    fs::copy(root("Cargo.lock"), machine.path("Cargo.lock")).unwrap();
    build();
    let readme = machine.path("acp-sdk/rust/README.md");
    machine.write([
        ("Cargo.toml", &*format!("{manifest}{ADDED}")),
        ("src/bin/agent.rs", &programs(&readme, "rust")[0]),
        ("src/bin/client.rs", &programs(&readme, "rust,no_run")[0]),
    ]);
    build();
    let program = |name: &str| target.join("debug").join(name).to_str().unwrap().to_owned();
    assert_eq!(machine.runs(&[&program("client"), &program("agent")]), TALK);
}

/// What agents and clients need beside what `docs/build-script.md` has. `tokio` has the features with
/// which it is compiled for the tests of the generated package.
const ADDED: &str = r#"
[dependencies.acp]
path = "acp-sdk/rust"

[dependencies.tokio]
version = "1"
features = ["io-util", "macros", "rt-multi-thread", "sync", "time"]
"#;

/// What registries show of the tool.
fn page() -> String {
    fs::read_to_string(root("packaging/README.md")).unwrap().trim().to_owned()
}

/// Generates a package, and previews what is drafted of the protocol and a change of another one.
fn walk(machine: &Machine, language: &str, program: &[&str]) {
    let said = machine.runs(&[program, &["--version"]].concat());
    assert_eq!(said, format!("acp-bindgen {VERSION}\n"));
    machine.runs(&[program, &["generate", "--target", language]].concat());
    let draft = ["diff", "bundled:acp@v1", "bundled:acp@v1-unstable", "--summary"];
    let said = machine.runs(&[program, &draft].concat());
    // What is unstable breaks nobody.
    assert!(said.contains("\n  risky     SessionUpdate<sessionUpdate="), "{said}");

    let (old, new) = (schema("string"), schema("integer"));
    machine.write([("old.json", &*old), ("new.json", &new)]);
    let code = format!("--code={language}");
    let said = machine.finds(&[program, &["diff", "old.json", "new.json", &code]].concat());
    assert!(said.contains("\nPingNotification, in ping params"), "{said}");
    assert!(said.contains("name: was a string and is now an integer [type-changed]"), "{said}");
    assert!(said.contains("PingNotification (changed)\n"), "{said}");
}

/// A protocol of one message, whose member has this type.
fn schema(name: &str) -> String {
    let message = serde_json::json!({
        "type": "object",
        "properties": { "name": { "type": name } },
        "required": ["name"],
        "x-method": "ping",
        "x-side": "server",
    });
    serde_json::json!({ "$defs": { "PingNotification": message } }).to_string()
}
