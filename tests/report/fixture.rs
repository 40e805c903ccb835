//! Reports made by hand, for tests.

use acp_bindgen::breaking::policy::PolicyOutcome;
use acp_bindgen::breaking::report::View;
use acp_bindgen::breaking::{
    Affected, Change, Direction, Report, SourceLocation, Verdict, Witness, rule,
};
use acp_bindgen::ir::{Part, Payload, Protocol, TypeKind};
use acp_bindgen::source::{Location, Sources};
use acp_bindgen::{Purpose, SchemaText, load};
use serde_json::json;

/// A finding of a rule, with what the rule says, that every message may hold.
pub(crate) fn change(rule_id: &str, ty: &str, path: &str) -> Change {
    let rule = rule(rule_id).unwrap();
    let dot = if path.is_empty() { "" } else { "." };
    let affected = Direction::BOTH
        .into_iter()
        .filter(|direction| rule.wire.towards(*direction) != Verdict::Ok);
    Change {
        id: format!("{rule_id}:{ty}{dot}{path}"),
        rule,
        ty: ty.into(),
        also_types: vec![],
        path: path.into(),
        summary: format!("`{ty}{dot}{path}`: {}", rule.summary),
        level: rule.level,
        breaking: rule.wire.worst() == Verdict::Break || rule.source.is_breaking(),
        wire: rule.wire,
        effective_wire: None,
        softened_by: None,
        source: rule.source,
        positions: vec![payload("door/open"), payload("door/shut")],
        reaches: vec!["Outer".into()],
        affected: affected
            .map(|direction| Affected {
                direction,
                verdict: rule.wire.towards(direction),
                sender: "guest".into(),
                receiver: "house".into(),
            })
            .collect(),
        gated_by: None,
        unstable: false,
        texts: Vec::new(),
        witness: vec![],
        remedy: rule.remedy.into(),
        old: None,
        new: None,
    }
}

/// The params of a method, from guest to house.
pub(crate) fn payload(method: &str) -> Payload {
    Payload {
        method: method.into(),
        part: Part::Params,
        sender: "guest".into(),
        receiver: "house".into(),
    }
}

/// A small schema, and the texts that places point into.
pub(crate) fn schema(label: &str, text: &str) -> (Protocol, Sources) {
    let loaded = load(SchemaText::new(label, text), Purpose::Generate);
    (loaded.protocol.unwrap(), loaded.sources)
}

/// A report of these findings, between two empty schemas.
pub(crate) fn report(changes: Vec<Change>) -> Report {
    let (old, _) = schema("old.json", r#"{"title": "Old", "$defs": {"A": {}}}"#);
    let (new, _) = schema("new.json", r#"{"title": "New", "$defs": {"A": {}}}"#);
    Report::new(&old, &new, vec![], changes, 0)
}

/// A report with everything that a view needs.
pub(crate) struct Whole {
    pub(crate) report: Report,
    pub(crate) old: Sources,
    pub(crate) new: Sources,
    pub(crate) outcome: PolicyOutcome,
}

impl Whole {
    /// The report with its texts.
    pub(crate) fn view(&self) -> View<'_> {
        View {
            report: &self.report,
            old: &self.old,
            new: &self.new,
            outcome: &self.outcome,
            code: None,
        }
    }
}

/// Text that tries to be markup, a command, or the end of something.
pub(crate) const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\n::error file=x::|`*_[a](b)]]>--> @all #1 \u{202e}%0A&amp;";

/// A report in which everything that a schema can name is hostile.
pub(crate) fn hostile() -> Whole {
    let property = serde_json::to_string(HOSTILE).unwrap();
    let text = |kind: &str| {
        format!(
            "{{\n  \"title\": {property},\n  \"$defs\": {{\n    \"A\": {{\n      \"type\": \"object\",\n      \"description\": {property},\n      \"properties\": {{\n        {property}: {{\n          \"type\": \"{kind}\"\n        }}\n      }}\n    }}\n  }}\n}}\n"
        )
    };
    let (old, old_sources) = schema("o<ld>|\n::x::.json", &text("string"));
    let (new, new_sources) = schema("n<e>w|\n::x::.json", &text("integer"));
    let mut change = change("type-changed", HOSTILE, HOSTILE);
    change.id = format!("type-changed:{HOSTILE}");
    change.also_types = vec![HOSTILE.into()];
    change.reaches = vec![HOSTILE.into()];
    change.gated_by = Some(HOSTILE.into());
    change.softened_by = Some(HOSTILE.into());
    change.effective_wire = Some(change.wire.with(Direction::OldToNew, Verdict::Risk));
    change.remedy = HOSTILE.into();
    for payload in &mut change.positions {
        payload.method = HOSTILE.into();
        payload.sender = HOSTILE.into();
    }
    for affected in &mut change.affected {
        affected.sender = HOSTILE.into();
    }
    change.witness = vec![witness(json!({ HOSTILE: HOSTILE }))];
    let location_of =
        |protocol: &Protocol| Some(SourceLocation::from(&location_of_field(protocol)));
    change.old = location_of(&old);
    change.new = location_of(&new);
    let report = Report::new(&old, &new, vec![HOSTILE.into()], vec![change], 0);
    Whole { report, old: old_sources, new: new_sources, outcome: PolicyOutcome::default() }
}

fn location_of_field(protocol: &Protocol) -> Location {
    match &protocol.types.values().next().unwrap().kind {
        TypeKind::Record(record) => record.fields[0].location.clone(),
        kind => panic!("{kind:?}"),
    }
}

/// A witness of a break from old to new.
pub(crate) fn witness(message: serde_json::Value) -> Witness {
    Witness {
        direction: Direction::OldToNew,
        message: Some(message),
        rejected: Some(format!("`{HOSTILE}` is missing")),
        forgiven: Some(json!(HOSTILE)),
        missing: None,
        payload: None,
        value: None,
        verdict: Verdict::Break,
    }
}
