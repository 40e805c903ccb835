//! A disk that is full, and folders that only others may write to.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use super::sandbox::{Ended, PACKAGE, Sandbox};

/// Lets no file grow beyond so many blocks: a write past that fails, as on a full disk. A small file
/// system would have to be mounted, which most users may not do; this limit anybody can set, and it
/// stops an administrator as well. The signal that goes with it is ignored, as programs are killed by
/// it which a full disk would only give an error.
const LIMITED: &str = "trap '' XFSZ; ulimit -f $1; shift; exec \"$@\"";

fn generate_limited(sandbox: &Sandbox, blocks: usize, schema: &str) -> Ended {
    let mut command = Command::new("sh");
    command.args(["-c", LIMITED, "sh", &blocks.to_string(), env!("CARGO_BIN_EXE_acp-bindgen")]);
    command.args(["generate", "--schema", schema, "--target", "typescript", "--out", "sdk"]);
    Sandbox::ended(command.current_dir(sandbox.path("")).stdin(Stdio::null()))
}

#[test]
fn a_full_disk_changes_nothing() {
    let sandbox = Sandbox::new();
    let mut failed = 0;
    // From a disk that takes nothing to one that takes all but the largest files.
    for blocks in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] {
        let before = sandbox.tree();
        let ended = generate_limited(&sandbox, blocks, "bundled:acp@v1");
        if ended.code == Some(0) {
            break;
        }
        let ended = ended.fails_with("unwritable");
        assert!(ended.err.contains("nothing was changed"), "{}", ended.err);
        assert_eq!(sandbox.tree(), before, "{blocks} blocks");
        failed += 1;
        if failed == 1 {
            // From now on there are packages of another schema.
            let old = ["generate", "--schema", "switch.json", "--target", "typescript"];
            sandbox.run(&[&old[..], &["--out", "sdk"]].concat()).succeeds();
        }
    }
    assert!(failed > 5, "{failed}");
    let new = Sandbox::new();
    generate_limited(&new, 1 << 20, "bundled:acp@v1").succeeds();
    assert_eq!(sandbox.tree(), new.tree());
}

#[test]
fn a_full_disk_leaves_the_files_that_diff_rewrites() {
    let sandbox = Sandbox::new();
    sandbox.write("waivers.toml", &"# what was agreed to\n".repeat(200));
    sandbox.write("other.json", &sandbox.read("switch.json").replace("lamp/switch", "lamp/turn"));
    let before = sandbox.tree();
    for arguments in [
        &["diff", "switch.json", "other.json", "--write-waivers", "waivers.toml"][..],
        &["diff", "switch.json", "other.json", "--witness", "."],
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", LIMITED, "sh", "0", env!("CARGO_BIN_EXE_acp-bindgen")]);
        command.args(arguments).current_dir(sandbox.path("")).stdin(Stdio::null());
        let ended = Sandbox::ended(&mut command).exits(2);
        assert!(ended.err.contains("error[unwritable]"), "{}", ended.err);
        assert_eq!(sandbox.tree(), before, "{arguments:?}");
    }
}

/// Permissions do not stop an administrator: such a one runs the command as nobody.
const NOBODY: u32 = 65_534;

#[test]
fn what_may_not_be_written_is_left_as_it_is() {
    let sandbox = Sandbox::generated();
    let is_administrator = fs::metadata(sandbox.path("")).unwrap().uid() == 0;
    // Nobody may look into a folder for tests, nor run what is in a home.
    let command = sandbox.path("acp-bindgen");
    if is_administrator {
        fs::copy(env!("CARGO_BIN_EXE_acp-bindgen"), &command).unwrap();
    }
    let mode = |path: &str, mode: u32| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("", 0o755);
    let run = |arguments: &[&str]| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_acp-bindgen"));
        if is_administrator {
            run = Command::new(&command);
            run.uid(NOBODY).gid(NOBODY);
        }
        run.args(["generate", "--target", "typescript"]).args(arguments);
        Sandbox::ended(run.current_dir(sandbox.path("")).stdin(Stdio::null()))
    };
    let inner = format!("{PACKAGE}/src");
    for closed in [PACKAGE, inner.as_str()] {
        mode("lsp-sdk", 0o777);
        mode(PACKAGE, 0o777);
        mode(closed, 0o555);
        let before = sandbox.tree();
        for out in ["lsp-sdk", "lsp-sdk/../lsp-sdk"] {
            let ended = run(&["--schema", "bundled:acp@v1", "--out", out]);
            let ended = ended.fails_with("unwritable");
            assert!(ended.err.contains("nothing was changed"), "{closed}: {}", ended.err);
            assert_eq!(sandbox.tree(), before, "{closed}");
        }
        mode(closed, 0o755);
    }
    // What is current needs no permission.
    mode(PACKAGE, 0o555);
    run(&["--schema", "switch.json"]).succeeds();
    mode(PACKAGE, 0o755);
}
