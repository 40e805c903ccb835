//! `acp-bindgen explain`

use acp_bindgen::breaking::{Direction, RULES, Rule, Verdict, rule};
use acp_bindgen::diagnostic::{Diagnostic, nearest};

use super::exit::Exit;
use super::style::{Role, paint};
use super::terminal::Terminal;

/// Explain a rule of `diff`: what it is about, what it breaks, and what to do instead.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Explain {
    /// The rule's name. All rules by default, in a line each.
    rule: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen explain
  acp-bindgen explain enum-value-added-closed";

impl Explain {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let Some(name) = self.rule else {
            let lines: String = RULES.iter().map(|rule| line(rule)).collect();
            terminal.print(&lines);
            return Some(Exit::Success);
        };
        let Some(found) = rule(&name) else {
            let error = Diagnostic::error("unknown-rule", format!("there is no rule `{name}`"));
            return terminal.fail(match nearest(&name, RULES.iter().map(|rule| rule.id)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`acp-bindgen explain` lists all rules"),
            });
        };
        terminal.print(&explained(found));
        Some(Exit::Success)
    }
}

fn line(rule: &Rule) -> String {
    let name = paint(Role::Name, format!("{:<38}", rule.id));
    format!("{name} {:<9} {}\n", rule.level.name(), rule.summary)
}

fn explained(rule: &Rule) -> String {
    let word = |verdict: Verdict| match verdict {
        Verdict::Ok => "nothing happens",
        Verdict::Risk => "something may be lost or behave in another way",
        Verdict::Break => "valid messages are rejected",
    };
    let row = |name: &str, effect: &str| format!("  {name:<11} {effect}\n");
    let wire = Direction::BOTH.into_iter();
    let wire: String = wire.map(|it| row(it.arrow(), word(rule.wire.of(it)))).collect();
    let source = rule.source.languages().into_iter();
    let source: String = source.map(|(language, it)| row(language, &it.text())).collect();
    let heading = |text: &str| paint(Role::Heading, text);
    format!(
        "{} ({}): {}\n\n{}\n\n{}\n{wire}\n{}\n{source}\n{}\n  {}\n\n{}\n  {}\n{}\n  {}\n",
        paint(Role::Name, rule.id),
        rule.level.name(),
        rule.summary,
        rule.why,
        heading("On the wire"),
        heading("In code"),
        heading("Instead"),
        rule.remedy,
        heading("Before"),
        rule.before,
        heading("After"),
        rule.after,
    )
}
