//! The tool itself, packed as a crate, a wheel and npm packages. Each of them is all that a user
//! has: the packages it generates, their programs and a preview of a change are made with it alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::guides::programs;
use crate::support::{self, Node, Wheels};

/// The version that users get.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is compiled into the crate or shown to its users, and nothing else.
#[test]
fn the_crate_holds_what_it_is_built_of() {
    let mut list = support::cargo();
    list.args(["package", "--list", "--offline", "--allow-dirty"]);
    let listed = support::run(list.current_dir(support::root()));
    let named = |name: &str| listed.lines().any(|line| line == name);
    for name in ["build.rs", "src/schema/bundled/export.rs", "CHANGELOG.md", "docs/remote.md"] {
        assert!(named(name), "{name}: {listed}");
    }
    let folders = ["src/", "templates/", "schema/", "docs/"];
    let mut strange: Vec<&str> = listed.lines().filter(|line| line.contains('/')).collect();
    strange.retain(|line| !folders.iter().any(|folder| line.starts_with(folder)));
    assert!(strange.is_empty(), "{strange:?}");
    let sizes =
        listed.lines().filter_map(|line| std::fs::metadata(support::root().join(line)).ok());
    let size: u64 = sizes.map(|metadata| metadata.len()).sum();
    assert!((1_000_000..6_000_000).contains(&size), "{size} bytes");
}

#[test]
fn the_wheel_is_all_that_a_user_needs() {
    let (Some(node), Some(wheels)) = (support::node(), support::wheels()) else { return };
    let Some(python) = support::python() else { return };
    let folder = support::scratch("packaging-tool-wheel");
    let wheel = super::python::only(packed(&node, &wheels), "whl");
    let name = wheel.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("acp_bindgen-{VERSION}-py3-none-")), "{name}");
    support::run(wheels.program("twine").args(["check", "--strict"]).arg(&wheel));

    let environment = folder.join("environment");
    support::run(wheels.python().args(["-m", "venv", "--without-pip"]).arg(&environment));
    let mut install = wheels.program("uv");
    install.args(["pip", "install", "--quiet", "--offline", "--no-cache", "--python"]);
    support::run(install.arg(&environment).arg(&wheel));
    let program =
        environment.join(if cfg!(windows) { "Scripts" } else { "bin" }).join("acp-bindgen");
    let project = walk(&folder.join("project"), "python", || Command::new(&program));

    let package = project.join("acp-sdk/python");
    let readme = programs(&package.join("README.md"), "python");
    support::write_files(&project, [("agent.py", &*readme[0]), ("client.py", &readme[1])]);
    let mut client = python.python();
    client.args(["-B", "client.py"]).arg(python.interpreter()).args(["-B", "agent.py"]);
    client.env("PYTHONPATH", package.join("src")).current_dir(&project);
    assert_eq!(support::run(&mut client), "hello (end_turn)\n");

    let mut uvx = wheels.program("uvx");
    uvx.args(["--quiet", "--offline", "--cache-dir"]).arg(folder.join("cache"));
    uvx.arg("--python").arg(python.interpreter()).arg("--from").arg(&wheel);
    uvx.args(["acp-bindgen", "--version"]).current_dir(&folder);
    assert_eq!(support::run(&mut uvx), format!("acp-bindgen {VERSION}\n"));
}

#[test]
fn the_npm_packages_are_all_that_a_user_needs() {
    let (Some(node), Some(wheels)) = (support::node(), support::wheels()) else { return };
    let folder = support::scratch("packaging-tool-npm");
    let program = super::python::only(packed(&node, &wheels), "tgz");
    support::run(node.node().arg(root("packaging/npm/pack.mjs")).arg(&folder));
    let launcher = super::python::only(&folder, "tgz");
    let project = folder.join("project");
    support::write_files(&project, [("package.json", "{ \"type\": \"module\" }\n")]);
    let npm = |arguments: &[&str]| {
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.args(arguments).current_dir(&project);
        npm
    };
    let options = ["install", "--offline", "--no-audit", "--no-fund", "--silent"];
    support::run(npm(&options).arg(&launcher).arg(&program));
    let project = walk(&project, "typescript", || npm(&["exec", "--offline", "--", "acp-bindgen"]));

    let package = project.join("acp-sdk/typescript");
    let readme = programs(&package.join("README.md"), "ts");
    support::write_files(&project, [("src/agent.ts", &*readme[0]), ("src/client.ts", &readme[1])]);
    node.link("@types", &package);
    node.link("@types", &project);
    support::link(&package, &project.join("node_modules/acp"));
    support::run(node.tsc().arg("--project").arg(&package));
    let options = [
        "--skipLibCheck",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--outDir",
        "dist",
    ];
    let mut tsc = node.tsc();
    tsc.args(options).args(["--types", "node", "src/agent.ts", "src/client.ts"]);
    support::run(tsc.current_dir(&project));
    let mut client = node.node();
    client.args(["dist/client.js", "node", "dist/agent.js"]).current_dir(&project);
    assert_eq!(support::run(&mut client), "hello (end_turn)\n");
}

