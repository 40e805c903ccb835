//! The commands around a project: `init`, `watch`, the configuration found above, completions.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::support;

/// How long something may take: far longer than it does.
const PATIENCE: Duration = Duration::from_secs(60);

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    command.args(arguments).current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with a schema.
fn project(name: &str) -> std::path::PathBuf {
    let folder = support::scratch(name);
    let schema = support::root().join("tests/cli/files/versions/v1.1.0.json");
    std::fs::copy(schema, folder.join("kettle.json")).unwrap();
    // The search for a configuration ends here.
    std::fs::create_dir(folder.join(".git")).unwrap();
    folder
}

#[test]
fn a_new_project_generates_what_it_is_made_for() {
    let folder = project("init");
    let said = succeeds(&folder, &["init", "kettle.json"]);
    for file in ["acp-bindgen.toml", "kettle.overlay.json", ".github/workflows/acp-bindgen.yml"] {
        assert!(said.contains(&format!("wrote {file}\n")), "{said}");
        assert!(folder.join(file).exists(), "{file}");
    }
    let overlay = std::fs::read_to_string(folder.join("kettle.overlay.json")).unwrap();
    assert!(overlay.contains(r#"{\"BoilRequest\": {\"x-optional\": true}}"#), "{overlay}");
    succeeds(&folder, &["generate"]);
    assert!(folder.join("kp-sdk/python").is_dir());
    succeeds(&folder, &["check"]);
    // What is there is somebody's.
    let config = std::fs::read_to_string(folder.join("acp-bindgen.toml")).unwrap();
    std::fs::remove_file(folder.join("kettle.overlay.json")).unwrap();
    let again = run(&folder, &["init", "kettle.json"]);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.join("acp-bindgen.toml")).unwrap(), config);
    assert!(!folder.join("kettle.overlay.json").exists(), "all or nothing");
}

/// Its steps about the schema are for who can change that.
#[test]
fn a_new_job_has_what_the_project_can_pass() {
    let job = |folder: &Path| {
        std::fs::read_to_string(folder.join(".github/workflows/acp-bindgen.yml")).unwrap()
    };
    let folder = project("init-job");
    assert!(succeeds(&folder, &["init", "kettle.json"]).contains("generate, and acp-bindgen lint"));
    let own = job(&folder);
    assert!(own.contains(concat!(" acp-bindgen@", env!("CARGO_PKG_VERSION"), "\n")), "{own}");
    for step in ["acp-bindgen check", "acp-bindgen lint", "acp-bindgen diff"] {
        assert!(own.contains(&format!("run: {step}")), "{own}");
    }
    for name in ["bundled:acp@v1", "acp@v1"] {
        let folder = support::scratch("init-job-bundled");
        std::fs::create_dir(folder.join(".git")).unwrap();
        assert!(succeeds(&folder, &["init", name]).ends_with("Next: acp-bindgen generate\n"));
        let job = job(&folder);
        assert_eq!(job.matches("run: acp-bindgen ").count(), 1, "{job}");
        assert!(job.ends_with("run: acp-bindgen check\n"), "{job}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "no overlay");
    }
}

/// The lines that a job runs of this tool, as a shell does that stops at the first error.
fn run_job(root: &Path, job: &str, environment: &[(&str, &str)]) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_acp-bindgen")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let lines =
        job.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("run: "));
    let lines = lines.filter(|line| !line.starts_with("npm install"));
    let run = |line: &str| {
        let mut shell = Command::new("bash");
        shell.args(["-e", "-c", line]).current_dir(root).env("PATH", &path);
        shell.envs(environment.iter().copied()).stdin(Stdio::null());
        format!("{line}: {}", support::run(&mut shell))
    };
    lines.map(run).collect()
}

fn git(folder: &Path, arguments: &[&str]) {
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    support::run(Command::new("git").args(who).args(arguments).current_dir(folder));
}

