//! The join of pieces in TypeScript and Python, by the same cases.

#[allow(dead_code, reason = "the suite in `fast` uses all of it")]
mod cases;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use cases::{CASES, cases, is_right};

use crate::support;

#[test]
fn typescript() {
    let Some(node) = support::node() else { return };
    let folder = support::scratch("join-typescript");
    let program = "
        import { readFileSync } from 'node:fs';
        import { isSame } from './connection.js';
        import { join, JoinError } from './streams/join.js';
        for (const line of readFileSync(0, 'utf8').split('\\n').filter(Boolean)) {
          const { output, delta } = JSON.parse(line);
          const before = JSON.stringify([output, delta]);
          try {
            const joined = join(output, delta);
            if (!isSame(joined, JSON.parse(JSON.stringify(joined)))) throw new Error(line);
            console.log(JSON.stringify({ joined }));
          } catch (error) {
            if (!(error instanceof JoinError)) throw error;
            console.log(JSON.stringify({ error: error.message }));
          }
          if (JSON.stringify([output, delta]) !== before) throw new Error(`changed: ${line}`);
        }
    ";
    let join = include_str!("../../templates/typescript/runtime/src/streams/join.ts");
    // Of a package's connection it needs what tells JSON apart.
    let connection = include_str!("../../templates/typescript/runtime/src/connection/json.ts");
    support::write_files(
        &folder,
        [
            ("connection.ts", connection),
            ("streams/join.ts", join),
            ("main.mjs", program),
            ("package.json", r#"{"type":"module"}"#),
        ],
    );
    let mut tsc = node.tsc();
    tsc.args(["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"]);
    tsc.args(["--target", "es2022", "--module", "nodenext", "--skipLibCheck", "streams/join.ts"]);
    support::run(tsc.current_dir(&folder));
    let mut main = node.node();
    main.arg("main.mjs");
    agrees(main, &folder);
}

#[test]
fn python() {
    let Some(python) = support::python() else { return };
    let folder = support::scratch("join-python");
    let program = "
import copy, json, sys
from join import ABSENT, JoinError, join
for line in sys.stdin:
    case = json.loads(line)
    output, delta = case.get('output', ABSENT), case['delta']
    before = copy.deepcopy((None if output is ABSENT else output, delta))
    try:
        print(json.dumps({'joined': join(output, delta)}))
    except JoinError as error:
        print(json.dumps({'error': str(error)}))
    assert before == (None if output is ABSENT else output, delta), line
";
    let join = include_str!("../../templates/python/runtime/src/acp_bindgen_runtime/join.py");
    support::write_files(&folder, [("join.py", join), ("main.py", program)]);
    support::run(python.mypy().args(["--strict", "join.py"]).current_dir(&folder));
    // Any JSON is what it is about, and each kind of it has a way out.
    let ignored = "ANN401,COM812,CPY001,D203,D213,INP001,PLR0911";
    let check = ["check", "--select", "ALL", "--ignore", ignored, "join.py"];
    support::run(python.ruff().args(check).current_dir(&folder));
    support::run(python.ruff().args(["format", "--check", "join.py"]).current_dir(&folder));
    let mut main = python.python();
    main.arg("main.py");
    agrees(main, &folder);
}

/// Sends the cases to a program and looks at what it answers to each.
fn agrees(mut program: Command, folder: &Path) {
    let input = folder.join("cases.jsonl");
    std::fs::write(&input, CASES).unwrap();
    program.stdin(std::fs::File::open(input).unwrap()).current_dir(folder);
    let answers = support::run(&mut program);
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cases = cases();
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(&answers) {
        assert!(is_right(case, answer.get("joined")), "{case}: {answer}");
        assert_eq!(case.get("error").is_some(), answer.get("error").is_some(), "{case}");
    }
}
