//! The configuration: flags, the file and a build script say the same in their ways.

use std::path::Path;

use acp_bindgen::backend::docs::Format;
use acp_bindgen::backend::metadata::Metadata;
use acp_bindgen::breaking::policy::{FailOn, RuleLevel};
use acp_bindgen::config::{
    DiffConfig, Link, LintConfig, Places, Targets, Templates, ValidateConfig,
};
use acp_bindgen::diagnostic::{Diagnostics, Severity};
use acp_bindgen::lint::Extends;
use acp_bindgen::policy::{RuleSeverity, Threshold};
use acp_bindgen::schema::SchemaText;
use acp_bindgen::source::Sources;
use acp_bindgen::{
    Builder, Config, DocsMode, Generation, Generator, Runtime, StabilityMode, Target, UnknownFields,
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

fn file(path: &str, text: &str) -> Config {
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
        aliases: Some("a.toml".into()),
        target: vec![Target::Python, Target::TypeScript],
        out: Some("sdk".into()),
        name: Some("p".into()),
        docs: Some(DocsMode::Off),
        runtime: Some(Runtime::None),
        unknown_fields: Some(UnknownFields::Preserve),
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
            stability = "stable"
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
        .aliases("a.toml")
        .target(Target::Python)
        .target(Target::TypeScript)
        .out("sdk")
        .name("p")
        .docs(DocsMode::Off)
        .runtime(Runtime::None)
        .unknown_fields(UnknownFields::Preserve)
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
        let whole = file(&target, Runtime::Tokio, path);
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

const MANIFESTS: &str = r#"
    name = "mine"
    [package]
    version = "2.0.0-rc.1"
    license = "MIT"
    repository = "https://example.com/mine"
    authors = ["Ann \"A\" <ann@example.com>", "Bob"]
    description = "Mine: \\ \" é"
    [targets.typescript]
    name = "@my/sdk"
    specifiers = "ts"
    out = "packages/sdk"
    [targets.typescript.files]
    "src/types.ts" = "src/schema/types.gen.ts"
    "src/index.ts" = "src/sdk.ts"
    [targets.rust]
    name = "mine-kit"
    [targets.python]
    name = "Mine.sdk"
    [targets.python.files]
    "src/mine/types.py" = "src/mine/schema.py"
    [targets.docs]
    out = "site"
    format = "markdown"
"#;

/// What is generated with these choices about a licence, whose file has this text.
fn licensed(package: &str, file_text: Option<&str>) -> Generation {
    let config = file("acp-bindgen.toml", &format!("name = \"mine\"\n[package]\n{package}"));
    let schema = serde_json::json!({ "title": "T", "$defs": {
        "NodNotification": { "type": "object", "x-method": "nod", "x-side": "client" },
        "BowNotification": { "type": "object", "x-method": "bow", "x-side": "server" },
    } });
    let schema = SchemaText::from_value("s.json", &schema);
    Generator::new(config).license(file_text.map(str::to_owned)).generate(schema)
}

/// A file of each language's package, if it is there.
fn of_each<'g>(generation: &'g Generation, path: &str) -> Vec<Option<&'g str>> {
    generation.packages.iter().map(|package| package.files.get(path)).collect()
}

#[test]
fn every_package_carries_its_licence() {
    let authors = "license = \"MIT\"\nauthors = [\"Ann <ann@example.com>\", \"Bob\"]";
    let generation = licensed(authors, None);
    assert!(generation.diagnostics.is_empty(), "{:?}", generation.diagnostics);
    let texts = of_each(&generation, "LICENSE");
    assert_eq!(texts.len(), 3);
    for text in texts {
        assert!(text.unwrap().starts_with("MIT License\n\nCopyright (c) Ann, Bob\n"), "{text:?}");
    }
    let nameless = licensed("license = \"MIT OR Apache-2.0\"", None);
    for text in of_each(&nameless, "LICENSE") {
        let text = text.unwrap();
        assert!(text.contains("Copyright (c) The mine authors\n") && text.contains("Version 2.0"));
    }
    assert_eq!(of_each(&licensed("", None), "LICENSE"), [None; 3]);
}