#[test]
fn a_new_job_passes_on_the_first_day() {
    for below in [None, Some("packages/kettle")] {
        let root = support::scratch("init-first-day");
        git(&root, &["init", "-q", "-b", "main"]);
        git(&root, &["commit", "-q", "--allow-empty", "-m", "Before the schema"]);
        git(&root, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
        let folder = below.map_or_else(|| root.clone(), |below| root.join(below));
        let schema = serde_json::json!({ "title": "Kettle", "$defs": {
            "Heat": { "enum": ["low", "high"] },
            "BoilRequest": {
                "type": "object", "x-method": "kettle/boil", "x-side": "kettle",
                "properties": { "heat": { "$ref": "#/$defs/Heat" } },
            },
            "BoilResponse": { "type": "object", "x-method": "kettle/boil", "x-side": "kettle" },
        }});
        support::write_files(&folder, [("kettle.json", schema.to_string().as_str())]);
        let found = run(&folder, &["lint", "--schema", "kettle.json"]);
        assert_eq!(found.status.code(), Some(1), "lint has something to say");
        let said = succeeds(&folder, &["init", "kettle.json"]);
        assert!(said.contains("wrote lint-waivers.toml\n"), "{said}");
        let waivers = std::fs::read_to_string(folder.join("lint-waivers.toml")).unwrap();
        let count = waivers.matches("[[waiver]]").count();
        assert!(waivers.contains("finding = \"enum-without-fallback:Heat\""), "{waivers}");
        let line = format!("The job's lint has {count} finding");
        assert!(
            said.contains(&line) && said.contains("agreed to in lint-waivers.toml until 2"),
            "{said}"
        );
        succeeds(&folder, &["generate"]);
        git(&root, &["add", "."]);
        git(&root, &["commit", "-qm", "A schema"]);
        let jobs = std::fs::read_dir(root.join(".github/workflows")).unwrap();
        let jobs: Vec<_> = jobs.map(|job| job.unwrap().path()).collect();
        let [job] = jobs.as_slice() else { panic!("{jobs:?}") };
        let config = format!("{}/acp-bindgen.toml", below.unwrap_or("."));
        let environment = [("BASE", "main"), ("CONFIG", config.as_str())];
        let job = std::fs::read_to_string(job).unwrap();
        let ran = run_job(&root, &job, &environment);
        assert_eq!(ran.len(), 3, "{ran:?}");
        let new = "kettle.json` is not in origin/main: it is new, and there is nothing to compare it with";
        assert!(ran[2].contains(new), "{ran:?}");
        // What comes later is found.
        let more = schema.to_string().replace(
            "\"heat\":{",
            "\"tone\":{\"type\":\"string\",\"enum\":[\"soft\",\"loud\"]},\"heat\":{",
        );
        std::fs::write(folder.join("kettle.json"), more).unwrap();
        assert_eq!(run(&folder, &["lint"]).status.code(), Some(1));
    }
}

#[test]
fn a_schema_without_findings_begins_without_waivers() {
    let folder = project("init-clean");
    let said = succeeds(&folder, &["init", "bundled:acp@v1"]);
    assert!(!said.contains("waivers") && !folder.join("lint-waivers.toml").exists(), "{said}");
    let config = std::fs::read_to_string(folder.join("acp-bindgen.toml")).unwrap();
    assert!(config.contains("[lint]\n# waivers = \"lint-waivers.toml\""), "{config}");
}

/// A forge looks for jobs where the repository begins, and nowhere else.
#[test]
fn a_job_is_written_where_the_repository_begins() {
    let root = project("init-below");
    let folder = root.join("packages/my kettle");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::rename(root.join("kettle.json"), folder.join("kettle.json")).unwrap();
    let said = succeeds(&folder, &["init", "kettle.json"]);
    let path = ".github/workflows/acp-bindgen-packages-my-kettle.yml";
    assert!(said.contains(&format!("wrote ../../{path}, where the repository begins\n")), "{said}");
    assert!(!folder.join(".github").exists());
    let job = std::fs::read_to_string(root.join(path)).unwrap();
    let config = "    env:\n      CONFIG: \"packages/my kettle/acp-bindgen.toml\"\n    steps:\n";
    assert!(job.contains(config), "{job}");
    for command in ["check", "lint", "diff"] {
        assert!(job.contains(&format!("run: acp-bindgen {command} --config \"$CONFIG\"")), "{job}");
    }
    // As a job does, so that what is said has the path from there.
    let config = "packages/my kettle/acp-bindgen.toml";
    let lint = run(&root, &["lint", "--config", config, "--format", "github"]);
    let said = String::from_utf8_lossy(&lint.stdout);
    assert!(said.contains(" file=packages/my kettle/kettle.json,"), "{said}");
    let again = run(&folder, &["init", "kettle.json"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains(path));
}

/// Neither a link that leads back nor a pipe that nobody writes to is waited for.
#[cfg(unix)]
#[test]
fn a_published_package_is_read_by_its_files() {
    let folder = project("names-odd");
    let files = [("package/state.d.ts", "export type State = string;\n")];
    support::write_files(&folder, files);
    std::os::unix::fs::symlink(".", folder.join("package/loop")).unwrap();
    support::run(Command::new("mkfifo").arg(folder.join("package/pipe.d.ts")));
    let names = ["names", "--from", "npm", "package", "--schema", "kettle.json"];
    assert_eq!(succeeds(&folder, &names), "{}\n");
}

/// What is named and is no file is not taken for the file of the configuration.
#[test]
fn only_a_file_is_compared_with_a_commit() {
    let folder = project("diff-bundled");
    let refuses = |config: &str, arguments: &[&str]| {
        std::fs::write(folder.join("acp-bindgen.toml"), config).unwrap();
        let refused = run(&folder, arguments);
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("error[no-schema]: no file is named to be compared"), "{said}");
    };
    refuses("schema = \"kettle.json\"\n", &["diff", "bundled:acp@v1"]);
    refuses("schema = \"acp@v1\"\n", &["diff"]);
}

#[test]
fn a_schema_with_errors_begins_no_project() {
    let folder = project("init-errors");
    std::fs::write(folder.join("bad.json"), r##"{"$defs": {"A": {"$ref": "#/$defs/B"}}}"##)
        .unwrap();
    let refused = run(&folder, &["init", "bad.json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("dangling-ref"));
    assert!(!folder.join("acp-bindgen.toml").exists());
}

#[test]
fn the_configuration_is_found_above() {
    let folder = project("config-above");
    let below = folder.join("some/where");
    std::fs::create_dir_all(&below).unwrap();
    let config = "schema = \"kettle.json\"\ntarget = [\"python\"]\n";
    std::fs::write(folder.join("acp-bindgen.toml"), config).unwrap();
    succeeds(&below, &["generate"]);
    // Packages are where they would be from the folder of the file.
    assert!(folder.join("kp-sdk/python").is_dir());
    succeeds(&folder, &["check"]);
    assert!(succeeds(&below, &["inspect"]).starts_with("Kettle Protocol"));
    // A repository is a project of its own.
    std::fs::create_dir(below.join(".git")).unwrap();
    let bundled = succeeds(&below, &["generate", "--dry-run", "--target", "python"]);
    assert!(!bundled.contains("kettle"), "{bundled}");
}

#[test]
fn changes_are_watched() {
    let folder = project("watch");
    let config = "schema = \"kettle.json\"\ntarget = [\"python\"]\n";
    std::fs::write(folder.join("acp-bindgen.toml"), config).unwrap();
    let mut watch = command(&folder, &["watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let (sender, lines) = channel();
    let output = BufReader::new(watch.stdout.take().unwrap());
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok).filter(|line| line.contains("Waiting")) {
            sender.send(line).ok();
        }
    });
    // A file that is written in two steps may be read in between.
    let wait_for = |line: &str, is_done: &dyn Fn() -> bool| {
        while lines.recv_timeout(PATIENCE).expect("it waits for changes") != line || !is_done() {}
    };
    let schema = std::fs::read_to_string(folder.join("kettle.json")).unwrap();
    let python = folder.join("kp-sdk/python/src");
    let has = |text: &str| {
        let types = std::fs::read_to_string(python.join("kp/types.py"));
        types.is_ok_and(|types| types.contains(text))
    };
    wait_for("Waiting for changes.", &|| has("BoilRequest"));
    // A schema with an error leaves the packages as they were.
    std::fs::write(folder.join("kettle.json"), "{").unwrap();
    wait_for("Nothing was written. Waiting for changes.", &|| has("BoilRequest"));
    // An editor puts another file in the place of the old one.
    std::fs::write(folder.join("new"), schema.replace("BoilRequest", "HeatRequest")).unwrap();
    std::fs::rename(folder.join("new"), folder.join("kettle.json")).unwrap();
    wait_for("Waiting for changes.", &|| has("HeatRequest"));
    std::fs::write(folder.join("acp-bindgen.toml"), format!("{config}name = \"pot\"\n")).unwrap();
    wait_for("Waiting for changes.", &|| python.join("pot").is_dir());
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = support::scratch("completions");
    let help = succeeds(&folder, &["--help"]);
    let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    // Further lines of a description stand below it.
    let first = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let names =
        first.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 8, "{names:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeeds(&folder, &["completions", shell]);
        let missing: Vec<_> = names.iter().filter(|name| !script.contains(**name)).collect();
        assert!(missing.is_empty(), "{shell}: {missing:?}");
    }
    assert!(succeeds(&folder, &["man"]).contains(".TH acp-bindgen 1"));
    succeeds(&folder, &["man", "--out", "man1"]);
    for name in names {
        let page = folder.join(format!("man1/acp-bindgen-{name}.1"));
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains(&format!("acp\\-bindgen\\-{name}")), "{text}");
    }
}
