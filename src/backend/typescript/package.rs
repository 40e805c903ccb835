//! The model of what surrounds the code: `package.json`, `tsconfig.json`, `README.md`.

use serde::Serialize;

use super::literals::{self, literal};
use super::runtime::VERSIONS;
use super::types::Scope;
use crate::backend::{Options, Runtime, header_lines};
use crate::ir::{Presence, Protocol, Selector, Type, TypeKind, Union};

/// The model that every file of the package can refer to.
#[derive(Debug, Serialize)]
pub(super) struct PackageModel {
    /// The lines that begin every file, without comment marks.
    pub(super) header: [String; 2],
    /// The package's name and the rest of `package.json`, as JSON literals.
    pub(super) json: PackageJson,
    /// The package's name and the protocol's title, as plain text for Markdown.
    pub(super) heading: String,
    pub(super) title: String,
    /// The package's name as a literal has it, without the quotes.
    pub(super) specifier: String,
    /// The environment variable that has connections logged.
    pub(super) log_variable: String,
    /// The guide of the schema's authors: lines of Markdown.
    pub(super) guide: Vec<String>,
    /// An example of a union.
    pub(super) example: Option<Example>,
    /// True if modules import each other by the names of their sources.
    pub(super) imports_sources: bool,
    /// The versions of the runtime that it can stand on, if that is a package of its own.
    runtime: Option<&'static str>,
}

/// An example of a union, by the way it is told apart.
#[derive(Debug, Serialize)]
pub(super) struct Example {
    /// The literal of the package's name.
    package: String,
    /// The union, and its tag.
    name: String,
    tag: String,
    /// Literals of the tag, and a field that is there then.
    cases: Vec<(String, String)>,
}

/// JSON literals.
#[derive(Debug, Serialize)]
pub(super) struct PackageJson {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: String,
    pub(super) license: Option<String>,
    /// True if the package carries the text of its licence.
    pub(super) has_license: bool,
    pub(super) repository: Option<String>,
    /// The first author, and the others.
    pub(super) author: Option<String>,
    pub(super) contributors: Vec<String>,
    pub(super) generator: String,
    pub(super) schema: String,
    pub(super) schema_version: Option<String>,
    pub(super) digest: String,
}

impl PackageModel {
    /// Describes the package.
    pub(super) fn new(scope: Scope<'_>, options: &Options) -> Self {
        let origin = &scope.protocol.origin;
        let title = plain(&scope.protocol.title.wire);
        let metadata = &options.metadata;
        let version = origin.version.as_deref().filter(|version| is_version(version));
        let version = metadata.version.as_deref().or(version);
        let description =
            metadata.description.clone().unwrap_or_else(|| format!("{title}, for TypeScript"));
        // What npm has for a licence that has no name.
        let unnamed = options.license.as_ref().map(|_| "SEE LICENSE IN LICENSE");
        let license = metadata.license.as_deref().or(unnamed);
        let mut authors = metadata.authors.iter().map(|author| json_string(author));
        let json = PackageJson {
            name: json_string(&options.package),
            version: json_string(version.unwrap_or("0.0.0")),
            description: json_string(&description),
            license: license.map(json_string),
            has_license: options.license.is_some(),
            repository: metadata.repository.as_deref().map(json_string),
            author: authors.next(),
            contributors: authors.collect(),
            generator: json_string(concat!("acp-bindgen ", env!("CARGO_PKG_VERSION"))),
            schema: json_string(&plain(&origin.label)),
            schema_version: origin.version.as_deref().map(|version| json_string(&plain(version))),
            digest: json_string(&format!("sha256 {}", plain(&origin.digest))),
        };
        Self {
            header: header_lines(origin),
            json,
            heading: plain(&options.package),
            specifier: literal(&options.package).trim_matches('"').to_owned(),
            title,
            log_variable: log_variable(&options.package),
            guide: scope.protocol.guide("typescript", &plain(&options.package)),
            example: example(scope, &options.package),
            imports_sources: options.imports_sources,
            runtime: (options.runtime == Runtime::Package).then_some(VERSIONS),
        }
    }
}

/// The environment variable that has connections of a package logged: `MY_SDK_LOG`.
fn log_variable(package: &str) -> String {
    let words = package.split(|character: char| !character.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).map(str::to_ascii_uppercase);
    words.chain([String::from("LOG")]).collect::<Vec<_>>().join("_")
}

