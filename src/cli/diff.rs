//! `acp-bindgen diff`

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use acp_bindgen::breaking::{Change, Comparison, Direction, Report, Subject, compare_with};
use acp_bindgen::diagnostic::Diagnostic;
use acp_bindgen::output::replace;
use acp_bindgen::source::Sources;
use acp_bindgen::{Config, Protocol, Purpose, Schema, input, load};

use super::diff_policy::PolicyOptions;
use super::diff_report::ReportOptions;
use super::exit::Exit;
use super::overlays::OverlayOption;
use super::terminal::Terminal;
use super::write_aliases::WriteAliases;
use super::write_waivers::WriteWaivers;

/// Say what a change of the schema breaks: on the wire, each way, and in each language's code.
///
/// With one schema, or none, the file as it is now is compared with what it was in the last commit.
///
/// Exits with 0 if nothing breaks, 1 if something does, and 2 if the two cannot be compared.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Diff {
    /// The old schema: a path, `-`, `bundled:NAME`, or `git:REV:PATH`. Without a new one, the file
    /// as it is now: by default the `schema` of the configuration file.
    #[arg(value_name = "OLD")]
    first: Option<String>,

    /// The new schema.
    #[arg(value_name = "NEW")]
    second: Option<String>,

    /// Compare a file with what it was in this git revision. By default in `HEAD`, where there is
    /// no new schema.
    #[arg(long, value_name = "REV", conflicts_with = "second")]
    against: Option<String>,

    #[command(flatten)]
    overlay: OverlayOption,

    /// Write the messages that prove each break into this folder.
    #[arg(long, value_name = "DIR")]
    witness: Option<PathBuf>,

    #[command(flatten)]
    report: ReportOptions,

    #[command(flatten)]
    policy: PolicyOptions,

    #[command(flatten)]
    aliases: WriteAliases,

    #[command(flatten)]
    waivers: WriteWaivers,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen diff
  acp-bindgen diff old.json new.json
  acp-bindgen diff --against main schema.json --summary
  acp-bindgen diff bundled:acp@v1 bundled:acp@v2 --format json";

impl Diff {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let (policy, config) = self.policy.load(terminal)?;
        let Some((old, new)) = self.names(config.schema.first().map(String::as_str)) else {
            let error = Diagnostic::error("no-schema", "no file is named to be compared");
            return terminal.fail(error.help(
                "name two schemas, or a file to be compared with its last commit, or set `schema` to \
                 a path in acp-bindgen.toml",
            ));
        };
        if old == "-" && new == "-" {
            let error = Diagnostic::error("unreadable", "standard input is named twice");
            return terminal.fail(
                error.help("only one schema can come from standard input; put the other in a file"),
            );
        }
        // The first version of a schema breaks nobody: it is compared with itself.
        let is_new = self.revision().is_some_and(|revision| input::is_new_since(revision, &new));
        let old = if is_new { new.clone() } else { old };
        let overlays = self.overlay.chosen(&config, [old.as_str(), new.as_str()]);
        let both =
            (read(&old, &overlays, &config, terminal), read(&new, &overlays, &config, terminal));
        let (before, after) = (both.0?, both.1?);
        let Comparison { mut report, source } = compare_with(
            before.subject(),
            after.subject(),
            &self.policy.compared(&policy, &config),
        );
        if let Some(revision) = self.revision() {
            if is_new {
                report.notes.push(format!(
                    "`{}` is not in {revision}: it is new, and there is nothing to compare it with",
                    report.new.label
                ));
            }
            report.old.label = format!("{} of {revision}", report.new.label);
            report.new.label.push_str(" as it is now");
        }
        let (old, new) = (before, after);
        if let Some(folder) = &self.witness
            && let Err(error) = write_witnesses(folder, &report)
        {
            let what = format!("cannot write to `{}`", folder.display());
            let error = Diagnostic::system("unwritable", &what, &error);
            return terminal.fail(error.help("name a folder that can be made or written to"));
        }
        let outcome = policy
            .apply(|policy, today| policy.apply(&report.changes, report.ignored, today), terminal);
        let shown = self.report.shown(
            &report,
            &source,
            &outcome,
            [&old.sources, &new.sources],
            terminal,
        )?;
        if self.report.is_for_people() {
            terminal.print(&shown);
        } else {
            terminal.print_as_it_is(&shown);
        }
        self.aliases.write(&report.changes, [&old.protocol, &new.protocol], terminal)?;
        if self.waivers.is_asked_for() {
            let failing = |change: &&Change| {
                policy.policy().counts(change) && outcome.waiver(&change.id).is_none()
            };
            let ids = report.changes.iter().filter(failing).map(|change| change.id.as_str());
            self.waivers.write(&ids.collect::<Vec<_>>(), terminal)?;
            return Some(Exit::Success);
        }
        Some(if outcome.fails { Exit::Findings } else { Exit::Success })
    }

    /// The names of the two schemas, if they are given here or in the configuration file.
    fn names(&self, configured: Option<&str>) -> Option<(String, String)> {
        if let (Some(first), Some(second)) = (&self.first, &self.second) {
            return Some((first.clone(), second.clone()));
        }
        let now = self.first.as_deref().or(configured).filter(|name| input::is_file(name))?;
        Some((input::at_revision(self.revision()?, now), now.to_owned()))
    }

    /// The revision that the file as it is now is compared with: the one named, or the last commit.
    fn revision(&self) -> Option<&str> {
        self.against.as_deref().or(self.second.is_none().then_some("HEAD"))
    }
}

/// Writes each witness to a file of its own, named after the change and the way: the message,
/// as it goes over the wire. Files of an earlier run that have other names are left alone.
fn write_witnesses(folder: &Path, report: &Report) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut taken = HashSet::new();
    for change in &report.changes {
        for witness in &change.witness {
            let Some(message) = &witness.message else { continue };
            let direction = match witness.direction {
                Direction::OldToNew => "old-to-new",
                Direction::NewToOld => "new-to-old",
            };
            let name = file_name(&change.id);
            let mut path = format!("{name}.{direction}.json");
            // Two names can become one where characters are left out.
            let mut count = 1;
            while !taken.insert(path.clone()) {
                count += 1;
                path = format!("{name}-{count}.{direction}.json");
            }
            replace(&folder.join(path), &format!("{message:#}\n"))?;
        }
    }
    Ok(())
}

/// A name as part of a file's: letters and digits, and `-` for everything else.
fn file_name(id: &str) -> String {
    let mut name = String::new();
    for character in id.chars().take(120) {
        let plain = character.is_ascii_alphanumeric() || character == '_';
        if plain {
            name.push(character);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name.trim_matches('-').to_owned()
}

/// Reads one of the schemas. Errors are reported.
fn read(name: &str, overlays: &[String], config: &Config, terminal: &mut Terminal) -> Option<Side> {
    let inputs = match input::read_schema(name, overlays, &config.refs) {
        Ok(inputs) => inputs,
        Err(error) => return terminal.fail(error),
    };
    let inputs = inputs.patterns(config.patterns.unwrap_or_default());
    let loaded = load(inputs, Purpose::Compare);
    terminal.report(&loaded.diagnostics, &loaded.sources);
    Some(Side { schema: loaded.schema?, protocol: loaded.protocol?, sources: loaded.sources })
}

/// A schema, read.
struct Side {
    schema: Schema,
    protocol: Protocol,
    sources: Sources,
}

impl Side {
    fn subject(&self) -> Subject<'_> {
        Subject { protocol: &self.protocol, document: Some(&self.schema.root) }
    }
}
