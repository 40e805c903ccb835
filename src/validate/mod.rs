//! Messages against a protocol: what is wrong with each, and with the conversation that they make
//! up.
//!
//! [`validate`] reads files of messages (`read`), follows the conversation (`talk`), and has the
//! interpreter of the decode plan and the schema validator judge what messages carry. What can be
//! found is in `rules`.

mod finding;
pub mod policy;
mod read;
pub mod report;
mod rules;
mod talk;
mod words;

pub use finding::Finding;
pub use read::fixed;
pub use report::Report;
pub use rules::{RULES, rule};
pub use words::WORDS;

use std::ops::Range;

use indexmap::IndexMap;

use crate::decode::{DecodePlan, Decoder, Mode, UnknownFields};
use crate::ir::{Handler, Protocol};
use crate::source::{Node, ParseErrorKind, Sources, Span};
use finding::Findings;
use read::{Layout, Sender, said};
use talk::{Bodies, Talk, WholeSchema};

/// The protocol that messages are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The document it was read from, overlays applied, and the texts it stands in. With it the
    /// report also tells where the schema and generated code differ about what messages carry.
    pub document: Option<(&'a Node, &'a Sources)>,
}

impl<'a> From<&'a Protocol> for Subject<'a> {
    fn from(protocol: &'a Protocol) -> Self {
        Self { protocol, document: None }
    }
}

/// The choices of a validation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// True if nothing is forgiven, as by receivers in strict mode.
    pub strict: bool,
    /// The side whose log the files are, where records say no more than "sent" and "received".
    pub side: Option<String>,
}

/// Judges the messages in files: the texts of these numbers. Each file is a conversation of its
/// own, unless there is only one message in it.
///
/// ```
/// use acp_bindgen::source::{SourceText, Sources};
/// use acp_bindgen::validate::{Options, validate};
/// use acp_bindgen::{Purpose, SchemaText, load};
///
/// let schema = serde_json::json!({ "$defs": { "WaveNotification": {
///     "type": "object",
///     "properties": { "times": { "type": "integer" } },
///     "x-method": "wave",
///     "x-side": "server",
/// } } });
/// let schema = SchemaText::from_value("hello.json", &schema);
/// let protocol = load(schema, Purpose::Generate).protocol.ok_or("the schema has errors")?;
///
/// let messages = r#"
/// { "jsonrpc": "2.0", "method": "wave", "params": { "times": 3 } }
/// { "jsonrpc": "2.0", "method": "wave", "params": { "times": "often" } }
/// "#;
/// let mut files = Sources::default();
/// let file = files.add(SourceText::new("log.jsonl", messages.trim_start()));
/// let report = validate(&protocol, &files, [file], &Options::default());
/// assert_eq!(report.messages, 2);
/// assert_eq!(report.findings.len(), 1);
/// let finding = &report.findings[0];
/// assert_eq!(finding.path, "params.times");
/// assert_eq!(finding.location.line, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate<'a>(
    subject: impl Into<Subject<'a>>,
    sources: &Sources,
    files: impl IntoIterator<Item = u32>,
    options: &Options,
) -> Report {
    let Subject { protocol, document } = subject.into();
    let plan = DecodePlan::new(protocol, UnknownFields::Drop);
    let mode = if options.strict { Mode::Strict } else { Mode::Lenient };
    let schema = document.map(|(root, texts)| WholeSchema::new(root, texts));
    let bodies = Bodies::new(Decoder::new(protocol, &plan, mode), schema.as_ref());
    let mut findings = Findings::new(sources);
    let mut messages = 0;
    for file in files {
        let trace = read::read(sources, file);
        tell_layout(&trace.layout, file, &mut findings);
        if trace.items.is_empty() {
            let location = findings.location(Span::from_range(file, &(0..0)));
            let what = "there is no message in this file".to_owned();
            findings.add_at(&rules::NO_MESSAGES, location, what);
        }
        let said: Vec<_> = trace
            .items
            .iter()
            .filter_map(|item| Some((item, said(protocol, item.node.as_ref()?))))
            .collect();
        let own = options.side.clone().or_else(|| own_side(protocol, said.iter().map(|it| &it.1)));
        let logging = said.iter().filter_map(|(_, said)| said.by.clone()).collect();
        let is_whole = trace.items.len() > 1;
        let mut talk = Talk::new(protocol, bodies, own, is_whole);
        let mut heard = said.into_iter().peekable();
        for item in &trace.items {
            for error in &item.errors {
                tell_error(error, &mut findings);
            }
            match heard.next_if(|(of, _)| std::ptr::eq(*of, item)) {
                // Where both ends write to one log, a message is there as it was sent.
                Some((_, said)) if said.is_twice(&logging) => {}
                Some((_, said)) => talk.hear(&said, &item.pointer, &mut findings),
                None => talk.miss(),
            }
        }
        messages += talk.count;
        talk.end(&mut findings);
    }
    let mut list = findings.list;
    list.sort_by_key(|finding| (finding.location.span.source, finding.location.line));
    let schema = protocol.origin.label.clone();
    Report { schema, messages, findings: list, ignored: 0 }
}

