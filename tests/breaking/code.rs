//! What is said of code is what `--code` shows of it.

use std::collections::BTreeSet;

use acp_bindgen::breaking::source::{CodeDiff, EffectKind, Fate, Language, LanguageDiff};
use acp_bindgen::breaking::{Change, Comparison, Effect};
use acp_bindgen::schema::bundled;

use super::pair::{Pair, Text};

/// Asserts that a declaration is shown as gone or changed for users just where a finding says
/// that its users break, in each language.
pub(crate) fn assert_agrees(pair: &Pair) {
    let comparison = pair.comparison();
    let code = comparison.source.diff(Language::ALL);
    let is_guessed =
        [&pair.old, &pair.new].iter().any(|text| text.methods.is_some()) || pair.is_unbound();
    for (at, language) in code.languages.iter().enumerate() {
        let mut shown = BTreeSet::new();
        for declaration in &language.declarations {
            let at = format!("{}: {} {}", pair.name, language.name, declaration.name);
            for effect in &declaration.effects {
                if effect.effect.is_breaking() {
                    assert!(!effect.findings.is_empty() || is_guessed, "{at}: {}", effect.text);
                    shown.extend(effect.findings.iter().map(String::as_str));
                }
            }
            let is_gone = declaration.fate == Fate::Removed;
            // What users have asked for may go.
            let gone = [Effect::Name, Effect::Conditional("unstable-feature")];
            let names = declaration.effects.iter().any(|effect| gone.contains(&effect.effect));
            assert!(names || !is_gone, "{at} is gone");
        }
        let changes = comparison.report.changes.iter();
        let said = changes.filter(|change| change.source.languages()[at].1.is_breaking());
        let said: BTreeSet<&str> = said.map(|change| change.id.as_str()).collect();
        assert_eq!(said, shown, "{}: {}", pair.name, language.name);
    }
    assert!(code.is_empty() || !comparison.report.changes.is_empty(), "{}: in code", pair.name);
}

/// A small protocol, to be edited.
const OLD: &str = r##"{
    "title": "House",
    "$defs": {
        "OpenRequest": {
            "type": "object", "x-method": "door/open", "x-side": "house",
            "properties": {
                "colour": { "type": "string" },
                "level": { "type": "integer" },
                "kind": { "$ref": "#/$defs/Kind" }
            },
            "required": ["level"]
        },
        "OpenResponse": { "type": "object", "x-method": "door/open", "x-side": "house" },
        "Kind": { "type": "string", "enum": ["oak", "steel"] },
        "Gone": { "type": "object", "properties": { "a": { "type": "string" } } }
    }
}"##;

/// The findings about a schema of which parts were replaced, and how code changes.
fn edited(edits: &[(&str, &str)]) -> (Vec<Change>, CodeDiff) {
    let mut new = OLD.to_owned();
    for (from, to) in edits {
        assert!(new.contains(from), "{from}");
        new = new.replace(from, to);
    }
    let text = |schema: String| Text { schema, overlay: None, methods: None };
    let Comparison { report, source } =
        Pair::between("edited", text(OLD.to_owned()), text(new)).comparison();
    (report.changes, source.diff(Language::ALL))
}

