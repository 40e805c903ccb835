//! Lints a schema: finds what is allowed, but would better be done in another way.
//!
//! Rules are data ([`Rule`]), in one file a family, each with the code that finds what it is about.
//! They look at the model where they can, so that it does not matter how the schema is written, and
//! at the document where that is what they are about. What reading a schema reports is among the
//! findings, too.

mod context;
mod finding;
mod names;
mod openness;
mod places;
mod presence;
mod profile;
mod prose;
pub mod report;
mod reported;
mod rule;
mod unions;
mod values;
mod words;

pub use finding::Finding;
pub use profile::{Extends, Profile};
pub use rule::Rule;
pub use words::WORDS;

use std::collections::HashMap;

use crate::diagnostic::Diagnostics;
use crate::ir::Protocol;
use crate::schema::{Document, Schema};
use crate::source::Sources;
use context::Context;

/// The families of rules.
static FAMILIES: [&[&Rule]; 7] = [
    &openness::RULES,
    &unions::RULES,
    &presence::RULES,
    &values::RULES,
    &prose::RULES,
    &names::RULES,
    reported::RULES,
];

/// Every rule, by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.into_iter().flatten().copied()
}

/// A schema, and the outcome of reading it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The schema.
    pub schema: &'a Schema,
    /// The protocol, if there was no error.
    pub protocol: Option<&'a Protocol>,
    /// The findings of reading and lowering the schema.
    pub diagnostics: &'a Diagnostics,
    /// The texts.
    pub sources: &'a Sources,
}

/// The outcome of looking at a schema.
#[derive(Clone, Debug, Default)]
pub struct Linted {
    /// The findings: the worst first, then in the order of the text.
    pub findings: Vec<Finding>,
    /// The number of further ones, whose rules are to be ignored.
    pub ignored: usize,
}

/// Looks at a schema by the rules of a profile.
///
/// Where reading it has failed, only what that reported is found.
///
/// ```
/// use acp_bindgen::lint::{Profile, Subject, lint};
/// use acp_bindgen::policy::RuleSeverity;
/// use acp_bindgen::{Purpose, SchemaText, load};
///
/// let schema = serde_json::json!({ "$defs": { "Hand": { "enum": ["left", "right"] } } });
/// let loaded = load(SchemaText::from_value("hello.json", &schema), Purpose::Generate);
/// let subject = Subject {
///     schema: loaded.schema.as_ref().ok_or("it is a schema")?,
///     protocol: loaded.protocol.as_ref(),
///     diagnostics: &loaded.diagnostics,
///     sources: &loaded.sources,
/// };
/// let is_closed = |profile: &Profile| {
///     let mut found = lint(subject, profile).findings.into_iter();
///     found.any(|finding| finding.id == "enum-without-fallback:Hand")
/// };
/// assert!(is_closed(&Profile::default()));
///
/// let mut profile = Profile::default();
/// profile.rules.insert("enum-without-fallback".into(), RuleSeverity::Ignore);
/// assert!(!is_closed(&profile));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lint(subject: Subject<'_>, profile: &Profile) -> Linted {
    // What is wrong with keywords has been reported when the schema was read.
    let document = Document::read(subject.schema, subject.sources, &mut Diagnostics::new());
    let mut found = reported::findings(&document, subject.diagnostics);
    if let Some(protocol) = subject.protocol {
        let mut context = Context::new(protocol, &document);
        openness::check(&mut context);
        unions::check(&mut context);
        presence::check(&mut context);
        values::check(&mut context);
        prose::check(&mut context);
        names::check(&mut context);
        found.extend(context.findings);
    }
    let mut linted = Linted::default();
    for mut finding in found {
        match profile.severity(finding.rule, finding.severity) {
            Some(severity) => {
                finding.severity = severity;
                linted.findings.push(finding);
            }
            None if profile.ignores(finding.rule) => linted.ignored += 1,
            None => {}
        }
    }
    linted.findings.sort_by(|one, other| key(one).cmp(&key(other)));
    number(&mut linted.findings);
    linted
}

fn key(finding: &Finding) -> (crate::diagnostic::Severity, u32, u32, &str) {
    let span = finding.location.span;
    (finding.severity, span.source, span.start, &finding.id)
}

/// Adds numbers to ids that several findings share.
fn number(findings: &mut [Finding]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let count = seen.entry(finding.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            finding.id = format!("{}#{count}", finding.id);
        }
    }
}
