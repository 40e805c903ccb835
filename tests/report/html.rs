//! The page: no schema can put anything into it but text.

use acp_bindgen::breaking::CompareOptions;
use acp_bindgen::breaking::compare_with;
use acp_bindgen::breaking::report::html;
use acp_bindgen::breaking::source::Language;

use super::fixture::{hostile, schema};

#[test]
fn a_schema_cannot_write_markup() {
    let whole = hostile();
    let page = html(&whole.view()).unwrap();
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains("<img"));
    assert!(!page.contains('\u{202e}'));
    assert!(page.contains("&lt;&#x2f;script&gt;&lt;img src=x onerror=alert(1)&gt;"), "{page}");
    // Every element that is opened is closed, so that nothing has ended too early.
    for element in ["details", "section", "figure", "pre", "code", "dd", "summary", "span", "li"] {
        let opened = page.matches(&format!("<{element}>")).count()
            + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let page = html(&hostile().view()).unwrap();
    for address in ["src=\"", "url(", "http://", "https://", "@import", "<link"] {
        assert!(!page.contains(address), "{address}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn locations_stand_side_by_side() {
    let page = html(&hostile().view()).unwrap();
    let row = |state: &str, value: &str| {
        format!(
            "<span class=\"{state}\"><i>9</i>  <b class=\"key\">&quot;type&quot;</b>: \
                 <b class=\"string\">&quot;{value}&quot;</b>\n</span>"
        )
    };
    assert!(page.contains(&row("removed", "string")), "{page}");
    assert!(page.contains(&row("added", "integer")), "{page}");
}

#[test]
fn code_is_there_once_and_linked() {
    let text = |property: &str| {
        format!(
            r#"{{"title": "T", "$defs": {{"Lamp": {{"type": "object", "properties": {{"{property}": {{"type": "string"}}}}}}}}}}"#
        )
    };
    let (old, old_sources) = schema("old.json", &text("colour"));
    let (new, new_sources) = schema("new.json", &text("</pre>"));
    let comparison = compare_with((&old).into(), (&new).into(), &CompareOptions::default());
    let diff = comparison.source.diff(Language::ALL);
    let mut whole = hostile();
    whole.old = old_sources;
    whole.new = new_sources;
    whole.report = comparison.report;
    let mut view = whole.view();
    view.code = Some(&diff);
    let page = html(&view).unwrap();
    assert_eq!(page.matches("id=\"code-typescript-Lamp\"").count(), 1);
    assert!(page.contains("href=\"#code-typescript-Lamp\""));
    assert!(page.contains("<span class=\"removed\"><i>-</i>  colour?: string;\n</span>"), "{page}");
    assert!(page.contains("<code>Lamp.colour</code> is gone"));
    assert!(!page.contains("</pre>&quot;") && page.contains("&lt;&#x2f;pre&gt;"));
}
