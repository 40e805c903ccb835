//! `acp-bindgen names`

use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::diagnostic::{Diagnostic, Diagnostics, Severity};
use acp_bindgen::generator::backend;
use acp_bindgen::output::FileSet;
use acp_bindgen::published::{Adoption, Type, adopt, read_python, read_rust, read_typescript};
use acp_bindgen::source::{SourceText, Sources};
use acp_bindgen::{Config, DocsMode, Purpose, Runtime, Target, input, load};
use clap::ValueEnum;

use super::exit::Exit;
use super::terminal::Terminal;

/// Print an overlay with which generated code has the names of a published package.
///
/// Things of the package that the schema lacks are listed as warnings.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Names {
    /// The kind of package.
    #[arg(long, value_name = "KIND")]
    from: Kind,

    /// The package, unpacked: a folder, or one of its files.
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// The protocol's schema: a path, `-`, `bundled:NAME`, or `git:REV:PATH`. A further one adds to
    /// it.
    #[arg(long, value_name = "SCHEMA")]
    schema: Vec<String>,

    /// A JSON Merge Patch for the schema. May be repeated.
    #[arg(long, value_name = "FILE")]
    overlay: Vec<String>,
}

/// The kind of a published package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// An npm package: its declaration files (`.d.ts`).
    Npm,
    /// A Python package: its modules (`.py`, `.pyi`).
    Pypi,
    /// A crate: its sources (`.rs`).
    Crate,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen names --from npm node_modules/my-sdk/dist > names.overlay.json
  acp-bindgen names --from pypi site-packages/my_sdk/schema.py --schema my.json
  acp-bindgen generate --overlay names.overlay.json";

impl Names {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let mut diagnostics = Diagnostics::new();
        let mut sources = Sources::default();
        let file = Config::read(None, &mut sources, &mut diagnostics);
        let flags = Config { schema: self.schema, overlay: self.overlay, ..Config::default() };
        let config = file.map(|file| flags.or(file));
        let inputs = config.as_ref().and_then(|config| config.read_inputs(&mut diagnostics));
        let Some(inputs) = inputs else {
            terminal.report(&diagnostics, &sources);
            return None;
        };
        let mut loaded = load(inputs, Purpose::Generate);
        let (Some(schema), Some(protocol)) = (&loaded.schema, &loaded.protocol) else {
            terminal.report(&loaded.diagnostics, &loaded.sources);
            return None;
        };
        let published = read(self.from, &self.path, &mut loaded.sources, &mut diagnostics);
        if published.is_empty() && !diagnostics.has_errors() {
            let message = format!("no public type is declared in `{}`", self.path.display());
            let error = Diagnostic::error("no-published-types", message);
            diagnostics.push(error.help(self.from.help()));
        }
        if diagnostics.has_errors() {
            terminal.report(&diagnostics, &loaded.sources);
            return None;
        }
        let options = acp_bindgen::backend::Options::new(
            protocol.package_name(),
            DocsMode::Off,
            Runtime::default(),
        );
        let (target, config) = (self.from.target(), Config::default());
        let backend = backend(&target, &config);
        let api = backend.api(protocol, &options);
        // Of the types that the schema does not have, generated packages have some all the same.
        let package = backend.emit(protocol, &options, &mut Diagnostics::new());
        let names = self.from.passed_on(&package);
        let is_of_schema = |ty: &Type| api.declarations.iter().any(|it| it.name == ty.name);
        let (beside, published): (Vec<_>, Vec<_>) = published
            .into_iter()
            .partition(|ty| names.contains(&ty.name.as_str()) && !is_of_schema(ty));
        let subject = (protocol, &schema.root);
        let adoption = adopt(&published, subject, &api, &loaded.sources, &mut diagnostics);
        diagnostics.sort();
        let (unknown, others): (Vec<_>, Vec<_>) =
            diagnostics.into_iter().partition(|found| found.code == "published-type-unknown");
        let Adoption { overlay, same, renamed } = adoption;
        let same = same + beside.len();
        let summary =
            format!("types that are called so anyway: {same}; names in the overlay: {renamed}");
        let mut findings =
            Diagnostics::from(Diagnostic::new("published-names", Severity::Info, summary));
        // A package has many types of its own: they come after what is about the protocol's.
        others.into_iter().chain(unknown).for_each(|found| findings.push(found));
        terminal.report(&findings, &loaded.sources);
        let overlay = serde_json::Value::Object(overlay);
        terminal.print_as_it_is(&format!("{overlay:#}\n"));
        Some(Exit::Success)
    }
}

