//! `acp-bindgen.toml`.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use super::{Config, DiffConfig, Target};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::input;
use crate::source::{SourceText, Sources, Span, is_path};

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
        let source =
            |sources: &mut Sources| sources.add(SourceText::new(path.to_string_lossy(), text));
        let config = match toml::from_str::<Self>(text) {
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
                let place = sources.place("", span(source, &range));
                diagnostics.push(config.unknown_target(&name).at(place));
            }
            return None;
        }
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
            let path = if is_path(name) { Some(name.as_str()) } else { below_git(name) };
            if let Some(path) = path {
                let start = name.get(..name.len() - path.len()).unwrap_or_default();
                let dot = if start.is_empty() || folder.as_os_str().is_empty() { "" } else { "./" };
                *name = format!("{start}{dot}{}", folder.join(path).display());
            }
        }
        self.out = self.out.map(|out| folder.join(out));
        self.diff.waivers = self.diff.waivers.map(|waivers| folder.join(waivers));
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

/// Values of keys, beside the names of targets, and the keys within `targets`.
const VALUES: [&str; 10] =
    ["full", "off", "tokio", "drop", "preserve", "templates", "format", "html", "markdown", "mdx"];

fn span(source: u32, range: &Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { source, start: offset(range.start), end: offset(range.end) }
}

fn explain(error: &toml::de::Error, source: u32, text: &str, sources: &Sources) -> Diagnostic {
    let range = error.span().unwrap_or_default();
    let marked = text.get(range.clone()).unwrap_or_default();
    let span = span(source, &range);
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    let word = marked.trim_matches(['"', '\'']);
    let targets = Target::ALL.iter().map(Target::id);
    let near = nearest(
        word,
        Config::KEYS
            .into_iter()
            .chain(["diff"])
            .chain(DiffConfig::KEYS)
            .chain(targets)
            .chain(VALUES),
    );
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
    use crate::backend::docs::Format;
    use crate::backend::{DocsMode, Runtime};
    use crate::breaking::policy::{FailOn, RuleLevel};
    use crate::config::{Targets, Templates};
    use crate::decode::UnknownFields;

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
            catalogue: Some("c.json".into()),
            target: vec![Target::Python, Target::TypeScript],
            out: Some("sdk".into()),
            name: Some("p".into()),
            docs: Some(DocsMode::Off),
            runtime: Some(Runtime::None),
            unknown_fields: Some(UnknownFields::Preserve),
            targets: Targets {
                templates: vec![
                    Templates { target: Some(Target::Python), folder: "py".into() },
                    Templates { target: Some(Target::Custom("go".into())), folder: "go=1".into() },
                ],
                format: Some(Format::Mdx),
            },
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
            "--catalogue=c.json",
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
            "--unknown-fields=preserve",
            "--templates",
            "python=py",
            "--templates=go=go=1",
            "--format",
            "mdx",
        ]);
        let by_file = file(
            "acp-bindgen.toml",
            r#"
                schema = "s.json"
                overlay = ["a.json", "b.json"]
                catalogue = "c.json"
                target = ["python", "typescript"]
                out = "sdk"
                name = "p"
                docs = "off"
                runtime = "none"
                unknown-fields = "preserve"
                [targets.python]
                templates = "py"
                [targets.go]
                templates = "go=1"
                [targets.docs]
                format = "mdx"
            "#,
        );
        let by_builder = Builder::new("s.json")
            .overlay("a.json")
            .overlay("b.json")
            .catalogue("c.json")
            .target(Target::Python)
            .target(Target::TypeScript)
            .out("sdk")
            .name("p")
            .docs(DocsMode::Off)
            .runtime(Runtime::None)
            .unknown_fields(UnknownFields::Preserve)
            .templates(Target::Python, "py")
            .templates(Target::Custom("go".into()), "go=1")
            .format(Format::Mdx);
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
        let (last, others) = Config::KEYS.split_last().unwrap();
        assert_eq!(*last, "targets");
        let of_targets = ["templates", "format"];
        assert_eq!(flags, [others, &of_targets].concat());
    }

    #[test]
    fn what_is_chosen_first_wins() {
        let first = flags(&["--target", "rust", "--docs", "full"]);
        let both = first.or(full());
        assert_eq!(both.target, [Target::Rust]);
        assert_eq!(both.docs, Some(DocsMode::Full));
        assert_eq!(both.schema.as_deref(), Some("s.json"));
        assert_eq!(Config::default().or(full()), full());
        assert_eq!(Config::default().targets(), Target::LANGUAGES);
        assert_eq!(flags(&["--target", "rust,rust"]).targets(), [Target::Rust]);
    }

    #[test]
    fn templates_are_for_a_target() {
        let go = Target::Custom("go".into());
        assert_eq!(full().templates_of(&go), Ok(Some(Path::new("go=1"))));
        assert_eq!(full().templates_of(&Target::Rust), Ok(None));
        assert_eq!(flags(&["--templates", "go=x"]).targets().last(), Some(&go));
        let alone = flags(&["--templates", "./a=b", "--target", "rust"]);
        assert_eq!(alone.templates_of(&Target::Rust), Ok(Some(Path::new("./a=b"))));
        let unclear = flags(&["--templates", "mine"]);
        assert_eq!(unclear.templates_of(&Target::Rust).unwrap_err().code, "bad-config");
        let unknown = flags(&["--target", "pyton"]);
        let unknown = unknown.templates_of(&Target::Custom("pyton".into())).unwrap_err();
        assert_eq!(unknown.code, "unknown-target");
        let both = flags(&["--templates", "go=x"]).or(full());
        assert_eq!(both.templates_of(&go), Ok(Some(Path::new("x"))));
        assert_eq!(both.templates_of(&Target::Python), Ok(Some(Path::new("py"))));
    }

    #[test]
    fn paths_in_a_file_are_relative_to_it() {
        let text = r#"
            schema = "s.json"
            overlay = ["-", "bundled:x", "git:A:o.json", "git:A:./o.json", "/o.json", "o.json"]
            out = "sdk"
            [targets.go]
            templates = "go"
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
        assert_eq!(config.targets.templates[0].folder, Path::new("some/where/go"));
    }
}
