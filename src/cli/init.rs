//! `acp-bindgen init`

use std::fs;
use std::path::{Path, PathBuf};

use acp_bindgen::diagnostic::Diagnostic;
use acp_bindgen::ir::Type;
use acp_bindgen::lint::{Profile, Subject, lint};
use acp_bindgen::load::Loaded;
use acp_bindgen::policy::{Threshold, day_in};
use acp_bindgen::{Config, Protocol, Purpose, input, load};

use super::exit::Exit;
use super::summary::count;
use super::terminal::Terminal;
use super::write_waivers::{DAYS, added};

/// Write what a new project needs: a configuration, an overlay, a CI job.
///
/// Nothing is written if one of the files is there already, or if the schema has errors. Where the
/// repository begins in a folder above, the job is written there: nowhere else is it looked for. What
/// the job's `lint` would fail on today is agreed to for a while, in a file of waivers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  acp-bindgen init schema.json
  acp-bindgen init schema/protocol.json --no-ci")]
pub(super) struct Init {
    /// The protocol's schema, or `bundled:NAME`.
    schema: String,

    /// Leave the job out.
    #[arg(long)]
    no_ci: bool,
}

/// The folder of jobs, from where the repository begins.
const JOBS: &str = ".github/workflows";

/// The file of what is agreed to in the schema, as the configuration names it.
const WAIVERS: &str = "lint-waivers.toml";
/// Why that is.
const KNOWN: &str = "was there when the project began";

const CONFIG: &str = include_str!("../../templates/init/acp-bindgen.toml");
const WORKFLOW: &str = include_str!("../../templates/init/workflow.yml");
/// Where the steps of the job begin that are about a schema of one's own.
const SCHEMA_STEPS: &str = "      - name: The schema is sound\n";
/// Where the steps of the job begin.
const STEPS: &str = "    steps:\n";

impl Init {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let inputs = match input::read_schema(&self.schema, &[], &[]) {
            Ok(inputs) => inputs,
            Err(error) => return terminal.fail(error),
        };
        let loaded = load(inputs, Purpose::Generate);
        terminal.report(&loaded.diagnostics, &loaded.sources);
        let protocol = loaded.protocol.as_ref()?;
        let known = self.known(&loaded);
        let files = self.files(protocol, &known);
        for (path, _) in files.iter().filter(|(path, _)| path.exists()) {
            let message = format!("`{}` is there already", path.display());
            terminal.fail::<()>(
                Diagnostic::error("file-in-the-way", message)
                    .help("remove it, or begin in another folder"),
            );
        }
        if files.iter().any(|(path, _)| path.exists()) {
            return None;
        }
        for (path, text) in &files {
            if let Err(error) = write(path, text) {
                let what = format!("cannot write `{}`", path.display());
                let error = Diagnostic::system("unwritable", &what, &error);
                return terminal.fail(error.help("begin in a folder that can be written to"));
            }
            let outside = if path.starts_with("..") { ", where the repository begins" } else { "" };
            terminal.status(&format!("wrote {}{outside}\n", path.display()));
        }
        if !known.is_empty() {
            let findings = count(known.len(), "finding");
            let last = day_in(DAYS);
            terminal.status(&format!(
                "The job's lint has {findings} today, agreed to in {WAIVERS} until {last}\n"
            ));
        }
        let next = if self.is_own() { ", and acp-bindgen lint" } else { "" };
        terminal.status(&format!("Next: acp-bindgen generate{next}\n"));
        Some(Exit::Success)
    }

    /// Tells whether the schema is a file, which its users change. A bundled one changes with this
    /// tool alone: others answer for it, and no commit of it is there to compare with.
    fn is_own(&self) -> bool {
        input::is_file(&self.schema)
    }

    /// The findings that the job's `lint` would fail on.
    fn known(&self, loaded: &Loaded) -> Vec<String> {
        let Some(schema) = loaded.schema.as_ref().filter(|_| self.is_own() && !self.no_ci) else {
            return Vec::new();
        };
        let subject = Subject {
            schema,
            protocol: loaded.protocol.as_ref(),
            diagnostics: &loaded.diagnostics,
            sources: &loaded.sources,
        };
        let found = lint(subject, &Profile::default()).findings.into_iter();
        let failing = found.filter(|finding| Threshold::default().counts(finding.severity));
        failing.map(|finding| finding.id).collect()
    }

    /// The files with their paths. `known`: what is found in the schema today.
    fn files(&self, protocol: &Protocol, known: &[String]) -> Vec<(PathBuf, String)> {
        let overlay = self.is_own().then(|| overlay_path(&self.schema));
        let out = format!("{}-sdk", protocol.package_name());
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let overlays = match &overlay {
            Some(path) => format!("overlay = [{}]", quoted(&path.to_string_lossy())),
            None => "# overlay = [\"ours.overlay.json\"]".to_owned(),
        };
        let config = CONFIG
            .replace("{schema}", &quoted(&self.schema))
            .replace("{overlay}", &overlays)
            .replace("{waivers}", if known.is_empty() { "# waivers" } else { "waivers" })
            .replace("{out}", &quoted(&out));
        let mut files = vec![(PathBuf::from(Config::FILE), config)];
        files.extend(overlay.map(|path| (path, overlay_stub(protocol))));
        if !known.is_empty() {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            files.push((PathBuf::from(WAIVERS), added("", &known, KNOWN, day_in(DAYS))));
        }
        if !self.no_ci {
            let job = match WORKFLOW.split_once(SCHEMA_STEPS) {
                Some((packages, _)) if !self.is_own() => packages,
                _ => WORKFLOW,
            };
            let job = job.replace("VERSION", env!("CARGO_PKG_VERSION"));
            files.push(place(&job));
        }
        files
    }
}

