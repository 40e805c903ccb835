//! `acp-bindgen.toml`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::{Config, DiffConfig, LintConfig, Target, ValidateConfig};
use crate::backend::metadata::Metadata;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::input;
use crate::source::{SourceText, Sources, Span, is_path};

impl Config {
    /// The configuration file that is read when none is named: [`Config::FILE`] in this folder, or
    /// in the nearest one above that has it, as a path from here. The search ends where a
    /// repository begins.
    pub fn find() -> Option<PathBuf> {
        let here = std::env::current_dir().unwrap_or_default();
        let mut path = PathBuf::new();
        for folder in here.ancestors() {
            // Whether it exists, or whether there is no telling: then reading it says why.
            if !folder.join(Self::FILE).try_exists().is_ok_and(|exists| !exists) {
                return Some(path.join(Self::FILE));
            }
            if folder.join(".git").exists() {
                break;
            }
            path.push("..");
        }
        None
    }

    /// Reads the named configuration file, or the one that [`Config::find`] finds.
    ///
    /// Reports why it cannot be read, and gives `None`.
    pub fn read(
        named: Option<&Path>,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let Some(path) = named.map(Path::to_owned).or_else(Self::find) else {
            return Some(Self::default());
        };
        let path = path.as_path();
        match input::read_path(
            &path.to_string_lossy(),
            "`--config` names the file with your choices",
        ) {
            Ok(text) => Self::from_toml(path, &text, sources, diagnostics),
            Err(error) => {
                diagnostics.push(error);
                None
            }
        }
    }

    /// Reads the text of a configuration file. Paths in it are relative to its folder.
    ///
    /// Reports `bad-config` with the location, and gives `None`, if it is not TOML, has a key that
    /// is no choice, or a value of the wrong kind.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use acp_bindgen::diagnostic::Diagnostics;
    /// use acp_bindgen::source::Sources;
    /// use acp_bindgen::{Config, Target};
    ///
    /// let text = "schema = \"hello.json\"\ntarget = [\"rust\", \"docs\"]\n";
    /// let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
    /// let path = Path::new("acp-bindgen.toml");
    /// let file = Config::from_toml(path, text, &mut sources, &mut diagnostics)
    ///     .ok_or("the file has errors")?;
    /// assert_eq!(file.target, [Target::Rust, Target::Docs]);
    ///
    /// // What the flags choose wins.
    /// let flags = Config { target: vec![Target::Python], ..Config::default() };
    /// let config = flags.or(file);
    /// assert_eq!(config.target, [Target::Python]);
    /// assert_eq!(config.schema, ["hello.json"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_toml(
        path: &Path,
        text: &str,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let source =
            |sources: &mut Sources| sources.add(SourceText::new(path.to_string_lossy(), text));
        let mut config = match toml::from_str::<Self>(text) {
            Ok(config) => config,
            Err(error) => {
                let source = source(sources);
                diagnostics.push(explain(&error, source, text, sources));
                return None;
            }
        };
        let unknown = config.unknown_targets(text);
        if !unknown.is_empty() {
            let source = source(sources);
            for (name, range) in unknown {
                let location = sources.location("", Span::of(source, &range));
                diagnostics.push(config.unknown_target(&name).at(location));
            }
            return None;
        }
        if let Some(range) = empty_target(text) {
            let source = source(sources);
            let empty = Diagnostic::error("bad-config", "`target` is an empty list")
                .at(sources.location("", Span::of(source, &range)))
                .help("leave it out to generate every language");
            diagnostics.push(empty);
            return None;
        }
        config.targets.files.locate(&path.to_string_lossy(), text);
        Some(config.relative_to(path.parent().unwrap_or(Path::new(""))))
    }

    /// The names in `target` that are neither a language nor one of the `targets`, and where they
    /// stand.
    fn unknown_targets(&self, text: &str) -> Vec<(String, Range<usize>)> {
        #[derive(serde::Deserialize)]
        struct Targets {
            #[serde(default)]
            target: Vec<Spanned<String>>,
        }
        let custom = self.custom_targets();
        let is_known =
            |name: &str| Target::ALL.iter().chain(&custom).any(|known| known.id() == name);
        let targets = toml::from_str::<Targets>(text).map_or_else(|_| Vec::new(), |of| of.target);
        let unknown = targets.into_iter().filter(|name| !is_known(name.as_ref()));
        unknown.map(|name| (name.as_ref().clone(), name.span())).collect()
    }

    fn relative_to(mut self, folder: &Path) -> Self {
        for name in self.schema.iter_mut().chain(&mut self.overlay).chain(&mut self.catalogue) {
            if input::is_bundled(name) && !folder.join(&name).exists() {
                continue;
            }
            let path = if is_path(name) { Some(name.as_str()) } else { below_git(name) };
            if let Some(path) = path {
                let start = name.get(..name.len() - path.len()).unwrap_or_default();
                let dot = if start.is_empty() || folder.as_os_str().is_empty() { "" } else { "./" };
                *name = format!("{start}{dot}{}", folder.join(path).display());
            }
        }
        self.out = self.out.map(|out| folder.join(out));
        self.aliases = self.aliases.map(|aliases| folder.join(aliases));
        let tables = [&mut self.diff.waivers, &mut self.lint.waivers, &mut self.validate.waivers];
        for waivers in tables.into_iter().flatten() {
            *waivers = folder.join(&waivers);
        }
        for (_, out) in &mut self.targets.out {
            *out = folder.join(&out);
        }
        self.targets.since = self.targets.since.map(|since| folder.join(since));
        for templates in &mut self.targets.templates {
            templates.folder = folder.join(&templates.folder);
        }
        self
    }
}

