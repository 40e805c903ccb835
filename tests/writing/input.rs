//! Schemas from elsewhere than a path.

use std::process::Command;

use super::sandbox::Sandbox;

fn git(sandbox: &Sandbox, arguments: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let mut command = Command::new("git");
    command.args(who).args(arguments).current_dir(sandbox.path(""));
    assert!(command.output().unwrap().status.success(), "git {arguments:?}");
}

#[test]
fn standard_input() {
    let sandbox = Sandbox::new();
    let schema = sandbox.read("switch.json");
    let arguments = ["inspect", "--schema", "-", "lamp/switch"];
    let ended = sandbox.run_with_input(&arguments, schema.as_bytes()).succeeds();
    assert!(ended.out.contains("<stdin>:11"), "{}", ended.out);
    // A byte order mark is forgiven.
    let marked = [b"\xef\xbb\xbf", schema.as_bytes()].concat();
    sandbox.run_with_input(&arguments, &marked).succeeds();
    let ended = sandbox.run_with_input(&arguments, b"{\n\xff").exits(2);
    assert!(ended.err.contains("line 2, column 1"), "{}", ended.err);
}

#[test]
fn a_revision_of_git() {
    let sandbox = Sandbox::new();
    git(&sandbox, &["init", "-q"]);
    sandbox.write("sub/schema.json", &sandbox.read("switch.json"));
    git(&sandbox, &["add", "."]);
    git(&sandbox, &["commit", "-qm", "one"]);
    sandbox.write("sub/schema.json", "{}");
    let show = |schema: &str| sandbox.run(&["inspect", "--schema", schema, "lamp/switch"]);
    let ended = show("git:HEAD:sub/schema.json").succeeds();
    assert!(ended.out.contains("git:HEAD:sub/schema.json:11"), "{}", ended.out);
    show("git:HEAD:./sub/schema.json").succeeds();
    show("git::sub/schema.json").succeeds();
    assert_eq!(sandbox.read("sub/schema.json"), "{}", "the working tree changed");
    for (schema, said) in [
        ("git:nowhere:sub/schema.json", "nowhere"),
        ("git:HEAD:sub/other.json", "sub/other.json"),
        ("git:HEAD:sub", "sub"),
        ("git:--help:x", "no revision"),
    ] {
        let ended = show(schema).exits(2);
        assert!(ended.err.contains("error[git]") && ended.err.contains(said), "{}", ended.err);
    }
}

#[test]
fn a_file_and_the_same_file_in_git_give_the_same_code() {
    let sandbox = Sandbox::generated();
    git(&sandbox, &["init", "-q"]);
    git(&sandbox, &["add", "switch.json"]);
    git(&sandbox, &["commit", "-qm", "one"]);
    let schema = "git:HEAD:switch.json";
    sandbox.run(&["check", "--schema", schema, "--target", "typescript"]).succeeds();
}

#[test]
fn a_configuration_file_in_this_folder_is_read() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "acp-bindgen.toml",
        "schema = \"switch.json\"\ntarget = [\"typescript\"]\nout = \"code\"\n",
    );
    sandbox.run(&["generate"]).succeeds();
    assert!(sandbox.path("code/typescript").exists() && !sandbox.path("code/rust").exists());
    sandbox.run(&["check"]).succeeds();
    // A flag goes before it.
    sandbox.run(&["generate", "--out", "other"]).succeeds();
    assert!(sandbox.path("other/typescript").exists());
    // One that cannot be read is not passed over.
    sandbox.write("acp-bindgen.toml", "schema = 1");
    sandbox.run(&["generate"]).fails_with("bad-config");
}
