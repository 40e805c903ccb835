//! The committed packages under `generated/` are current.

mod packages;

use std::fs;
use std::process::Command;

use packages::packages;

use crate::support;

#[test]
fn they_are_current() {
    let mut configs = 0;
    for entry in fs::read_dir(support::root().join("generated")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "toml") {
            let mut check = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
            check.args(["check", "--config"]).arg(entry.path()).current_dir(support::root());
            support::run(&mut check);
            configs += 1;
        }
    }
    assert!(configs > 0);
}

/// No word of the protocol's own documentation: it is not this project's to give away.
#[cfg(feature = "bundled")]
#[test]
fn they_hold_no_prose() {
    let prose = descriptions();
    assert!(prose.len() > 500);
    for language in ["rust", "typescript", "python"] {
        for (path, contents) in packages(language).iter() {
            let words = contents.split_whitespace().collect::<Vec<_>>().join(" ");
            for sentence in &prose {
                assert!(!words.contains(sentence.as_str()), "{path}: {sentence}");
            }
        }
    }
}

/// The sentences of the bundled schema's descriptions that are long enough to be told apart
/// from what anyone would write.
#[cfg(feature = "bundled")]
fn descriptions() -> Vec<String> {
    fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(members) => {
                if let Some(serde_json::Value::String(text)) = members.get("description") {
                    let sentences = text.split(['\n', '.']).map(str::trim);
                    found.extend(sentences.filter(|it| it.len() > 40).map(String::from));
                }
                members.values().for_each(|member| collect(member, found));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let (schema, _) = acp_bindgen::schema::bundled::text("acp@v1").unwrap();
    let mut found = Vec::new();
    collect(&serde_json::from_str(&schema.text).unwrap(), &mut found);
    found
}
