//! Custom templates: their values, filters and errors.

use acp_bindgen::backend::custom::Custom;
use acp_bindgen::backend::folder::{TemplateFile, TemplateFolder};
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::diagnostic::{Diagnostics, Style, render};
use acp_bindgen::output::FileSet;
use acp_bindgen::source::Sources;
use acp_bindgen::{Loaded, Purpose, SchemaText, load};
use serde_json::json;

fn emitted(docs: DocsMode, templates: &[(&str, &str)]) -> (FileSet, Diagnostics, Sources) {
    let schema = json!({ "title": "Lamps", "$defs": {
        "LampId": { "type": "string", "description": "Which lamp.\n*/ evil" },
        "SwitchRequest": {
            "type": "object", "x-side": "lamp", "x-method": "lamp/switch", "required": ["lamp"],
            "properties": {
                "lamp": { "$ref": "#/$defs/LampId" },
                "group": { "type": "array", "items": { "$ref": "#/$defs/Group" } },
                "class": { "type": "integer", "minimum": 0, "default": 3 }
            }
        },
        "SwitchResponse": { "type": "object", "x-side": "lamp", "x-method": "lamp/switch" },
        "Group": {
            "type": "object", "properties": { "parent": { "$ref": "#/$defs/Group" } }
        }
    } });
    let text = SchemaText::from_value("lamps.json", &schema);
    let Loaded { protocol, mut diagnostics, mut sources, .. } = load(text, Purpose::Generate);
    let protocol = protocol.unwrap();
    let files = templates
        .iter()
        .map(|(path, text)| TemplateFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
            source: 0,
        })
        .collect();
    let folder = TemplateFolder { label: "mine".to_owned(), files }.located(&mut sources);
    let options =
        Options { templates: folder, ..Options::new("lamp-sdk", docs, Runtime::default()) };
    let files = Custom { name: "mine" }.emit(&protocol, &options, &mut diagnostics);
    (files, diagnostics, sources)
}

fn printed(template: &str) -> String {
    let (files, diagnostics, sources) = emitted(DocsMode::Full, &[("out.jinja", template)]);
    assert!(diagnostics.is_empty(), "{}", render(&diagnostics, &sources, Style::Plain));
    files.get("out").unwrap().to_owned()
}

fn refused(template: &str) -> String {
    let (files, diagnostics, sources) = emitted(DocsMode::Full, &[("out.jinja", template)]);
    assert!(files.is_empty() && diagnostics.has_errors());
    render(&diagnostics, &sources, Style::Plain)
}

