//! The edition and the version of Rust that a crate is written in, for which generated code may be
//! too new.

use std::path::Path;
use std::{env, fs};

use crate::diagnostic::{Diagnostic, Diagnostics};

/// The oldest edition in which generated code compiles.
const EDITION: u32 = 2021;

/// The oldest version of Rust in which it does.
const VERSION: (u32, u32) = (1, 85);

/// Reports what the manifest of the crate that is built says of its Rust, where that is too old.
pub(super) fn check(diagnostics: &mut Diagnostics) {
    let folder = env::var_os("CARGO_MANIFEST_DIR");
    let manifest = folder.and_then(|it| fs::read_to_string(Path::new(&it).join("Cargo.toml")).ok());
    let version = env::var("CARGO_PKG_RUST_VERSION").unwrap_or_default();
    diagnostics.extend(problems(&manifest.unwrap_or_default(), &version));
}

/// The problems of a manifest, and of the `rust-version` that Cargo tells.
fn problems(manifest: &str, version: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    if let Some(edition) = edition(manifest).filter(|edition| *edition < EDITION) {
        let message = format!("generated code does not compile in the edition {edition}");
        diagnostics.push(Diagnostic::error("old-edition", message).help(format!(
            "write `edition = \"{EDITION}\"` in the crate's Cargo.toml, or a later one"
        )));
    }
    let (major, minor) = VERSION;
    if parsed(version).is_some_and(|version| version < VERSION) {
        let message =
            format!("generated code needs Rust {major}.{minor}, and the crate promises {version}");
        diagnostics.push(
            Diagnostic::warning("old-rust-version", message)
                .help(format!("write `rust-version = \"{major}.{minor}\"` in its Cargo.toml")),
        );
    }
    diagnostics
}

/// The edition of a package, if its manifest says so by itself. Without a word it is 2015.
fn edition(manifest: &str) -> Option<u32> {
    let (_, package) = manifest.split_once("[package]")?;
    let lines = package.lines().skip(1).take_while(|line| !line.trim_start().starts_with('['));
    let mut editions = lines.filter_map(|line| line.trim_start().strip_prefix("edition"));
    let Some(said) = editions.next() else { return Some(2015) };
    let value = said.trim_start().strip_prefix('=')?.trim_start();
    value.get(1..5)?.parse().ok()
}

fn parsed(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next().flatten().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::problems;

    fn codes(manifest: &str, version: &str) -> Vec<&'static str> {
        problems(manifest, version).iter().map(|it| it.code).collect()
    }

    #[test]
    fn what_is_too_old_is_one_finding_each() {
        let package =
            |edition: &str| format!("[package]\nname = \"a\"\n{edition}\n[dependencies]\n");
        assert_eq!(
            codes(&package("edition = \"2018\""), "1.70.0"),
            ["old-edition", "old-rust-version"]
        );
        assert_eq!(codes(&package(""), ""), ["old-edition"]);
        assert!(codes(&package("edition.workspace = true"), "").is_empty());
        assert!(codes(&package("edition = \"2021\""), "1.85").is_empty());
        assert!(codes(&package("edition='2024' # new"), "1.90.1").is_empty());
        assert!(codes("", "").is_empty());
    }
}
