//! The programs in the pages about the languages print what stands below them.

use std::collections::BTreeSet;

use super::guides::{check_python, compile_typescript, generate};
use crate::support;

/// A program of a page, and what it prints.
struct Shown {
    /// What the section is called, as a file may be.
    name: String,
    program: String,
    printed: String,
}

/// A block of code.
struct Block<'a> {
    /// The heading that it stands below.
    section: &'a str,
    language: &'a str,
    /// The file that it is, if it says so.
    file: Option<&'a str>,
    code: String,
    /// Whether nothing stands between the block before and this one.
    is_next: bool,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut section = "";
    let mut is_next = false;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let (language, file) = info
                .split_once(' ')
                .map_or((info, None), |(language, file)| (language, Some(file)));
            let code = lines.by_ref().take_while(|line| *line != "```");
            let code = code.collect::<Vec<_>>().join("\n") + "\n";
            found.push(Block { section, language, file, code, is_next });
            is_next = true;
        } else if !line.is_empty() {
            section = line.strip_prefix("## ").unwrap_or(section);
            is_next = false;
        }
    }
    found
}

/// The programs of a text, but for so many at its beginning. Each has what it prints right after it,
/// and nothing is said to be printed by anything else.
fn shown(page: &str, language: &str, others: usize) -> Vec<Shown> {
    let all = blocks(page);
    let programs = all
        .iter()
        .enumerate()
        .filter(|(_, block)| block.language == language && block.file.is_none());
    let shown = programs.skip(others).map(|(at, block)| {
        let printed = all.get(at + 1).filter(|next| next.language == "text" && next.is_next);
        let Some(printed) = printed else {
            panic!("nobody knows what this program prints:\n{}", block.code)
        };
        let name = block.section.to_lowercase().replace(|it: char| !it.is_alphanumeric(), "_");
        Shown { name, program: block.code.clone(), printed: printed.code.clone() }
    });
    let shown: Vec<Shown> = shown.collect();
    let names: BTreeSet<&str> = shown.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), shown.len(), "a section has one program");
    let printed = all.iter().filter(|block| block.language == "text");
    assert_eq!(printed.count(), shown.len(), "each of these is what a program prints");
    shown
}

/// A page about a language: its programs, but for so many at its beginning, and the files that they
/// share.
fn of_page(page: &str, language: &str, others: usize) -> (Vec<Shown>, Vec<(String, String)>) {
    let text = std::fs::read_to_string(support::root().join("docs").join(page)).unwrap();
    let shown = shown(&text, language, others);
    assert!(shown.len() >= 5, "{page} has only {} programs", shown.len());
    let files = blocks(&text).into_iter().filter(|block| block.language == language);
    let files = files.filter_map(|block| Some((block.file?.to_owned(), block.code)));
    (shown, files.collect())
}

/// All files of a page, each program named by its section.
fn files<'a>(
    shown: &'a [Shown],
    shared: &'a [(String, String)],
    path: impl Fn(&str) -> String,
) -> Vec<(String, &'a str)> {
    let programs = shown.iter().map(|it| (path(&it.name), &*it.program));
    programs.chain(shared.iter().map(|(path, code)| (path.clone(), &**code))).collect()
}

#[test]
fn the_rust_programs_print_what_is_shown() {
    const MANIFEST: &str = r#"[package]
name = "demo"
edition = "2024"

[dependencies]
acp = { path = "../rust" }
serde_json = "1"
tokio = { version = "1", features = ["io-util", "macros", "rt", "time"] }

[workspace]

[lints.rust]
warnings = "deny"
"#;
    let (shown, shared) = of_page("rust.md", "rust", 0);
    let folder = generate("pages", "rust", "acp@v1");
    let own = folder.join("programs");
    // What was a program of the page once is compiled no more.
    let _ = std::fs::remove_dir_all(own.join("src"));
    let programs = files(&shown, &shared, |name| format!("src/bin/{name}.rs"));
    let programs = programs.iter().map(|(path, code)| (&**path, *code));
    support::write_files(&own, programs.chain([("Cargo.toml", MANIFEST)]));
    std::fs::copy(support::root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
    let target = support::target().join("pages/cargo");
    let mut build = support::cargo_with_packages();
    build.args(["build", "--bins", "--quiet", "--offline"]).current_dir(&own);
    support::run(build.env("CARGO_TARGET_DIR", &target));
    for it in shown {
        let mut program = std::process::Command::new(target.join("debug").join(&it.name));
        let printed = support::run(program.env_remove("ACP_LOG").current_dir(&own));
        assert_eq!(printed, it.printed, "{}", it.name);
    }
}

#[test]
fn the_typescript_programs_print_what_is_shown() {
    let Some(node) = support::node() else { return };
    // The first one is an agent, which `tests/conformance` talks with.
    let (shown, shared) = of_page("typescript.md", "ts", 1);
    let folder = generate("pages", "typescript", "acp@v1");
    let own = folder.join("programs");
    let _ = std::fs::remove_dir_all(own.join("src"));
    let programs = files(&shown, &shared, |name| format!("src/{name}.ts"));
    let programs = programs.iter().map(|(path, code)| (&**path, *code));
    compile_typescript(&node, &folder.join("typescript"), &own, programs);
    for it in shown {
        let mut program = node.node();
        program.arg(format!("dist/{}.js", it.name)).env_remove("ACP_LOG");
        assert_eq!(support::run(program.current_dir(&own)), it.printed, "{}", it.name);
    }
}

#[test]
fn the_python_programs_print_what_is_shown() {
    let Some(python) = support::python() else { return };
    let (shown, shared) = of_page("python.md", "python", 1);
    let folder = generate("pages", "python", "acp@v1");
    let source = folder.join("python/src");
    let own = folder.join("programs");
    let _ = std::fs::remove_dir_all(&own);
    let programs = files(&shown, &shared, |name| format!("{name}.py"));
    support::write_files(&own, programs.iter().map(|(path, code)| (&**path, *code)));
    let names: Vec<&str> = programs.iter().map(|(path, _)| &**path).collect();
    check_python(&python, &source, &own, &names, 120);
    for (name, it) in names.iter().zip(&shown) {
        let mut program = python.python();
        program.args(["-W", "error", "-X", "dev", "-B", name]).env("PYTHONPATH", &source);
        let printed = support::run(program.env_remove("ACP_LOG").current_dir(&own));
        assert_eq!(printed, it.printed, "{name}");
    }
}

#[test]
fn a_page_has_what_every_program_prints() {
    let page = "## One\n\n```py\n1\n```\n\n```text\n1\n```\n";
    assert_eq!(shown(page, "py", 0).len(), 1);
    for wrong in [
        page.replace("```text\n1\n```\n", ""),
        page.replace("```text", "So:\n\n```text"),
        format!("{page}\n```text\n2\n```\n"),
        page.repeat(2),
    ] {
        assert!(std::panic::catch_unwind(|| shown(&wrong, "py", 0)).is_err(), "{wrong}");
    }
}
