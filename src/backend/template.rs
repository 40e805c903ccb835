//! Templates: texts compiled into the program that print a language's model.
//!
//! A template decides nothing: names, types, literals, order and line breaks are in the model.
//! `templates/README.md` states the rules that templates follow.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};
use serde::Serialize;

use crate::diagnostic::Diagnostic;

/// A template's name, for `{% include %}` and `{% import %}`, and its text.
pub type TemplateText = (&'static str, &'static str);

/// The templates of one language.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
}

impl Templates {
    /// Parses the templates of a language.
    ///
    /// An undefined value is an error, nothing is escaped by itself, a line that holds only a
    /// block tag prints nothing, and the last newline of a template is kept.
    pub fn new(texts: &[TemplateText]) -> Result<Self, Diagnostic> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()
            .map_err(|error| broken(&error))?;
        environment.set_syntax(syntax);
        for (name, text) in texts {
            environment.add_template(name, text).map_err(|error| broken(&error))?;
        }
        Ok(Self { environment })
    }

    /// Parses templates of which those named `….html` escape what they print for HTML.
    pub fn escaping_html(texts: &[TemplateText]) -> Result<Self, Diagnostic> {
        let mut templates = Self::new(&[])?;
        templates.environment.set_auto_escape_callback(|name| {
            let is_html = name.rsplit_once('.').is_some_and(|(_, kind)| kind == "html");
            if is_html { AutoEscape::Html } else { AutoEscape::None }
        });
        for (name, text) in texts {
            let added = templates.environment.add_template(name, text);
            added.map_err(|error| broken(&error))?;
        }
        Ok(templates)
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
            .and_then(|template| template.render(model.clone()))
            .map_err(|error| broken(&error))
    }
}

/// A template and its model do not fit: a mistake in this program, never in a schema.
fn broken(error: &Error) -> Diagnostic {
    let place = match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!(" (template {name}, line {line})"),
        _ => String::new(),
    };
    Diagnostic::error("internal-template", format!("{error}{place}"))
        .help("this is a fault of acp-bindgen: please report it with the schema")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Templates;

    #[test]
    fn blocks_leave_no_lines_and_nothing_is_escaped() {
        let templates = Templates::new(&[
            ("list", "{% for item in items %}\n  {% include \"item\" %}\n{% endfor %}\n"),
            ("item", "- {{ item | shout }}\n"),
        ])
        .unwrap()
        .with_filter("shout", str::to_uppercase);
        let text = templates.render("list", json!({ "items": ["<a>", "\"b\" & c"] })).unwrap();
        assert_eq!(text, "- <A>\n- \"B\" & C\n");
    }

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
    fn what_the_model_lacks_is_a_diagnostic() {
        let templates = Templates::new(&[("page", "\n{{ title }}")]).unwrap();
        let diagnostic = templates.render("page", json!({})).unwrap_err();
        assert_eq!(diagnostic.code, "internal-template");
        assert!(diagnostic.message.contains("template page, line 2"), "{}", diagnostic.message);
    }

    #[test]
    fn a_template_that_does_not_parse_is_a_diagnostic() {
        assert!(Templates::new(&[("page", "{% if %}")]).is_err());
    }
}