/// The job with its path: where the repository begins, and of a project in a folder below one of its
/// own, which names that project's configuration.
fn place(job: &str) -> (PathBuf, String) {
    let here = std::env::current_dir().unwrap_or_default();
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    let below = root.and_then(|root| here.strip_prefix(root).ok());
    let Some(below) = below.filter(|below| !below.as_os_str().is_empty()) else {
        return (Path::new(JOBS).join("acp-bindgen.yml"), job.to_owned());
    };
    let folders: Vec<_> = below.iter().map(|folder| folder.to_string_lossy()).collect();
    let up: PathBuf = folders.iter().map(|_| "..").collect();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = folders.join("-").chars().map(plain).collect();
    // A string of JSON is one of YAML.
    let config = serde_json::Value::from(format!("{}/{}", folders.join("/"), Config::FILE));
    let steps = format!("    env:\n      CONFIG: {config}\n{STEPS}");
    // From where the repository begins: so do the paths in what the commands say.
    let job = ["check", "lint", "diff"].iter().fold(job.to_owned(), |job, command| {
        let run = format!("run: acp-bindgen {command}");
        job.replace(&run, &format!("{run} --config \"$CONFIG\""))
    });
    let path = up.join(JOBS).join(format!("acp-bindgen-{name}.yml"));
    (path, job.replacen(STEPS, &steps, 1))
}

/// The overlay beside a schema: `NAME.overlay.json` for `NAME.json`.
fn overlay_path(schema: &str) -> PathBuf {
    let stem = schema.strip_suffix(".json").unwrap_or(schema);
    PathBuf::from(format!("{stem}.overlay.json"))
}

/// An overlay that changes nothing yet, and says what it is for.
fn overlay_stub(protocol: &Protocol) -> String {
    let requests = protocol.methods.iter().filter(|method| method.is_request());
    let params = requests.filter_map(|method| match method.params() {
        Type::Named { name } => Some(name),
        _ => None,
    });
    let example =
        params.take(1).map(|name| format!(", as in {{\"{name}\": {{\"x-optional\": true}}}}"));
    let example: String = example.collect();
    let comment = format!(
        "A JSON Merge Patch (RFC 7396) for the schema: what stands here is added to it. \
         Annotations that it lacks go below `$defs`{example}."
    );
    let stub = serde_json::json!({ "$comment": comment, "$defs": {} });
    format!("{stub:#}\n")
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
