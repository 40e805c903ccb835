//! What must hold whatever the input is. It panics where something does not.

use acp_bindgen::backend::docs::{Docs, Format};
use acp_bindgen::backend::python::Python;
use acp_bindgen::backend::rust::Rust;
use acp_bindgen::backend::typescript::TypeScript;
use acp_bindgen::backend::{Backend, DocsMode, Options, Runtime};
use acp_bindgen::breaking::{Direction, Report, Subject, compare, compare_messages};
use acp_bindgen::decode::{DecodeError, DecodePlan, Decoder, Mode, UnknownFields};
use acp_bindgen::diagnostic::{Diagnostics, Style, render};
use acp_bindgen::example::Examples;
use acp_bindgen::ir::{Payload, Protocol, Type};
use acp_bindgen::lint::{self, Profile, lint};
use acp_bindgen::output::FileSet;
use acp_bindgen::schema::SchemaText;
use acp_bindgen::source::{SourceText, Sources};
use acp_bindgen::validate::{self, validate};
use acp_bindgen::{Loaded, Purpose, load};
use serde_json::Value;

use super::deep;
use super::input::Input;
use super::odd;
use crate::diffs::judged;
use crate::support::Random;

/// How far an input came.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reached {
    /// Both texts are schemas that can be compared.
    pub(crate) compared: u64,
    /// Code was made of the second.
    pub(crate) emitted: u64,
    /// Values that were decoded.
    pub(crate) decoded: u64,
}

/// Judges an input.
pub(crate) fn judge(input: &Input) -> Reached {
    let mut reached = Reached::default();
    let loaded = load_twice(&input.new, Purpose::Generate);
    if let Some(protocol) = &loaded.protocol {
        reached.emitted = u64::from(emits(protocol));
        reached.decoded = decodes(protocol);
        validates(&loaded, protocol);
        lints(&loaded);
    }
    let (old, new) =
        (load_twice(&input.old, Purpose::Compare), load_twice(&input.new, Purpose::Compare));
    if let (Some(old), Some(new)) = (subject(&old), subject(&new)) {
        reached.compared = 1;
        compares(old, new);
        if input.is_sensible {
            let [old, new] =
                [&input.old, &input.new].map(|text| serde_json::from_str(text).unwrap());
            judged("fuzz", &old, &new);
        }
    }
    reached
}

fn load_twice(text: &str, purpose: Purpose) -> Loaded {
    let read = || load(SchemaText::new("fuzz.json", text), purpose);
    let (one, other) = (read(), read());
    let report = |it: &Loaded| render(&it.diagnostics, &it.sources, Style::Plain);
    assert_eq!(report(&one), report(&other), "it says something else the second time");
    assert!(one.protocol == other.protocol, "it reads something else the second time");
    let failed = one.diagnostics.has_errors();
    assert_eq!(failed, one.protocol.is_none(), "{}", report(&one));
    one
}

fn subject(loaded: &Loaded) -> Option<Subject<'_>> {
    let (protocol, schema) = (loaded.protocol.as_ref()?, loaded.schema.as_ref()?);
    Some(Subject { protocol, document: Some(&schema.root) })
}

/// Every backend gives the same files twice, and its own checks find nothing wrong with them.
fn emits(protocol: &Protocol) -> bool {
    let docs = [Format::Html, Format::Markdown, Format::Mdx];
    let docs = docs.map(|format| Docs { format, ..Docs::default() });
    let mut backends: Vec<&dyn Backend> = vec![&Rust, &TypeScript, &Python];
    backends.extend(docs.iter().map(|docs| docs as &dyn Backend));
    let options = Options::new("fuzz", DocsMode::Full, Runtime::Embedded);
    let mut is_clean = true;
    for backend in backends {
        let emit = || {
            let mut diagnostics = Diagnostics::new();
            (backend.emit(protocol, &options, &mut diagnostics), diagnostics)
        };
        let ((files, diagnostics), (again, _)) = (emit(), emit());
        assert!(files == again, "{} gives something else the second time", backend.id());
        for diagnostic in diagnostics.iter() {
            let is_ours = ["internal-template", "invalid-rust"].contains(&diagnostic.code);
            assert!(!is_ours, "{}: {}", diagnostic.code, diagnostic.message);
        }
        is_clean &= !diagnostics.has_errors();
        if !diagnostics.has_errors() {
            assert_plain(&files);
        }
    }
    is_clean
}

/// Paths lead nowhere else, Rust parses, and no text holds what would read as other code.
fn assert_plain(files: &FileSet) {
    for (path, text) in files.iter() {
        assert!(
            !path.starts_with('/') && path.split('/').all(|it| !it.starts_with("..")),
            "{path}"
        );
        assert!(!text.contains('\0'), "{path} has a NUL");
        if std::path::Path::new(path).extension().is_some_and(|it| it == "rs") {
            let parsed = syn::parse_file(text);
            assert!(parsed.is_ok(), "{path}: {:?}", parsed.err());
        }
    }
}

/// The most types of a schema of which values are decoded.
const TYPES: usize = 60;