impl Kind {
    /// The language that a package of this kind is generated in.
    fn target(self) -> Target {
        match self {
            Self::Npm => Target::TypeScript,
            Self::Pypi => Target::Python,
            Self::Crate => Target::Rust,
        }
    }

    /// The ends of the names of files that declare something.
    fn ends(self) -> &'static [&'static str] {
        match self {
            Self::Npm => &[".d.ts", ".d.mts"],
            Self::Pypi => &[".py", ".pyi"],
            Self::Crate => &[".rs"],
        }
    }

    /// The names that the root of a generated package passes on, as far as it lists them.
    fn passed_on(self, package: &FileSet) -> Vec<&str> {
        let (root, start) = match self {
            Self::Npm => ("src/index.ts", "export"),
            Self::Pypi => ("__init__.py", "__all__"),
            Self::Crate => ("src/lib.rs", "pub use"),
        };
        // Modules of a package can have roots of their own, further down.
        let roots = package.iter().filter(|(path, _)| path.ends_with(root));
        let text = roots.min_by_key(|(path, _)| path.len()).map_or("", |(_, text)| text);
        let start = text.find(start).unwrap_or(text.len());
        let code = text.get(start..).unwrap_or_default().lines();
        let code = code.filter(|line| !line.trim_start().starts_with(['/', '#']));
        let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
        code.flat_map(|line| line.split(|character| !is_of_name(character))).collect()
    }

    fn help(self) -> &'static str {
        match self {
            Self::Npm => "name the folder with the package's `.d.ts` files, or one of them",
            Self::Pypi => "name the folder with the package's modules, or one of them",
            Self::Crate => "name the crate's `src`, or one of its files",
        }
    }
}

/// Reads the public types of a package, each name once. What cannot be read is reported.
fn read(
    kind: Kind,
    path: &Path,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<Type> {
    let mut files = Vec::new();
    if let Err(error) = collect(path, kind.ends(), path.is_file(), &mut files) {
        let what = format!("cannot read `{}`", path.display());
        diagnostics.push(Diagnostic::system("unreadable", &what, &error).help(kind.help()));
    }
    files.sort();
    let mut types: Vec<Type> = Vec::new();
    for file in files {
        let label = file.to_string_lossy().into_owned();
        let text = match input::read_path(&label, kind.help()) {
            Ok(text) => text,
            Err(error) => {
                diagnostics.push(error);
                continue;
            }
        };
        let source = sources.add(SourceText::new(label.clone(), text.clone()));
        let found = match kind {
            Kind::Npm => read_typescript(&text, source),
            Kind::Pypi => read_python(&text, source),
            Kind::Crate => read_rust(&text, source).unwrap_or_else(|error| {
                let message = format!("`{label}` is not Rust that can be read: {error}");
                let found = Diagnostic::warning("published-file-unread", message);
                diagnostics.push(found.help("its types are left out"));
                Vec::new()
            }),
        };
        for ty in found {
            match types.iter().find(|known| known.name == ty.name) {
                Some(known) if known.shape != ty.shape && known.span.source != source => {
                    let message = format!("`{}` is declared in two ways", ty.name);
                    let found = Diagnostic::warning("published-type-twice", message)
                        .at(sources.location("", ty.span))
                        .related(sources.location("", known.span), "this one is taken");
                    diagnostics.push(found.help("name the folder or file of one version only"));
                }
                Some(_) => {}
                None => types.push(ty),
            }
        }
    }
    types
}

/// Adds a file, or those of a folder, but for hidden ones and what the package depends on.
fn collect(
    path: &Path,
    ends: &[&str],
    is_named: bool,
    files: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_named || ends.iter().any(|end| name.ends_with(end)) {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A link could lead back here, and a pipe never end.
        let kind = entry.file_type()?;
        let is_plain = kind.is_file() || kind.is_dir();
        if !name.starts_with('.') && name != "node_modules" && is_plain {
            collect(&entry.path(), ends, false, files)?;
        }
    }
    Ok(())
}