/// The path of `git:REV:PATH`, if it counts from a folder and not from the repository's root.
fn below_git(name: &str) -> Option<&str> {
    let (_, path) = name.strip_prefix("git:")?.split_once(':')?;
    (path.starts_with("./") || path.starts_with("../")).then_some(path)
}

/// The tables of commands, each with its keys.
const TABLES: [(&str, &[&str]); 4] = [
    ("package", &Metadata::KEYS),
    ("diff", &DiffConfig::KEYS),
    ("lint", &LintConfig::KEYS),
    ("validate", &ValidateConfig::KEYS),
];

/// Values of keys, beside the names of targets, and the keys within `targets`.
const VALUES: [&str; 14] = [
    "full",
    "off",
    "tokio",
    "drop",
    "preserve",
    "templates",
    "specifiers",
    "files",
    "js",
    "ts",
    "format",
    "html",
    "markdown",
    "mdx",
];

/// The place of `target` if it is an empty list, which would mean what a missing one does.
fn empty_target(text: &str) -> Option<Range<usize>> {
    #[derive(serde::Deserialize)]
    struct Targets {
        target: Spanned<Vec<String>>,
    }
    let of = toml::from_str::<Targets>(text).ok()?;
    of.target.as_ref().is_empty().then(|| of.target.span())
}

fn explain(error: &toml::de::Error, source: u32, text: &str, sources: &Sources) -> Diagnostic {
    let range = error.span().unwrap_or_default();
    let marked = text.get(range.clone()).unwrap_or_default();
    let span = Span::of(source, &range);
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    let word = marked.trim_matches(['"', '\'']);
    let targets = Target::ALL.iter().map(Target::id);
    let tables = TABLES.iter().flat_map(|(table, keys)| keys.iter().chain([table])).copied();
    let known =
        || Config::KEYS.into_iter().chain(tables.clone()).chain(targets.clone()).chain(VALUES);
    let near = if known().any(|it| it == word) { None } else { nearest(word, known()) };
    if message.is_empty() {
        message.push_str("not valid TOML");
    }
    let help = if message.ends_with("expected a sequence") {
        format!("write a list: `[{marked}]`")
    } else if let Some(near) = near {
        format!("did you mean `{near}`?")
    } else if message.starts_with("unknown field") {
        let tables =
            TABLES.iter().map(|(table, keys)| format!(", and in [{table}] {}", keys.join(", ")));
        format!("the keys are {}{}", Config::KEYS.join(", "), tables.collect::<String>())
    } else if toml::from_str::<toml::Table>(text).is_err() {
        "a line is `key = \"value\"`, or begins a `[table]` (TOML 1.0)".to_owned()
    } else {
        "`acp-bindgen help generate` says what each option takes; keys take the same".to_owned()
    };
    Diagnostic::error("bad-config", message).at(sources.location("", span)).help(help)
}
