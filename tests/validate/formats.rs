//! The formats for programs and services say what the text says.

use acp_bindgen::policy::{Threshold, Waiver, day_of};
use acp_bindgen::source::Location;
use acp_bindgen::validate::policy::ValidatePolicy;
use acp_bindgen::validate::report::{github, json, sarif, text};
use acp_bindgen::validate::{Options, RULES};
use serde_json::Value;

use super::{Judged, WORKSHOP};
use crate::report::sarif::validator;

/// Messages that try to be markup, commands, or the end of something.
const HOSTILE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"::error file=x::%0A\u001b[31m"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":0,"result":null}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"speak":"\u202e::set-output name=a::b\n"}}"#,
    "\n",
);

fn hostile() -> Judged {
    Judged::new(WORKSHOP, &[("a b/t:,.jsonl", HOSTILE)], &Options::default())
}

#[test]
fn sarif_is_valid_and_has_every_finding() {
    let judged = hostile();
    let log: Value = serde_json::from_str(&sarif(&judged.view())).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), RULES.len());
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), judged.report.findings.len());
    for (result, finding) in results.iter().zip(&judged.report.findings) {
        assert_eq!(result["ruleId"], finding.rule.id);
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(RULES[index].id, finding.rule.id);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], finding.location.line);
        assert_eq!(result.get("relatedLocations").is_some(), finding.schema.is_some());
    }
    let Some(validator) = validator() else { return };
    let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn nothing_in_a_message_becomes_a_command_or_acts_on_a_terminal() {
    let judged = hostile();
    let github = github(&judged.view());
    assert!(github.lines().all(|line| {
        ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start))
    }));
    assert!(github.contains("::error file=a b/t%3A%2C.jsonl,line=3,col="), "{github}");
    for text in [github, text(&judged.view())] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
}

#[test]
fn json_has_every_place() {
    let judged = hostile();
    let report: Value = serde_json::from_str(&json(&judged.view())).unwrap();
    assert_eq!(report["schema"], "workshop.json");
    assert_eq!(report["messages"], 3);
    let findings = report["findings"].as_array().unwrap();
    let invalid = findings.iter().find(|finding| finding["rule"] == "invalid-value").unwrap();
    assert_eq!(invalid["id"], "invalid-value:hello:params.speak");
    assert_eq!(invalid["at"]["pointer"], "/params/speak");
    assert_eq!((&invalid["from"], &invalid["to"]), (&"client".into(), &"server".into()));
    assert_eq!(invalid["schema"]["pointer"], "/$defs/HelloRequest/properties/speak");
    let errors = findings.iter().filter(|finding| finding["severity"] == "error").count();
    assert_eq!(report["tally"]["error"], errors);
    assert_eq!(report["policy"]["fails"], true);
}

#[test]
fn a_policy_decides_what_fails() {
    let mut judged = hostile();
    let waiver = |finding: &str| Waiver {
        finding: finding.to_owned(),
        reason: "known".to_owned(),
        expires: day_of(86_400),
        location: Location::default(),
    };
    let fails = |fail_on: Threshold, waivers: &[&str]| {
        let waivers = waivers.iter().map(|it| waiver(it)).collect();
        let policy = ValidatePolicy { fail_on, waivers, ..ValidatePolicy::default() };
        judged.report.outcome(&policy, day_of(0))
    };
    assert!(fails(Threshold::Error, &[]).fails);
    assert!(!fails(Threshold::Never, &[]).fails);
    let accepted = ["invalid-value:hello:*", "before-opening:*"];
    assert!(!fails(Threshold::Error, &accepted).fails);
    assert!(fails(Threshold::Warning, &accepted).fails);
    judged.outcome = fails(Threshold::Error, &accepted);
    let shown = text(&judged.view());
    assert!(shown.contains("error (waived)"), "{shown}");
    assert!(shown.ends_with(", 2 waived\n"), "{shown}");
    let log: Value = serde_json::from_str(&sarif(&judged.view())).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.iter().filter(|it| it.get("suppressions").is_some()).count(), 2);
}
