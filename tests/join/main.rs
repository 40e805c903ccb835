//! The join of pieces, as it is emitted in every language: one table of cases, and what holds
//! for all values.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "this is a test")]

// It is laid out as it is emitted.
#[rustfmt::skip]
#[allow(unreachable_pub, reason = "it is public where it is emitted")]
#[path = "../../templates/rust/streams/join.rs"]
mod join;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use serde_json::{Value, json};

const CASES: &str = include_str!("cases.jsonl");

fn cases() -> Vec<Value> {
    CASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether an answer is what the case says.
fn is_right(case: &Value, joined: Option<&Value>) -> bool {
    match (case.get("joined"), joined) {
        (Some(expected), Some(joined)) => join::is_same(expected, joined),
        (None, None) => case["error"] == json!(true),
        _ => false,
    }
}

#[test]
fn rust() {
    let cases = cases();
    assert!(cases.len() >= 40);
    for case in cases {
        let before = case.get("output").cloned();
        let mut output = before.clone();
        let joined = join::join(&mut output, case["delta"].clone()).map(|()| output.clone());
        assert!(is_right(&case, joined.ok().flatten().as_ref()), "{case}: {output:?}");
        if case.get("error").is_some() {
            assert_eq!(output, before, "{case}");
        }
    }
}

#[test]
fn typescript() {
    let Some(node) = support::node() else { return };
    let folder = support::scratch("join-typescript");
    let program = "
        import { readFileSync } from 'node:fs';
        import { isSame, join, JoinError } from './join.js';
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
    let join = include_str!("../../templates/typescript/src/streams/join.ts");
    support::write_files(
        &folder,
        [("join.ts", join), ("main.mjs", program), ("package.json", r#"{"type":"module"}"#)],
    );
    let mut tsc = node.tsc();
    tsc.args(["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"]);
    tsc.args(["--target", "es2022", "--module", "nodenext", "--skipLibCheck", "join.ts"]);
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
    let join = include_str!("../../templates/python/_join.py");
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

/// Any JSON in which no array begins with `null`: of the first piece of an array, that null is
/// dropped, so that an empty piece before it changes what it means.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-50i64..50).prop_map(Value::from),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let item = inner.clone().prop_filter("a first null", |value| !value.is_null());
        prop_oneof![
            Just(json!([])),
            (item, prop::collection::vec(inner.clone(), 0..3)).prop_map(|(first, rest)| {
                Value::Array(std::iter::once(first).chain(rest).collect())
            }),
            prop::collection::btree_map("[xy]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Values of one shape, so that most of them can be joined.
fn like() -> impl Strategy<Value = (Value, Value, Value)> {
    let text = || "[ab]{0,2}".prop_map(Value::from);
    let texts = || prop::collection::vec(text(), 0..4).prop_map(Value::from);
    let object = || {
        (prop::option::of(text()), prop::option::of(texts()), prop::option::of(0i64..9)).prop_map(
            |(a, b, c)| {
                let members = [("a", a), ("b", b), ("c", c.map(Value::from))];
                let there = members.into_iter().filter_map(|(key, value)| Some((key, value?)));
                Value::Object(there.map(|(key, value)| (key.to_owned(), value)).collect())
            },
        )
    };
    prop_oneof![
        (texts(), texts(), texts()),
        (object(), object(), object()),
        (value(), value(), value()),
    ]
}

fn both(a: Option<&Value>, b: Option<&Value>) -> Option<Value> {
    let mut output = a.cloned();
    join::join(&mut output, b?.clone()).ok()?;
    output
}

proptest! {
    #[test]
    fn joining_is_associative_where_it_is_defined((a, b, c) in like()) {
        let left = both(Some(&a), Some(&b));
        let left = left.and_then(|left| both(Some(&left), Some(&c)));
        let right = both(Some(&b), Some(&c));
        let right = right.and_then(|right| both(Some(&a), Some(&right)));
        prop_assert_eq!(left, right);
    }

    #[test]
    fn null_is_neutral(a in value()) {
        prop_assert_eq!(both(Some(&a), Some(&Value::Null)), Some(a.clone()));
        prop_assert_eq!(both(Some(&Value::Null), Some(&a)), Some(a.clone()));
        prop_assert_eq!(both(None, Some(&a)), Some(a));
    }

    /// After an item, a null at the beginning begins another, however the pieces are put together.
    #[test]
    fn a_first_null_begins_an_item(a in "[ab]{1,2}", b in "[ab]{1,2}", c in "[ab]{1,2}") {
        let (first, next, last) = (json!([a]), json!([null, b]), json!([null, c]));
        let left = both(both(Some(&first), Some(&next)).as_ref(), Some(&last));
        let right = both(Some(&first), both(Some(&next), Some(&last)).as_ref());
        prop_assert_eq!(&left, &right);
        prop_assert_eq!(left, Some(json!([a, b, c])));
    }
}
