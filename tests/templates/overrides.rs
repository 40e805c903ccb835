//! Templates that stand in for built-in ones.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, acp_bindgen};

/// A folder with a schema in it.
fn folder(name: &str) -> PathBuf {
    let folder = support::scratch(name);
    let schema = support::root().join("tests/cli/files/switch.json");
    fs::copy(schema, folder.join("switch.json")).unwrap();
    folder
}

fn generate(folder: &Path, target: &str, extra: &[&str]) -> Result<String, String> {
    let mut command = acp_bindgen(folder);
    command.args(["generate", "--schema", "switch.json", "--out", "sdk", "--target", target]);
    support::try_run(command.args(extra))
}

fn files(folder: &Path) -> Vec<(String, String)> {
    fn collect(folder: &Path, root: &Path, files: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, root, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    collect(folder, folder, &mut found);
    found.sort();
    found
}

#[test]
fn exported_templates_print_the_same() {
    for target in ["typescript", "python"] {
        let folder = folder(&format!("templates-export-{target}"));
        support::run(acp_bindgen(&folder).args(["templates", "export", target, "mine"]));
        generate(&folder, target, &[]).unwrap();
        let before = files(&folder.join("sdk"));
        assert!(before.len() > 5);
        generate(&folder, target, &["--templates", "mine"]).unwrap();
        assert_eq!(files(&folder.join("sdk")), before);
    }
}

#[test]
fn one_template_is_replaced_and_the_others_stay() {
    let folder = folder("templates-replace");
    generate(&folder, "typescript", &[]).unwrap();
    let before = files(&folder.join("sdk/typescript"));
    let text = "{# mine #}\n{% include \"_hello\" %}\nfor {{ package.title }}\n";
    support::write_files(
        &folder.join("mine"),
        [("README.md.jinja", text), ("_hello.jinja", "hello\n"), (".DS_Store", "\0")],
    );
    fs::write(
        folder.join("acp-bindgen.toml"),
        "schema = \"switch.json\"\nout = \"sdk\"\n[targets.typescript]\ntemplates = \"mine\"\n",
    )
    .unwrap();
    support::run(acp_bindgen(&folder).args(["generate", "--target", "typescript"]));
    let after = files(&folder.join("sdk/typescript"));
    let changed: Vec<&str> =
        after.iter().filter(|file| !before.contains(file)).map(|(name, _)| name.as_str()).collect();
    assert_eq!(changed, [".acp-bindgen.json", "README.md"]);
    let readme = fs::read_to_string(folder.join("sdk/typescript/README.md")).unwrap();
    assert!(readme.starts_with("hello\nfor "), "{readme}");
    // The next run without them puts the package's own back.
    generate(&folder, "typescript", &["--config", "/dev/null"]).unwrap();
    assert_eq!(files(&folder.join("sdk/typescript")), before);
}

#[test]
fn nothing_is_written_if_a_template_is_wrong() {
    let folder = folder("templates-wrong");
    for (name, text, code) in [
        ("src/typs.ts.jinja", "", "unknown-template"),
        ("src/types.ts", "", "unknown-template"),
        ("README.md.jinja", "{% if %}", "template"),
        ("README.md.jinja", "{{ missing }}", "template"),
    ] {
        let mine = folder.join("mine");
        let _ = fs::remove_dir_all(&mine);
        support::write_files(&mine, [(name, text)]);
        let failed = generate(&folder, "typescript", &["--templates", "mine"]).unwrap_err();
        assert!(failed.contains(&format!("error[{code}]")), "{failed}");
        assert!(failed.contains(&format!("mine/{name}:1:")), "{failed}");
        assert!(!folder.join("sdk").exists());
    }
}

#[test]
fn export_overwrites_nothing_unless_it_is_told_to() {
    let folder = folder("templates-force");
    let export = |extra: &[&str]| {
        let mut command = acp_bindgen(&folder);
        command.args(["templates", "export", "python", "mine"]);
        support::try_run(command.args(extra))
    };
    export(&[]).unwrap();
    let path = folder.join("mine/types.py.jinja");
    let original = fs::read_to_string(&path).unwrap();
    fs::write(&path, "mine").unwrap();
    fs::remove_file(folder.join("mine/enums.py.jinja")).unwrap();
    let refused = export(&[]).unwrap_err();
    assert!(refused.contains("foreign-file"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert!(!folder.join("mine/enums.py.jinja").exists());
    export(&["--force"]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), original);
}
