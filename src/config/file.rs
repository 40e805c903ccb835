//! `acp-bindgen.toml`.

use std::path::Path;

use super::{Config, DiffConfig};
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
        self.diff.waivers = self.diff.waivers.map(|waivers| folder.join(waivers));
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
    let keys = Config::KEYS.into_iter().chain(["diff"]).chain(DiffConfig::KEYS);
    let near = nearest(word, keys.chain(targets).chain(["full", "off", "tokio"]));
    if message.is_empty() {
        message.push_str("not valid TOML");
    }
    let diagnostic = Diagnostic::error("bad-config", message).at(sources.place("", span));
    if let Some(near) = near {
        return diagnostic.help(format!("did you mean `{near}`?"));
    }
    let (keys, diff) = (Config::KEYS.join(", "), DiffConfig::KEYS.join(", "));
    diagnostic.help(format!("the keys are {keys}, and in [diff] {diff}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Builder;
    use crate::backend::{DocsMode, Runtime};
    use crate::breaking::policy::{FailOn, RuleLevel};
    use crate::config::Target;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        config: Config,
    }

    fn flags(arguments: &[&str]) -> Config {
        let program = std::iter::once("acp-bindgen");
        Flags::try_parse_from(program.chain(arguments.iter().copied())).unwrap().config
    }

    fn file(path: &str, text: &str) -> Config {
        let mut diagnostics = Diagnostics::new();
        let config =
            Config::from_toml(Path::new(path), text, &mut Sources::default(), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        config.unwrap()
    }

    fn full() -> Config {
        Config {
            schema: Some("s.json".into()),
            overlay: vec!["a.json".into(), "b.json".into()],
            target: vec![Target::Python, Target::TypeScript],
            out: Some("sdk".into()),
            name: Some("p".into()),
            docs: Some(DocsMode::Off),
            runtime: Some(Runtime::None),
            diff: DiffConfig::default(),
        }
    }

    #[test]
    fn what_a_comparison_means_is_chosen_in_the_file() {
        let text = "[diff]\nfail-on = \"wire\"\nwaivers = \"w.toml\"\n\
                    [diff.rules]\ntype-added = \"ignore\"\n";
        let config = file("some/acp-bindgen.toml", text);
        assert_eq!(config.diff.fail_on, Some(FailOn::Wire));
        assert_eq!(config.diff.waivers.as_deref(), Some(Path::new("some/w.toml")));
        assert_eq!(config.diff.rules.get("type-added"), Some(&RuleLevel::Ignore));
        let flags = DiffConfig { fail_on: Some(FailOn::Never), ..DiffConfig::default() };
        let both = flags.or(config.diff.clone());
        assert_eq!((both.fail_on, both.rules), (Some(FailOn::Never), config.diff.rules));
    }

    #[test]
    fn flags_file_and_builder_say_the_same() {
        let by_flags = flags(&[
            "--schema=s.json",
            "--overlay=a.json",
            "--overlay",
            "b.json",
            "--target",
            "python,typescript",
            "--out",
            "sdk",
            "--name",
            "p",
            "--docs",
            "off",
            "--runtime",
            "none",
        ]);
        let by_file = file(
            "acp-bindgen.toml",
            r#"
                schema = "s.json"
                overlay = ["a.json", "b.json"]
                target = ["python", "typescript"]
                out = "sdk"
                name = "p"
                docs = "off"
                runtime = "none"
            "#,
        );
        let by_builder = Builder::new("s.json")
            .overlay("a.json")
            .overlay("b.json")
            .target(Target::Python)
            .target(Target::TypeScript)
            .out("sdk")
            .name("p")
            .docs(DocsMode::Off)
            .runtime(Runtime::None);
        assert_eq!(by_flags, full());
        assert_eq!(by_file, full());
        assert_eq!(by_builder.config(), &full());
    }

    #[test]
    fn keys_are_flags_are_fields() {
        let fields = serde_json::to_value(full()).unwrap();
        let fields: Vec<&str> = fields.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, Config::KEYS);
        let command = <Flags as clap::CommandFactory>::command();
        let flags: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
        assert_eq!(flags, Config::KEYS);
    }

    #[test]
    fn what_is_chosen_first_wins() {
        let first = flags(&["--target", "rust", "--docs", "full"]);
        let both = first.or(full());
        assert_eq!(both.target, [Target::Rust]);
        assert_eq!(both.docs, Some(DocsMode::Full));
        assert_eq!(both.schema.as_deref(), Some("s.json"));
        assert_eq!(Config::default().or(full()), full());
        assert_eq!(Config::default().targets(), Target::ALL);
        assert_eq!(flags(&["--target", "rust,rust"]).targets(), [Target::Rust]);
    }

    #[test]
    fn paths_in_a_file_are_relative_to_it() {
        let text = r#"
            schema = "s.json"
            overlay = ["-", "bundled:x", "git:A:o.json", "git:A:./o.json", "/o.json", "o.json"]
            out = "sdk"
        "#;
        let config = file("some/where/acp-bindgen.toml", text);
        assert_eq!(config.schema.as_deref(), Some("some/where/s.json"));
        assert_eq!(
            config.overlay,
            [
                "-",
                "bundled:x",
                "git:A:o.json",
                "git:A:./some/where/./o.json",
                "/o.json",
                "some/where/o.json"
            ]
        );
        assert_eq!(config.out.as_deref(), Some(Path::new("some/where/sdk")));
    }
}
