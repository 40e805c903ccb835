//! The configuration: flags, the file and a build script say the same in their ways.

use std::path::Path;

use acp_bindgen::backend::docs::Format;
use acp_bindgen::backend::metadata::Metadata;
use acp_bindgen::breaking::policy::{FailOn, RuleLevel};
use acp_bindgen::config::{
    DiffConfig, Link, LintConfig, Places, Targets, Templates, ValidateConfig,
};
use acp_bindgen::diagnostic::Diagnostics;
use acp_bindgen::input::MappedUrl;
use acp_bindgen::lint::Extends;
use acp_bindgen::policy::{RuleSeverity, Threshold};
use acp_bindgen::source::Sources;
use acp_bindgen::{
    Builder, Config, DocsMode, Generator, Patterns, Runtime, StabilityMode, Target, UnknownFields,
};
use clap::Parser;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    config: Config,
}

fn flags(arguments: &[&str]) -> Config {
    let program = std::iter::once("acp-bindgen");
    Flags::try_parse_from(program.chain(arguments.iter().copied())).unwrap().config
}

pub(crate) fn file(path: &str, text: &str) -> Config {
    let mut diagnostics = Diagnostics::new();
    let config =
        Config::from_toml(Path::new(path), text, &mut Sources::default(), &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    config.unwrap()
}

fn full() -> Config {
    Config {
        schema: vec!["s.json".into(), "mine.json".into()],
        overlay: vec!["a.json".into(), "b.json".into()],
        catalogue: Some("c.json".into()),
        refs: vec![MappedUrl { url: "https://a/b.json".into(), file: "b.json".into() }],
        aliases: Some("a.toml".into()),
        target: vec![Target::Python, Target::TypeScript],
        out: Some("sdk".into()),
        name: Some("p".into()),
        docs: Some(DocsMode::Off),
        runtime: Some(Runtime::None),
        unknown_fields: Some(UnknownFields::Preserve),
        patterns: Some(Patterns::Check),
        stability: Some(StabilityMode::Stable),
        targets: Targets {
            templates: vec![
                Templates { target: Some(Target::Python), folder: "py".into() },
                Templates { target: Some(Target::Custom("go".into())), folder: "go=1".into() },
            ],
            format: Some(Format::Mdx),
            since: Some("old".into()),
            links: vec![Link { from: "https://a/".into(), to: "/b/".into() }],
            ..Targets::default()
        },
        package: Metadata::default(),
        diff: DiffConfig::default(),
        lint: LintConfig::default(),
        validate: ValidateConfig::default(),
        places: Places::default(),
    }
}

#[test]
fn what_lint_looks_for_is_chosen_in_the_file() {
    let text = "[lint]\nextends = \"all\"\nfail-on = \"error\"\nwaivers = \"w.toml\"\n\
                [lint.rules]\nname-style = \"ignore\"\n";
    let lint = file("some/acp-bindgen.toml", text).lint;
    assert_eq!((lint.extends, lint.fail_on), (Some(Extends::All), Some(Threshold::Error)));
    assert_eq!(lint.waivers.as_deref(), Some(Path::new("some/w.toml")));
    assert_eq!(lint.rules.get("name-style"), Some(&RuleSeverity::Ignore));
    let flags = LintConfig { extends: Some(Extends::Recommended), ..LintConfig::default() };
    let both = flags.or(lint.clone());
    assert_eq!((both.extends, both.rules), (Some(Extends::Recommended), lint.rules));
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
fn what_messages_are_judged_by_is_chosen_in_the_file() {
    let text = "[validate]\nfail-on = \"warning\"\nwaivers = \"w.toml\"\n\
                [validate.rules]\nforgiven-value = \"ignore\"\n";
    let config = file("some/acp-bindgen.toml", text).validate;
    assert_eq!(config.fail_on, Some(Threshold::Warning));
    assert_eq!(config.waivers.as_deref(), Some(Path::new("some/w.toml")));
    assert_eq!(config.rules.get("forgiven-value"), Some(&RuleSeverity::Ignore));
    let flags = ValidateConfig { fail_on: Some(Threshold::Never), ..ValidateConfig::default() };
    let both = flags.or(config.clone());
    assert_eq!((both.fail_on, both.rules), (Some(Threshold::Never), config.rules));
}

#[test]
fn flags_file_and_builder_say_the_same() {
    let by_flags = flags(&[
        "--schema=s.json",
        "--schema=mine.json",
        "--overlay=a.json",
        "--overlay",
        "b.json",
        "--catalogue=c.json",
        "--refs=https://a/b.json=b.json",
        "--aliases=a.toml",
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
        "--patterns=check",
        "--stability=stable",
        "--templates",
        "python=py",
        "--templates=go=go=1",
        "--format",
        "mdx",
        "--since=old",
        "--link=https://a/=/b/",
    ]);
    let by_file = file(
        "acp-bindgen.toml",
        r#"
            schema = ["s.json", "mine.json"]
            overlay = ["a.json", "b.json"]
            catalogue = "c.json"
            aliases = "a.toml"
            target = ["python", "typescript"]
            out = "sdk"
            name = "p"
            docs = "off"
            runtime = "none"
            unknown-fields = "preserve"
            patterns = "check"
            stability = "stable"
            [refs]
            "https://a/b.json" = "b.json"
            [targets.python]
            templates = "py"
            [targets.go]
            templates = "go=1"
            [targets.docs]
            format = "mdx"
            since = "old"
            links = { "https://a/" = "/b/" }
        "#,
    );
    let by_builder = Builder::new("s.json")
        .extend("mine.json")
        .overlay("a.json")
        .overlay("b.json")
        .catalogue("c.json")
        .map_url("https://a/b.json", "b.json")
        .aliases("a.toml")
        .target(Target::Python)
        .target(Target::TypeScript)
        .out("sdk")
        .name("p")
        .docs(DocsMode::Off)
        .runtime(Runtime::None)
        .unknown_fields(UnknownFields::Preserve)
        .patterns(Patterns::Check)
        .stability(StabilityMode::Stable)
        .templates(Target::Python, "py")
        .templates(Target::Custom("go".into()), "go=1")
        .format(Format::Mdx)
        .since("old")
        .link("https://a/", "/b/");
    assert_eq!(by_flags, full());
    assert_eq!(by_file, full());
    assert_eq!(by_builder.config(), &full());
}

/// The names of methods are data: each language has all of them without a runtime, too, by side.
#[test]
fn the_names_of_methods_need_no_runtime() {
    let file = |target: &Target, runtime, path: &str| {
        let config = Config {
            schema: vec!["acp@v1".into()],
            target: vec![target.clone()],
            name: Some("names".into()),
            runtime: Some(runtime),
            ..Config::default()
        };
        let inputs = config.read_inputs(&mut Diagnostics::new()).unwrap();
        let packages = Generator::new(config).generate(inputs).packages;
        packages[0].files.get(path).unwrap().to_owned()
    };
    for (target, path) in [
        (Target::Rust, "src/methods.rs"),
        (Target::TypeScript, "src/methods.ts"),
        (Target::Python, "src/names/methods.py"),
    ] {
        let whole = file(&target, Runtime::Embedded, path);
        assert!(whole.contains("\"session/prompt\""), "{whole}");
        assert_eq!(file(&target, Runtime::None, path), whole, "{path}");
    }
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
    let of_targets = ["templates", "format", "since", "link"];
    assert_eq!(flags, [others, &of_targets].concat());
}

#[test]
fn what_is_chosen_first_wins() {
    let first = flags(&["--target", "rust", "--docs", "full"]);
    let both = first.or(full());
    assert_eq!(both.target, [Target::Rust]);
    assert_eq!(both.docs, Some(DocsMode::Full));
    assert_eq!(both.schema, ["s.json", "mine.json"]);
    assert_eq!(Config::default().or(full()), full());
    assert_eq!(Config::default().targets(), Target::LANGUAGES);
    assert_eq!(flags(&["--target", "rust,rust"]).targets(), [Target::Rust]);
}

#[test]
fn a_list_of_targets_names_some() {
    let read = |text: &str| {
        let (mut sources, mut diagnostics) = (Sources::default(), Diagnostics::new());
        let config = Config::from_toml(Path::new("a.toml"), text, &mut sources, &mut diagnostics);
        let lines = diagnostics.iter().map(|found| found.location.as_ref().map(|at| at.line));
        (config.map(|config| config.targets()), lines.collect::<Vec<_>>())
    };
    assert_eq!(read("name = \"a\"\ntarget = []\n"), (None, vec![Some(2)]));
    assert_eq!(read("name = \"a\"\n"), (Some(Target::LANGUAGES.to_vec()), vec![]));
}

#[test]
fn templates_are_for_a_target() {
    let (go, rust, python) = (Target::Custom("go".into()), Target::Rust, Target::Python);
    assert_eq!(folder_of(&full(), &go), Ok(Some("go=1".into())));
    assert_eq!(folder_of(&full(), &rust), Ok(None));
    assert_eq!(flags(&["--templates", "go=x"]).targets().last(), Some(&go));
    let alone = flags(&["--templates", "./a=b"]);
    assert_eq!(folder_of(&alone, &rust), Ok(Some("./a=b".into())));
    let mut diagnostics = Diagnostics::new();
    assert_eq!(flags(&["--templates", "mine"]).read_templates(&mut diagnostics), []);
    assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), ["bad-config"]);
    assert_eq!(folder_of(&Config::default(), &go), Err("unknown-target"));
    let both = flags(&["--templates", "go=x"]).or(full());
    assert_eq!(folder_of(&both, &go), Ok(Some("x".into())));
    assert_eq!(folder_of(&both, &python), Ok(Some("py".into())));
}