/// A string as JSON prints it, in ASCII.
fn json_string(value: &str) -> String {
    let printed = serde_json::Value::from(value).to_string();
    let mut out = String::with_capacity(printed.len());
    for character in printed.chars() {
        if character.is_ascii() && character != '\u{7f}' {
            out.push(character);
        } else {
            literals::push_escaped(&mut out, character);
        }
    }
    out
}

/// Text that means nothing in Markdown.
fn plain(value: &str) -> String {
    let kept: String = value
        .chars()
        .map(|character| match character {
            // The `@` of a scoped package, too.
            '.' | '-' | ':' | '/' | '+' | '@' => character,
            _ if literals::is_plain_letter(character) => character,
            _ => ' ',
        })
        .collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    if words.is_empty() { String::from("protocol") } else { words.join(" ") }
}

/// Tells whether npm takes this for a version: three numbers, and perhaps a prerelease.
fn is_version(version: &str) -> bool {
    let (numbers, rest) = version.split_once(['-', '+']).unwrap_or((version, "0"));
    let is_number = |part: &str| {
        !part.is_empty()
            && part.len() < 10
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && !rest.is_empty()
        && rest.split('.').all(|part| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && (!part.bytes().all(|byte| byte.is_ascii_digit()) || is_number(part))
        })
}

/// The first union that has what it takes to show how one is told apart.
fn example(scope: Scope<'_>, package: &str) -> Option<Example> {
    scope.protocol.types.iter().find_map(|(key, def)| match &def.kind {
        TypeKind::Union(union) => cases(scope, union).map(|(tag, cases)| Example {
            package: literal(package),
            name: scope.names.name(key).to_owned(),
            tag: tag.to_owned(),
            cases: cases.into_iter().map(|(tag, field)| (literal(tag), field.to_owned())).collect(),
        }),
        _ => None,
    })
}

/// A union's tag, and two of its variants with a field that each always has.
fn cases<'a>(scope: Scope<'a>, union: &'a Union) -> Option<(&'a str, Vec<(&'a str, &'a str)>)> {
    let tag = union.tag().filter(|tag| literals::is_identifier(&tag.wire))?;
    let cases: Vec<_> = union
        .variants
        .iter()
        .filter_map(|variant| {
            let Selector::Tag { value } = &variant.selector else { return None };
            Some((value.as_str(), first_field(scope.protocol, variant.payload.as_ref()?)?))
        })
        .take(2)
        .collect();
    (cases.len() == 2).then_some((tag.wire.as_str(), cases))
}

fn first_field<'a>(protocol: &'a Protocol, payload: &'a Type) -> Option<&'a str> {
    let Type::Named { name } = protocol.resolve(payload) else { return None };
    let TypeKind::Record(record) = &protocol.type_def(name)?.kind else { return None };
    // `JSON.stringify` of a value that can be nothing is not a string.
    let field = record.fields.iter().find(|field| {
        field.presence == Presence::Required
            && *protocol.resolve(&field.ty) != Type::Any
            && literals::is_identifier(&field.name.wire)
    })?;
    Some(&field.name.wire)
}

#[cfg(test)]
mod tests {
    use super::{is_version, json_string, log_variable, plain};

    #[test]
    fn versions_are_those_that_npm_takes() {
        for version in ["0.0.0", "1.15.1", "2.0.0-rc.1", "1.2.3+build-5"] {
            assert!(is_version(version), "{version}");
        }
        for version in
            ["", "1", "1.2", "01.2.3", "1.2.3-", "v1.2.3", "1.2.3.4", "1.2.x", "1.2.3-01"]
        {
            assert!(!is_version(version), "{version}");
        }
    }

    #[test]
    fn logs_are_named_after_the_package() {
        assert_eq!(log_variable("my-sdk_2"), "MY_SDK_2_LOG");
        assert_eq!(log_variable("@my/acp"), "MY_ACP_LOG");
    }

    #[test]
    fn json_is_ascii() {
        assert_eq!(json_string("a\"é\u{202e}\n"), "\"a\\\"\\u00e9\\u202e\\n\"");
    }

    #[test]
    fn markdown_means_nothing() {
        assert_eq!(plain("A  `B` *c* <d>\n# [e](f)"), "A B c d e f");
        assert_eq!(plain("@scope/name"), "@scope/name");
        assert_eq!(plain("***"), "protocol");
    }
}
