//! `acp-bindgen watch`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use acp_bindgen::Config;
use acp_bindgen::diagnostic::{Diagnostic, Diagnostics};
use acp_bindgen::source::{Sources, is_path};
use notify::{Event, RecursiveMode, Watcher, recommended_watcher};

use super::common::Choices;
use super::exit::Exit;
use super::generate::generate_and_write;
use super::terminal::Terminal;

/// How long nothing must have happened before files are read: an editor writes in several steps.
const QUIET: Duration = Duration::from_millis(80);

/// Write the packages, and again whenever something that they depend on changes.
///
/// That is the schema, an overlay, a catalogue, old names, a template, or the configuration. Takes the same options as `generate`. What is wrong is said, and the packages stay as they
/// were. It goes on until it is stopped.
#[derive(clap::Args)]
pub(super) struct Watch {
    #[command(flatten)]
    choices: Choices,
}

impl Watch {
    /// Runs the command. `None` if an error was reported that it cannot go on after.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let (sender, events) = channel();
        let watcher = recommended_watcher(move |event| {
            // Nobody listens any more: the command is over.
            let _ = sender.send(event);
        });
        let mut watcher = match watcher {
            Ok(watcher) => watcher,
            Err(error) => return terminal.fail(unwatchable(&error)),
        };
        let mut folders = BTreeSet::new();
        loop {
            let files = self.files();
            for file in &files {
                let (folder, mode) = to_watch(file);
                if folders.insert(folder.clone())
                    && let Err(error) = watcher.watch(&folder, mode)
                {
                    return terminal.fail(unwatchable(&error));
                }
            }
            terminal.start_over();
            let outcome = generate_and_write(&self.choices, false, false, terminal);
            let remark = if outcome.is_none() { "Nothing was written. " } else { "" };
            terminal.status(&format!("{remark}Waiting for changes.\n"));
            wait(&events, &files);
        }
    }

    /// The files and folders that the packages depend on.
    fn files(&self) -> Vec<PathBuf> {
        let found = self.choices.config.clone().or_else(Config::find);
        let mut files = vec![found.unwrap_or_else(|| PathBuf::from(Config::FILE))];
        // What is wrong with it is reported by the run that follows.
        let ignored = (&mut Sources::default(), &mut Diagnostics::new());
        if let Some(config) = self.choices.read(ignored.0, ignored.1) {
            let named = config.schema.iter().chain(&config.overlay).chain(&config.catalogue);
            files.extend(named.clone().filter(|name| is_path(name)).map(PathBuf::from));
            // Standard input can be read once only, and that is for the run.
            let is_once = named.clone().any(|name| name == "-");
            let inputs = if is_once { None } else { config.read_inputs(ignored.1) };
            let referred = inputs.iter().flat_map(acp_bindgen::Inputs::referred_files);
            files.extend(referred.map(PathBuf::from));
            files.extend(config.aliases.clone());
            files.extend(config.package.license_file.clone());
            files.extend(config.targets.templates.iter().map(|of| of.folder.clone()));
        }
        files
            .iter()
            .map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone()))
            .collect()
    }
}

/// The path to watch for a change of a file or folder, and how deep. Editors put another file in
/// the place of the old one, so for a file the folder around it is watched.
fn to_watch(path: &Path) -> (PathBuf, RecursiveMode) {
    if path.is_dir() {
        return (path.to_owned(), RecursiveMode::Recursive);
    }
    (path.parent().map(Path::to_owned).unwrap_or_default(), RecursiveMode::NonRecursive)
}

/// Waits for a change of one of the files, and until no more follow.
fn wait(events: &Receiver<notify::Result<Event>>, files: &[PathBuf]) {
    let is_ours = |event: &notify::Result<Event>| {
        event.as_ref().is_ok_and(|event| {
            let is_one = |path: &PathBuf| files.iter().any(|file| path.starts_with(file));
            !event.kind.is_access() && event.paths.iter().any(is_one)
        })
    };
    while let Ok(event) = events.recv() {
        if is_ours(&event) {
            break;
        }
    }
    let mut last = Instant::now();
    while let Some(left) = QUIET.checked_sub(last.elapsed()) {
        match events.recv_timeout(left) {
            Ok(event) if is_ours(&event) => last = Instant::now(),
            Ok(_) => {}
            Err(_) => break,
        }
    }
}

fn unwatchable(error: &notify::Error) -> Diagnostic {
    Diagnostic::error("unwatchable", format!("cannot watch for changes: {error}"))
        .help("run `acp-bindgen generate` after each change")
}
