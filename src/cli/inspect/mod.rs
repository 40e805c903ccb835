//! `acp-bindgen inspect`

use super::exit::Exit;
use super::terminal::Terminal;

/// Show the methods and types of the protocol.
#[derive(clap::Args)]
pub(super) struct Inspect {}
impl Inspect {
    pub(super) fn run(self, _terminal: &mut Terminal) -> Option<Exit> {
        None
    }
}
