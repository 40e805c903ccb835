//! Overlays for several versions of a schema.

use std::fs;

use acp_bindgen::Config;
use acp_bindgen::source::is_path;

/// The option that names overlays.
#[derive(clap::Args)]
pub(super) struct OverlayOption {
    /// A JSON Merge Patch for every schema, from the same kinds of place. May be repeated. By
    /// default the overlays of the configuration file, if its schema is compared.
    #[arg(long, value_name = "FILE")]
    overlay: Vec<String>,
}

impl OverlayOption {
    /// The overlays of these schemas: those named here, else those of the configuration file,
    /// where its schema is one of them.
    pub(super) fn chosen<'a>(
        &self,
        config: &Config,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Vec<String> {
        if !self.overlay.is_empty() {
            return self.overlay.clone();
        }
        // However it is written, it is the same file.
        let file = |name: &str| fs::canonicalize(name).ok().filter(|_| is_path(name));
        let schema = config.schema.first().and_then(|name| file(name));
        let is_compared = schema.is_some() && names.into_iter().any(|name| file(name) == schema);
        if is_compared { config.overlay.clone() } else { Vec::new() }
    }
}
