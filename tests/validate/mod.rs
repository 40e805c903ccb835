//! What `validate` says of messages: `SCHEMA/NAME.jsonl` with its report in `SCHEMA/NAME.txt`.
//! A case whose name ends in `.strict` is judged strictly. `.ci/bless validate` rewrites the
//! reports.

mod command;
mod formats;
mod rules;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::input;
use acp_bindgen::policy::day_of;
use acp_bindgen::source::{SourceText, Sources};
use acp_bindgen::validate::policy::{FAIL_ON, ValidateOutcome, ValidatePolicy};
use acp_bindgen::validate::report::{View, text};
use acp_bindgen::validate::{Options, RULES, Report, Subject, fixed, validate};
use acp_bindgen::{Loaded, Protocol, Purpose, Schema, load};

use crate::support;

/// The schemas of the folders, as the command line takes them.
const SCHEMAS: [(&str, &str); 5] = [
    ("acp", "bundled:acp@v1"),
    ("bell", "tests/validate/bell.schema.json"),
    ("parcel", "tests/validate/parcel.schema.json"),
    ("stream", "schema/agent-communication.json"),
    ("workshop", WORKSHOP),
];

const WORKSHOP: &str = "tests/rpc/schemas/workshop.json";

/// A schema with its protocol, and the texts that its places point into.
fn loaded(schema: &str) -> (Schema, Protocol, Sources) {
    let root = support::root().join(schema);
    let name = if root.exists() { root.to_string_lossy().into_owned() } else { schema.to_owned() };
    let inputs = input::read(&[name], &[], None, &[], &mut Diagnostics::new()).unwrap();
    let Loaded { schema, protocol, sources, .. } = load(inputs, Purpose::Generate);
    (schema.unwrap(), protocol.unwrap(), sources)
}

/// Files of one conversation each, judged.
struct Judged {
    report: Report,
    files: Sources,
    schema: Sources,
    outcome: ValidateOutcome,
}

impl Judged {
    fn new(schema: &str, files: &[(&str, &str)], options: &Options) -> Self {
        let (document, protocol, schema) = loaded(schema);
        let mut sources = Sources::default();
        let numbers: Vec<u32> =
            files.iter().map(|(label, text)| sources.add(SourceText::new(*label, *text))).collect();
        let document = Some((&document.root, &schema));
        let subject = Subject { protocol: &protocol, document };
        let report = validate(subject, &sources, numbers, options);
        let policy = ValidatePolicy { fail_on: FAIL_ON, ..ValidatePolicy::default() };
        let outcome = report.outcome(&policy, day_of(0));
        Self { report, files: sources, schema, outcome }
    }

    fn view(&self) -> View<'_> {
        let Self { report, files, schema, outcome } = self;
        View { report, files, schema, outcome }
    }

    /// The text, with the schema's name in place of its path.
    fn text(&self) -> String {
        let root = format!("{}/", support::root().display());
        text(&self.view()).replace(&root, "")
    }
}

fn cases() -> Vec<(&'static str, PathBuf)> {
    let mut cases = Vec::new();
    for (folder, schema) in SCHEMAS {
        let folder = support::root().join("tests/validate").join(folder);
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let is_case = |path: &PathBuf| path.extension().is_some_and(|it| it != "txt");
        cases.extend(files.filter(is_case).map(|path| (schema, path)));
    }
    cases.sort();
    cases
}

fn judged(schema: &str, path: &Path) -> Judged {
    let label = path.file_name().unwrap().to_string_lossy().into_owned();
    let options = Options { strict: label.contains(".strict."), side: None };
    Judged::new(schema, &[(&label, &fs::read_to_string(path).unwrap())], &options)
}

#[test]
fn every_report_is_as_expected() {
    let mut differing = Vec::new();
    for (schema, path) in cases() {
        let judged = judged(schema, &path);
        let (found, expected) = (judged.text(), path.with_extension("txt"));
        if support::is_blessing() {
            fs::write(&expected, &found).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != found {
            differing.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn every_rule_is_found_somewhere() {
    let found: BTreeSet<&str> = cases()
        .iter()
        .flat_map(|(schema, path)| judged(schema, path).report.findings)
        .map(|finding| finding.rule.id)
        .collect();
    let missing: Vec<&str> =
        RULES.iter().map(|rule| rule.id).filter(|id| !found.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_place_leads_to_what_is_wrong() {
    let text = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"hello\",\"params\":{\"speak\":\"é\"}}\n";
    let judged = Judged::new(WORKSHOP, &[("t.jsonl", text)], &Options::default());
    let [finding] = judged.report.findings.as_slice() else { panic!("{}", judged.text()) };
    let span = finding.location.span;
    assert_eq!(&text[span.start as usize..span.end as usize], "\"é\"");
    assert_eq!(finding.location.pointer, "/params/speak");
    assert_eq!(finding.path, "params.speak");
    assert_eq!(finding.id, "invalid-value:hello:params.speak");
    let schema = finding.schema.as_ref().unwrap();
    assert_eq!(schema.pointer, "/$defs/HelloRequest/properties/speak");
    assert!(judged.outcome.fails);
}

#[test]
fn fixing_changes_nothing_but_lines() {
    for (schema, path) in cases() {
        let text = fs::read_to_string(&path).unwrap();
        let Some(better) = fixed(&text) else { continue };
        assert_eq!(fixed(&better), None, "{}", path.display());
        let label = path.file_name().unwrap().to_string_lossy();
        let report = |text: &str| {
            let options = Options::default();
            let findings = Judged::new(schema, &[(&label, text)], &options).report.findings;
            let about_lines = ["message-not-a-line", "untidy-lines"];
            let (lines, others): (Vec<_>, Vec<_>) = findings
                .into_iter()
                .map(|finding| (finding.rule.id, finding.message, finding.path))
                .partition(|(rule, ..)| about_lines.contains(rule));
            (lines.len(), others)
        };
        let ((before, others), (after, same)) = (report(&text), report(&better));
        assert!(before > 0, "{}", path.display());
        assert_eq!((after, same.len()), (0, others.len()), "{}", path.display());
    }
}

#[test]
fn files_are_conversations_of_their_own() {
    let opening = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"hello\",\"params\":{\"speak\":5}}\n";
    let answer = "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"speaking\":5}}\n";
    let both = format!("{opening}{answer}");
    let judged = Judged::new(WORKSHOP, &[("a", &both), ("b", &both)], &Options::default());
    assert_eq!(judged.text(), "4 messages: nothing to say\n");
    let judged = Judged::new(WORKSHOP, &[("a", opening), ("b", answer)], &Options::default());
    assert_eq!(judged.text(), "2 messages: nothing to say\n");
}
