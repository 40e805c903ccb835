//! Node, what is installed from npm for it, and the schemas published there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::install::installed;
use super::{available, root, try_run};

/// Node with TypeScript and Prettier.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    modules: PathBuf,
}

impl Node {
    /// `node` itself.
    #[allow(clippy::unused_self, reason = "having a `Node` proves that there is one")]
    pub(crate) fn node(&self) -> Command {
        Command::new("node")
    }

    /// The TypeScript compiler.
    pub(crate) fn tsc(&self) -> Command {
        self.script("typescript-native/bin/tsc")
    }

    /// The TypeScript compiler that is written in JavaScript.
    pub(crate) fn older_tsc(&self) -> Command {
        self.script("typescript/bin/tsc")
    }

    /// Prettier.
    pub(crate) fn prettier(&self) -> Command {
        self.script("prettier/bin/prettier.cjs")
    }

    /// `eslint`, with `typescript-eslint` beside it.
    pub(crate) fn eslint(&self) -> Command {
        self.script("eslint/bin/eslint.js")
    }

    /// The bundler.
    pub(crate) fn esbuild(&self) -> Command {
        self.script("esbuild/bin/esbuild")
    }

    /// The `node_modules` folder that holds them, and the types of Node itself.
    pub(crate) fn modules(&self) -> &Path {
        &self.modules
    }

    /// Lets a package find one of the installed modules.
    pub(crate) fn link(&self, module: &str, package: &Path) {
        link(&self.modules.join(module), &package.join("node_modules").join(module));
    }

    fn script(&self, path: &str) -> Command {
        let mut command = self.node();
        command.arg(self.modules.join(path));
        command
    }
}

/// Makes a folder appear at another place, too.
pub(crate) fn link(folder: &Path, at: &Path) {
    let parent = at.parent().expect("it is within a folder");
    std::fs::create_dir_all(parent).expect("a folder can be made");
    std::fs::remove_file(at).ok();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder, at).expect("a link can be made");
    #[cfg(windows)]
    std::os::windows::fs::symlink_dir(folder, at).expect("a link can be made");
}

/// Node 20 or later with its tools, or `None` where they cannot be had (see
/// [`available`]).
pub(crate) fn node() -> Option<Node> {
    static FOUND: OnceLock<Result<Node, String>> = OnceLock::new();
    available("Node with TypeScript and Prettier", || {
        FOUND.get_or_init(|| npm("node").map(|modules| Node { modules })).clone()
    })
}

/// A `node_modules` folder with `publint`, `@arethetypeswrong/cli` and `typedoc`, or `None` where
/// npm cannot be had (see [`available`]).
pub(crate) fn npm_packaging() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("npm's tools for packages", || FOUND.get_or_init(|| npm("packaging")).clone())
}

/// A `node_modules` folder with `@mdx-js/mdx`, or `None` where npm cannot be had (see
/// [`available`]).
pub(crate) fn npm_docs() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("npm's compiler of MDX", || FOUND.get_or_init(|| npm("docs")).clone())
}

/// The program of a platform that runs TypeScript beside Node, `deno`, `bun` or `workerd`, or `None`
/// where it cannot be had (see [`available`]).
pub(crate) fn platform(name: &str) -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let paths = match name {
        "deno" => ["@deno/linux-x64-glibc/deno", "@deno/linux-arm64-glibc/deno"],
        "bun" => ["@oven/bun-linux-x64/bin/bun", "@oven/bun-linux-aarch64/bin/bun"],
        _ => [
            "@cloudflare/workerd-linux-64/bin/workerd",
            "@cloudflare/workerd-linux-arm64/bin/workerd",
        ],
    };
    available(name, || {
        let modules = FOUND.get_or_init(|| npm("platforms")).clone()?;
        let mut programs = paths.into_iter().map(|path| modules.join(path));
        programs
            .find(|path| path.exists())
            .ok_or_else(|| "npm has none for this machine".to_owned())
    })
}

/// A schema as published in a release of npm `@agentclientprotocol/sdk`, or `None` where npm
/// cannot be had (see [`available`]).
///
/// `version` is one that `tools/schemas/package.json` names; `path` is the file in that package:
/// `schema/schema.json` up to 1.x, then `schema/v1/schema.json`, `schema/v1/schema.unstable.json`
/// and the same under `v2`.
///
/// # Panics
///
/// If the package has no such file.
pub(crate) fn npm_schema(version: &str, path: &str) -> Option<String> {
    let file = npm_schemas()?.join(format!("acp-{version}")).join(path);
    match std::fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) => panic!("no `{path}` in version {version}: {error}"),
    }
}

/// Every schema that releases of npm `@agentclientprotocol/sdk` have had: the last release with
/// it, and its text, the oldest first. `None` where npm cannot be had (see [`available`]).
pub(crate) fn npm_history() -> Option<Vec<(String, String)>> {
    let modules = npm_schemas()?;
    let names = std::fs::read_dir(&modules).expect("packages are installed");
    let names = names.map(|entry| entry.expect("it is there").file_name().into_string());
    let names = names.map(|name| name.expect("a package's name is text"));
    let mut versions: Vec<String> =
        names.filter_map(|name| Some(name.strip_prefix("acp-")?.to_owned())).collect();
    let number = |part: &str| part.parse::<u32>().unwrap_or_default();
    versions.sort_by_key(|version| version.split('.').map(number).collect::<Vec<_>>());
    let read = |version: String| {
        let folder = modules.join(format!("acp-{version}")).join("schema");
        let text = std::fs::read_to_string(folder.join("schema.json"))
            .or_else(|_| std::fs::read_to_string(folder.join("v1/schema.json")));
        (version, text.expect("every release has a schema"))
    };
    Some(versions.into_iter().map(read).collect())
}

/// The folder of a release that [`npm_history`] has.
///
/// # Panics
///
/// If there is none.
pub(crate) fn npm_package(version: &str) -> PathBuf {
    npm_schemas().expect("there is a history").join(format!("acp-{version}"))
}

/// The folder in which these releases are.
fn npm_schemas() -> Option<PathBuf> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    available("npm's published schemas", || FOUND.get_or_init(|| npm("schemas")).clone())
}

/// Installs a set of npm packages, without running any code of theirs, and gives its
/// `node_modules`.
pub(super) fn npm(set: &str) -> Result<PathBuf, String> {
    let version = try_run(Command::new("node").arg("--version"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().unwrap_or_default();
    if major.parse::<u32>().map_or(true, |major| major < 20) {
        return Err(format!("node {} is older than 20", version.trim()));
    }
    let pinned = root().join("tests/support/tools").join(set);
    let manifests = [pinned.join("package.json"), pinned.join("package-lock.json")];
    let folder = installed(set, &[&manifests[0], &manifests[1]], |folder| {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let options =
            ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"];
        try_run(Command::new(npm).args(options).current_dir(folder)).map(drop)
    })?;
    Ok(folder.join("node_modules"))
}
