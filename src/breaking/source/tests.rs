//! The difference of two small protocols, in each language.

use super::*;
use crate::breaking::report::fixture::{change, schema};

const OLD: &str = r#"{
    "title": "House",
    "$defs": {
        "OpenRequest": {
            "type": "object", "x-method": "door/open", "x-side": "house",
            "properties": {
                "colour": { "type": "string" },
                "level": { "type": "integer" },
                "kind": { "$ref": "\#/$defs/Kind" }
            },
            "required": ["level"]
        },
        "OpenResponse": { "type": "object", "x-method": "door/open", "x-side": "house" },
        "Kind": { "type": "string", "enum": ["oak", "steel"] },
        "Gone": { "type": "object", "properties": { "a": { "type": "string" } } }
    }
}"#;

fn edited(edits: &[(&str, &str)]) -> CodeDiff {
    let old = OLD.replace("\\#", "#");
    let mut new = old.clone();
    for (from, to) in edits {
        assert!(new.contains(from), "{from}");
        new = new.replace(from, to);
    }
    let (old, _) = schema("old.json", &old);
    let (new, _) = schema("new.json", &new);
    code_diff(&old, &new, Language::ALL)
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
    assert!(edited(&[]).is_empty());
    assert!(edited(&[("House", "Home")]).is_empty(), "a title is not declared");
}

#[test]
fn a_field_that_goes_and_one_that_comes() {
    let diff = edited(&[
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

    let removed = change("property-removed-optional", "OpenRequest", "colour");
    let required = change("property-became-required", "OpenRequest", "kind");
    let texts = |language, change| -> Vec<String> {
        let effects = diff.effects(language, change);
        effects.iter().map(|effect| format!("{}: {}", effect.kind.label(), effect.text)).collect()
    };
    assert_eq!(
        texts(rust, &removed),
        [
            "names gone: `OpenRequest::colour` is gone",
            "names gone: `OpenRequest::colour()` is gone",
        ]
    );
    assert_eq!(texts(typescript, &removed), ["names gone: `OpenRequest.colour` is gone"]);
    assert_eq!(texts(python, &removed), ["names gone: `OpenRequest.colour` is gone"]);
    assert_eq!(
        texts(typescript, &required),
        ["builders: `OpenRequest.kind`: `kind?: Kind` is now `kind: Kind`"]
    );
    assert!(texts(rust, &required).iter().any(|text| text.contains("Option<Kind>")));
    let new = "builders: `OpenRequest::new()`: ";
    assert!(texts(rust, &required).iter().any(|text| text.starts_with(new)), "{diff:#?}");
    assert!(texts(python, &required).iter().any(|text| text.starts_with("builders: ")));
}

#[test]
fn a_value_of_an_enum_and_a_type_that_goes() {
    let diff = edited(&[
        (r#"["oak", "steel"]"#, r#"["oak", "steel", "glass"]"#),
        (
            r#""Gone": { "type": "object", "properties": { "a": { "type": "string" } } }"#,
            r#""Came": {"type": "object"}"#,
        ),
    ]);
    for language in &diff.languages {
        let added = change("enum-value-added-closed", "Kind", "");
        let effects = diff.effects(language, &added);
        let text = &effects.first().unwrap().text;
        assert!(text.to_lowercase().contains("glass"), "{}: {text}", language.name);
        assert_eq!(effects[0].kind, EffectKind::Reads, "{}", language.name);
        let gone = change("type-removed", "Gone", "");
        let effects = diff.effects(language, &gone);
        assert_eq!(effects.first().unwrap().text, "`Gone` is gone", "{}", language.name);
        let came = language.declarations.iter().find(|declaration| declaration.name == "Came");
        assert_eq!(came.unwrap().fate, Fate::Added);
    }
}

#[test]
fn a_method_that_goes_takes_its_handler_and_its_call_with_it() {
    let diff = edited(&[(
        r#""x-method": "door/open", "x-side": "house""#,
        r#""x-method": "door/shut", "x-side": "house""#,
    )]);
    let gone = change("method-removed", "OpenRequest", "door/open");
    for language in &diff.languages {
        assert!(!language.declarations.is_empty());
        let effects = diff.effects(language, &gone);
        assert!(!effects.is_empty(), "{}: {:#?}", language.name, language.declarations);
    }
}

#[test]
fn the_last_part_of_a_path() {
    for (path, last) in [
        ("", None),
        ("a", Some("a")),
        ("a.b[]", Some("b")),
        ("a{}", Some("a")),
        ("<type=text>", Some("text")),
        ("a<Lamp>", Some("Lamp")),
        ("<type=text>.size", Some("size")),
    ] {
        assert_eq!(last_part(path), last, "{path}");
    }
}
