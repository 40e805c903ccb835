//! Lets a language's own tools judge generated packages, many at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::output::FileSet;

use super::{Node, Python, cargo, cargo_with_packages, pyright, root, run, target, write_files};

/// The folder of this name under `target/`, holding exactly these files (and what tools cached
/// there). Unchanged files keep their age, so that a second run costs little.
pub(crate) fn synced(name: &str, files: &FileSet) -> PathBuf {
    let folder = target().join("test-scratch").join(name);
    fs::create_dir_all(&folder).expect("a scratch folder can be made");
    let paths: BTreeSet<&str> = files.iter().map(|(path, _)| path).collect();
    remove_others(&folder, &folder, &paths);
    write_files(&folder, files.iter());
    folder
}

/// Gives a workspace this repository's versions of packages.
fn lock_packages(workspace: &Path) {
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("there is a lock file");
    if !workspace.join("Cargo.lock").exists() {
        write_files(workspace, [("Cargo.lock", lock.as_str())]);
    }
}

/// `rustfmt` and clippy (pedantic) on a Cargo workspace, no warning allowed.
pub(crate) fn compile_rust(workspace: &Path) {
    // The repository's own formatting is not what generated code is held to.
    write_files(workspace, [("rustfmt.toml", "")]);
    lock_packages(workspace);
    run(cargo().args(["fmt", "--all", "--check"]).current_dir(workspace));
    let mut clippy = cargo_with_packages();
    clippy.args(["clippy", "--workspace", "--offline", "--quiet", "--", "-D", "warnings"]);
    clippy.args(["-W", "clippy::pedantic"]).current_dir(workspace);
    run(clippy.env("CARGO_TARGET_DIR", target().join("generated-code")));
}

/// The same with each feature, and rustdoc.
pub(crate) fn check_rust(workspace: &Path) {
    compile_rust(workspace);
    let shared = target().join("generated-code");
    let in_workspace = |arguments: &[&str]| {
        let mut command = cargo_with_packages();
        command.args(arguments).args(["--workspace", "--offline", "--quiet"]);
        command.current_dir(workspace).env("CARGO_TARGET_DIR", &shared);
        command
    };
    // They are libraries, and nothing else.
    let clippy = |arguments: &[String]| {
        let mut clippy = in_workspace(&["clippy"]);
        run(clippy.args(arguments).args(["--", "-D", "warnings", "-W", "clippy::pedantic"]));
    };
    let (unstable, whole) = with_features(workspace);
    if !unstable.is_empty() {
        clippy(&["--features".to_owned(), unstable.join(",")]);
    }
    if !whole.is_empty() {
        let mut command = cargo_with_packages();
        command.args(["clippy", "--offline", "--quiet", "--all-features"]);
        command.args(whole.iter().flat_map(|name| ["--package", name]));
        command.args(["--", "-D", "warnings", "-W", "clippy::pedantic"]);
        run(command.current_dir(workspace).env("CARGO_TARGET_DIR", &shared));
    }
    // What all packages with connections have is documented in one of them.
    let mut doc = in_workspace(&["doc", "--no-deps"]);
    doc.args(like_others(workspace).iter().flat_map(|name| ["--exclude", name]));
    run(doc.env("RUSTDOCFLAGS", "-D warnings"));
}

/// Packages whose files have all the same names as those of one before, connections among them.
fn like_others(workspace: &Path) -> Vec<String> {
    let (mut repeated, mut kinds) = (Vec::new(), BTreeSet::new());
    let mut folders: Vec<PathBuf> = fs::read_dir(workspace)
        .expect("a workspace can be listed")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|folder| folder.join("src/runtime/connection").exists())
        .collect();
    folders.sort();
    for folder in folders {
        let files = fs::read_dir(folder.join("src")).expect("a package can be listed").flatten();
        let mut files: Vec<_> = files.map(|file| file.file_name()).collect();
        files.sort();
        if !kinds.insert(files) {
            let name = folder.file_name().expect("a package has a folder").to_string_lossy();
            repeated.push(name.into_owned());
        }
    }
    repeated
}

