//! Manifests of packages: what the configuration says of them, and the text of the licence.

use std::path::Path;

use acp_bindgen::backend::metadata::Metadata;
use acp_bindgen::diagnostic::{Diagnostics, Severity};
use acp_bindgen::schema::SchemaText;
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, Generation, Generator, Target};

use crate::config::file;

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
    assert!(index.contains("from \"./runtime/codec.ts\";") && !index.contains(".js\""), "{index}");
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
