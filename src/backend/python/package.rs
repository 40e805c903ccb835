//! The files of a package beside its modules: `pyproject.toml`, `README.md` and `__init__.py`.

use serde::Serialize;

use super::docs::{inline, sentence};
use super::imports::{Import, Imports, compare};
use super::model::{Exports, SidesModule, StateClass, VERSION, has_unstable};
use super::program::{Program, program};
use super::{literals, names};
use crate::backend::license::LICENSE;
use crate::backend::metadata::toml_string;
use crate::backend::{DocsMode, Options};
use crate::ir::Protocol;

/// The names that `errors.py` defines.
const ERRORS: [&str; 9] = [
    "CallError",
    "ConnectionClosedError",
    "ConnectionLostError",
    "MalformedResponseError",
    "NotInBatchError",
    "NotSupportedError",
    "RequestError",
    "TooLongError",
    "VersionMismatchError",
];

/// The names that `_join.py` defines.
const JOIN: [&str; 3] = ["ABSENT", "JoinError", "join"];

/// The names that programs need of `streams.py`.
const STREAMS: [&str; 2] = ["Streamed", "StreamedCall"];

/// The names that programs need of `rpc`.
const RPC: [&str; 3] = ["ConnectionOptions", "StreamTransport", "Transport"];

/// `__init__.py`
#[derive(Debug, Serialize)]
pub(super) struct InitModule {
    doc: String,
    imports: Vec<Import>,
    /// The imports that are made once they are asked for: to type checkers, with the others.
    late_imports: Vec<Import>,
    /// The names that are imported late and the modules that they come from, as literals.
    late: Vec<[String; 2]>,
    /// All exported names as literals.
    all: Vec<String>,
}

/// `pyproject.toml` and `README.md`
#[derive(Debug, Serialize)]
pub(super) struct PackageFiles<'m> {
    title: String,
    distribution: String,
    version: String,
    pub(super) package: String,
    description: String,
    /// The metadata that the user has chosen: lines of the table `project`.
    metadata: Vec<String>,
    /// True if the package carries the text of its licence.
    has_license: bool,
    repository: Option<String>,
    guide: Vec<String>,
    /// A program, where there is no guide.
    program: Option<Program>,
    has_version: bool,
    /// True if HTTP is spoken beside `WebSocket`.
    has_http: bool,
    /// The states that updates make up.
    states: &'m [StateClass],
    #[serde(flatten)]
    sides: &'m SidesModule,
}

/// Decides the contents of `__init__.py`.
pub(super) fn init_module(protocol: &Protocol, exports: &Exports, mode: DocsMode) -> InitModule {
    let mut imports = Imports::default();
    let mut all: Vec<&str> =
        vec!["UNSET", "Codec", "DecodeError", "UnsetType", "codecs", "given", "methods"];
    imports.msgspec("UNSET");
    imports.msgspec("UnsetType");
    imports.own(".", "codecs");
    imports.own(".", "methods");
    imports.own("._codec", "Codec");
    imports.own("._support", "DecodeError");
    imports.own("._support", "given");
    if protocol.version.is_some() {
        imports.own(".methods", VERSION);
        all.push(VERSION);
    }
    for name in ERRORS {
        imports.own(".errors", name);
        all.push(name);
    }
    if has_unstable(protocol) {
        imports.own(".status", "UnstableWarning");
        all.push("UnstableWarning");
    }
    let mut late = Imports::default();
    let mut late_names = Vec::new();
    if !exports.connections.is_empty() {
        late_names.extend(exports.connections.iter().map(|name| (name.as_str(), ".connections")));
        late_names.extend(exports.hosts.iter().map(|name| (name.as_str(), ".hosts")));
        late_names.extend(RPC.iter().map(|name| (*name, ".rpc")));
        if protocol.has_streams() {
            late_names.extend(STREAMS.iter().map(|name| (*name, ".streams")));
            for name in JOIN {
                imports.own("._join", name);
                all.push(name);
            }
        }
    }
    for (name, module) in &late_names {
        late.own(module, name);
        all.push(name);
    }
    // The annotations of handlers name contexts: an interface comes with the module of those.
    let (handlers, early_handlers) = if exports.connections.is_empty() {
        (&[][..], exports.interfaces.as_slice())
    } else {
        (exports.interfaces.as_slice(), &[][..])
    };
    for name in handlers {
        late.own(".interfaces", name);
        late_names.push((name, ".connections"));
        all.push(name);
    }
    // Who takes everything (`import *`) gets no old names, and no warnings of them.
    for (module, names) in [(".states", &exports.old_states), (".types", &exports.old_types)] {
        for name in names {
            late.own(module, &format!("{name} as {name}"));
            late_names.push((name, module));
        }
    }
    if !late_names.is_empty() {
        late_names.sort_by(|(a, _), (b, _)| compare(a, b));
        imports.typing("TYPE_CHECKING");
    }
    for (module, names) in [
        (".enums", exports.enums.as_slice()),
        (".interfaces", early_handlers),
        (".payloads", &exports.payloads),
        (".states", &exports.states),
        (".types", &exports.types),
    ] {
        for name in names {
            imports.own(module, name);
            all.push(name);
        }
    }
    all.sort_by(|a, b| compare(a, b));
    let holds = if protocol.sides.is_empty() {
        "types and codecs"
    } else {
        "types, codecs and connections"
    };
    let title = format!("{}: {holds}.", inline(&protocol.title.wire));
    let text = match (&protocol.docs.description, mode) {
        (Some(description), DocsMode::Full) => format!("{title}\n\n{description}"),
        _ => title,
    };
    InitModule {
        doc: sentence(&text, 0),
        imports: imports.statements(),
        late_imports: late.statements(),
        late: late_names
            .iter()
            .map(|(name, module)| [name, module].map(|text| literals::string(text)))
            .collect(),
        all: all.into_iter().map(literals::string).collect(),
    }
}