/// The features `unstable` of packages in a workspace, and packages to be judged with all features:
/// one of those that have the same features and the same files for them.
fn with_features(workspace: &Path) -> (Vec<String>, Vec<String>) {
    let (mut unstable, mut whole) = (Vec::new(), Vec::new());
    let mut kinds = BTreeSet::new();
    let mut folders: Vec<PathBuf> = fs::read_dir(workspace)
        .expect("a workspace can be listed")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    folders.sort();
    for folder in folders {
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
        let Some(features) = manifest.get("features").and_then(toml::Value::as_table) else {
            continue;
        };
        let name = manifest["package"]["name"].as_str().expect("a package has a name").to_owned();
        let mut names: Vec<String> = features.keys().cloned().collect();
        if names.iter().any(|it| it == "unstable") {
            unstable.push(format!("{name}/unstable"));
            names.retain(|it| it != "unstable");
        }
        let files = fs::read_dir(folder.join("src/runtime/remote")).into_iter().flatten().flatten();
        let mut files: Vec<_> = files.map(|file| file.file_name()).collect();
        files.sort();
        if !names.is_empty() && kinds.insert((names, files)) {
            whole.push(name);
        }
    }
    (unstable, whole)
}

/// The strictest `tsc` with declarations, on all TypeScript in a folder.
pub(crate) fn compile_typescript(node: &Node, folder: &Path) {
    let config = serde_json::json!({
        "compilerOptions": {
            "strict": true,
            "noEmit": true,
            "declaration": true,
            "isolatedDeclarations": true,
            "allowUnreachableCode": false,
            "allowUnusedLabels": false,
            "erasableSyntaxOnly": true,
            "noImplicitReturns": true,
            "noUnusedParameters": true,
            "exactOptionalPropertyTypes": true,
            "noUncheckedIndexedAccess": true,
            "noPropertyAccessFromIndexSignature": true,
            "noImplicitOverride": true,
            "noUnusedLocals": true,
            "noFallthroughCasesInSwitch": true,
            "isolatedModules": true,
            "verbatimModuleSyntax": true,
            "target": "es2022",
            "module": "nodenext",
            "lib": ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
            "types": ["node"],
            "typeRoots": [node.modules().join("@types")],
            "skipLibCheck": true,
            "incremental": true,
            "tsBuildInfoFile": ".tsbuildinfo",
        },
        "include": ["**/*.ts"],
        "exclude": ["**/node_modules", "**/dist"],
    });
    let text = format!("{config:#}\n");
    write_files(folder, [("tsconfig.json", text.as_str())]);
    run(node.tsc().args(["--project", "."]).current_dir(folder));
}

/// The same, `prettier --check`, and `eslint` with all that `typescript-eslint` calls strict.
pub(crate) fn check_typescript(node: &Node, folder: &Path) {
    compile_typescript(node, folder);
    let sources = distinct(folder, &["ts", "mts", "js", "mjs", "md", "json"]);
    run(node
        .prettier()
        .args(["--check", "--log-level", "warn", "--no-editorconfig"])
        .args(["--ignore-path", "/dev/null"])
        .args(&sources)
        .current_dir(folder));
    let config = node.modules().with_file_name("eslint.config.mjs");
    fs::write(&config, ESLINT).expect("eslint can be configured");
    run(node
        .eslint()
        .arg("--config")
        .arg(config)
        .args(["--max-warnings", "0", "--no-ignore"])
        .args(
            sources.iter().filter(|path| Path::new(path).extension().is_some_and(|it| it == "ts")),
        )
        .current_dir(folder));
}

/// Files of packages with one of these endings, by their paths in a folder. Of those that have the
/// same path in their packages and the same text, but for the header, there is one: the runtime is
/// in each package.
fn distinct(folder: &Path, endings: &[&str]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let packages = fs::read_dir(folder).expect("a folder can be listed");
    let mut packages: Vec<PathBuf> = packages.flatten().map(|entry| entry.path()).collect();
    packages.sort();
    for package in packages.into_iter().filter(|it| !it.ends_with("node_modules")) {
        let mut folders = vec![package.clone()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
                let path = entry.path();
                let is_ours = !["node_modules", "dist"].iter().any(|name| path.ends_with(name));
                if path.is_dir() && is_ours {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| endings.iter().any(|end| it == *end)) {
                    let text = fs::read_to_string(&path).expect("a file is text");
                    let body: Vec<&str> =
                        text.lines().skip_while(|it| it.starts_with("// ")).collect();
                    let within = path.strip_prefix(&package).expect("it is in there").to_path_buf();
                    if seen.insert((within, body.join("\n"))) {
                        let path = path.strip_prefix(folder).expect("it is in there");
                        found.push(path.to_string_lossy().into_owned());
                    }
                }
            }
        }
    }
    assert!(!found.is_empty(), "there are packages in {}", folder.display());
    found.sort();
    found
}

