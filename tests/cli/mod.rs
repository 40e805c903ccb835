//! What the command line says: `tests/cli/*.trycmd`, each a transcript of commands run in
//! `tests/cli/files`, and the pages of `docs/` that show commands. `.ci/bless cli` rewrites them.

use std::env;
use std::process::Command;

use crate::support;

/// Set in the process that runs the transcripts.
const INSIDE: &str = "ACP_BINDGEN_TRANSCRIPTS";

/// `trycmd` takes its mode from the environment and runs commands in the working folder of its
/// process, so it gets a process of its own.
#[test]
fn transcripts() {
    let folder = support::root().join("tests/cli");
    if env::var_os(INSIDE).is_some() {
        let docs = support::root().join("docs/validate.md");
        let cases = trycmd::TestCases::new();
        cases.env("COLUMNS", "100").case(folder.join("*.trycmd")).case(docs);
        return;
    }
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", "cli::transcripts", "--nocapture"]);
    again.env(INSIDE, "1").current_dir(folder.join("files"));
    if support::is_blessing() {
        again.env("TRYCMD", "overwrite");
    }
    support::run(&mut again);
}

/// Each package has the folder that the configuration gives it, and none that of another.
#[test]
fn packages_go_where_the_configuration_says() {
    let folder = support::scratch("cli-out");
    let config = "schema = \"acp@v1\"\ntarget = [\"rust\", \"python\"]\n[targets.python]\nout = ";
    let named = |out: &str| format!("{config}\"{out}\"\n");
    support::write_files(&folder, [("acp-bindgen.toml", &*named("packages/py"))]);
    support::run(support::acp_bindgen(&folder).args(["generate", "--quiet"]));
    assert!(folder.join("packages/py/pyproject.toml").exists());
    assert!(folder.join("acp-sdk/rust/Cargo.toml").exists());
    assert!(!folder.join("acp-sdk/python").exists());
    support::run(support::acp_bindgen(&folder).arg("check"));
    support::run(support::acp_bindgen(&folder).args(["generate", "--quiet", "--out", "elsewhere"]));
    assert!(folder.join("elsewhere/python/pyproject.toml").exists());
    support::write_files(&folder, [("acp-bindgen.toml", &*named("./acp-sdk/rust"))]);
    let refused = support::try_run(support::acp_bindgen(&folder).arg("generate")).unwrap_err();
    assert!(refused.contains("error[same-folder]"), "{refused}");
}

/// A bundled schema can be written to a file, changed there, and used in place of itself.
#[test]
fn a_schema_that_is_printed_is_the_same_protocol() {
    let folder = support::scratch("cli-schema");
    for name in ["acp@v1", "acp@v2-unstable"] {
        let acp_bindgen =
            |arguments: &[&str]| support::run(support::acp_bindgen(&folder).args(arguments));
        let printed = acp_bindgen(&["inspect", "--schema", name, "--format", "schema"]);
        support::write_files(&folder, [("acp.json", &*printed)]);
        let bundled = format!("bundled:{name}");
        let told = acp_bindgen(&["diff", &bundled, "acp.json", "--summary"]);
        assert_eq!(told, format!("{bundled} → acp.json: no difference\n"));
        for (schema, out) in [(name, "ours"), ("acp.json", "theirs")] {
            acp_bindgen(&["generate", "--quiet", "--schema", schema, "--out", out]);
        }
        for file in ["rust/src/types.rs", "typescript/src/codecs.ts", "python/README.md"] {
            let text = |out: &str| {
                let text = std::fs::read_to_string(folder.join(out).join(file)).unwrap();
                let lines = text.lines().filter(|line| !line.contains("sha256"));
                lines.map(|line| line.replace(name, "acp.json") + "\n").collect::<String>()
            };
            assert_eq!(text("ours"), text("theirs"), "{file}");
        }
    }
}

#[test]
fn old_names_of_renamed_types_are_written_and_kept() {
    let folder = support::scratch("cli-aliases");
    let published = support::root().join("tests/cli/files/published");
    for file in ["lamp.json", "lamp.new.json"] {
        std::fs::copy(published.join(file), folder.join(file)).unwrap();
    }
    let diff = || {
        let mut diff = support::acp_bindgen(&folder);
        diff.args(["diff", "lamp.json", "lamp.new.json", "--fail-on", "never"]);
        support::run(diff.args(["--write-aliases", "aliases.toml"]));
        std::fs::read_to_string(folder.join("aliases.toml")).unwrap()
    };
    let written = diff();
    let row = |old, new| format!("[[alias]]\nold = \"{old}\"\nnew = \"{new}\"\n");
    let rows = [row("HttpBulb", "NetworkBulb"), row("Color", "Tint"), row("Event", "Happening")];
    assert_eq!(written, rows.join("\n"));
    assert_eq!(diff(), written, "what is there is not written again");
    let mut generate = support::acp_bindgen(&folder);
    generate.args(["generate", "--schema", "lamp.new.json", "--aliases", "aliases.toml"]);
    support::run(generate.args(["--target", "typescript", "--out", "sdk"]));
    let types = folder.join("sdk/typescript/src/types.ts");
    let types = std::fs::read_to_string(types).unwrap();
    assert!(types.contains("export type HttpBulb = NetworkBulb;"), "{types}");
}
