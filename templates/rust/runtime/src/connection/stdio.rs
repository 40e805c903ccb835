//! Standard input and output.

use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input. A pipe is waited for like a socket; anything else is read in a thread that may
/// block, which is slower.
pub(super) fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    match pipe::input() {
        Some(pipe) => Box::new(pipe),
        None => Box::new(tokio::io::stdin()),
    }
}

/// Standard output, in the same way.
pub(super) fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    match pipe::output() {
        Some(pipe) => Box::new(pipe),
        None => Box::new(tokio::io::stdout()),
    }
}

/// Pipes are opened anew. Whoever shares the original with this process, such as a shell, goes on
/// to find it as it was: only what is opened here does not block.
#[cfg(target_os = "linux")]
mod pipe {
    use std::fs::{File, OpenOptions, read_link};
    use std::os::fd::OwnedFd;
    use std::process;

    use tokio::process::{ChildStdin, ChildStdout};

    pub(super) fn input() -> Option<ChildStdout> {
        let pipe = open("/proc/self/fd/0", OpenOptions::new().read(true))?;
        ChildStdout::from_std(process::ChildStdout::from(OwnedFd::from(pipe))).ok()
    }

    pub(super) fn output() -> Option<ChildStdin> {
        let pipe = open("/proc/self/fd/1", OpenOptions::new().write(true))?;
        ChildStdin::from_std(process::ChildStdin::from(OwnedFd::from(pipe))).ok()
    }

    /// Opens what has no name, and is a pipe. Opening one with a name could block.
    fn open(descriptor: &str, options: &OpenOptions) -> Option<File> {
        let name = read_link(descriptor).ok()?;
        if !name.to_str()?.starts_with("pipe:") {
            return None;
        }
        options.open(descriptor).ok()
    }
}

/// Elsewhere a pipe cannot be opened anew.
#[cfg(not(target_os = "linux"))]
mod pipe {
    pub(super) fn input() -> Option<tokio::io::Stdin> {
        None
    }

    pub(super) fn output() -> Option<tokio::io::Stdout> {
        None
    }
}
