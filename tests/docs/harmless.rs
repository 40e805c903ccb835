//! Hostile names and descriptions are text, whatever the format.

use acp_bindgen::backend::DocsMode;
use acp_bindgen::backend::docs::Format;
use proptest::prelude::{ProptestConfig, Strategy, proptest};
use proptest::test_runner::RngSeed;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::json;

use super::hostile::{HOSTILE, described, hostile, pieces};
use super::subject::{FORMATS, Subject, case, docs, protocol};

fn subjects() -> Vec<Subject> {
    [case("docs-escaping"), case("hostile-names"), Some(hostile())].into_iter().flatten().collect()
}

/// The tags of a text, each from `<` to `>`.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split('<').skip(1).filter_map(|rest| rest.split('>').next())
}

#[test]
fn html_has_no_tag_or_attribute_but_its_own() {
    for Subject { name, protocol, .. } in subjects() {
        check_html(&name, &docs(&protocol, Format::Html, DocsMode::Full));
    }
}

const TAGS: &str = "a article b blockquote body br button code dd details div dl dt em figcaption \
    figure h1 h2 h3 h4 head header hr html i input kbd li main meta nav ol p pre s section span \
    strong style summary table tbody td th thead title tr u ul script !doctype";

const ATTRIBUTES: &str = "aria-autocomplete aria-controls aria-expanded aria-label aria-labelledby aria-pressed \
    autocapitalize autocomplete charset class content data-entry data-kind data-name hidden href \
    html http-equiv id lang name open placeholder role scope spellcheck start tabindex type";

/// Links that lead to no code.
const SAFE: [&str; 4] = ["#", "http://", "https://", "mailto:"];

fn check_html(name: &str, text: &str) {
    let (head, rest) = text.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let (body, script) = rest.split_once("<script>").unwrap();
    assert_eq!(script.matches("</script").count(), 1);
    for tag in tags(head).chain(tags(body)) {
        if tag.starts_with("!--") {
            continue;
        }
        let (element, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let element = element.trim_start_matches('/');
        assert!(TAGS.split_whitespace().any(|known| known == element), "{name}: <{tag}>");
        // A value holds no quote, so that every other piece is outside of one.
        for attribute in attributes.split('"').step_by(2).flat_map(str::split_whitespace) {
            let attribute = attribute.trim_end_matches('=');
            let is_known = ATTRIBUTES.split_whitespace().any(|known| known == attribute);
            assert!(is_known, "{name}: <{tag}>");
        }
    }
    for href in body.split("href=\"").skip(1) {
        let is_safe = SAFE.iter().any(|start| href.starts_with(start));
        assert!(is_safe, "{name}: {}", href.split('"').next().unwrap_or_default());
    }
}

#[test]
fn markdown_has_no_html_but_its_anchors() {
    for Subject { name, protocol, .. } in subjects() {
        check_markdown(&name, &docs(&protocol, Format::Markdown, DocsMode::Full));
    }
}

fn check_markdown(name: &str, text: &str) {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut comments = 0;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::InlineHtml(html) => {
                let id = html.strip_prefix("<a id=\"").and_then(|rest| rest.strip_suffix("\">"));
                let is_id = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
                assert!(&*html == "</a>" || id.is_some_and(is_id), "{name}: {html}");
            }
            Event::Html(html) => {
                assert!(html.starts_with("<!-- ") && html.ends_with(" -->\n"), "{name}: {html}");
                comments += 1;
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(SAFE.iter().any(|it| dest_url.starts_with(it)), "{name}: {dest_url}");
            }
            Event::Start(Tag::Image { dest_url, .. }) => panic!("{name}: {dest_url}"),
            _ => {}
        }
    }
    assert_eq!(comments, 2, "{name}: only the header is a comment");
}

fn descriptions() -> impl Strategy<Value = Vec<String>> {
    let description = proptest::collection::vec(proptest::sample::select(pieces()), 0..30);
    proptest::collection::vec(description.prop_map(|pieces| pieces.concat()), 20)
}

/// The seed is fixed, so that a failure is the change's own.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 64,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(42),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_description_is_more_than_text(descriptions in descriptions()) {
        let protocol = described(&descriptions);
        check_html("random", &docs(&protocol, Format::Html, DocsMode::Full));
        check_markdown("random", &docs(&protocol, Format::Markdown, DocsMode::Full));
    }
}

