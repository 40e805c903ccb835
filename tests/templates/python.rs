//! The base class of `examples/python-base-class`.

use std::fs;

use crate::support::{self, acp_bindgen};

/// A program that prints a message, one that inherits the example's class through a variant.
const PROGRAM: &str = r#"
from acp import ContentBlock, PromptRequest, SessionUpdate, TextContent, codecs
from messages import Message

request = PromptRequest(session_id="s1", prompt=[ContentBlock.text("hello")])
text = "PromptRequest(session_id='s1', prompt=[ContentBlockText(text='hello')])"
assert repr(request) == text, request
assert issubclass(TextContent, Message)
update: SessionUpdate = codecs.SessionUpdateCodec.decode(
    b'{"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}}'
)
assert isinstance(update, Message)
assert codecs.PromptRequestCodec.decode(codecs.PromptRequestCodec.encode(request)) == request
"#;

#[cfg(feature = "bundled")]
#[test]
fn every_struct_of_the_example_has_its_base_class() {
    let Some(python) = support::python() else { return };
    let folder = support::scratch("python-base-class");
    let example = support::root().join("examples/python-base-class");
    let mut generate = acp_bindgen(&folder);
    generate.arg("generate").arg("--config").arg(example.join("acp-bindgen.toml"));
    support::run(generate.args(["--out", "sdk"]));
    fs::copy(example.join("messages.py"), folder.join("messages.py")).unwrap();
    support::write_files(&folder, [("program.py", PROGRAM)]);
    let package = folder.join("sdk/python/src");
    let paths = std::env::join_paths([&package, &folder]).unwrap();
    let mut run = python.python();
    run.args(["-W", "error", "-B"]).arg("program.py").env("PYTHONPATH", &paths);
    support::run(run.current_dir(&folder));
    let mut check = python.mypy();
    check.args(["--strict", "--no-error-summary", "--python-version", "3.10"]);
    check.arg("--python-executable").arg(python.interpreter()).arg("program.py");
    support::run(check.env("MYPYPATH", &paths).current_dir(&folder));
    support::run(python.ruff().args(["format", "--check"]).arg(&package));
}
