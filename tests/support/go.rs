//! Go.

use std::path::PathBuf;
use std::process::Command;

use super::{available, target, try_run};

/// The Go toolchain.
#[derive(Clone, Debug)]
pub(crate) struct Go {
    /// Where it keeps what it builds, under `target/`.
    cache: PathBuf,
}

impl Go {
    /// `go`, which downloads nothing.
    pub(crate) fn go(&self) -> Command {
        let mut go = Command::new("go");
        go.env("GOCACHE", self.cache.join("build")).env("GOPATH", self.cache.join("path"));
        go.env("GOPROXY", "off").env("GOFLAGS", "-mod=mod").env("GOTOOLCHAIN", "local");
        go
    }
}

/// Go 1.18 or later, which has type parameters, or `None` where there is none (see
/// [`available`]).
pub(crate) fn go() -> Option<Go> {
    available("Go 1.18", || {
        let version = try_run(Command::new("go").args(["env", "GOVERSION"]))?;
        let minor = version.trim().strip_prefix("go1.").and_then(|rest| {
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse::<u32>().ok()
        });
        match minor {
            Some(18..) => Ok(Go { cache: target().join("tools/go") }),
            _ => Err(format!("it is {}", version.trim())),
        }
    })
}
