//! Whatever an agent's standard input and output are, it serves them, and leaves them as they are
//! for whoever has them too.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::support;

const INITIALIZE: &str =
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}\n";

/// The languages whose connections ask what standard input and output are.
fn languages() -> Vec<&'static str> {
    let languages = support::harness_languages().into_iter();
    languages.filter(|language| ["rust", "python"].contains(language)).collect()
}

fn agent(language: &str, input: impl Into<Stdio>, output: impl Into<Stdio>) -> Child {
    support::build_harness("acp-v1", "bundled:acp@v1");
    let mut command = Command::new(support::root().join("tests/harness/agent"));
    command.arg(language).stdin(input).stdout(output).spawn().unwrap()
}

/// Waits for the end. What hangs is killed after a minute.
fn ended(mut child: Child) -> ExitStatus {
    for _ in 0..6000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("the agent does not end");
}

fn assert_answered(output: &str) {
    assert!(output.contains("\"id\":7,\"result\":"), "{output}");
}

/// Whether reading and writing wait. (Linux)
fn is_blocking(file: &impl AsRawFd) -> bool {
    let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).unwrap();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:")).unwrap();
    u32::from_str_radix(flags.trim(), 8).unwrap() & 0o4000 == 0
}

#[test]
fn pipes_are_served_and_stay_blocking() {
    for language in languages() {
        let (input, mut requests) = std::io::pipe().unwrap();
        let (answers, output) = std::io::pipe().unwrap();
        let child = agent(language, input.try_clone().unwrap(), output.try_clone().unwrap());
        requests.write_all(INITIALIZE.as_bytes()).unwrap();
        let mut answer = String::new();
        BufReader::new(answers).read_line(&mut answer).unwrap();
        assert_answered(&answer);
        if cfg!(target_os = "linux") {
            assert!(is_blocking(&input) && is_blocking(&output));
        }
        drop(requests);
        assert!(ended(child).success());
    }
}

#[test]
fn files_are_served() {
    for language in languages() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("input"), folder.path().join("output"));
        std::fs::write(&input, INITIALIZE).unwrap();
        let child = agent(language, File::open(input).unwrap(), File::create(&output).unwrap());
        assert!(ended(child).success());
        assert_answered(&std::fs::read_to_string(output).unwrap());
    }
}

#[test]
fn a_named_pipe_that_nobody_writes_to_any_more_is_served() {
    for language in languages() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        support::run(Command::new("mkfifo").arg(&pipe));
        let writing = pipe.clone();
        let writer = std::thread::spawn(move || std::fs::write(writing, INITIALIZE).unwrap());
        let input = File::open(pipe).unwrap();
        writer.join().unwrap();
        let mut child = agent(language, input, Stdio::piped());
        let mut output = child.stdout.take().unwrap();
        assert!(ended(child).success());
        let mut answer = String::new();
        output.read_to_string(&mut answer).unwrap();
        assert_answered(&answer);
    }
}

#[test]
fn sockets_are_served() {
    for language in languages() {
        let (mut near, far) = UnixStream::pair().unwrap();
        let (input, output) = (OwnedFd::from(far.try_clone().unwrap()), OwnedFd::from(far));
        let child = agent(language, input, output);
        near.write_all(INITIALIZE.as_bytes()).unwrap();
        let mut answer = String::new();
        BufReader::new(near.try_clone().unwrap()).read_line(&mut answer).unwrap();
        assert_answered(&answer);
        near.shutdown(std::net::Shutdown::Write).unwrap();
        assert!(ended(child).success());
    }
}