/// What the interpreter says is of one piece: strict receivers accept what lenient ones do, what is
/// encoded decodes to itself, and examples are accepted.
fn decodes(protocol: &Protocol) -> u64 {
    let examples = Examples::new(protocol);
    let mut random = Random(1);
    let mut count = 0;
    for unknown in [UnknownFields::Drop, UnknownFields::Preserve] {
        let plan = DecodePlan::new(protocol, unknown);
        let [strict, lenient] =
            [Mode::Strict, Mode::Lenient].map(|mode| Decoder::new(protocol, &plan, mode));
        for name in protocol.types.keys().take(TYPES) {
            let ty = Type::Named { name: name.clone() };
            for example in [examples.named(name), examples.least(name)].into_iter().flatten() {
                let decoded = strict.decode(&ty, &example);
                assert!(decoded.is_ok(), "{name} refuses its example {example}: {decoded:?}");
                let mut values = vec![example.clone()];
                values.extend((0..3).map(|_| spoiled(&example, &mut random)));
                for value in values {
                    decode(&strict, &lenient, &ty, &value);
                    count += 1;
                }
            }
            for value in deep::values(protocol, &strict, name, &mut random) {
                decode(&strict, &lenient, &ty, &value);
                count += 1;
            }
        }
    }
    count
}

fn decode(strict: &Decoder<'_>, lenient: &Decoder<'_>, ty: &Type, value: &Value) {
    let [told, forgiven] = [strict, lenient].map(|decoder| {
        let decoded = decoder.decode(ty, value);
        assert_eq!(
            decoder.examine(ty, value).value.as_ref(),
            decoded.as_ref().ok(),
            "{ty:?} {value}"
        );
        if let Ok(once) = &decoded {
            let twice = decoder.decode(ty, once);
            // What was left out counted: properties that the type does not know, or malformed ones.
            let is_short = |error: &DecodeError| error.expected.ends_with("or more properties");
            if once != value && twice.as_ref().is_err_and(is_short) {
                return decoded.ok();
            }
            assert_eq!(
                twice.as_ref().ok(),
                Some(once),
                "{ty:?}: {value} is {once}, then {twice:?}"
            );
        }
        decoded.ok()
    });
    if told.is_some() {
        assert_eq!(told, forgiven, "{ty:?}: {value}");
    }
}

/// A value with a part of it changed.
pub(crate) fn spoiled(value: &Value, random: &mut Random) -> Value {
    let mut value = value.clone();
    spoil(&mut value, random);
    value
}

fn spoil(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(members) if !members.is_empty() && !random.once_in(4) => {
            let index = random.below(members.len());
            let key = members.keys().nth(index).cloned().unwrap_or_default();
            if random.once_in(4) {
                members.shift_remove(&key);
            } else if let Some(member) = members.get_mut(&key) {
                spoil(member, random);
            }
        }
        Value::Array(items) if !items.is_empty() && !random.once_in(4) => {
            let index = random.below(items.len());
            spoil(&mut items[index], random);
        }
        _ => *value = odd::value(random),
    }
}

/// Messages that the schema gives and others are judged without trouble.
fn validates(loaded: &Loaded, protocol: &Protocol) {
    let examples = Examples::new(protocol);
    let mut random = Random(2);
    let mut lines = Vec::new();
    for method in protocol.methods.iter().take(20) {
        for message in [examples.call(method), examples.answer(method)].into_iter().flatten() {
            lines.extend([message.to_string(), spoiled(&message, &mut random).to_string()]);
        }
    }
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("fuzz.jsonl", lines.join("\n")));
    let document = loaded.schema.as_ref().map(|schema| (&schema.root, &loaded.sources));
    let subject = validate::Subject { protocol, document };
    for strict in [false, true] {
        let options = validate::Options { strict, side: None };
        validate(subject, &sources, [file], &options);
    }
}

fn lints(loaded: &Loaded) {
    let (Some(schema), protocol) = (&loaded.schema, loaded.protocol.as_ref()) else { return };
    let (diagnostics, sources) = (&loaded.diagnostics, &loaded.sources);
    lint(lint::Subject { schema, protocol, diagnostics, sources }, &Profile::default());
}

/// A schema differs from itself in nothing, and what breaks has a proof that both judge as it says.
fn compares(old: Subject<'_>, new: Subject<'_>) {
    for same in [old, new] {
        let report = compare(same, same);
        let ids: Vec<&String> = report.changes.iter().map(|change| &change.id).collect();
        assert!(ids.is_empty(), "it differs from itself: {ids:?}");
    }
    for (old, new) in [(old, new), (new, old)] {
        let report = compare(old, new);
        assert!(report == compare(old, new), "it says something else the second time");
        let shown = serde_json::to_string(&report);
        assert!(shown.is_ok_and(|text| !text.is_empty()));
        proves(old.protocol, new.protocol, &compare_messages(old, new));
    }
}

/// The sender's own interpreter takes a witness.
fn proves(old: &Protocol, new: &Protocol, report: &Report) {
    for change in &report.changes {
        for witness in &change.witness {
            let sender = if witness.direction == Direction::OldToNew { old } else { new };
            let (Some(message), Some(payload)) = (&witness.message, &witness.payload) else {
                continue;
            };
            // A method may be there for each side, and once more as a notification.
            let is_it = |it: &Payload| it.method == payload.method && it.part == payload.part;
            let payloads = sender.methods.iter().flat_map(|method| sender.payloads(method));
            let types: Vec<&Type> =
                payloads.filter(|(it, _)| is_it(it)).map(|(_, ty)| ty).collect();
            let value = message.get("params").or(message.get("result"));
            let Some(value) = value.filter(|_| !types.is_empty()) else { continue };
            let plan = DecodePlan::new(sender, UnknownFields::Drop);
            let decoder = Decoder::new(sender, &plan, Mode::Strict);
            let taken: Vec<_> = types.iter().map(|ty| decoder.decode(ty, value)).collect();
            assert!(
                taken.iter().any(Result::is_ok),
                "{}: its sender does not send {message}: {taken:?}",
                change.id
            );
        }
    }
}
