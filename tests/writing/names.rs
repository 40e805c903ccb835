//! Paths that come from names: none leads out of the folder.

use serde_json::{Value, json};

use super::sandbox::{Ended, Sandbox};

/// Names that are no paths, or others than they seem.
fn names() -> Vec<String> {
    let long = "x".repeat(300);
    let names = [
        "../x",
        "../../../x",
        "/x",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "..\\x",
        "C:\\x",
        "c:x",
        "CON",
        "nul.txt",
        "com1",
        ".",
        "..",
        "...",
        "~/x",
        "a\0b",
        "a\nb",
        "foo.",
        "foo ",
        "-rf",
        "$HOME",
        "%2e%2e/x",
        "a:b",
        ".acp-bindgen.json",
        ".acp-bindgen-1",
        "\u{202e}x",
        "．．／x",
        &long,
    ];
    names.map(str::to_owned).to_vec()
}

/// A schema in which everything that can be named has one of these names.
fn schema(names: &[&str]) -> Value {
    let mut definitions = serde_json::Map::new();
    for name in names {
        let notification = json!({
            "type": "object",
            "properties": { *name: { "enum": [name], "type": "string" } },
            "x-method": name,
            "x-side": name,
            "description": name,
        });
        definitions.insert(format!("{name}Notification"), notification);
    }
    json!({ "title": names[0], "$defs": definitions })
}

/// Generates a package whose folders have names, and custom templates for each thing that has one.
fn generate(sandbox: &Sandbox, names: &[&str], more: &[&str]) -> Ended {
    sandbox.write("work/schema.json", &schema(names).to_string());
    for path in ["types/[type.pascal]", "sides/[side.kebab]", "methods/[method]", "of/[package]"] {
        sandbox.write(&format!("work/templates/{path}.txt.jinja"), "text\n");
    }
    sandbox.write(
        "work/acp-bindgen.toml",
        "schema = \"schema.json\"\nout = \"in/out\"\n\
         target = [\"python\", \"files\"]\n\
         [targets.files]\ntemplates = \"templates\"\n",
    );
    let mut command = sandbox.command(&["generate"]);
    Sandbox::ended(command.args(more).current_dir(sandbox.path("work")))
}

/// What is in the sandbox, but for the output folder.
fn around(sandbox: &Sandbox) -> Vec<String> {
    let tree = sandbox.tree();
    tree.into_keys().filter(|path| !path.starts_with("work/in/out/")).collect()
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let mut count = 0;
    for name in &names() {
        let sandbox = Sandbox::new();
        sandbox.write("work/in/mine.txt", "mine");
        let ended = generate(&sandbox, &[name], &[]);
        let written = ended.code == Some(0);
        count += usize::from(written);
        assert!(written || ended.code == Some(2), "{name:?}: {ended:?}");
        let known = [
            "switch.json",
            "work/",
            "work/acp-bindgen.toml",
            "work/in/",
            "work/in/mine.txt",
            "work/schema.json",
            "work/templates/",
        ];
        let around = around(&sandbox);
        let is_known = |path: &&String| {
            known.contains(&path.as_str())
                || path.starts_with("work/templates/")
                || written && *path == "work/in/out/"
        };
        let strange = around.iter().filter(|path| !is_known(path));
        assert_eq!(strange.count(), 0, "{name:?}: {around:?}");
        assert_eq!(sandbox.read("work/in/mine.txt"), "mine");
    }
    assert!(count > 10, "only {count} were written at all");
}

#[test]
fn a_name_that_is_a_device_is_refused() {
    let sandbox = Sandbox::new();
    let ended = generate(&sandbox, &["CON"], &[]).fails_with("bad-path");
    assert!(ended.err.contains("Windows has a device of that name"), "{}", ended.err);
    assert!(!sandbox.path("work/in").exists());
}

#[test]
fn names_that_differ_in_case_only_are_not_one_file() {
    let sandbox = Sandbox::new();
    let ended = generate(&sandbox, &["fooBar", "FooBar", "FOOBAR"], &[]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("error["), "{}", ended.err);
    assert!(!sandbox.path("work/in").exists());
}

#[test]
fn no_package_name_leads_out_of_the_folder() {
    for name in names() {
        // A command line cannot hold it.
        if name.contains('\0') {
            continue;
        }
        let sandbox = Sandbox::new();
        let named = format!("--name={name}");
        let ended = generate(&sandbox, &["plain"], &[&named]);
        assert!(matches!(ended.code, Some(0 | 2)), "{name:?}: {ended:?}");
        let outside = around(&sandbox);
        let outside = outside.iter().filter(|path| {
            !path.starts_with("work/") && *path != "switch.json"
                || path.starts_with("work/in/")
                    && !path.starts_with("work/in/out")
                    && *path != "work/in/"
        });
        assert_eq!(outside.count(), 0, "{name:?}");
    }
}
