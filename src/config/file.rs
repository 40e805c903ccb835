//! `acp-bindgen.toml`.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::mistakes::{self, explain};
use super::{Config, Places};
use crate::diagnostic::Diagnostics;
use crate::input;
use crate::source::{SourceText, Sources, is_path};

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
    /// Reports everything that is wrong with it, with the location, and gives `None`, if it is not
    /// TOML, has a key that is no choice, or a value that the key does not take.
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
        let label = path.to_string_lossy();
        let source = sources.add(SourceText::new(label.clone(), text));
        let (root, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            diagnostics.push(explain(error, source, text, sources));
        }
        if !errors.is_empty() {
            return None;
        }
        let mut wrong = Diagnostics::new();
        let mut config = mistakes::read(text, &root, source, sources, &mut wrong);
        mistakes::check(&config, root.get_ref(), source, sources, &mut wrong);
        if wrong.has_errors() {
            wrong.sort();
            diagnostics.extend(wrong);
            return None;
        }
        config.targets.files.locate(&path.to_string_lossy(), text);
        let mut config = config.relative_to(path.parent().unwrap_or(Path::new("")));
        config.places = Places::new(SourceText::new(label, text), root.get_ref(), &config);
        Some(config)
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
        for mapped in &mut self.refs {
            mapped.file = folder.join(&mapped.file).to_string_lossy().into_owned();
        }
        self.out = self.out.map(|out| folder.join(out));
        self.aliases = self.aliases.map(|aliases| folder.join(aliases));
        self.package.license_file = self.package.license_file.map(|file| folder.join(file));
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