/// The program that npm starts ends as the one that it finds, and says so where it finds none.
#[test]
fn the_npm_launcher_ends_as_the_program_does() {
    let Some(node) = support::node() else { return };
    let folder = support::scratch("packaging-tool-launcher");
    let launcher = root("packaging/npm/acp-bindgen.js");
    let at = folder.join("node_modules/acp-bindgen/bin/acp-bindgen.js");
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::fs::copy(launcher, &at).unwrap();
    let missing = node.node().arg(&at).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(
        said.starts_with("error: there is no program for ") && said.contains("help: "),
        "{said}"
    );
}

/// A release is built for each platform that the package of npm looks for, and for no other.
#[test]
fn a_release_is_built_for_every_platform() {
    let read = |path: &str| std::fs::read_to_string(root(path)).unwrap();
    let platforms: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&read("packaging/npm/platforms.json")).unwrap();
    let pairs = platforms.iter().map(|(platform, target)| {
        format!("platform: {platform}, target: {}, runner:", target.as_str().unwrap())
    });
    let release = read(".github/workflows/release.yml");
    let built = release.lines().filter(|line| line.trim_start().starts_with("- { platform: "));
    let built: Vec<&str> = built.collect();
    assert_eq!(built.len(), pairs.len());
    for (line, pair) in built.iter().zip(pairs) {
        assert!(line.contains(&pair), "{line} is not {pair}");
    }
}

#[test]
fn a_tag_is_the_version_that_the_changelog_tells_of() {
    let folder = support::scratch("packaging-tool-version");
    let script = std::fs::read_to_string(root("packaging/check-version.sh")).unwrap();
    let manifest = "[package]\nversion = \"1.2.0\"\n\n[dependencies.a]\nversion = \"9.0.0\"\n";
    let check = |tag: &str, heading: &str| {
        let changelog = format!("# Changelog\n\n{heading}\n");
        let files = [("packaging/check.sh", &*script), ("Cargo.toml", manifest)];
        support::write_files(&folder, files.into_iter().chain([("CHANGELOG.md", &*changelog)]));
        let mut check = Command::new("bash");
        support::try_run(check.arg(folder.join("packaging/check.sh")).arg(tag)).map(drop)
    };
    check("v1.2.0", "## 1.2.0").unwrap();
    assert!(check("v1.2.1", "## 1.2.0").unwrap_err().contains("the version in Cargo.toml 1.2.0"));
    let refused = check("v1.2.0", "## 1.2.0 (unreleased)").unwrap_err();
    assert!(refused.contains("CHANGELOG.md has no heading"), "{refused}");
}

/// A folder with the wheel and the npm package of this machine's platform.
fn packed(node: &Node, wheels: &Wheels) -> &'static Path {
    static PACKED: OnceLock<PathBuf> = OnceLock::new();
    PACKED.get_or_init(|| {
        let folder = support::scratch("packaging-tool-packed");
        let print = "process.stdout.write(`${process.platform}-${process.arch}`)";
        let platform = support::run(node.node().args(["-e", print]));
        let version = support::run(Command::new("rustc").arg("-vV"));
        let target = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let mut pack = Command::new(root("packaging/platform.sh"));
        pack.arg(&folder).args([&platform, target, profile]);
        // The command that other tests run stays where it is while this one is put elsewhere; what
        // cargo has compiled of it is shared.
        pack.env("CARGO_TARGET_DIR", support::target().join("packaging/build"));
        pack.env("CARGO_BUILD_BUILD_DIR", support::target());
        support::run(wheels.on_path(&mut pack));
        folder
    })
}

/// A file of the repository.
fn root(path: &str) -> PathBuf {
    support::root().join(path)
}

/// Generates an SDK in an empty folder and previews a change, with a program that was installed.
fn walk(folder: &Path, language: &str, program: impl Fn() -> Command) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let said = support::run(program().arg("--version").current_dir(folder));
    assert_eq!(said, format!("acp-bindgen {VERSION}\n"));
    let mut generate = program();
    generate.args(["generate", "--name", "acp", "--target", language]);
    support::run(generate.current_dir(folder));
    let schema = |name: &str| {
        serde_json::json!({ "$defs": { "PingNotification": {
            "type": "object",
            "properties": { "name": { "type": name } },
            "required": ["name"],
            "x-method": "ping",
            "x-side": "server",
        } } })
        .to_string()
    };
    let (old, new) = (schema("string"), schema("integer"));
    support::write_files(folder, [("old.json", &*old), ("new.json", &new)]);
    let mut diff = program();
    diff.args(["diff", "old.json", "new.json"])
        .arg(format!("--code={language}"))
        .current_dir(folder);
    let diff = diff.output().unwrap();
    assert_eq!(diff.status.code(), Some(1), "{}", String::from_utf8_lossy(&diff.stderr));
    let said = String::from_utf8(diff.stdout).unwrap();
    assert!(said.contains("was a string and is now an integer"), "{said}");
    folder.to_owned()
}
