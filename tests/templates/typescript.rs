//! The template of `examples/typescript-readonly`, in place of one of the TypeScript target.

use std::fs;

use crate::support::{self, acp_bindgen};

/// A program that may make and read messages, and must not change them.
const PROGRAM: &str = r#"import {
  ContentBlock,
  type PromptRequest,
  PromptRequestCodec,
} from "../../acp/src/index.js";

const request: PromptRequest = PromptRequestCodec.decode({
  sessionId: "s",
  prompt: [ContentBlock.text("hi")],
});

export const sessionId: string = request.sessionId;

// @ts-expect-error: a required property
request.sessionId = "another";
// @ts-expect-error: an optional one
request._meta = null;
"#;

#[test]
fn properties_are_read_only_and_laid_out() {
    let Some(node) = support::node() else { return };
    let folder = support::scratch("templates-readonly");
    let example = support::root().join("examples/typescript-readonly/acp-bindgen.toml");
    let mut generate = acp_bindgen(&folder);
    support::run(generate.arg("generate").arg("--config").arg(example).args(["--out", "sdk"]));
    fs::rename(folder.join("sdk/typescript"), folder.join("acp")).unwrap();
    fs::remove_dir(folder.join("sdk")).unwrap();
    let types = fs::read_to_string(folder.join("acp/src/types.ts")).unwrap();
    assert!(types.contains("  readonly sessionId: SessionId;\n"), "{types}");
    let program =
        [("program/src/program.ts", PROGRAM), ("package.json", "{\n  \"type\": \"module\"\n}\n")];
    support::write_files(&folder, program);
    node.link("@types", &folder);
    support::check_typescript(&node, &folder);
}
