//! Links lead somewhere.

use std::collections::HashSet;

use acp_bindgen::backend::DocsMode;
use acp_bindgen::backend::docs::Format;
use acp_bindgen::ir::Protocol;

use super::subject::{FORMATS, bundled, cases, docs};

/// All ids, in order.
pub(crate) fn ids(text: &str) -> Vec<String> {
    between(text, " id=\"", '"')
}

/// What links within the page lead to.
fn links(text: &str) -> Vec<String> {
    let mut links = between(text, "href=\"#", '"');
    links.extend(between(text, "](#", ')'));
    links
}

fn between(text: &str, start: &str, end: char) -> Vec<String> {
    let pieces = text.split(start).skip(1);
    pieces.filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for subject in bundled().into_iter().chain(cases()) {
        for format in FORMATS {
            let text = docs(&subject.protocol, format, DocsMode::Full);
            let text = text.split("<script>").next().unwrap_or_default();
            let ids = ids(text);
            let known: HashSet<&String> = ids.iter().collect();
            assert_eq!(known.len(), ids.len(), "{} {format:?}: an id twice", subject.name);
            let links = links(text);
            let lost: Vec<_> = links.iter().filter(|link| !known.contains(link)).collect();
            assert!(lost.is_empty(), "{} {format:?}: {lost:?}", subject.name);
            // The table of contents leads to all methods, and to the types that no method shows as
            // its own; a site makes one itself.
            let Protocol { methods, types, .. } = &subject.protocol;
            let others = types.values().filter(|def| def.roles.is_empty() && !def.inline);
            let others = others.filter(|def| !def.docs.hidden).count();
            let least = if format == Format::Mdx { 0 } else { methods.len() + others };
            assert!(
                links.len() >= least,
                "{} {format:?}: {} of {least}",
                subject.name,
                links.len()
            );
        }
    }
}

#[test]
fn the_same_schema_gives_the_same_docs() {
    for (first, second) in bundled().iter().zip(bundled()) {
        for format in FORMATS {
            let again = docs(&second.protocol, format, DocsMode::Full);
            assert!(docs(&first.protocol, format, DocsMode::Full) == again, "{format:?}");
        }
    }
}
