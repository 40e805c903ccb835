//! Generated codecs beside a JSON tree and beside the official types, in one run.
//!
//! `benches/codecs/run` builds and runs it.

use std::collections::BTreeMap;
use std::hint::black_box;

use agent_client_protocol_schema::v1 as official;
use codecs::{SessionNotification, json};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};

/// A text chunk of 200 bytes, as agents send it.
fn chunk() -> String {
    let start = r#"{"sessionId":"sess_abc123def456","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""#;
    let end = r#""}}}"#;
    let mut text =
        String::from("The quick brown fox jumps over the lazy dog, then writes a test for it, ");
    text = text.repeat(2);
    text.truncate(200 - start.len() - end.len());
    format!("{start}{text}{end}")
}

/// The same with the tags last.
fn tag_last() -> String {
    chunk()
        .replace(r#""sessionUpdate":"agent_message_chunk","#, "")
        .replace(r#""type":"text","#, "")
        .replace(r#""}}}"#, r#"","type":"text"},"sessionUpdate":"agent_message_chunk"}}"#)
}

/// Text of which every letter is an escape, as Python writes it, with the tags last.
fn escaped() -> String {
    let text = r"\u4f60\u597d".repeat(300);
    let start = r#"{"sessionId":"sess_abc123def456","update":{"content":{"text":""#;
    let end = r#"","type":"text"},"sessionUpdate":"agent_message_chunk"}}"#;
    format!("{start}{text}{end}")
}

/// The members of a tool call of about 4 KB that are not forgiven.
fn strict_tool_call() -> Value {
    json!({"sessionUpdate": "tool_call", "toolCallId": "call_001", "title": "Edit src/main.rs"})
}

/// A tool call of about 4 KB, most of it in fields that are forgiven when malformed.
fn tool_call(status: &Value) -> String {
    let line = "    let value = compute(&input, \"key\")?;\n";
    let mut update = strict_tool_call();
    update["kind"] = json!("edit");
    update["status"] = status.clone();
    update["content"] = json!([
        {"type": "content", "content": {"type": "text", "text": "Changing how values are computed."}},
        {"type": "diff", "path": "/home/user/project/src/main.rs",
         "oldText": line.repeat(35), "newText": line.repeat(36)},
    ]);
    update["locations"] = json!([{"path": "/home/user/project/src/main.rs", "line": 42}]);
    update["rawInput"] = json!({"path": "/home/user/project/src/main.rs", "edits": [
        {"start": 40, "end": 75, "replace": true}, {"start": 80, "end": 81, "replace": false},
    ]});
    json!({"sessionId": "sess_abc123def456", "update": update}).to_string()
}

/// The same with the members of every object in alphabetical order, so that tags come late.
fn sorted_tool_call() -> String {
    fn sort(value: Value) -> Value {
        match value {
            Value::Object(object) => {
                let sorted: BTreeMap<_, _> =
                    object.into_iter().map(|(key, value)| (key, sort(value))).collect();
                sorted.into_iter().collect()
            }
            Value::Array(items) => items.into_iter().map(sort).collect(),
            value => value,
        }
    }
    let call = tool_call(&json!("in_progress"));
    sort(serde_json::from_str(&call).expect("it is JSON")).to_string()
}

/// A chunk with `_meta`, which is forgiven when malformed.
fn lenient(meta: &str) -> String {
    format!(r#"{},"_meta":{meta}}}"#, chunk().trim_end_matches('}').to_owned() + "}}")
}

fn decode_theirs(text: &str) -> official::SessionNotification {
    serde_json::from_str(text).expect("it is valid")
}

fn decode_ours(text: &str) -> SessionNotification {
    json::decode(text).expect("it is valid")
}

fn decode(criterion: &mut Criterion) {
    let messages = [
        ("chunk", chunk()),
        ("tool call", tool_call(&json!("in_progress"))),
        ("chunk, tags last", tag_last()),
        ("tool call, tags late", sorted_tool_call()),
        ("escapes, tags last", escaped()),
        ("chunk, _meta", lenient(r#"{"n":1}"#)),
        ("chunk, _meta forgiven", lenient(r#"[{"n":1}]"#)),
        ("tool call, status forgiven", tool_call(&json!(7))),
    ];
    for (name, text) in &messages {
        let mut group = criterion.benchmark_group(format!("decode {name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("ours", |bench| bench.iter(|| decode_ours(black_box(text))));
        group.bench_function("ours, serde", |bench| {
            bench.iter(|| serde_json::from_str::<SessionNotification>(black_box(text)).is_ok());
        });
        if serde_json::from_str::<official::SessionNotification>(text).is_ok() {
            group.bench_function("theirs", |bench| bench.iter(|| decode_theirs(black_box(text))));
        }
        group.bench_function("Value", |bench| {
            bench.iter(|| serde_json::from_str::<Value>(black_box(text)).is_ok());
        });
    }
}

fn encode(criterion: &mut Criterion) {
    for (name, text) in [("chunk", chunk()), ("tool call", tool_call(&json!("in_progress")))] {
        let mut group = criterion.benchmark_group(format!("encode {name}"));
        let (ours, theirs) = (decode_ours(&text), decode_theirs(&text));
        same(&json::encode(&ours).expect("it can be written"), &text);
        same(&serde_json::to_string(&theirs).expect("it can be written"), &text);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("ours", |bench| bench.iter(|| json::encode(black_box(&ours)).is_ok()));
        to_string(&mut group, "theirs", &theirs);
        to_string(&mut group, "ours, serde", &ours);
    }
}

fn to_string<T: serde::Serialize>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, value: &T) {
    group.bench_function(name, |bench| bench.iter(|| serde_json::to_string(black_box(value))));
}

fn same(one: &str, other: &str) {
    let parse = |text| serde_json::from_str::<Value>(text).expect("it is JSON");
    assert_eq!(parse(one), parse(other));
}

criterion_group!(benches, decode, encode);
criterion_main!(benches);