#[test]
fn a_licence_of_ones_own_is_copied() {
    let own = "All rights reserved.\n";
    let generation = licensed("license-file = \"COPYING\"", Some(own));
    assert!(generation.diagnostics.is_empty(), "{:?}", generation.diagnostics);
    assert_eq!(of_each(&generation, "LICENSE"), [Some(own); 3]);
    let [cargo, npm, python] = ["Cargo.toml", "package.json", "pyproject.toml"]
        .map(|path| of_each(&generation, path).into_iter().flatten().next().unwrap());
    assert!(cargo.contains("\nlicense-file = \"LICENSE\"\n"), "{cargo}");
    assert!(npm.contains("\"license\": \"SEE LICENSE IN LICENSE\","), "{npm}");
    assert!(python.contains("\nlicense-files = [\"LICENSE\"]\n"), "{python}");
    assert!(!python.contains("\nlicense = "), "{python}");
    // A name with a text of one's own is the one and the other.
    let both = licensed("license = \"ISC\"\nlicense-file = \"COPYING\"", Some(own));
    assert!(both.diagnostics.is_empty(), "{:?}", both.diagnostics);
    assert_eq!(of_each(&both, "LICENSE"), [Some(own); 3]);
    let cargo = of_each(&both, "Cargo.toml").into_iter().flatten().next().unwrap();
    assert!(cargo.contains("\nlicense = \"ISC\"\n") && !cargo.contains("license-file"), "{cargo}");
}

#[test]
fn a_licence_without_a_known_text_is_told() {
    let generation = licensed("license = \"ISC\"", None);
    assert_eq!(of_each(&generation, "LICENSE"), [None; 3]);
    let told: Vec<_> = generation.diagnostics.iter().collect();
    let [told] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((told.code, told.severity), ("no-license-text", Severity::Warning));
    let location = told.location.as_ref().unwrap();
    assert_eq!((location.line, location.column), (3, 11));
    assert!(told.help.as_ref().unwrap().contains("license-file = \"LICENSE\""));
    let npm = of_each(&generation, "package.json").into_iter().flatten().next().unwrap();
    assert!(npm.contains("\"license\": \"ISC\",") && !npm.contains("\"LICENSE\""), "{npm}");
}