/// The text that a reader sees is the same in HTML and in what a forge makes of the Markdown.
#[test]
fn nothing_is_lost_or_turned_into_something_else() {
    let Subject { protocol, .. } = hostile();
    let html = docs(&protocol, Format::Html, DocsMode::Full);
    let markdown = docs(&protocol, Format::Markdown, DocsMode::Full);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (index, description) in HOSTILE.iter().enumerate() {
        let start = format!("id=\"runrequest-f{index}\"");
        let from_html = html.split(&start).nth(1).unwrap();
        let from_html = from_html.split("<div class=\"row\"").next().unwrap();
        let from_html = from_html.split("<div class=\"prose\">").nth(1).unwrap_or_default();
        let from_html = from_html.split("</div>\n</div>").next().unwrap();
        let from_markdown = markdown.split(&format!("<a {start}>")).nth(1).unwrap();
        let from_markdown = from_markdown.split("\n- <a").next().unwrap();
        let from_markdown = from_markdown.split("\n\nExample:").next().unwrap();
        let from_markdown = from_markdown.split_once('\n').unwrap().1;
        let dedented: Vec<&str> =
            from_markdown.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
        let mut words = String::new();
        for event in Parser::new_ext(&dedented.join("\n"), options) {
            match event {
                Event::Text(text) | Event::Code(text) => words.push_str(&text),
                Event::SoftBreak | Event::HardBreak | Event::End(_) => words.push(' '),
                _ => {}
            }
        }
        let mut shown = String::new();
        for (at, piece) in from_html.split('<').enumerate() {
            let is_inline = |tag: &str| {
                let tag = tag.trim_start_matches('/');
                let name = tag.split([' ', '>']).next().unwrap_or_default();
                ["code", "a"].contains(&name)
            };
            let text =
                if at == 0 { piece } else { piece.split_once('>').map_or("", |(_, text)| text) };
            shown.push_str(if at == 0 || is_inline(piece) { "" } else { " " });
            shown.push_str(text);
        }
        for (entity, character) in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        {
            shown = shown.replace(entity, character);
        }
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(plain(&words), plain(&shown), "{description}");
        assert!(plain(&words).len() > 3, "{description}");
    }
}

/// What hides or reorders text never appears, nor does a control character.
#[test]
fn no_character_hides() {
    for Subject { name, protocol, .. } in subjects() {
        for format in FORMATS {
            let text = docs(&protocol, format, DocsMode::Full);
            let hidden = text.chars().find(|character| {
                character.is_control() && *character != '\n' && *character != '\t'
                    || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
                    || matches!(character, '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}')
            });
            assert_eq!(hidden, None, "{name} {format:?}");
        }
    }
}

#[test]
fn names_of_types_in_doc_comments_are_links() {
    let description = "See [`Lamp`], [Lamp], [`Lamp::on`], [the lamp](Lamp), [`crate::Lamp`], \
                       [`Lamps`] and [`Lamp`](https://example.com).";
    let protocol = protocol(&json!({
        "Lamp": { "type": "object" },
        "Room": { "type": "object", "description": description },
    }));
    let html = docs(&protocol, Format::Html, DocsMode::Full);
    let code = "<a href=\"#lamp\"><code>Lamp</code></a>";
    let expected = format!(
        "See {code}, <a href=\"#lamp\">Lamp</a>, <a href=\"#lamp\"><code>Lamp::on</code></a>, \
         <a href=\"#lamp\">the lamp</a>, <a href=\"#lamp\"><code>crate::Lamp</code></a>, \
         [<code>Lamps</code>] and <a href=\"https://example.com\"><code>Lamp</code></a>."
    );
    assert!(html.contains(&expected), "{html}");
    let markdown = docs(&protocol, Format::Markdown, DocsMode::Full);
    assert!(markdown.contains("See [`Lamp`](#lamp), [Lamp](#lamp), [`Lamp::on`](#lamp)"));
    assert!(markdown.contains("\\[`Lamps`\\] and [`Lamp`](https://example.com)."));
}

#[test]
fn descriptions_nested_without_end_are_no_trouble() {
    let protocol = protocol(&json!({
        "Deep": { "type": "object", "description": ">".repeat(2_000) },
        "List": { "type": "object", "description": "- ".repeat(2_000) + "end" },
        "Stars": { "type": "object", "description": "*a ".repeat(2_000) + &" a*".repeat(2_000) },
        "Links": { "type": "object", "description": "[".repeat(2_000) + &"](x)".repeat(2_000) },
    }));
    for format in FORMATS {
        assert!(docs(&protocol, format, DocsMode::Full).len() < 200_000);
    }
}
