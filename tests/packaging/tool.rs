//! The tool itself, packed as a crate, a wheel and npm packages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use acp_bindgen::output::FileSet;

use crate::support::{self, Node, Wheels};

/// The version that users get.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is compiled into the crate or shown to its users, and nothing else.
#[test]
fn the_crate_holds_what_it_is_built_of() {
    let mut list = support::cargo();
    list.args(["package", "--list", "--offline", "--allow-dirty"]);
    let listed = support::run(list.current_dir(support::root()));
    let named = |name: &str| listed.lines().any(|line| line == name);
    for name in ["build.rs", "src/schema/bundled/export.rs", "CHANGELOG.md", "docs/remote.md"] {
        assert!(named(name), "{name}: {listed}");
    }
    let folders = ["src/", "templates/", "schema/", "docs/", "packaging/README.md"];
    let mut strange: Vec<&str> = listed.lines().filter(|line| line.contains('/')).collect();
    strange.retain(|line| !folders.iter().any(|folder| line.starts_with(folder)));
    assert!(strange.is_empty(), "{strange:?}");
    let sizes =
        listed.lines().filter_map(|line| std::fs::metadata(support::root().join(line)).ok());
    let size: u64 = sizes.map(|metadata| metadata.len()).sum();
    assert!((1_000_000..6_000_000).contains(&size), "{size} bytes");
}

/// The page that users of packages see names only what they can reach: what the crate has, by its
/// address on docs.rs, which shows the files of a crate. So do the pages there, which name the
/// command as users have it.
#[test]
fn no_page_needs_the_repository() {
    let page = std::fs::read_to_string(root("packaging/README.md")).unwrap();
    let links = page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    let mut pages = 0;
    for link in links {
        assert!(link.starts_with("https://"), "{link}");
        let path = link.strip_prefix("https://docs.rs/crate/acp-bindgen/latest/source/");
        assert!(path.is_none_or(|path| unpacked().join(path).is_file()), "{link}");
        pages += usize::from(path.is_some());
    }
    assert!(pages > 5, "{pages}");
    let pages = std::fs::read_dir(unpacked().join("docs")).unwrap().flatten();
    let pages: Vec<PathBuf> = pages.map(|page| page.path()).filter(|path| path.is_file()).collect();
    assert!(pages.len() > 20, "{pages:?}");
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(!text.contains("cargo run"), "{}", page.display());
        let links = text.split("](").skip(1).map(|rest| rest.split([')', '#']).next().unwrap());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            // Only texts are unpacked.
            let is_picture = Path::new(link).extension().is_some_and(|it| it == "png");
            let packed = if is_picture { root("docs") } else { unpacked().join("docs") };
            assert!(packed.join(link).exists(), "{}: {link}", page.display());
        }
    }
}

/// The program that npm starts ends as the one that it finds, and says so where it finds none.
#[test]
fn the_npm_launcher_ends_as_the_program_does() {
    let Some(node) = support::node() else { return };
    let folder = support::scratch("packaging-tool-launcher");
    let launcher = root("packaging/npm/acp-bindgen.js");
    let at = folder.join("node_modules/acp-bindgen/bin/acp-bindgen.js");
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::fs::copy(launcher, &at).unwrap();
    let missing = node.node().arg(&at).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(
        said.starts_with("error: there is no program for ") && said.contains("help: "),
        "{said}"
    );
}

/// What is compiled in is what is printed: with the lines of a checkout on Windows, packages would
/// have others there.
#[test]
fn every_checkout_has_the_same_lines() {
    let mut list = Command::new("git");
    list.args(["ls-files", "src", "templates", "schema", "generated"]);
    let files = support::run(list.current_dir(support::root()));
    assert!(files.lines().count() > 500);
    let mut check = Command::new("git");
    check.args(["check-attr", "eol", "--"]).args(files.lines());
    let listed = support::run(check.current_dir(support::root()));
    let other = listed.lines().find(|line| !line.ends_with(": eol: lf"));
    assert_eq!(other, None);
}