/// The side whose log a trace is, where a record says "sent" or "received" of a method that only
/// one side calls.
fn own_side<'s>(
    protocol: &Protocol,
    mut said: impl Iterator<Item = &'s read::Said<'s>>,
) -> Option<String> {
    said.find_map(|said| {
        let name = said.message.as_ref().ok()?.get("method")?.as_str()?;
        let mut methods = protocol.named(name);
        let method = methods.next().filter(|_| methods.next().is_none())?;
        let Handler::Side { name: handler } = &method.handler else { return None };
        match said.from {
            Sender::Own => read::other(protocol, handler),
            Sender::Other => Some(handler.clone()),
            _ => None,
        }
    })
}

fn tell_error(error: &crate::source::ParseError, findings: &mut Findings<'_>) {
    let (rule, message) = match &error.kind {
        ParseErrorKind::Syntax(why) => {
            findings.unread.insert(error.location.span);
            (&rules::INVALID_JSON, format!("this is no JSON: {why}"))
        }
        ParseErrorKind::TooDeep => {
            (&rules::TOO_DEEP, "the message is nested too deeply to be judged".to_owned())
        }
        ParseErrorKind::DuplicateKey { key, .. } => {
            (&rules::DUPLICATE_KEY, format!("the key `{key}` is there twice"))
        }
    };
    findings.add_at(rule, error.location.clone(), message);
}

/// Reports how a file departs from one message a line: once for each kind.
fn tell_layout(layout: &[(Layout, Range<usize>)], file: u32, findings: &mut Findings<'_>) {
    let mut kinds: IndexMap<Layout, (Range<usize>, usize)> = IndexMap::new();
    for (kind, range) in layout {
        kinds.entry(*kind).or_insert_with(|| (range.clone(), 0)).1 += 1;
    }
    for (kind, (range, count)) in kinds {
        let (rule, what) = match kind {
            Layout::SeveralLines => {
                (&rules::MESSAGE_NOT_A_LINE, "a message goes on in other lines")
            }
            Layout::SharedLine => {
                (&rules::MESSAGE_NOT_A_LINE, "a message stands on the line of another")
            }
            Layout::BlankLine => (&rules::UNTIDY_LINES, "a line is blank"),
            Layout::CarriageReturn => (&rules::UNTIDY_LINES, "a line ends with a carriage return"),
            Layout::WhiteSpace => (&rules::UNTIDY_LINES, "there is white space around a message"),
            Layout::NoLineEnd => (&rules::UNTIDY_LINES, "the last line has no end"),
        };
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span { source: file, start: offset(range.start), end: offset(range.end) };
        findings.add_at(rule, findings.location(span), format!("{what}{times}"));
    }
}
