//! Templates that a user wrote, before anything is made of them.

use crate::source::{Location, SourceText, Sources, Span};

/// The ending of a file that is a template; every other file is copied as it is.
pub const EXTENSION: &str = ".jinja";

/// The files of a folder of templates, in order of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateFolder {
    /// The folder's name in messages: its path as the user gave it.
    pub label: String,
    /// Its files.
    pub files: Vec<TemplateFile>,
}

/// A file of a template folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateFile {
    /// Its path in the folder, `/` between names.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its number in the run's [`Sources`], for locations.
    pub source: u32,
}

impl TemplateFolder {
    /// Makes the files known to the run, so that findings can show their lines.
    #[must_use]
    pub fn located(mut self, sources: &mut Sources) -> Self {
        for file in &mut self.files {
            let label = format!("{}/{}", self.label, file.path);
            file.source = sources.add(SourceText::new(label, file.text.clone()));
        }
        self
    }

    /// The template of this name, which is its path without [`EXTENSION`].
    pub fn template(&self, name: &str) -> Option<&TemplateFile> {
        self.files.iter().find(|file| file.template_name() == Some(name))
    }
}

impl TemplateFile {
    /// The name that other templates include it by: its path without [`EXTENSION`]. None for a file
    /// that is copied.
    pub fn template_name(&self) -> Option<&str> {
        self.path.strip_suffix(EXTENSION)
    }

    /// The file as a whole.
    pub fn location(&self) -> Location {
        self.part(0..0)
    }

    /// These bytes of it.
    pub fn part(&self, bytes: std::ops::Range<usize>) -> Location {
        let offset = |at: usize| u32::try_from(at.min(self.text.len())).unwrap_or(u32::MAX);
        let span = Span { source: self.source, start: offset(bytes.start), end: offset(bytes.end) };
        let (line, column) = SourceText::new("", self.text.as_str()).line_column(span.start);
        Location { pointer: String::new(), span, line, column }
    }

    /// A line of it, from 1, without its indentation.
    pub fn line(&self, number: usize) -> Location {
        let start: usize =
            self.text.split_inclusive('\n').take(number.saturating_sub(1)).map(str::len).sum();
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        self.part(start + indent..start + line.trim_end().len().max(indent))
    }
}