/// The folder of templates that is read for a target, which is the only one, or the code of what
/// is wrong. That there is no such folder is not.
fn folder_of(config: &Config, target: &Target) -> Result<Option<String>, &'static str> {
    let mut diagnostics = Diagnostics::new();
    let config = Config { target: vec![target.clone()], ..config.clone() };
    let found = config.read_templates(&mut diagnostics);
    match diagnostics.iter().find(|found| found.code != "unreadable") {
        Some(problem) => Err(problem.code),
        None => Ok(found.into_iter().next().map(|(_, folder)| folder.label)),
    }
}

#[test]
fn paths_in_a_file_are_relative_to_it() {
    let text = r#"
        schema = "s.json"
        overlay = ["-", "bundled:x", "git:A:o.json", "git:A:./o.json", "/o.json", "o.json"]
        out = "sdk"
        [targets.go]
        templates = "go"
        [targets.python]
        out = "../python"
    "#;
    let config = file("some/where/acp-bindgen.toml", text);
    assert_eq!(config.schema, ["some/where/s.json"]);
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
    let folder = |target| config.package_folder(Path::new("x"), &target);
    assert_eq!(folder(Target::Python), Path::new("some/where/../python"));
    assert_eq!(folder(Target::Rust), Path::new("x/rust"));
}

#[test]
fn what_is_wrong_with_a_target_is_shown_where_it_stands() {
    let text = "[targets.typescript]\nspecifiers = \"ts\"\n\n[targets.python]\nname = \"-x\"\n";
    let mut diagnostics = Diagnostics::new();
    let path = Path::new("acp-bindgen.toml");
    Config::from_toml(path, text, &mut Sources::default(), &mut diagnostics);
    let lines = diagnostics.iter().map(|it| it.location.as_ref().map(|at| at.line));
    assert_eq!(lines.collect::<Vec<_>>(), [Some(5)]);
}
