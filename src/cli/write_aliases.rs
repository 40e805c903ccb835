//! Old names of types that `diff` writes.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use acp_bindgen::Protocol;
use acp_bindgen::aliases::with_aliases;
use acp_bindgen::breaking::Change;
use acp_bindgen::diagnostic::Diagnostic;
use acp_bindgen::output::replace;

use super::terminal::Terminal;

/// The option that writes old names.
#[derive(clap::Args)]
pub(super) struct WriteAliases {
    /// Add the old names of renamed types to this file, for `generate --aliases`.
    #[arg(id = "write_aliases", long = "write-aliases", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl WriteAliases {
    /// Adds the types that have another name in code to the file, if there is one. `None` if an
    /// error was reported.
    pub(super) fn write(
        &self,
        changes: &[Change],
        [old, new]: [&Protocol; 2],
        terminal: &mut Terminal,
    ) -> Option<()> {
        let Some(path) = &self.file else { return Some(()) };
        let renames: Vec<(String, String)> =
            changes.iter().filter_map(|change| rename(change, old, new)).collect();
        let renames: Vec<(&str, &str)> =
            renames.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        let before = fs::read_to_string(path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(String::new()),
            _ => Err(error),
        });
        let since = new.origin.version.as_deref();
        let written =
            before.and_then(|before| replace(path, &with_aliases(&before, &renames, since)));
        match written {
            Ok(()) => Some(()),
            Err(error) => {
                let what = format!("cannot write to `{}`", path.display());
                let error = Diagnostic::system("unwritable", &what, &error);
                terminal.fail(error.help("name a file that can be made or written to"))
            }
        }
    }
}

/// The old and the new name in code, if a change gives a definition another one.
fn rename(change: &Change, old: &Protocol, new: &Protocol) -> Option<(String, String)> {
    let is_rename = ["type-renamed", "code-name-changed"].contains(&change.rule.id);
    if !is_rename || !change.path.is_empty() {
        return None;
    }
    let place = &change.new.as_ref()?.pointer;
    let before = old.type_def(&change.ty)?;
    let after = new.types.values().find(|def| def.location.pointer == *place)?;
    let (before, after) = (before.name.pascal(), after.name.pascal());
    (before != after).then_some((before, after))
}
