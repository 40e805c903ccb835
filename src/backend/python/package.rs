//! The files of a package beside its modules: `pyproject.toml`, `README.md` and `__init__.py`.

use serde::Serialize;

use super::docs::{inline, sentence};
use super::model::{ERRORS, Exports, SidesModule, StateClass, VERSION, has_unstable};
use super::modules::Modules;
use super::program::{Program, program};
use super::reexports::{Reexports, ReexportsModel};
use super::{literals, names};
use crate::backend::license::LICENSE;
use crate::backend::metadata::toml_string;
use crate::backend::{DocsMode, Options};
use crate::ir::Protocol;

/// The names that `join.py` defines.
const JOIN: [&str; 3] = ["ABSENT", "JoinError", "join"];

/// The names that programs need of `streams.py`.
const STREAMS: [&str; 2] = ["Streamed", "StreamedCall"];

/// The names that programs need of `rpc`.
const RPC: [&str; 3] = ["ConnectionOptions", "StreamTransport", "Transport"];

/// `__init__.py`
#[derive(Debug, Serialize)]
pub(super) struct InitModule {
    doc: String,
    #[serde(flatten)]
    pub(super) reexports: ReexportsModel,
    /// The modules whose warnings are about who calls them, as literals, if there are warnings.
    makers: Vec<String>,
}

/// `pyproject.toml` and `README.md`
#[derive(Debug, Serialize)]
pub(super) struct PackageFiles<'m> {
    title: String,
    distribution: String,
    version: String,
    package: &'m str,
    /// The versions of the runtime that will do, if that is a package of its own.
    runtime: Option<String>,
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

/// Decides the contents of `__init__.py`. `has_status`: whether something is warned of.
pub(super) fn init_module(
    protocol: &Protocol,
    modules: &Modules,
    exports: &Exports,
    mode: DocsMode,
    has_status: bool,
) -> InitModule {
    let mut offered = Reexports::default();
    for name in ["UNSET", "UnsetType"] {
        offered.imports.msgspec(name);
        offered.list([name]);
    }
    for name in ["codecs", "methods"] {
        offered.imports.module(name, name);
        offered.list([name]);
    }
    offered.add("runtime/codec", ["Codec"]);
    offered.add("runtime/support", ["DecodeError", "given"]);
    offered.add("methods", protocol.version.is_some().then_some(VERSION));
    offered.add("errors", ERRORS);
    offered.add("runtime/status", has_unstable(protocol).then_some("UnstableWarning"));
    let interfaces = exports.interfaces.iter().map(String::as_str);
    if exports.connections.is_empty() {
        offered.add("interfaces", interfaces);
    } else {
        offered.add_late("connections", exports.connections.iter().map(String::as_str));
        offered.add_late("hosts", exports.hosts.iter().map(String::as_str));
        offered.add_late("runtime/rpc", RPC);
        // The annotations of handlers name contexts: an interface comes with the module of those.
        offered.add_late_by("connections", "interfaces", interfaces);
        if protocol.has_streams() {
            offered.add_late("runtime/streams", STREAMS);
            offered.add("runtime/join", JOIN);
        }
    }
    offered.add_old("states", exports.old_states.iter().map(String::as_str));
    offered.add_old("types", exports.old_types.iter().map(String::as_str));
    for (module, names) in [
        ("enums", &exports.enums),
        ("payloads", &exports.payloads),
        ("states", &exports.states),
        ("types", &exports.types),
    ] {
        offered.add(module, names.iter().map(String::as_str));
    }
    let mut makers = Vec::new();
    if has_status {
        offered.imports.module("runtime/status", "_status");
        makers.push("types");
        makers.extend((!protocol.sides.is_empty()).then_some("connections"));
    }
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
        reexports: offered.finish(modules, "__init__"),
        makers: makers.into_iter().map(|it| literals::string(&modules.dotted(it))).collect(),
    }
}

/// Decides the contents of `pyproject.toml` and `README.md`.
pub(super) fn package_files<'m>(
    protocol: &Protocol,
    options: &Options,
    modules: &'m Modules,
    sides: &'m SidesModule,
    states: &'m [StateClass],
) -> PackageFiles<'m> {
    let chosen = &options.metadata;
    let description = chosen.description.clone();
    let description =
        description.unwrap_or_else(|| format!("{}, for Python", inline(&protocol.title.wire)));
    let guide = guide(protocol, modules);
    PackageFiles {
        program: if guide.is_empty() { program(protocol, sides) } else { None },
        guide,
        distribution: names::distribution(options.published()),
        version: chosen
            .version
            .clone()
            .unwrap_or_else(|| version(protocol.origin.version.as_deref())),
        package: &modules.package,
        runtime: modules.is_runtime_apart.then(runtime_range),
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

/// The guide, with the names of modules where they are.
fn guide(protocol: &Protocol, modules: &Modules) -> Vec<String> {
    const PACKAGE: &str = "%PACKAGE%";
    let package = &modules.package;
    let mut text = protocol.guide("python", PACKAGE).join("\n");
    for (usual, there) in modules.moved() {
        text = text.replace(&format!("{PACKAGE}.{usual}"), &format!("{package}.{there}"));
    }
    text.replace(PACKAGE, package).lines().map(str::to_owned).collect()
}

/// The versions of the runtime that do what this tool's version prints.
fn runtime_range() -> String {
    let next = match (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")) {
        ("0", minor) => format!("0.{}", next(minor)),
        (major, _) => next(major),
    };
    format!(">={},<{next}", env!("CARGO_PKG_VERSION"))
}

/// The number after one.
fn next(number: &str) -> String {
    number.parse::<u64>().map_or_else(|_| number.to_owned(), |it| (it + 1).to_string())
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