#[test]
fn what_manifests_say_is_chosen_in_the_file() {
    let config = file("acp-bindgen.toml", MANIFESTS);
    let again = toml::to_string(&config).unwrap();
    assert_eq!(file("acp-bindgen.toml", &again), config);
    let schema = serde_json::json!({ "title": "T", "$defs": { "A": {} } });
    let schema = SchemaText::from_value("s.json", &schema);
    let generation = Generator::new(config).generate(schema);
    assert!(!generation.diagnostics.has_errors(), "{:?}", generation.diagnostics);
    let text = |target: Target, path: &str| {
        let package = generation.packages.iter().find(|package| package.target == target).unwrap();
        package.files.get(path).unwrap().to_owned()
    };
    let cargo: toml::Table = text(Target::Rust, "Cargo.toml").parse().unwrap();
    let expected: toml::Table = r#"
        name = "mine-kit"
        version = "2.0.0-rc.1"
        edition = "2024"
        rust-version = "1.85"
        license = "MIT"
        repository = "https://example.com/mine"
        authors = ["Ann \"A\" <ann@example.com>", "Bob"]
        description = "Mine: \\ \" é"
    "#
    .parse()
    .unwrap();
    assert_eq!(cargo["package"].as_table(), Some(&expected));
    assert_eq!(cargo["lib"]["name"].as_str(), Some("mine"));
    let python: toml::Table = text(Target::Python, "pyproject.toml").parse().unwrap();
    let project = &python["project"];
    assert_eq!(project["name"].as_str(), Some("Mine.sdk"));
    assert_eq!(project["version"].as_str(), Some("2.0.0-rc.1"));
    assert_eq!(project["description"].as_str(), Some("Mine: \\ \" é"));
    assert_eq!(project["license"].as_str(), Some("MIT"));
    assert_eq!(project["license-files"][0].as_str(), Some("LICENSE"));
    let sdist = &python["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"];
    assert_eq!(sdist[0].as_str(), Some("LICENSE"));
    assert_eq!(project["authors"][0]["name"].as_str(), Some("Ann \"A\""));
    assert_eq!(project["authors"][0]["email"].as_str(), Some("ann@example.com"));
    assert_eq!(project["authors"][1].as_table().map(toml::Table::len), Some(1));
    assert_eq!(project["urls"]["Repository"].as_str(), Some("https://example.com/mine"));
    let npm: serde_json::Value =
        serde_json::from_str(&text(Target::TypeScript, "package.json")).unwrap();
    assert_eq!(npm["name"], "@my/sdk");
    assert_eq!(npm["version"], "2.0.0-rc.1");
    assert_eq!(npm["license"], "MIT");
    assert_eq!(npm["files"], serde_json::json!(["LICENSE", "dist", "src"]));
    assert_eq!(npm["repository"]["url"], "https://example.com/mine");
    assert_eq!(npm["author"], "Ann \"A\" <ann@example.com>");
    assert_eq!(npm["contributors"], serde_json::json!(["Bob"]));
    assert_eq!(npm["description"], "Mine: \\ \" é");
    let jsr: serde_json::Value =
        serde_json::from_str(&text(Target::TypeScript, "jsr.json")).unwrap();
    assert_eq!(jsr["name"], "@my/sdk");
    let included = serde_json::json!(["LICENSE", "README.md", "jsr.json", "src"]);
    assert_eq!(jsr["publish"]["include"], included);
    assert_eq!(jsr["exports"], serde_json::json!({ ".": "./src/sdk.ts" }));
    assert_eq!(npm["types"], "./dist/sdk.d.ts");
    let index = text(Target::TypeScript, "src/sdk.ts");
    assert!(index.contains("from \"./codec.ts\";") && !index.contains(".js\""), "{index}");
    assert!(index.contains("from \"./schema/types.gen.ts\";"), "{index}");
    assert!(text(Target::Python, "src/mine/schema.py").starts_with("# @generated"));
    let tsconfig = text(Target::TypeScript, "tsconfig.json");
    assert!(tsconfig.contains("\"rewriteRelativeImportExtensions\": true"), "{tsconfig}");
}

#[test]
fn what_no_manifest_can_say_is_refused() {
    for text in [
        "[targets.typescript]\nname = \"my sdk\"",
        "[targets.typescript]\nname = \"@my\"",
        "[targets.typescript]\nname = \"@my/../x\"",
        "[targets.typescript]\nname = \"My\"",
        "[targets.python]\nname = \"-x\"",
        "[targets.rust]\nname = \"2x\"",
        "[targets.docs]\nname = \"x\"",
        "[targets.rust]\nspecifiers = \"ts\"",
        "[targets.typescript]\nformat = \"html\"",
        "[targets.rust.files]\n\"src/types.rs\" = \"src/schema.rs\"",
        "[targets.docs.files]\n\"index.html\" = \"a.html\"",
        "[targets.go]\ntemplates = \"go\"\nfiles = {}",
        "[targets.python.files]\n\"src/acp/types.py\" = 1",
        "[package]\nlicence = \"MIT\"",
        "[package]\nversion = \"1.2\"",
    ] {
        let mut diagnostics = Diagnostics::new();
        let path = Path::new("acp-bindgen.toml");
        let config = Config::from_toml(path, text, &mut Sources::default(), &mut diagnostics);
        assert_eq!(config, None, "{text}");
        assert_eq!(diagnostics.iter().map(|it| it.code).collect::<Vec<_>>(), ["bad-config"]);
    }
    let version = Some("1.2".into());
    let package = Metadata { version, ..Metadata::default() };
    let config = Config { package, ..Config::default() };
    let schema = serde_json::json!({ "title": "T", "$defs": { "A": {} } });
    let schema = SchemaText::from_value("s.json", &schema);
    let generation = Generator::new(config).generate(schema);
    assert!(generation.diagnostics.iter().any(|found| found.code == "bad-config"));
    assert!(generation.packages.is_empty());
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
