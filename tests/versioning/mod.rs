//! What has changed in generated code since the last release suits the number of the next one:
//! `docs/versioning.md`, as a test.
//!
//! `released/` lists the public declarations of generated packages as the release wrote them, a line
//! each; its name in the first line. A line that is gone or has changed breaks users, one more in a
//! declaration that they have to complete does, too, and any other is an addition.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use acp_bindgen::backend::Options;
use acp_bindgen::backend::api::{Api, DeclarationKind, Member, Role};
use acp_bindgen::generator::backend;
use acp_bindgen::ir::Protocol;
use acp_bindgen::schema::bundled;
use acp_bindgen::{Config, DocsMode, Runtime, Target};

use crate::support;

/// What a change means to those who use generated code, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Nothing,
    Addition,
    Break,
}

/// What may change from one version to another.
fn allowed(old: &str, new: &str) -> Kind {
    let numbers = |version: &str| -> Vec<u32> {
        version.split('.').map(|part| part.parse().unwrap()).collect()
    };
    let (old, new) = (numbers(old), numbers(new));
    let first = old.iter().zip(&new).position(|(old, new)| old < new);
    match (old[0], first) {
        (_, Some(0)) | (0, Some(1)) => Kind::Break,
        (0, Some(_)) | (_, Some(1)) => Kind::Addition,
        _ => Kind::Nothing,
    }
}

/// The listing of a package: `NAME ...` for a declaration, `NAME.MEMBER ...` for a member of it, with
/// `!` before what users have to know of.
fn listing(api: &Api) -> String {
    let mut text = String::new();
    for declaration in &api.declarations {
        let (name, kind) = (&declaration.name, &declaration.kind);
        let bases = declaration.bases.join(", ");
        writeln!(text, "{name} {kind:?} [{bases}] {}", declaration.ty).unwrap();
        for member in &declaration.members {
            let must = match (kind, member.role) {
                (DeclarationKind::Choice { exhaustive: true }, Role::Alternative)
                | (DeclarationKind::Handler, Role::Function)
                | (_, Role::Required) => "!",
                _ => "",
            };
            writeln!(text, "{must}{name}.{}", described(member)).unwrap();
        }
    }
    // The order of declarations is nobody's business.
    let lines: BTreeSet<&str> = text.lines().collect();
    lines.into_iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

fn described(member: &Member) -> String {
    let parameters = member.parameters.iter().map(|parameter| {
        let optional = if parameter.required { "" } else { "?" };
        format!("{}{optional}: {} {:?}", parameter.name, parameter.ty, parameter.position)
    });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    format!("{} {:?} ({parameters}) {}", member.name, member.role, member.ty)
}

/// What a change of a listing means.
fn change(old: &str, new: &str) -> Kind {
    let [old, new]: [BTreeSet<&str>; 2] = [old, new].map(|text| text.lines().collect());
    if !old.is_subset(&new) {
        return Kind::Break;
    }
    let declared = |line: &str| line.split(['.', ' ']).next().unwrap().to_owned();
    let known: BTreeSet<String> = old.iter().map(|line| declared(line)).collect();
    let mut kind = Kind::Nothing;
    for line in new.difference(&old) {
        let breaks = line.strip_prefix('!').is_some_and(|line| known.contains(&declared(line)));
        kind = kind.max(if breaks { Kind::Break } else { Kind::Addition });
    }
    kind
}

/// The protocol whose packages are listed, with the name of its listings.
fn protocol() -> (&'static str, Protocol) {
    let (schema, overlay) = bundled::text("acp@v1").unwrap();
    ("acp-v1", support::clean(schema, vec![overlay]))
}

#[test]
fn the_version_says_what_has_changed_in_generated_code() {
    let version = env!("CARGO_PKG_VERSION");
    let changelog = std::fs::read_to_string(support::root().join("CHANGELOG.md")).unwrap();
    let is_released = !changelog.contains(&format!("\n## {version} (unreleased)\n"));
    let (name, protocol) = protocol();
    for target in [Target::Rust, Target::TypeScript, Target::Python] {
        let options = Options::new(name, DocsMode::Off, Runtime::Embedded);
        let api = backend(&target, &Config::default()).api(&protocol, &options);
        let now = listing(&api);
        assert!(now.lines().count() > 100, "{name} {target:?}");
        let path = format!("tests/versioning/released/{name}.{target:?}.txt").to_lowercase();
        judge(&support::root().join(&path), &path, version, is_released, &now);
    }
}

fn judge(file: &PathBuf, path: &str, version: &str, is_released: bool, now: &str) {
    let current = format!("{version}\n{now}");
    let old = std::fs::read_to_string(file).unwrap_or_default();
    let (released, old) = old.split_once('\n').unwrap_or(("", ""));
    let is_first = released == version && !is_released;
    if support::is_blessing() && (released.is_empty() || is_first) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, current).unwrap();
        return;
    }
    assert!(!released.is_empty(), "{path} is missing: .ci/bless versioning");
    let (kind, may) = (change(old, now), allowed(released, version));
    if is_first {
        assert_eq!(kind, Kind::Nothing, "{path} is not current: .ci/bless versioning");
    }
    assert!(kind <= may, "{path}: {kind:?} since {released}, and {version} allows {may:?}");
}

#[test]
fn numbers_promise_what_the_policy_says() {
    for (old, new, expected) in [
        ("0.1.0", "0.1.0", Kind::Nothing),
        ("0.1.0", "0.1.1", Kind::Addition),
        ("0.1.3", "0.2.0", Kind::Break),
        ("0.9.0", "1.0.0", Kind::Break),
        ("1.2.3", "1.2.4", Kind::Nothing),
        ("1.2.3", "1.3.0", Kind::Addition),
        ("1.2.3", "2.0.0", Kind::Break),
    ] {
        assert_eq!(allowed(old, new), expected, "{old} to {new}");
    }
}

#[test]
fn changes_of_a_listing_are_told_apart() {
    let old = "A Record [] \n!A.name Required () string\n";
    let more = |line: &str| format!("{old}{line}\n");
    assert_eq!(change(old, old), Kind::Nothing);
    assert_eq!(change(old, &more("A.size Optional () number")), Kind::Addition);
    assert_eq!(change(old, &more("!A.size Required () number")), Kind::Break);
    assert_eq!(change(old, &more("B Record [] \n!B.size Required () number")), Kind::Addition);
    assert_eq!(change(old, &old.replace("string", "number")), Kind::Break);
    assert_eq!(change(&more("B Record []"), old), Kind::Break);
}
