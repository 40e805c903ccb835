//! Generation in a build script, with what Cargo has to be told.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{BuildError, Builder, toolchain};
use crate::backend::Runtime;
use crate::config::{Config, Target};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, printable, reason};
use crate::generator::Generator;
use crate::load::Inputs;
use crate::output::replace;
use crate::source::{Sources, is_path};

impl Builder {
    /// Generates Rust, from a build script, as one file of this name in `OUT_DIR`, to be
    /// included where it is wanted: in the root of a crate, or in a module. Several files can stand
    /// side by side.
    ///
    /// ```no_run
    /// // build.rs
    /// acp_bindgen::Builder::new("hello.json").compile("hello.rs");
    /// ```
    ///
    /// ```ignore
    /// // src/lib.rs
    /// mod hello {
    ///     include!(concat!(env!("OUT_DIR"), "/hello.rs"));
    /// }
    /// ```
    ///
    /// Cargo learns which files to watch, and shows what there is to say about the schema. If
    /// there is an error, it is printed and the build script ends with a failure; use
    /// [`try_compile`](Self::try_compile) to do something else.
    ///
    /// The crate needs `serde` and `serde_json` (with its feature `raw_value`) as dependencies.
    /// Connections are driven only if a [`runtime`](Self::runtime) is chosen. With
    /// [`Runtime::Embedded`], `tokio` with its features `io-std`, `process` and `rt` is a dependency,
    /// too; with [`Runtime::Package`], `acp-bindgen-runtime`.
    pub fn compile(&self, file: impl AsRef<Path>) {
        if let Err(error) = self.try_compile(file) {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }

    /// Does what [`compile`](Self::compile) does, but gives the error back.
    ///
    /// # Errors
    ///
    /// The schema cannot be read or has errors, the file's name is not the name of a file, the
    /// crate's edition is too old for generated code, there is no `OUT_DIR`, or it cannot be written
    /// to.
    pub fn try_compile(&self, file: impl AsRef<Path>) -> Result<(), BuildError> {
        for name in watched(&self.config) {
            println!("cargo:rerun-if-changed={name}");
        }
        #[cfg(feature = "cli")]
        if let Some(path) = &self.config.aliases {
            println!("cargo:rerun-if-changed={}", path.display());
        }
        let mut diagnostics = Diagnostics::new();
        toolchain::check(&mut diagnostics);
        let inputs = self.config.read_inputs(&mut diagnostics);
        for name in inputs.iter().flat_map(Inputs::referred_files).filter(|it| !it.contains('\n')) {
            println!("cargo:rerun-if-changed={name}");
        }
        #[cfg(feature = "cli")]
        let aliases = self.config.read_aliases(&mut diagnostics);
        let inputs = inputs.filter(|_| !diagnostics.has_errors());
        let (Some(location), Some(inputs)) = (location(file.as_ref(), &mut diagnostics), inputs)
        else {
            return Err(BuildError::new(&diagnostics, &Sources::default()));
        };
        let runtime = self.config.runtime.or(Some(Runtime::None));
        let config = Config { target: vec![Target::Rust], runtime, ..self.config.clone() };
        let stem = file.as_ref().file_stem().unwrap_or_default().to_string_lossy();
        let generator = Generator::new(config).single_file(stem);
        #[cfg(feature = "cli")]
        let generator = generator.aliases(aliases);
        let generation = generator.generate(inputs);
        diagnostics.extend(generation.diagnostics);
        for (_, text) in generation.packages.iter().flat_map(|package| package.files.iter()) {
            if let Err(diagnostic) = save(&location, text) {
                diagnostics.push(diagnostic);
            }
        }
        for diagnostic in diagnostics.iter().filter(|it| it.severity == Severity::Warning) {
            println!("cargo:warning={}", one_line(diagnostic, &generation.sources));
        }
        if diagnostics.has_errors() {
            return Err(BuildError::new(&diagnostics, &generation.sources));
        }
        Ok(())
    }
}

/// The files which, when they change, make the build script run again. Without any, Cargo would
/// watch the whole package, so the script itself, which is watched in any case, is named too.
fn watched(config: &Config) -> impl Iterator<Item = &str> {
    let script = Some("build.rs").filter(|name| Path::new(name).exists());
    let inputs = config.schema.iter().chain(&config.overlay).chain(&config.catalogue);
    let inputs = inputs.map(String::as_str);
    script.into_iter().chain(inputs.filter(|name| is_path(name) && !name.contains('\n')))
}

/// The path to write to: a file directly in `OUT_DIR`.
fn location(file: &Path, diagnostics: &mut Diagnostics) -> Option<PathBuf> {
    let mut parts = file.components();
    if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
        let message = format!("`{}` is not the name of a file", printable(&file.to_string_lossy()));
        diagnostics.push(
            Diagnostic::error("bad-name", message)
                .help("it is written to `OUT_DIR`; name it without a folder, such as `acp.rs`"),
        );
        return None;
    }
    let folder = env::var_os("OUT_DIR");
    if folder.is_none() {
        diagnostics.push(
            Diagnostic::error("no-out-dir", "the environment variable `OUT_DIR` is not set")
                .help("this is for build scripts; elsewhere use `generate_into`"),
        );
    }
    Some(Path::new(&folder?).join(file))
}

/// Writes a file, unless it is already so.
fn save(location: &Path, text: &str) -> Result<(), Diagnostic> {
    if fs::read(location).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    replace(location, text).map_err(|error| {
        let message = format!("cannot write `{}`: {}", location.display(), reason(&error));
        Diagnostic::error("unwritable", message)
    })
}

/// A finding as one line: `schema.json:12:5: message [code]; help`.
fn one_line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut line = String::new();
    if let Some(location) = &diagnostic.location {
        let label = sources.get(location.span.source).map_or("", |source| source.label.as_str());
        line = format!("{label}:{}:{}: ", location.line, location.column);
    }
    line.push_str(&diagnostic.message);
    let _ = write!(line, " [{}]", diagnostic.code);
    if let Some(help) = &diagnostic.help {
        line.push_str("; ");
        line.push_str(help);
    }
    printable(&line).into_owned()
}
