//! SARIF, judged by the schema of its standard.

use std::path::PathBuf;

use acp_bindgen::breaking::RULES;
use acp_bindgen::breaking::report::sarif;
use serde_json::Value;

use super::fixture::hostile;
use super::{diff, outcome};
use crate::support;

/// The JSON Schema of SARIF 2.1.0 as the crate `serde-sarif` carries it, or `None` where it cannot
/// be had.
fn schema() -> Option<Value> {
    support::available("the crate `serde-sarif`", || {
        let folder = support::target().join("test-scratch/sarif-schema");
        let manifest = "[package]\nname = \"sarif-schema\"\nedition = \"2024\"\n\n[workspace]\n\n\
                        [dependencies]\nserde-sarif = \"=0.8.0\"\n";
        support::write_files(&folder, [("Cargo.toml", manifest), ("src/lib.rs", "")]);
        let mut metadata = support::cargo();
        metadata.args(["metadata", "--format-version", "1", "--quiet"]).current_dir(&folder);
        let metadata = support::try_run(&mut metadata)?;
        let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
        let packages = metadata["packages"].as_array().ok_or("no packages")?;
        let package = packages.iter().find(|package| package["name"] == "serde-sarif");
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let manifest = PathBuf::from(manifest.ok_or("it is not there")?);
        let text = std::fs::read_to_string(manifest.with_file_name("src/schema.json"))
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    })
}

/// What judges logs, or `None` where the schema cannot be had.
pub(crate) fn validator() -> Option<jsonschema::Validator> {
    let mut schema = schema()?;
    // A pattern with a bracket that is never opened is no regular expression to everyone. It is
    // about a language, which the log does not name.
    for holder in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][holder]["properties"]["language"];
        assert!(language.as_object_mut().unwrap().remove("pattern").is_some());
    }
    Some(jsonschema::validator_for(&schema).unwrap())
}

#[test]
fn the_log_is_valid() {
    let Some(validator) = validator() else { return };
    let no_tool = serde_json::json!({ "version": "2.1.0", "runs": [{ "results": [] }] });
    assert!(!validator.is_valid(&no_tool), "the schema asks for a tool");
    let mut larger = std::process::Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    larger.args(["diff", "bundled:acp@v1", "bundled:acp@v2", "--format", "sarif"]);
    let mut lint = std::process::Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    lint.args(["lint", "--schema", "bundled:acp@v1", "--extends", "all", "--format", "sarif"]);
    for command in [&mut diff(&["--format", "sarif"]), &mut larger, &mut lint] {
        let log: Value = serde_json::from_str(&outcome(command).0).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .take(5)
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert!(!results.is_empty());
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert_eq!(result["locations"].as_array().unwrap().len(), 1, "{result:#}");
            let region = &result["locations"][0]["physicalLocation"]["region"];
            assert!(region["startLine"].as_u64() <= region["endLine"].as_u64());
        }
    }
}

#[test]
fn a_result_has_its_locations_and_its_fingerprint() {
    let whole = hostile();
    let log: Value = serde_json::from_str(&sarif(&whole.view())).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), RULES.len());
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "type-changed");
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "type-changed");
    assert_eq!(result["level"], "error");
    assert_eq!(result["partialFingerprints"]["changeId/v1"], whole.report.changes[0].id);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "n%3Ce%3Ew%7C%0A%3A%3Ax%3A%3A.json");
    assert_eq!(location["region"]["startLine"], 8);
    assert_eq!(location["region"]["endLine"], 10);
    let related = &result["relatedLocations"][0]["physicalLocation"];
    assert_eq!(related["artifactLocation"]["uri"], "o%3Cld%3E%7C%0A%3A%3Ax%3A%3A.json");
}