/// A release is built for each platform that the package of npm looks for, and for no other.
#[test]
fn a_release_is_built_for_every_platform() {
    let read = |path: &str| std::fs::read_to_string(root(path)).unwrap();
    let platforms: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&read("packaging/npm/platforms.json")).unwrap();
    let pairs = platforms.iter().map(|(platform, target)| {
        format!("platform: {platform}, target: {}, runner:", target.as_str().unwrap())
    });
    let release = read(".github/workflows/release.yml");
    let built = release.lines().filter(|line| line.trim_start().starts_with("- { platform: "));
    let built: Vec<&str> = built.collect();
    assert_eq!(built.len(), pairs.len());
    for (line, pair) in built.iter().zip(pairs) {
        assert!(line.contains(&pair), "{line} is not {pair}");
    }
}

#[test]
fn a_tag_is_the_version_that_the_changelog_tells_of() {
    let folder = support::scratch("packaging-tool-version");
    let script = std::fs::read_to_string(root("packaging/check-version.sh")).unwrap();
    let manifest = "[package]\nversion = \"1.2.0\"\n\n[dependencies.a]\nversion = \"9.0.0\"\n";
    let check = |tag: &str, heading: &str| {
        let changelog = format!("# Changelog\n\n{heading}\n");
        let files = [("packaging/check.sh", &*script), ("Cargo.toml", manifest)];
        support::write_files(&folder, files.into_iter().chain([("CHANGELOG.md", &*changelog)]));
        let mut check = Command::new("bash");
        support::try_run(check.arg(folder.join("packaging/check.sh")).arg(tag)).map(drop)
    };
    check("v1.2.0", "## 1.2.0").unwrap();
    assert!(check("v1.2.1", "## 1.2.0").unwrap_err().contains("the version in Cargo.toml 1.2.0"));
    let refused = check("v1.2.0", "## 1.2.0 (unreleased)").unwrap_err();
    assert!(refused.contains("CHANGELOG.md has no heading"), "{refused}");
}

/// A folder with the wheel and the npm package of this machine's platform.
pub(super) fn packed(node: &Node, wheels: &Wheels) -> &'static Path {
    static PACKED: OnceLock<PathBuf> = OnceLock::new();
    PACKED.get_or_init(|| {
        let folder = support::scratch("packaging-tool-packed");
        let print = "process.stdout.write(`${process.platform}-${process.arch}`)";
        let platform = support::run(node.node().args(["-e", print]));
        let version = support::run(Command::new("rustc").arg("-vV"));
        let target = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let mut pack = Command::new(root("packaging/platform.sh"));
        pack.arg(&folder).args([&platform, target, profile]);
        // The command that other tests run stays where it is while this one is put elsewhere. Without
        // what only tests need, its dependencies are others; they are those of the crate, too.
        pack.env("CARGO_TARGET_DIR", support::target().join("packaging/build"));
        pack.env("CARGO_BUILD_BUILD_DIR", compiled());
        pack.env_remove("CARGO_PROFILE_DEV_OPT_LEVEL");
        support::run(wheels.on_path(&mut pack));
        folder
    })
}

/// The folder that the tool is compiled in as users have it: without what only tests need, and not
/// optimised.
///
/// It is not the one of this repository: to cargo the packed crate, which is the root of its workspace
/// as this one is, would be the same package, and the next build would take what was compiled of it
/// for its own. The packages and the crate have the same sources, and may share it.
pub(super) fn compiled() -> PathBuf {
    support::target().join("packaging/compiled")
}

/// A file of the repository.
pub(super) fn root(path: &str) -> PathBuf {
    support::root().join(path)
}

/// The folder of the crate as it is packed, which is what users compile. What has not changed in it
/// keeps its age, and is not compiled again.
pub(crate) fn unpacked() -> &'static Path {
    static UNPACKED: OnceLock<PathBuf> = OnceLock::new();
    UNPACKED.get_or_init(|| {
        let folder = support::scratch("packaging-tool-crate");
        let mut pack = support::cargo();
        pack.args(["package", "--offline", "--allow-dirty", "--no-verify", "--quiet"]);
        pack.arg("--target-dir").arg(&folder).current_dir(support::root());
        support::run(&mut pack);
        let name = format!("acp-bindgen-{VERSION}");
        let packed = format!("package/{name}.crate");
        support::run(Command::new("tar").args(["-xzf", &packed]).current_dir(&folder));
        let mut files = FileSet::default();
        read(&folder.join(&name), &name, &mut files);
        support::synced("packaging-tool-sources", &files).join(name)
    })
}

/// Reads the texts in a folder, under the name of it.
fn read(folder: &Path, at: &str, files: &mut FileSet) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = format!("{at}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(&entry.path(), &name, files);
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            files.insert(name, text);
        }
    }
}
