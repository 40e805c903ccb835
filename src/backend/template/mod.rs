//! Templates: texts compiled into the program that print a language's model.
//!
//! A template decides nothing: names, types, literals, order and line breaks are in the model.
//! `templates/README.md` states the rules that templates follow. A user's folder can stand in for
//! some of them.

mod fault;
mod sequence;

pub(super) use fault::is_partial;
pub(crate) use sequence::Sequence;

use std::io;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior};
use serde::Serialize;

use super::folder::TemplateFolder;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};

/// A template's name, for `{% include %}` and `{% import %}`, and its text.
pub type TemplateText = (&'static str, &'static str);

/// How many steps a user's template may take, far more than any that comes to its end.
const STEPS: u64 = 100_000_000;

/// How many bytes a user's template may print.
const PRINTED: usize = 64 << 20;

/// The templates of one language.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    /// The user's templates.
    folder: TemplateFolder,
}

impl Templates {
    /// Parses the templates of a language, with files of a user's folder in place of those of their
    /// names. A file whose name begins with `_` is for the others to include; any other is reported
    /// as `unknown-template`, unless there is a template to replace.
    ///
    /// An undefined value is an error, nothing is escaped by itself, a line that holds only a
    /// block tag prints nothing, and the last newline of a template is kept.
    pub fn overridden(
        texts: &[TemplateText],
        folder: &TemplateFolder,
    ) -> Result<Self, Diagnostics> {
        let mut templates = Self::started(folder)?;
        let mut problems = Diagnostics::new();
        for (name, text) in texts {
            if folder.template(name).is_none() {
                templates.add(name, text, &mut problems);
            }
        }
        for file in &folder.files {
            let name = file.template_name();
            let known = name.is_some_and(|name| texts.iter().any(|(known, _)| *known == name));
            match name {
                Some(name) if known || fault::is_partial(name) => {
                    templates.add(name, &file.text, &mut problems);
                }
                _ => problems.push(unknown(&file.path, texts).at(file.location())),
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(templates) }
    }

    /// Parses the templates of a user's folder, which need no others. `extend` adds what they call.
    pub(super) fn custom(
        folder: &TemplateFolder,
        extend: impl FnOnce(&mut Environment<'static>),
    ) -> Result<Self, Diagnostics> {
        let mut templates = Self::started(folder)?;
        extend(&mut templates.environment);
        let mut problems = Diagnostics::new();
        for file in &folder.files {
            if let Some(name) = file.template_name() {
                templates.add(name, &file.text, &mut problems);
            }
        }
        if problems.has_errors() { Err(problems) } else { Ok(templates) }
    }

    fn started(folder: &TemplateFolder) -> Result<Self, Diagnostic> {
        let mut environment = environment().map_err(|error| broken(&error))?;
        let is_ours = folder.files.is_empty();
        environment.set_debug(!is_ours);
        environment.set_fuel((!is_ours).then_some(STEPS));
        Ok(Self { environment, folder: folder.clone() })
    }

    fn add(&mut self, name: &str, text: &str, problems: &mut Diagnostics) {
        let added = self.environment.add_template_owned(name.to_owned(), text.to_owned());
        if let Err(error) = added {
            problems.push(self.explained(&error));
        }
    }

    /// The finding for an error in a file of the user, or else for an error of this program.
    fn explained(&self, error: &Error) -> Diagnostic {
        fault::explain(error, &self.folder).unwrap_or_else(|| broken(error))
    }

    /// Parses templates of which those named `….html` escape what they print for HTML.
    pub fn escaping_html(texts: &[TemplateText]) -> Result<Self, Diagnostic> {
        let mut environment = environment().map_err(|error| broken(&error))?;
        environment.set_auto_escape_callback(|name| {
            let is_html = name.rsplit_once('.').is_some_and(|(_, kind)| kind == "html");
            if is_html { AutoEscape::Html } else { AutoEscape::None }
        });
        for (name, text) in texts {
            environment.add_template(name, text).map_err(|error| broken(&error))?;
        }
        Ok(Self { environment, folder: TemplateFolder::default() })
    }

    /// Adds a filter that turns text into text: `{{ line | doc }}`.
    #[must_use]
    pub fn with_filter(mut self, name: &'static str, filter: fn(&str) -> String) -> Self {
        self.environment
            .add_filter(name, move |text: &Value| filter(text.as_str().unwrap_or_default()));
        self
    }

    /// Makes a model ready for several templates, so that it is taken apart only once.
    pub fn model(model: impl Serialize) -> Value {
        Value::from(Serde(model))
    }

    /// Prints a model with a template. What is missing in the model is an error.
    pub fn render(&self, name: &str, model: impl Serialize) -> Result<String, Diagnostic> {
        self.render_value(name, &Self::model(model))
    }

    /// Prints what [`Templates::model`] made.
    pub fn render_value(&self, name: &str, model: &Value) -> Result<String, Diagnostic> {
        self.environment
            .get_template(name)
            .and_then(|template| {
                if self.folder.files.is_empty() {
                    return template.render(model.clone());
                }
                let mut printed = Printed::default();
                template.render_captured_to(model.clone(), &mut printed)?;
                Ok(String::from_utf8_lossy(&printed.0).into_owned())
            })
            .map_err(|error| match (error.kind(), self.folder.template(name)) {
                (ErrorKind::WriteFailure, Some(file)) => fault::endless(file),
                _ => self.explained(&error),
            })
    }
}

/// The output of a template so far, up to a limit.
#[derive(Default)]
struct Printed(Vec<u8>);

impl io::Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > PRINTED {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes an environment with the syntax of templates, which is the same for ours and the user's.
fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    environment.set_syntax(syntax);
    Ok(environment)
}

fn unknown(path: &str, texts: &[TemplateText]) -> Diagnostic {
    let message = format!("there is no template `{path}` to stand in for");
    let name = path.strip_suffix(super::folder::EXTENSION).unwrap_or(path);
    let help = match nearest(name, texts.iter().map(|(name, _)| *name)) {
        Some(near) => format!("did you mean `{near}{}`?", super::folder::EXTENSION),
        None => "`acp-bindgen templates export` writes those there are; a file for others to \
                 include begins with `_`"
            .to_owned(),
    };
    Diagnostic::error("unknown-template", message).help(help)
}

/// A template and its model do not fit: a mistake in this program, never in a schema.
fn broken(error: &Error) -> Diagnostic {
    let location = match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!(" (template {name}, line {line})"),
        _ => String::new(),
    };
    Diagnostic::error("internal-template", format!("{error}{location}"))
        .help("this is a fault of acp-bindgen: please report it with the schema")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{TemplateFolder, Templates};

    #[test]
    fn html_is_escaped_where_it_should_be() {
        let templates = Templates::escaping_html(&[
            ("page.html", "<p title=\"{{ text }}\">{% include \"style.css\" %}</p>\n"),
            ("style.css", "p > a { color: {{ colour }} }"),
        ])
        .unwrap();
        let model = json!({ "text": "<a b='c' d=\"e\">&", "colour": "<red>" });
        assert_eq!(
            templates.render("page.html", model).unwrap(),
            "<p title=\"&lt;a b=&#x27;c&#x27; d=&quot;e&quot;&gt;&amp;\">p > a { color: <red> }</p>\n"
        );
    }

    #[test]
    fn what_the_model_lacks_or_does_not_parse_is_a_diagnostic() {
        let templates = |text| Templates::overridden(&[("page", text)], &TemplateFolder::default());
        let diagnostic = templates("\n{{ title }}").unwrap().render("page", json!({})).unwrap_err();
        assert_eq!(diagnostic.code, "internal-template");
        assert!(diagnostic.message.contains("template page, line 2"), "{}", diagnostic.message);
        assert!(templates("{% if %}").is_err());
    }
}
