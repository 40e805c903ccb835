//! `acp-bindgen validate`

use std::path::Path;

use acp_bindgen::diagnostic::Diagnostic;
use acp_bindgen::output::replace;
use acp_bindgen::policy::{RuleSeverity, Threshold};
use acp_bindgen::source::{SourceText, Sources};
use acp_bindgen::validate::policy::{FAIL_ON, rule_ids};
use acp_bindgen::validate::report::{View, github, json, sarif, text};
use acp_bindgen::validate::{Options, Subject, fixed, validate};
use acp_bindgen::{Config, Loaded, Purpose, input, load};
use clap::ValueEnum;

use super::exit::Exit;
use super::policy::{LoadedPolicy, PolicyFiles};
use super::terminal::Terminal;

/// Judge messages: what each side sent, whether the schema allows it, and whether it was time for
/// it.
///
/// A file has a message, or a message a line: bare, or in a record `{"from": SIDE, "message":
/// {…}}`. Exits with 0 if all is well, 1 if something is not, and 2 if it cannot tell.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Validate {
    /// Files of messages, each a conversation of its own, or `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// The protocol's schema: a path, `-`, `bundled:NAME`, or `git:REV:PATH`. A further one adds to
    /// it.
    #[arg(long, value_name = "SCHEMA")]
    schema: Vec<String>,

    /// A JSON Merge Patch for the schema. May be repeated.
    #[arg(long, value_name = "FILE")]
    overlay: Vec<String>,

    /// Forgive nothing: judge as receivers in strict mode do.
    #[arg(long)]
    strict: bool,

    /// The side whose log the files are: the one that means "sent" by "sent".
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,

    /// Rewrite the files with one message a line, without blank lines and carriage returns. Keys
    /// stay in order, and values as they are spelled.
    #[arg(long)]
    fix: bool,

    /// The format of the report.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Exit with 1 only if something this bad is found. By default `error`.
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<Threshold>,

    #[command(flatten)]
    policy: PolicyFiles,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal.
    Text,
    /// Everything, as one JSON object.
    Json,
    /// Annotations of a GitHub workflow.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen validate trace.jsonl
  acp-bindgen validate message.json --schema my.json --strict
  acp-bindgen validate agent.log --side agent --format json";

impl Validate {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let (policy, config) = self.load_policy(terminal)?;
        let flags = Config {
            schema: self.schema.clone(),
            overlay: self.overlay.clone(),
            ..Config::default()
        };
        let mut diagnostics = acp_bindgen::diagnostic::Diagnostics::new();
        let config = flags.or(config);
        let Some(inputs) = config.read_inputs(&mut diagnostics) else {
            terminal.report(&diagnostics, &config.sources());
            return None;
        };
        let Loaded { schema: document, protocol, diagnostics, sources: schema } =
            load(inputs, Purpose::Generate);
        if diagnostics.has_errors() {
            terminal.report(&diagnostics, &schema);
        }
        let protocol = protocol?;
        let options = Options { strict: self.strict, side: self.side.clone() };
        if let Some(error) = unknown_side(&protocol, options.side.as_deref()) {
            return terminal.fail(error);
        }
        let files = self.read(terminal)?;
        let numbers = 0..u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let document = document.as_ref().map(|document| (&document.root, &schema));
        let subject = Subject { protocol: &protocol, document };
        let report = validate(subject, &files, numbers, &options).with_levels(policy.levels());
        let outcome = policy.apply(|policy, today| report.outcome(policy, today), terminal);
        let view = View { report: &report, files: &files, schema: &schema, outcome: &outcome };
        match self.format {
            Format::Text => terminal.print(&text(&view)),
            Format::Json => terminal.print_as_it_is(&json(&view)),
            Format::Github => terminal.print_as_it_is(&github(&view)),
            Format::Sarif => terminal.print_as_it_is(&sarif(&view)),
        }
        Some(if outcome.fails { Exit::Findings } else { Exit::Success })
    }

    fn load_policy(
        &self,
        terminal: &mut Terminal,
    ) -> Option<(LoadedPolicy<Threshold, RuleSeverity>, Config)> {
        let table = |config: &Config| {
            let mut table = config.validate.clone().policy();
            table.fail_on = table.fail_on.or(Some(FAIL_ON));
            table
        };
        let rules: Vec<_> = rule_ids().collect();
        self.policy.load("validate", self.fail_on, table, &rules, terminal)
    }

    /// Reads the files, and rewrites them if that is asked for.
    fn read(&self, terminal: &mut Terminal) -> Option<Sources> {
        let mut sources = Sources::default();
        let mut found = Ok(());
        for name in &self.files {
            let text = input::read_messages(name).and_then(|text| self.fixed(name, text, terminal));
            match text {
                Ok(text) => {
                    let label = if name == "-" { "<stdin>" } else { name };
                    sources.add(SourceText::new(label, text));
                }
                Err(error) => found = terminal.fail(error).ok_or(()),
            }
        }
        found.ok().map(|()| sources)
    }

    fn fixed(
        &self,
        name: &str,
        text: String,
        terminal: &mut Terminal,
    ) -> Result<String, Diagnostic> {
        if !self.fix {
            return Ok(text);
        }
        if name == "-" {
            let error = Diagnostic::error("unwritable", "standard input cannot be rewritten");
            return Err(error.help("save it to a file"));
        }
        let Some(better) = fixed(&text) else { return Ok(text) };
        replace(Path::new(name), &better).map_err(|error| {
            let what = format!("cannot write to `{name}`");
            Diagnostic::system("unwritable", &what, &error).help("is the file yours to write to?")
        })?;
        if self.format == Format::Text {
            terminal.status(&format!("Rewrote {name}\n"));
        }
        Ok(better)
    }
}

fn unknown_side(protocol: &acp_bindgen::Protocol, side: Option<&str>) -> Option<Diagnostic> {
    let name = side.filter(|name| protocol.side(name).is_none())?;
    let sides: Vec<&str> = protocol.sides.iter().map(|side| side.name.wire.as_str()).collect();
    let near = acp_bindgen::diagnostic::nearest(name, sides.iter().copied());
    let error = Diagnostic::error("unknown-side", format!("the protocol has no side `{name}`"));
    Some(error.near(near, format!("there are {}", sides.join(", "))))
}
