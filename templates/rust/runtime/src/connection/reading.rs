//! From the text of params and results to values.

use std::io::{self, Write};

use super::super::json::{Decode, DecodeError, Decoder};
use super::super::rpc::{self, Result};
use super::link::Link;
use super::options::Observed;

impl Link {
    /// Tells of what passed or went wrong.
    pub(super) fn see(&self, observed: Observed<'_>) {
        let observed = match observed {
            Observed::Received(line) => Observed::Received(line.trim_ascii_end()),
            Observed::Sent(line) => Observed::Sent(line.trim_ascii_end()),
            other => other,
        };
        if let (Observed::Failed { method, error }, Some(near)) = (observed, self.options.reporter)
        {
            let _ = writeln!(io::stderr(), "{near}: {method} failed: {error}");
        }
        if let Some(log) = &self.log {
            log.write(&observed);
        }
        self.options.observe(observed);
    }

    /// Reads the params of a method.
    ///
    /// # Errors
    ///
    /// What to answer.
    pub(super) fn params<T: Decode>(&self, method: &str, params: Option<&str>) -> Result<T> {
        if !self.options.is_watched() {
            return rpc::params_with(&mut self.decoder(), params);
        }
        self.read(method, "params", |decoder| {
            rpc::params_with(decoder, params)
        })
    }

    /// Reads the result of a method.
    ///
    /// # Errors
    ///
    /// The text is not that of a result.
    pub(super) fn result<T: Decode>(&self, method: &str, text: &str) -> Result<T, DecodeError> {
        if !self.options.is_watched() {
            return rpc::result_with(&mut self.decoder(), Some(text));
        }
        self.read(method, "result", |decoder| {
            rpc::result_with(decoder, Some(text))
        })
    }

    fn decoder<'h>(&self) -> Decoder<'h> {
        Decoder::new().max_depth(self.options.max_depth)
    }

    /// Reads something, and tells of what was forgiven in it.
    fn read<T>(
        &self,
        method: &str,
        part: &'static str,
        read: impl FnOnce(&mut Decoder<'_>) -> T,
    ) -> T {
        let mut errors = Vec::new();
        let mut note = |dropped: &super::super::json::Dropped| {
            errors.push(dropped.error.clone());
        };
        let value = read(&mut self.decoder().on_drop(&mut note));
        for error in errors {
            let reason = reason(&error);
            let path = &error.within(part).path();
            self.see(Observed::Forgiven {
                method,
                path,
                reason: &reason,
            });
        }
        value
    }
}

/// What is wrong with a value.
fn reason(error: &DecodeError) -> String {
    format!("expected {}, found {}", error.expected(), error.found())
}
