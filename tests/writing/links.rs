//! Links in the output folder: nothing is written through them.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use super::sandbox::{PACKAGE, Sandbox};

#[test]
fn a_package_folder_that_is_a_link_is_refused_even_by_force() {
    for to in ["../elsewhere", "/nowhere/at/all", "../lsp-sdk/typescript"] {
        let sandbox = Sandbox::new();
        sandbox.write("elsewhere/mine.txt", "mine");
        fs::create_dir(sandbox.path("lsp-sdk")).unwrap();
        symlink(to, sandbox.path(PACKAGE)).unwrap();
        let before = sandbox.tree();
        for more in [&[][..], &["--force"]] {
            let ended = sandbox.generate(more).fails_with("foreign-file");
            assert!(ended.err.contains(&format!("it is a link to `{to}`")), "{}", ended.err);
            assert!(ended.err.contains("--out"), "{}", ended.err);
            assert_eq!(sandbox.tree(), before);
        }
    }
}

#[test]
fn a_link_that_was_chosen_as_the_folder_is_followed() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("elsewhere")).unwrap();
    symlink("elsewhere", sandbox.path("chosen")).unwrap();
    sandbox.generate(&["--out", "chosen"]).succeeds();
    assert!(sandbox.path("elsewhere/typescript/package.json").exists());
    assert!(fs::symlink_metadata(sandbox.path("chosen")).unwrap().is_symlink());
    sandbox.check(&["--out", "chosen"]).succeeds();
}

#[test]
fn a_list_of_files_that_is_a_link_is_refused() {
    let sandbox = Sandbox::generated();
    let manifest = format!("{PACKAGE}/.acp-bindgen.json");
    fs::rename(sandbox.path(&manifest), sandbox.path("list.json")).unwrap();
    symlink(sandbox.path("list.json"), sandbox.path(&manifest)).unwrap();
    let before = sandbox.tree();
    sandbox.generate(&["--docs", "off"]).fails_with("bad-manifest");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_file_of_ours_that_goes_is_not_removed_through_a_link() {
    let sandbox = Sandbox::generated();
    let file = sandbox.a_file();
    let folder = sandbox.path(&format!("{PACKAGE}/src"));
    fs::rename(&folder, sandbox.path("elsewhere")).unwrap();
    symlink(sandbox.path("elsewhere"), &folder).unwrap();
    let before = sandbox.tree();
    let ended = sandbox.generate(&["--docs", "off", "--force"]).fails_with("foreign-file");
    assert!(ended.err.contains("is a link"), "{file}: {}", ended.err);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_link_as_the_folder_of_a_killed_run_is_left_alone() {
    let sandbox = Sandbox::generated();
    sandbox.write("elsewhere/mine.txt", "mine");
    let link = format!("{PACKAGE}/.acp-bindgen-4000000000");
    symlink(sandbox.path("elsewhere"), sandbox.path(&link)).unwrap();
    sandbox.generate(&["--docs", "off"]).succeeds();
    assert_eq!(sandbox.read("elsewhere/mine.txt"), "mine");
}

#[test]
fn templates_are_not_read_through_links_that_lead_out() {
    let sandbox = Sandbox::new();
    sandbox.write("secret.txt", "secret");
    sandbox.write("secrets/key.txt", "secret");
    sandbox.write("mine/index.ts.jinja", "{{ protocol.title }}\n");
    sandbox.write(
        "acp-bindgen.toml",
        "schema = \"switch.json\"\n[targets.mine]\ntemplates = \"mine\"\n",
    );
    let generate = || sandbox.run(&["generate"]);
    symlink("index.ts.jinja", sandbox.path("mine/_again.jinja")).unwrap();
    let links = [("mine/copy.txt", "../secret.txt"), ("mine/keys", "../secrets")];
    for (link, to) in links {
        symlink(to, sandbox.path(link)).unwrap();
        let before = sandbox.tree();
        let ended = generate().fails_with("outside-folder");
        assert!(ended.err.contains(link), "{}", ended.err);
        assert_eq!(sandbox.tree(), before);
        fs::remove_file(sandbox.path(link)).unwrap();
    }
    // A link within it is as good as a copy.
    generate().succeeds();
}
