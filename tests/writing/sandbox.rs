//! A folder of its own for a test, and the command in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Where the packages of the test's schema go, unless told otherwise.
pub(crate) const PACKAGE: &str = "lsp-sdk/typescript";

/// A folder with a small schema in it.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let sandbox = Self { folder: TempDir::new().unwrap() };
        sandbox.write("switch.json", include_str!("../cli/files/switch.json"));
        sandbox
    }

    /// A sandbox in which the packages were already generated.
    pub(crate) fn generated() -> Self {
        let sandbox = Self::new();
        sandbox.generate(&[]).succeeds();
        sandbox
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, contents: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The command, in this folder.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        Self::ended(&mut self.command(arguments))
    }

    /// Runs any command to its end.
    pub(crate) fn ended(command: &mut Command) -> Ended {
        let output = command.output().unwrap();
        Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the command with a text on its standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not want all of it is free to leave.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn generate(&self, more: &[&str]) -> Ended {
        let arguments = ["generate", "--schema", "switch.json", "--target", "typescript"];
        self.run(&[&arguments, more].concat())
    }

    pub(crate) fn check(&self, more: &[&str]) -> Ended {
        let arguments = ["check", "--schema", "switch.json", "--target", "typescript"];
        self.run(&[&arguments, more].concat())
    }

    /// A file that the tool wrote, within the package's folder.
    pub(crate) fn a_file(&self) -> String {
        let names: Vec<String> = tree(&self.path(PACKAGE)).into_keys().collect();
        let is_code = |name: &&String| name.starts_with("src/") && !name.ends_with('/');
        format!("{PACKAGE}/{}", names.iter().find(is_code).unwrap())
    }

    /// Everything in the folder, with contents.
    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        tree(self.folder.path())
    }
}

impl Ended {
    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        self.exits(0)
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// Failed, with this finding.
    #[track_caller]
    pub(crate) fn fails_with(self, code: &str) -> Self {
        let ended = self.exits(2);
        assert!(ended.err.contains(&format!("error[{code}]")), "{}", ended.err);
        assert!(ended.err.ends_with("Nothing was written.\n"), "{}", ended.err);
        ended
    }
}

/// Everything in a folder, with contents; folders end in `/`.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, String> {
    fn walk(root: &Path, prefix: &str, tree: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(root.join(prefix)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() {
                let path = format!("{prefix}{name}/");
                walk(root, &path, tree);
                tree.insert(path, String::new());
            } else {
                let contents = fs::read(entry.path()).unwrap_or_default();
                let contents = String::from_utf8_lossy(&contents).into_owned();
                tree.insert(format!("{prefix}{name}"), contents);
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, "", &mut found);
    found
}
