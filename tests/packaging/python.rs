//! Python distributions: built, looked into, and installed where nothing else is.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{self, Wheels};

/// What a wheel holds of ACP v1 beside the package itself.
const METADATA: [&str; 3] = ["METADATA", "RECORD", "WHEEL"];

/// A distribution of ACP v1, built: its folder, and the wheel.
fn built(wheels: &Wheels, test: &str) -> (PathBuf, PathBuf) {
    let folder = support::scratch(&format!("packaging-python-{test}"));
    let mut generate = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
    generate.args(["generate", "--schema", "bundled:acp@v1", "--target", "python"]);
    support::run(generate.args(["--name", "acp-types", "--out"]).arg(&folder));
    let package = folder.join("python");
    let mut pip = wheels.pip();
    pip.args(["wheel", "--no-deps", "--no-build-isolation", "--check-build-dependencies"]);
    support::run(pip.arg("--wheel-dir").arg(folder.join("dist")).arg(&package));
    let wheel = only(&folder.join("dist"), "whl");
    (package, wheel)
}

/// The only file in a folder with this extension.
pub(super) fn only(folder: &Path, extension: &str) -> PathBuf {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// The names in an archive, sorted.
fn names(wheels: &Wheels, archive: &Path) -> Vec<String> {
    let list = "import sys, tarfile, zipfile; path = sys.argv[1]
zipped = path.endswith('.whl')
names = zipfile.ZipFile(path).namelist() if zipped else tarfile.open(path).getnames()
print('\\n'.join(sorted(names)))";
    let text = support::run(wheels.python().args(["-c", list]).arg(archive));
    text.lines().map(str::to_owned).collect()
}

/// The files of a package's source, under the name of a folder.
fn sources(source: &Path, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(source).unwrap().flatten() {
        let name = format!("{at}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(sources(&entry.path(), &name));
        } else {
            found.push(name);
        }
    }
    found
}

#[test]
fn a_wheel_holds_the_package_and_nothing_else() {
    let Some(wheels) = support::wheels() else { return };
    let (package, wheel) = built(&wheels, "wheel");
    let version = acp_bindgen::schema::bundled::VERSION;
    assert_eq!(
        wheel.file_name().unwrap().to_str().unwrap(),
        format!("acp_types-{version}-py3-none-any.whl")
    );
    let mut expected = sources(&package.join("src/acp_types"), "acp_types");
    assert!(expected.contains(&String::from("acp_types/py.typed")), "{expected:?}");
    expected.extend(METADATA.map(|name| format!("acp_types-{version}.dist-info/{name}")));
    expected.sort();
    assert_eq!(names(&wheels, &wheel), expected);
}

#[test]
fn a_source_distribution_builds_the_same_wheel() {
    let Some(wheels) = support::wheels() else { return };
    let (package, wheel) = built(&wheels, "sdist");
    let dist = package.with_file_name("sdist");
    let mut build = wheels.python();
    build.args(["-m", "hatchling", "build", "-t", "sdist", "-d"]).arg(&dist);
    support::run(build.current_dir(&package));
    let sdist = only(&dist, "gz");
    let top = format!("acp_types-{}", acp_bindgen::schema::bundled::VERSION);
    let mut expected = sources(&package.join("src"), &format!("{top}/src"));
    expected.extend(["PKG-INFO", "README.md", "pyproject.toml"].map(|it| format!("{top}/{it}")));
    expected.sort();
    let mut found = names(&wheels, &sdist);
    // The builder adds what the repository around the package ignores.
    found.retain(|name| !name.ends_with("/.gitignore"));
    assert_eq!(found, expected);
    let mut pip = wheels.pip();
    pip.args(["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]);
    support::run(pip.arg(&dist).arg(&sdist));
    let again = only(&dist, "whl");
    assert_eq!(std::fs::read(again).unwrap(), std::fs::read(wheel).unwrap());
}

#[test]
fn it_says_what_it_is() {
    let Some(wheels) = support::wheels() else { return };
    let (package, wheel) = built(&wheels, "metadata");
    support::run(wheels.program("twine").args(["check", "--strict"]).arg(&wheel));
    let show = "import email, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
name = next(name for name in archive.namelist() if name.endswith('/METADATA'))
message = email.message_from_bytes(archive.read(name))
keys = ['Name', 'Version', 'Requires-Python', 'Requires-Dist', 'Description-Content-Type']
print(json.dumps({key: message.get_all(key) for key in keys}))
print(json.dumps(message.get_all('Classifier')))
print(json.dumps(message.get_payload(decode=True).decode()))";
    let text = support::run(wheels.python().args(["-c", show]).arg(wheel));
    let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut next = || -> serde_json::Value { lines.next().unwrap() };
    assert_eq!(
        next(),
        serde_json::json!({
            "Name": ["acp-types"],
            "Version": [acp_bindgen::schema::bundled::VERSION],
            "Requires-Python": [">=3.10"],
            "Requires-Dist": [
                "msgspec>=0.20",
                "httpcore>=1.0; extra == 'http'",
                "httpx[http2]>=0.27; extra == 'http'",
                "sniffio>=1.3; extra == 'http'",
                "websockets>=13; extra == 'ws'",
            ],
            "Description-Content-Type": ["text/markdown"],
        })
    );
    let classifiers = next();
    assert!(classifiers.as_array().unwrap().contains(&"Typing :: Typed".into()), "{classifiers}");
    let readme = std::fs::read_to_string(package.join("README.md")).unwrap();
    assert_eq!(next().as_str().unwrap().trim(), readme.trim());
}

/// The newest is what the walkthrough installs.
#[test]
fn it_installs_with_the_oldest_msgspec() {
    let Some(wheels) = support::wheels() else { return };
    let (package, wheel) = built(&wheels, "installed");
    let environment = package.with_file_name("oldest");
    support::run(wheels.python().args(["-m", "venv"]).arg(&environment));
    let programs = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = || Command::new(programs.join("python"));
    let pip = |arguments: &[&str]| {
        let mut pip = python();
        pip.args(["-m", "pip", "--disable-pip-version-check"]).args(arguments);
        pip
    };
    support::run(pip(&["install", "--quiet", "msgspec==0.20.0"]).arg(&wheel));
    let installed = support::run(&mut pip(&["freeze"]));
    let installed: Vec<&str> =
        installed.lines().filter_map(|line| line.split([' ', '=']).next()).collect();
    assert_eq!(installed, ["acp-types", "msgspec"]);
    let mut import = python();
    import.args(["-W", "error", "-c", &forgiving("acp_types")]).current_dir(&environment);
    assert_eq!(support::run(&mut import), FORGIVEN);
}

/// A program that uses a package of ACP v1: what `msgspec` refuses there, generated code forgives.
pub(super) fn forgiving(package: &str) -> String {
    format!(
        "import {package}; print({package}.PROTOCOL_VERSION)
from {package}.codecs import TextContentCodec
print(TextContentCodec.decode(b'{{\"text\":\"t\",\"annotations\":7}}').text)"
    )
}

/// What it prints.
pub(super) const FORGIVEN: &str = "1\nt\n";
