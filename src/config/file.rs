//! `acp-bindgen.toml`.

use std::path::Path;

use super::Config;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::input;
use crate::source::{SourceText, Sources, Span};

impl Config {
    /// Reads the named configuration file, or [`Config::FILE`] where there is one.
    ///
    /// Reports why it cannot be read, and gives `None`.
    pub fn read(
        named: Option<&Path>,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let path = named.unwrap_or(Path::new(Self::FILE));
        // Whether it exists, or whether there is no telling: then reading it says why.
        if named.is_none() && path.try_exists().is_ok_and(|exists| !exists) {
            return Some(Self::default());
        }
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
    /// Reports `bad-config` with the place, and gives `None`, if it is not TOML, has a key that
    /// is no choice, or a value of the wrong kind.
    pub fn from_toml(
        path: &Path,
        text: &str,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        match toml::from_str::<Self>(text) {
            Ok(config) => Some(config.relative_to(path.parent().unwrap_or(Path::new("")))),
            Err(error) => {
                let source = sources.add(SourceText::new(path.to_string_lossy(), text));
                diagnostics.push(explain(&error, source, text, sources));
                None
            }
        }
    }

    fn relative_to(mut self, folder: &Path) -> Self {
        for name in self.schema.iter_mut().chain(&mut self.overlay) {
            let path = if input::is_path(name) { Some(name.as_str()) } else { below_git(name) };
            if let Some(path) = path {
                let start = name.get(..name.len() - path.len()).unwrap_or_default();
                let dot = if start.is_empty() || folder.as_os_str().is_empty() { "" } else { "./" };
                *name = format!("{start}{dot}{}", folder.join(path).display());
            }
        }
        self.out = self.out.map(|out| folder.join(out));
        self
    }
}

/// The path of `git:REV:PATH`, if it counts from a folder and not from the repository's root.
fn below_git(name: &str) -> Option<&str> {
    let (_, path) = name.strip_prefix("git:")?.split_once(':')?;
    (path.starts_with("./") || path.starts_with("../")).then_some(path)
}

fn explain(error: &toml::de::Error, source: u32, text: &str, sources: &Sources) -> Diagnostic {
    let range = error.span().unwrap_or_default();
    let marked = text.get(range.clone()).unwrap_or_default();
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span { source, start: offset(range.start), end: offset(range.end) };
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    let word = marked.trim_matches(['"', '\'']);
    let targets = super::Target::ALL.iter().map(|target| target.id());
    let near = nearest(word, Config::KEYS.into_iter().chain(targets).chain(["full", "off"]));
    if message.is_empty() {
        message.push_str("not valid TOML");
    }
    let diagnostic = Diagnostic::error("bad-config", message).at(sources.place("", span));
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("the keys are {}", Config::KEYS.join(", "))),
    }
}