/// Decides the contents of `pyproject.toml` and `README.md`.
pub(super) fn package_files<'m>(
    protocol: &Protocol,
    options: &Options,
    sides: &'m SidesModule,
    states: &'m [StateClass],
) -> PackageFiles<'m> {
    let chosen = &options.metadata;
    let description = chosen.description.clone();
    let description =
        description.unwrap_or_else(|| format!("{}, for Python", inline(&protocol.title.wire)));
    let guide = protocol.guide("python", &names::package(&options.package));
    PackageFiles {
        program: if guide.is_empty() { program(protocol, sides) } else { None },
        guide,
        distribution: names::distribution(options.published()),
        version: chosen
            .version
            .clone()
            .unwrap_or_else(|| version(protocol.origin.version.as_deref())),
        package: names::package(&options.package),
        description: toml_string(&description),
        metadata: metadata(options),
        has_license: options.license.is_some(),
        repository: chosen.repository.as_deref().map(toml_string),
        has_version: protocol.version.is_some(),
        title: markdown(&protocol.title.wire),
        has_http: protocol.remote.is_some(),
        states,
        sides,
    }
}

/// The licence and the authors as lines of the table `project`.
fn metadata(options: &Options) -> Vec<String> {
    let chosen = &options.metadata;
    let license =
        chosen.license.iter().map(|license| format!("license = {}", toml_string(license)));
    let file = options.license.iter().map(|_| format!("license-files = [\"{LICENSE}\"]"));
    let author = |author: &String| {
        let (name, address) = author.split_once('<').unwrap_or((author, ""));
        let name = format!("name = {}", toml_string(name.trim()));
        match address.trim_end().trim_end_matches('>').trim() {
            "" => format!("{{ {name} }}"),
            address => format!("{{ {name}, email = {} }}", toml_string(address)),
        }
    };
    let authors: Vec<String> = chosen.authors.iter().map(author).collect();
    let authors = (!authors.is_empty()).then(|| format!("authors = [{}]", authors.join(", ")));
    license.chain(file).chain(authors).collect()
}

/// The version of the schema's release, where Python takes it for one.
fn version(release: Option<&str>) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let is_version = |text: &&str| {
        let (numbers, stage) = text.split_once('-').unwrap_or((text, "rc"));
        let (stage, number) = stage.split_once('.').unwrap_or((stage, "0"));
        let is_stage = ["alpha", "beta", "rc"].contains(&stage);
        numbers.split('.').all(is_number) && is_stage && is_number(number)
    };
    release.filter(is_version).unwrap_or("0.0.0").to_owned()
}

/// A title as running text of Markdown: nothing in it is markup.
fn markdown(text: &str) -> String {
    inline(text)
        .chars()
        .flat_map(|character| {
            let escape = character.is_ascii_punctuation() && !".,:-()'".contains(character);
            escape.then_some('\\').into_iter().chain([character])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_python_takes() {
        for good in ["1.15.1", "2", "1.0.0-beta.3", "1.0.0-rc"] {
            assert_eq!(version(Some(good)), good);
        }
        for bad in [None, Some(""), Some("v1"), Some("1.0-draft"), Some("1\""), Some("1.0.0-rc.")] {
            assert_eq!(version(bad), "0.0.0");
        }
    }

    #[test]
    fn titles_are_no_markup() {
        assert_eq!(markdown("A <b> [x](y) `c`"), "A \\<b\\> \\[x\\](y) 'c'");
    }
}