fn change<'a>(changes: &'a [Change], id: &str) -> &'a Change {
    changes.iter().find(|change| change.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn diff_of(language: &LanguageDiff, name: &str) -> String {
    let declaration = language.declarations.iter().find(|other| other.name == name).unwrap();
    declaration
        .lines
        .iter()
        .fold(String::new(), |text, line| text + &format!("{}{}\n", line.mark, line.text))
}

#[test]
fn the_same_protocol_has_no_difference() {
    assert!(edited(&[]).1.is_empty());
    assert!(edited(&[("House", "Home")]).1.is_empty(), "a title is not declared");
}

#[test]
fn a_field_that_goes_and_one_that_comes() {
    let (changes, diff) = edited(&[
        (r#""colour": { "type": "string" },"#, ""),
        (r#"["level"]"#, r#"["level", "kind"]"#),
    ]);
    let [rust, typescript, python] = diff.languages.as_slice() else { panic!("{diff:?}") };
    assert_eq!(
        diff_of(typescript, "OpenRequest"),
        " export type OpenRequest = {\n-  colour?: string;\n   level: number;\n-  kind?: Kind;\n\
         +  kind: Kind;\n };\n"
    );
    assert!(diff_of(rust, "OpenRequest").contains("-    pub colour: Option<String>,\n"));
    assert!(diff_of(python, "OpenRequest").contains("-    colour: str | UnsetType = UNSET\n"));

    let removed = change(&changes, "property-removed-optional:OpenRequest.colour");
    let required = change(&changes, "property-became-required:OpenRequest.kind");
    let texts = |language: &LanguageDiff, change| -> Vec<String> {
        let effects = language.effects(change);
        effects.iter().map(|effect| format!("{}: {}", effect.kind.label(), effect.text)).collect()
    };
    assert_eq!(
        texts(rust, removed),
        [
            "names gone: `OpenRequest::colour` is gone",
            "names gone: `OpenRequest::colour()` is gone",
        ]
    );
    assert_eq!(texts(typescript, removed), ["names gone: `OpenRequest.colour` is gone"]);
    assert_eq!(
        texts(python, removed),
        [
            "names gone: `OpenRequest.colour` is gone",
            "builders: `HousePeer.open()`: `async def open(self, level: Int64, *, \
             colour: str | UnsetType = UNSET, kind: Kind | UnsetType = UNSET) -> OpenResponse: ...` \
             is now `async def open(self, level: Int64, *, kind: Kind) -> OpenResponse: ...`",
        ]
    );
    assert_eq!(
        texts(typescript, required),
        ["builders: `OpenRequest.kind`: `kind?: Kind` is now `kind: Kind`"]
    );
    assert!(texts(rust, required).iter().any(|text| text.contains("Option<Kind>")));
    let new = "builders: `OpenRequest::new()`: ";
    assert!(texts(rust, required).iter().any(|text| text.starts_with(new)), "{diff:#?}");
    assert!(texts(python, required).iter().any(|text| text.starts_with("builders: ")));
}

#[test]
fn a_value_of_an_enum_and_a_type_that_goes() {
    let (changes, diff) = edited(&[
        (r#"["oak", "steel"]"#, r#"["oak", "steel", "glass"]"#),
        (
            r#""Gone": { "type": "object", "properties": { "a": { "type": "string" } } }"#,
            r#""Came": {"type": "object"}"#,
        ),
    ]);
    for language in &diff.languages {
        let added = change(&changes, "enum-value-added-closed:Kind=glass");
        let effects = language.effects(added);
        let text = &effects.first().unwrap().text;
        assert!(text.to_lowercase().contains("glass"), "{}: {text}", language.name);
        assert_eq!(effects[0].kind, EffectKind::Reads, "{}", language.name);
        let gone = change(&changes, "type-removed:Gone");
        let effects = language.effects(gone);
        assert_eq!(effects.first().unwrap().text, "`Gone` is gone", "{}", language.name);
        let came = language.declarations.iter().find(|declaration| declaration.name == "Came");
        assert_eq!(came.unwrap().fate, Fate::Added);
    }
}

#[test]
fn a_method_that_goes_takes_its_handler_and_its_call_with_it() {
    let (changes, diff) = edited(&[(
        r#""type": "object", "x-method": "door/open", "x-side": "house""#,
        r#""type": "object""#,
    )]);
    let gone = change(&changes, "method-removed:OpenRequest.door/open");
    for language in &diff.languages {
        assert!(!language.declarations.is_empty());
        let effects = language.effects(gone);
        assert!(!effects.is_empty(), "{}: {:#?}", language.name, language.declarations);
    }
}

#[test]
fn the_schemas_explain_all_that_code_loses_between_bundled_versions() {
    let text = |name: &str| {
        let (schema, overlay) = bundled::text(name).unwrap();
        Text { schema: schema.text, overlay: Some(overlay.text), methods: None }
    };
    let pairs = [
        ["acp@v1", "acp@v2"],
        ["acp@v2", "acp@v1"],
        ["acp@v1-unstable", "acp@v1"],
        ["acp@v2", "acp@v2-unstable"],
    ];
    for [old, new] in pairs {
        let comparison = Pair::between(old, text(old), text(new)).comparison();
        let changes = comparison.report.changes.iter();
        let unexplained: Vec<_> = changes
            .filter(|change| change.rule.id == "generated-api-changed")
            .map(|change| &change.summary)
            .collect();
        assert!(unexplained.is_empty(), "{old} to {new}: {unexplained:?}");
    }
}
