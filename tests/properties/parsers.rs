//! Lets the parsers of other languages read many files at once.

use std::io::Write;
use std::process::{Command, Stdio};

use super::support::{Node, Python};

/// Reads `{path: text}` from standard input and prints what does not parse.
const PYTHON: &str = r#"
import ast, json, sys, warnings
warnings.simplefilter("error")
for path, text in json.load(sys.stdin).items():
    try:
        compile(ast.parse(text, path), path, "exec")
    except Exception as error:
        print(path, repr(error), text[:3000])
"#;

/// The same in JavaScript.
const TYPESCRIPT: &str = r#"
const typescript = require(process.argv[1] + "/typescript");
const files = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
for (const [path, text] of Object.entries(files)) {
  const { parseDiagnostics } = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest);
  for (const { messageText, start } of parseDiagnostics)
    console.log(path, messageText, text.slice(Math.max(0, start - 500), start + 500));
}
"#;

/// What the Python parser complains about.
pub(crate) fn python(python: &Python, files: &serde_json::Value) -> String {
    let mut command = python.python();
    command.args(["-c", PYTHON]);
    complaints(command, files)
}

/// What the TypeScript parser complains about.
pub(crate) fn typescript(node: &Node, files: &serde_json::Value) -> String {
    let mut command = node.node();
    command.args(["-e", TYPESCRIPT]).arg(node.modules());
    complaints(command, files)
}

fn complaints(mut command: Command, files: &serde_json::Value) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the parser starts");
    let mut input = child.stdin.take().expect("its input is piped");
    let text = files.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the parser ends");
    writer.join().expect("the writer ends").expect("the parser reads all");
    assert!(output.status.success(), "the parser failed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