/// Everything that `typescript-eslint` calls strict. The folder judged is the one it runs in.
const ESLINT: &str = r#"import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(eslint.configs.recommended, tseslint.configs.strictTypeChecked, {
  languageOptions: {
    parserOptions: { project: "tsconfig.json", tsconfigRootDir: process.cwd() },
  },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  // What decodes a deprecated type has to name it.
  rules: { "@typescript-eslint/no-deprecated": "off" },
});
"#;

/// The packages of projects and the folders that they are in. Each project has its package under
/// `src/`, or beside its `pyproject.toml`.
fn python_packages(projects: &[PathBuf]) -> (Vec<String>, Vec<PathBuf>) {
    let mut search = Vec::new();
    let mut packages = Vec::new();
    for project in projects {
        let source = project.join("src");
        let parent = if source.is_dir() { source } else { project.clone() };
        for entry in fs::read_dir(&parent).expect("a project can be listed").flatten() {
            if entry.path().join("__init__.py").exists() {
                packages.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        search.push(parent);
    }
    assert!(packages.len() >= projects.len(), "every project has a package: {projects:?}");
    packages.sort();
    (packages, search)
}

/// `mypy --strict`. `projects` are the folders with a `pyproject.toml`.
pub(crate) fn check_python_types(python: &Python, folder: &Path, projects: &[PathBuf]) {
    let (packages, search) = python_packages(projects);
    let search = std::env::join_paths(&search).expect("folders can be joined");
    let named = packages.iter().flat_map(|package| ["-p", package.as_str()]);
    run(python
        .mypy()
        .args(["--strict", "--warn-unreachable", "--no-error-summary", "--python-version", "3.10"])
        .arg("--python-executable")
        .arg(python.interpreter())
        .args(named)
        .env("MYPYPATH", &search)
        .current_dir(folder));
}

/// The same, and an import of each package.
pub(crate) fn compile_python(python: &Python, folder: &Path, projects: &[PathBuf]) {
    check_python_types(python, folder, projects);
    let (packages, search) = python_packages(projects);
    let search = std::env::join_paths(&search).expect("folders can be joined");
    run(python
        .python()
        .args(["-W", "error", "-B"])
        .arg(root().join("tests/support/offered.py"))
        .args(&packages)
        .env("PYTHONPATH", &search)
        .current_dir(folder));
}

/// The same, and what [`lint_python`] asks.
pub(crate) fn check_python(python: &Python, folder: &Path, projects: &[PathBuf]) {
    compile_python(python, folder, projects);
    lint_python(python, folder, projects);
}

/// `pyright` at its strictest, `ruff` with nearly all of its rules, and `ruff format --check`.
pub(crate) fn lint_python(python: &Python, folder: &Path, projects: &[PathBuf]) {
    let (_, search) = python_packages(projects);
    if let Some(mut pyright) = pyright(python, folder, &search, &repeated(&search)) {
        run(&mut pyright);
    }
    run(python
        .ruff()
        .args(["format", "--check", "--isolated", "--quiet", "."])
        .current_dir(folder));
    run(python.lint().arg(".").current_dir(folder));
}

/// The files under some folders that say what another one under them says, but for the comments
/// at their head: what is emitted for every protocol has to be judged once.
fn repeated(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut known = BTreeSet::new();
    let mut repeated = Vec::new();
    let mut rest = folders.to_vec();
    while let Some(folder) = rest.pop() {
        for entry in fs::read_dir(&folder).expect("a package can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                rest.push(path);
            } else if let Ok(text) = fs::read_to_string(&path)
                && let Some((_, text)) = text.split_once("\n\"\"\"")
                && !known.insert((path.file_name().map(ToOwned::to_owned), text.to_owned()))
            {
                repeated.push(path);
            }
        }
    }
    repeated
}

/// Removes files that are not in the set, sparing caches: hidden things, `node_modules`, lock
/// files, and what is directly in the scratch folder.
fn remove_others(top: &Path, folder: &Path, paths: &BTreeSet<&str>) {
    for entry in fs::read_dir(folder).expect("a scratch folder can be listed").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "node_modules" || name == "__pycache__" {
            continue;
        }
        if path.is_dir() {
            remove_others(top, &path, paths);
            // Fails, as it should, unless the folder is empty.
            fs::remove_dir(&path).ok();
        } else if folder != top {
            let relative = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
            if !paths.contains(relative.replace('\\', "/").as_str()) {
                fs::remove_file(path).expect("an old file can be removed");
            }
        }
    }
}