#[test]
fn files_are_printed_copied_or_included() {
    let (files, diagnostics, _) = emitted(
        DocsMode::Full,
        &[
            ("README.md", "{{ as it is }}"),
            ("_part.jinja", "part of {{ package }}"),
            ("__init__.py.jinja", "{% include \"_part\" %}"),
            ("methods/[method.kebab].txt.jinja", "{{ method.name.wire }}"),
            ("sides/[side.pascal].txt.jinja", "{{ side.name.wire }}"),
            (
                "[package]/[type].jinja",
                "{% if type.kind.kind == \"record\" %}{{ type.name.wire }}{% endif %}",
            ),
        ],
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let files: Vec<(&str, &str)> = files.iter().collect();
    let expected = [
        ("README.md", "{{ as it is }}"),
        ("__init__.py", "part of lamp-sdk"),
        ("lamp_sdk/group", "Group"),
        ("lamp_sdk/switch_request", "SwitchRequest"),
        ("lamp_sdk/switch_response", "SwitchResponse"),
        ("methods/switch.txt", "lamp/switch"),
        ("sides/Lamp.txt", "lamp"),
    ];
    assert_eq!(files, expected);
}

#[test]
fn names_have_a_case_and_text_is_escaped() {
    let template = "{% set name = protocol.types.SwitchRequest.name %}
{{ name | snake }} {{ name | camel }} {{ name | pascal }} {{ name | kebab }} {{ name | screaming }}
{{ \"class\" | ident(\"python\") }} {{ \"a b\" | camel }} {{ \"x\" | ident(\"c\", reserved=[\"x\"]) }}
{{ \"a'b\" | literal(\"python\") }} {{ none | literal(\"rust\") }} {{ [1] | json }}
{% for line in protocol.types.LampId.docs | doc(\"c\") %}
{{ line }}
{% endfor %}
{% for line in protocol.docs | doc(\"rust\") %}
{{ line }}
{% endfor %}
";
    assert_eq!(
        printed(template),
        "switch_request switchRequest SwitchRequest switch-request SWITCH_REQUEST
class_ aB x_
\"a'b\" () [1]
// Which lamp.
// *\\/ evil
"
    );
}

#[test]
fn types_are_walked() {
    let template = "{% macro names(types) %}{{ types | map(attribute=\"name.wire\") | join(\" \") }}
{% endmacro %}
{% set request = protocol.types.SwitchRequest %}
{{ names(topological()) -}}
{{ names(\"Group\" | reachable) -}}
{{ names([\"LampId\", \"Group\"] | reachable) -}}
{{ names(protocol.methods[0].kind.params | reachable) -}}
{{ names(request | references) -}}
{{ (request.kind.fields[0].ty | resolve).kind }} {{ (request.kind.fields[1].ty | definition).name.wire }}
{{ \"Group\" is recursive }} {{ request is recursive }} {{ request.kind.fields[0].ty is nullable }}
";
    assert_eq!(
        printed(template),
        "LampId Group SwitchRequest SwitchResponse
Group
LampId Group
LampId Group SwitchRequest
LampId Group
string Group
True False False
"
    );
}

#[test]
fn the_context_is_what_inspect_prints() {
    let text = printed("{{ protocol.ir_version }} {{ protocol | json }}");
    let json: serde_json::Value = serde_json::from_str(text.strip_prefix("1 ").unwrap()).unwrap();
    let field = &json["types"]["SwitchRequest"]["kind"]["fields"][2];
    assert_eq!(field["default"], json!(3));
    assert!(json["types"]["LampId"]["docs"]["description"].is_string());
    let templates = [("out.jinja", "{{ docs }} {{ protocol | json }}")];
    let (files, ..) = emitted(DocsMode::Off, &templates);
    let text = files.get("out").unwrap();
    assert!(text.starts_with("off ") && !text.contains("Which lamp"), "{text}");
}

#[test]
fn mistakes_are_shown_where_they_are() {
    for (template, expected) in [
        ("\n{{ protocol.tpes }}", ["`protocol.tpes` is undefined", "mine/out.jinja:2:4"]),
        ("{% if %}", ["expected", "mine/out.jinja:1:"]),
        ("{{ 1 | shout }}", ["shout", "mine/out.jinja:1:"]),
        ("a\n{{ fail(\"no unions here\") }}", ["no unions here", "mine/out.jinja:2:4"]),
        ("{{ \"x\" | literal(\"cobol\") }}", ["no syntax is called `cobol`", "out.jinja:1:"]),
        ("{{ \"Lamp\" | definition }}", ["no type is called `Lamp`", "mine/out.jinja:1:"]),
        ("{{ protocol.title | ident(\"c\") }}", ["give the name a case", "out.jinja:1:"]),
        ("{% include \"gone\" %}", ["gone", "mine/out.jinja:1:"]),
    ] {
        let text = refused(template);
        for part in expected {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

#[test]
fn a_mistake_in_a_part_is_shown_with_the_way_there() {
    let (_, diagnostics, sources) = emitted(
        DocsMode::Full,
        &[("_inner.jinja", "x\n  {{ nothing }}"), ("out.jinja", "\n\n{% include \"_inner\" %}\n")],
    );
    let text = render(&diagnostics, &sources, Style::Plain);
    for part in ["`nothing` is undefined", "mine/_inner.jinja:2:6", "mine/out.jinja:3", "included"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn paths_that_cannot_be_are_refused() {
    for (templates, code) in [
        (&[("[tipe].jinja", "")][..], "template-path"),
        (&[("a", ""), ("a.jinja", "")], "file-collision"),
        (&[("[type].jinja", "x"), ("group.jinja", "")], "file-collision"),
        (&[("_part.jinja", "")], "no-templates"),
        (&[], "no-templates"),
    ] {
        let (_, diagnostics, _) = emitted(DocsMode::Full, templates);
        assert!(diagnostics.iter().any(|found| found.code == code), "{code}: {diagnostics:?}");
    }
}

#[test]
fn a_template_that_does_not_end_is_stopped() {
    let nested = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
    let said = refused(nested);
    assert!(said.contains("does not come to its end"), "{said}");
    assert!(said.contains("loops within loops"), "{said}");
    let long = "{% set x = 'x' * 99999 %}{% for a in range(99999) %}{{ x }}{% endfor %}";
    let said = refused(long);
    assert!(said.contains("prints more than a file may hold"), "{said}");
    let round = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    assert!(refused(round).contains("out.jinja"), "{}", refused(round));
}
