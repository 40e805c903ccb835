//! What published packages call things: `names` finds all of it, and the pages for those who come
//! from them name what is there.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support;

#[test]
fn packages_on_npm_call_types_as_generated_code_does() {
    let Some(history) = support::npm_history() else { return };
    assert!(history.len() > 20, "{} versions", history.len());
    for (version, _) in history {
        let schema = ["schema/schema.json", "schema/v1/schema.json"];
        let package = support::npm_package(&version);
        let schema = schema.map(|path| package.join(path)).into_iter().find(|it| it.exists());
        let schema = schema.expect("every release has a schema");
        let found = names("npm", &package.join("dist"), &schema, None);
        let found: Value = serde_json::from_str(&found).unwrap();
        // The function for `terminal/kill` was not called like its params at first.
        let params = "KillTerminalCommandRequest";
        let text = fs::read_to_string(&schema).unwrap();
        let expected = if text.contains(&format!("\"{params}\"")) {
            json!({"$defs": {params: {"x-function-name": "killTerminal"}}})
        } else {
            json!({})
        };
        assert_eq!(found, expected, "{version}");
    }
}

#[test]
fn the_names_of_the_package_on_pypi_stay() {
    let Some(package) = pypi() else { return };
    let examples = [
        "field_meta:",
        "async def set_config_option(",
        "class TextContentBlock(",
        "class CreateUrlSessionElicitationRequest(",
        "class CreateOtherElicitationRequest(",
        "class SetSessionConfigOptionSelectRequest(",
        "class UsageUpdateFields(Struct,",
    ];
    let generated = stay("pypi", &package, "python", &examples);
    let mut known = HashSet::new();
    collect(&package, &mut known);
    let mut class = String::new();
    each_file(&generated, &mut |text| {
        for line in text.lines() {
            if let Some(line) = line.strip_prefix("class ") {
                class = words_of(line).next().unwrap_or_default().to_owned();
            }
            let keeps = !line.starts_with("    meta:") || !known.contains(&class);
            assert!(keeps, "`field_meta` of `{class}`");
        }
    });
}

#[test]
fn the_names_of_the_crate_stay() {
    let Some(package) = crates().into_iter().find(|it| is_in(it, "protocol-schema-")) else {
        return;
    };
    stay("crate", &package, "rust", &["pub enum_values:"]);
}

/// No trait of ours can stand for what they chain, which `docs/coming-from-rust.md` says.
#[test]
fn the_examples_of_the_crate_chain_closures() {
    let Some(package) = crates().into_iter().find(|it| is_in(it, "agent-client-protocol-5")) else {
        return;
    };
    let files = fs::read_dir(package.join("examples")).unwrap();
    let files = files.map(|it| it.unwrap().path()).filter(|it| it.is_file());
    let texts: Vec<String> = files.map(|it| fs::read_to_string(it).unwrap()).collect();
    assert_eq!(texts.len(), 5, "the page says five");
    assert!(texts.iter().all(|it| it.contains(".on_receive_") || it.contains(".connect_")));
}

#[test]
fn pages_name_what_the_packages_have() {
    let packages = [
        (
            "npm",
            support::npm_history().map(|all| {
                all.iter().map(|(version, _)| support::npm_package(version).join("dist")).collect()
            }),
        ),
        ("pypi", pypi().map(|folder| vec![folder])),
        ("crate", Some(crates()).filter(|all| !all.is_empty())),
    ];
    for (kind, folders) in packages {
        let Some(folders) = folders else { continue };
        let mut words = HashSet::new();
        for folder in folders {
            collect(&folder, &mut words);
        }
        let page = support::root().join(format!("schema/acp.coming-from-{kind}.toml"));
        let page: toml::Table = fs::read_to_string(page).unwrap().parse().unwrap();
        let rows = page["name"].as_array().unwrap();
        assert!(rows.len() > 10, "{kind}: {} rows", rows.len());
        for row in rows {
            let old = row["old"].as_str().unwrap();
            let unknown = words_of(old).find(|word| !words.contains(*word));
            assert_eq!(unknown, None, "{kind}: `{old}` is in no published version");
        }
    }
}

/// With the overlay that `names` makes of a package, generated code has its names: nothing is left
/// to rename, by the schema or by what was generated.
/// Gives the folder of that.
fn stay(kind: &str, package: &Path, target: &str, examples: &[&str]) -> PathBuf {
    let folder = support::scratch(&format!("names-{kind}"));
    let schema = Path::new("bundled:acp@v1");
    let overlay = folder.join("names.json");
    let text = names(kind, package, schema, None);
    assert_ne!(serde_json::from_str::<Value>(&text).unwrap(), serde_json::json!({}));
    fs::write(&overlay, text).unwrap();
    assert_eq!(names(kind, package, schema, Some(&overlay)), "{}\n");
    let mut generate = support::acp_bindgen(&folder);
    generate.args(["generate", "--quiet", "--schema"]).arg(schema).arg("--overlay").arg(&overlay);
    support::run(generate.args(["--target", target, "--out", "sdk"]));
    let generated = folder.join("sdk").join(target);
    assert_eq!(names(kind, &generated.join("src"), schema, Some(&overlay)), "{}\n");
    let mut lines = Vec::new();
    each_file(&generated, &mut |text| lines.extend(text.lines().map(|it| it.trim().to_owned())));
    for example in examples {
        assert!(lines.iter().any(|line| line.starts_with(example)), "{example}");
    }
    generated
}

/// The overlay that `names` prints.
fn names(kind: &str, package: &Path, schema: &Path, overlay: Option<&Path>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.args(["names", "--from", kind]).arg(package).arg("--schema").arg(schema);
    if let Some(overlay) = overlay {
        command.arg("--overlay").arg(overlay);
    }
    support::run(&mut command)
}

/// The folder of `PyPI`'s package.
fn pypi() -> Option<PathBuf> {
    let mut python = Command::new(support::python_peer()?);
    let find = "import acp, os; print(os.path.dirname(acp.__file__))";
    Some(PathBuf::from(support::run(python.args(["-c", find])).trim()))
}

/// The folders of the official crates, as far as cargo has or can have them.
fn crates() -> Vec<PathBuf> {
    let manifest = support::root().join("tests/interop/rust/Cargo.toml");
    let all = support::available("crates.io's official SDK", || {
        let mut metadata = support::cargo();
        metadata.args(["metadata", "--format-version", "1", "--locked", "--manifest-path"]);
        support::try_run(metadata.arg(manifest))
    });
    let all: Value = serde_json::from_str(&all.unwrap_or_default()).unwrap_or_default();
    let manifests = all["packages"].as_array().into_iter().flatten();
    let manifests = manifests.map(|it| PathBuf::from(it["manifest_path"].as_str().unwrap()));
    let folders = manifests.map(|it| it.parent().unwrap().to_path_buf());
    folders.filter(|it| is_in(it, "agent-client-protocol")).collect()
}

fn is_in(folder: &Path, part: &str) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().contains(part))
}

/// The words in the sources of a folder.
fn collect(folder: &Path, words: &mut HashSet<String>) {
    each_file(folder, &mut |text| words.extend(words_of(text).map(str::to_owned)));
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| !word.is_empty())
}

/// Calls a function with the text of each declaration file, module or source below a folder.
fn each_file(folder: &Path, with: &mut dyn FnMut(&str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            each_file(&path, with);
        } else if [".d.ts", ".py", ".rs"].iter().any(|end| name.ends_with(end)) {
            with(&fs::read_to_string(&path).unwrap());
        }
    }
}
