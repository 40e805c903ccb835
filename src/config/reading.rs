//! The files that a configuration names, read.

use super::{Config, Target};
use crate::backend::folder::TemplateFolder;
#[cfg(feature = "cli")]
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Diagnostics;
use crate::input;
#[cfg(feature = "cli")]
use crate::ir::Protocol;
use crate::load::Inputs;
#[cfg(feature = "cli")]
use crate::load::{Loaded, Purpose, load};
#[cfg(feature = "cli")]
use crate::source::SourceText;

impl Config {
    /// Reads the schema, the overlays and the catalogue that are chosen. All that cannot be read
    /// is reported.
    pub fn read_inputs(&self, diagnostics: &mut Diagnostics) -> Option<Inputs> {
        #[cfg(feature = "cli")]
        let place = |error: &mut Diagnostic, name: &str| {
            self.places.put(error, &["schema", "overlay", "catalogue"], name);
        };
        #[cfg(not(feature = "cli"))]
        let place = |_: &mut _, _: &str| {};
        let texts = (&self.schema[..], &self.overlay[..]);
        let catalogue = self.catalogue.as_deref();
        let inputs = input::read_placed(texts, catalogue, &self.refs, &place, diagnostics)?;
        Some(inputs.patterns(self.patterns.unwrap_or_default()))
    }

    /// Reads the file of old names, if one is chosen. That it cannot be read is reported.
    #[cfg(feature = "cli")]
    pub fn read_aliases(&self, diagnostics: &mut Diagnostics) -> Option<SourceText> {
        let path = self.aliases.as_ref()?.to_string_lossy();
        match input::read_path(&path, "`aliases` names a file of old names") {
            Ok(text) => Some(SourceText::new(path, text)),
            Err(mut error) => {
                self.places.put(&mut error, &["aliases"], &path);
                diagnostics.push(error);
                None
            }
        }
    }

    /// Reads the text of the licence, if a file of it is chosen. That it cannot be read is reported.
    #[cfg(feature = "cli")]
    pub fn read_license(&self, diagnostics: &mut Diagnostics) -> Option<String> {
        let path = self.package.license_file.as_ref()?.to_string_lossy();
        match input::read_path(&path, "`license-file` names a file with the text of the licence") {
            Ok(text) => Some(text),
            Err(mut error) => {
                self.places.put(&mut error, &["package.license-file"], &path);
                diagnostics.push(error);
                None
            }
        }
    }

    /// Reads the user's templates of each target that has some. All that cannot be read is
    /// reported.
    #[cfg(feature = "cli")]
    pub fn read_templates(&self, diagnostics: &mut Diagnostics) -> Vec<(Target, TemplateFolder)> {
        let mut found = Vec::new();
        let mut problems = Diagnostics::new();
        for target in self.targets() {
            match self.templates_of(&target) {
                Ok(Some(folder)) => {
                    let key = format!("targets.{}.templates", target.id());
                    let mut of_folder = Diagnostics::new();
                    let templates = input::read_folder(folder, &mut of_folder);
                    for problem in of_folder.iter_mut() {
                        self.places.put(problem, &[&key], &folder.to_string_lossy());
                    }
                    problems.extend(of_folder);
                    found.push((target, templates));
                }
                Ok(None) => {}
                Err(error) => problems.push(error),
            }
        }
        // A problem of every target is reported once.
        problems.sort();
        diagnostics.extend(problems);
        found
    }

    /// Reads the older schemas that reference docs tell the versions of things by. All that cannot
    /// be read is reported.
    #[cfg(feature = "cli")]
    pub fn read_history(&self, diagnostics: &mut Diagnostics) -> Vec<(String, Protocol)> {
        let is_wanted = self.targets().contains(&Target::Docs);
        let Some(folder) = self.targets.since.as_ref().filter(|_| is_wanted) else {
            return Vec::new();
        };
        let place = |error: &mut Diagnostic| {
            self.places.put(error, &["targets.docs.since"], &folder.to_string_lossy());
        };
        let names = match input::name_versions(&[folder.to_string_lossy().into()], None, None) {
            Ok(names) => names,
            Err(mut error) => {
                place(&mut error);
                diagnostics.push(error);
                return Vec::new();
            }
        };
        let mut versions = Vec::new();
        for name in names {
            match input::read_schema(&name.schema, &[], &self.refs)
                .map(|it| load(it.patterns(self.patterns.unwrap_or_default()), Purpose::Compare))
            {
                Ok(Loaded { protocol: Some(protocol), .. }) => {
                    versions.push((name.label, protocol));
                }
                Ok(_) => {
                    let message = format!("`{}` is no schema of a protocol", name.schema);
                    let mut error = Diagnostic::error("bad-history", message).help(format!(
                        "`acp-bindgen inspect --schema {}` says why; else take it away",
                        name.schema
                    ));
                    place(&mut error);
                    diagnostics.push(error);
                }
                Err(mut error) => {
                    place(&mut error);
                    if name.schema == folder.to_string_lossy() {
                        error = error.help("`since` names a folder of older schemas");
                    }
                    diagnostics.push(error);
                }
            }
        }
        versions
    }

    /// Reads nothing: without the feature `cli` there are no templates of the user.
    #[cfg(not(feature = "cli"))]
    pub fn read_templates(&self, _: &mut Diagnostics) -> Vec<(Target, TemplateFolder)> {
        Vec::new()
    }
}
