//! Standard output and standard error.

use std::io::{self, ErrorKind, Write};

use acp_bindgen::diagnostic::{Diagnostic, Diagnostics, Style, render, render_json, tally};
use acp_bindgen::source::Sources;
use clap::ValueEnum;

use super::exit::Exit;

/// The format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MessageFormat {
    /// For people: the marked text and what to do.
    Human,
    /// For programs: one JSON object a line.
    Json,
}

/// Standard output for results, and standard error for findings. Colours are removed when the
/// stream is no terminal, or `NO_COLOR` is set.
pub(super) struct Terminal {
    format: MessageFormat,
    quiet: bool,
    /// All reported findings, for the count at the end.
    reported: Diagnostics,
    lost: Option<io::Error>,
}

impl Terminal {
    pub(super) fn new(format: MessageFormat, quiet: bool) -> Self {
        Self { format, quiet, reported: Diagnostics::new(), lost: None }
    }

    /// Forgets what was reported: what follows is a run of its own.
    pub(super) fn start_over(&mut self) {
        self.reported = Diagnostics::new();
    }

    /// Prints a result to standard output.
    ///
    /// A reader that has gone away has read enough: that is no error. Any other failure becomes
    /// one when the command ends.
    pub(super) fn print(&mut self, text: &str) {
        let mut stream = anstream::stdout().lock();
        let outcome = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
        if let Err(error) = outcome
            && error.kind() != ErrorKind::BrokenPipe
        {
            self.lost.get_or_insert(error);
        }
    }

    /// Prints a status line to standard output, unless asked to be quiet.
    pub(super) fn status(&mut self, text: &str) {
        if !self.quiet {
            self.print(text);
        }
    }

    /// Prints findings to standard error.
    pub(super) fn report(&mut self, diagnostics: &Diagnostics, sources: &Sources) {
        self.reported.extend(diagnostics.clone());
        let text = match self.format {
            MessageFormat::Human => render(diagnostics, sources, Style::Colored),
            MessageFormat::Json => render_json(diagnostics, sources),
        };
        write(&text);
    }

    /// Prints an error that is in no text to standard error: the command is over.
    pub(super) fn fail<T>(&mut self, error: impl Into<Diagnostics>) -> Option<T> {
        self.report(&error.into(), &Sources::default());
        None
    }

    /// The exit code, once everything that was printed has arrived. If anything failed, the last
    /// line counts what was reported and adds the remark.
    pub(super) fn finish(&mut self, outcome: Option<Exit>, remark: &str) -> Exit {
        if let Some(error) = self.lost.take() {
            let message = format!("cannot write to standard output: {error}");
            self.fail::<()>(Diagnostic::error("unwritable", message));
        }
        if !self.reported.has_errors() {
            return outcome.unwrap_or(Exit::Failure);
        }
        if self.format == MessageFormat::Human {
            let remark = if outcome.is_none() { remark } else { "" };
            write(&format!("{}.{remark}\n", tally(&self.reported)));
        }
        Exit::Failure
    }
}

fn write(text: &str) {
    // A closed standard error is no error: there is nowhere to report it.
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
