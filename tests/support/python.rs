//! Python, and what is installed for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::install::installed;
use super::node::npm;
use super::{available, root, try_run};

/// A virtual environment with `msgspec`, `mypy` and `ruff`.
#[derive(Clone, Debug)]
pub(crate) struct Python {
    programs: PathBuf,
}

impl Python {
    /// The interpreter.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.interpreter())
    }

    /// The interpreter's path, for mypy's `--python-executable`.
    pub(crate) fn interpreter(&self) -> PathBuf {
        self.programs.join("python")
    }

    /// The type checker.
    pub(crate) fn mypy(&self) -> Command {
        Command::new(self.programs.join("mypy"))
    }

    /// The formatter and linter.
    pub(crate) fn ruff(&self) -> Command {
        Command::new(self.programs.join("ruff"))
    }

    /// The linter with the rules that generated code keeps to.
    pub(crate) fn lint(&self) -> Command {
        let mut command = self.ruff();
        command.args(["check", "--quiet", "--config"]);
        command.arg(root().join("tests/support/tools/python/ruff.toml"));
        command
    }
}

/// Python 3.10 or later with its tools, or `None` where they cannot be had (see
/// [`available`]).
pub(crate) fn python() -> Option<Python> {
    static FOUND: OnceLock<Result<Python, String>> = OnceLock::new();
    available("Python 3.10 with msgspec, mypy and ruff", || {
        FOUND.get_or_init(|| environment("python").map(|programs| Python { programs })).clone()
    })
}

/// A virtual environment that builds wheels and looks into them.
#[derive(Clone, Debug)]
pub(crate) struct Wheels {
    programs: PathBuf,
}

impl Wheels {
    /// The interpreter.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.programs.join("python"))
    }

    /// `twine`, `uv`, `uvx`.
    pub(crate) fn program(&self, name: &str) -> Command {
        Command::new(self.programs.join(name))
    }

    /// The command, with the environment's programs (`maturin`) before those of the system.
    pub(crate) fn on_path<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.programs.clone()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(path).expect("folders have no separators"))
    }

    /// The installer.
    pub(crate) fn pip(&self) -> Command {
        let mut command = self.python();
        command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]);
        command
    }
}

/// Python 3.10 or later with `hatchling`, `maturin`, `twine` and `uv`, or `None` where they cannot be had (see [`available`]).
pub(crate) fn wheels() -> Option<Wheels> {
    static FOUND: OnceLock<Result<Wheels, String>> = OnceLock::new();
    available("Python 3.10 with hatchling", || {
        FOUND.get_or_init(|| environment("wheels").map(|programs| Wheels { programs })).clone()
    })
}

/// The strictest of `pyright` over a folder of packages or programs, but for some files in it, or
/// `None` where npm cannot be had (see [`available`]).
pub(crate) fn pyright(
    python: &Python,
    folder: &Path,
    search: &[PathBuf],
    but: &[PathBuf],
) -> Option<Command> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let modules = available("pyright", || FOUND.get_or_init(|| npm("pyright")).clone())?;
    let but: Vec<_> = but.iter().filter_map(|path| path.strip_prefix(folder).ok()).collect();
    let config = serde_json::json!({
        "include": ["."],
        "exclude": but,
        "extraPaths": search,
        "pythonVersion": "3.10",
        "typeCheckingMode": "strict",
        // What is a mistake to mypy is one to pyright.
        "reportUnnecessaryTypeIgnoreComment": true,
    });
    let config = format!("{config:#}\n");
    super::write_files(folder, [("pyrightconfig.json", config.as_str())]);
    let mut command = Command::new("node");
    command.arg(modules.join("pyright/index.js")).args(["--warnings", "--project"]).arg(folder);
    command.arg("--pythonpath").arg(python.interpreter()).current_dir(folder);
    Some(command)
}

/// Installs a set of Python packages, and gives the folder of its programs.
pub(super) fn environment(set: &str) -> Result<PathBuf, String> {
    let interpreter = interpreter()?;
    let requirements = root().join("tests/support/tools").join(set).join("requirements.txt");
    let folder = installed(set, &[&requirements], |folder| {
        try_run(Command::new(interpreter).args(["-m", "venv"]).arg(folder.join("env")))?;
        let options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
        let mut pip = Command::new(programs(folder).join("python"));
        try_run(pip.args(options).arg(&requirements)).map(drop)
    })?;
    Ok(programs(&folder))
}

fn programs(folder: &Path) -> PathBuf {
    folder.join("env").join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// The first Python on the path that is 3.10 or later.
fn interpreter() -> Result<&'static str, String> {
    let names = ["python3", "python", "python3.13", "python3.12", "python3.11", "python3.10"];
    let check = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
    names
        .into_iter()
        .find(|name| try_run(Command::new(name).args(["-c", check])).is_ok())
        .ok_or_else(|| "no Python 3.10 or later on the path".to_owned())
}
