//! `acp-bindgen explain`

use acp_bindgen::breaking::{self, Direction, Verdict};
use acp_bindgen::policy::{CODES, Rule, Word, unknown_rule};
use acp_bindgen::{history, lint, validate};

use super::exit::Exit;
use super::style::{Role, paint};
use super::terminal::Terminal;

/// Explain a rule, or a word of a report: what it means, and what to do about it.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Explain {
    /// The name of a rule, or a word or code that a report prints. All of them by default, in a line
    /// each.
    rule: Option<String>,
}

const AFTER_HELP: &str = "\
Examples:
  acp-bindgen explain
  acp-bindgen explain enum-value-added-closed
  acp-bindgen explain recv";

/// The rules and words of a command's reports.
struct Group {
    /// The command.
    command: &'static str,
    entries: Vec<Entry>,
    words: &'static [Word],
}

/// A rule, with what is special to its command.
struct Entry {
    rule: Rule,
    level: &'static str,
    /// Paragraphs after the reason. Empty, or with an empty line at the end.
    details: String,
}

/// The paragraph about a rule of `lint` that is not in the profile `recommended`.
const NOT_RECOMMENDED: &str = "It is not in the profile `recommended`: `extends = \"all\"` or `[lint.rules]` asks for it.\n\n";

impl Explain {
    /// Runs the command. `None` if an error was reported.
    pub(super) fn run(self, terminal: &mut Terminal) -> Option<Exit> {
        let groups = groups();
        let Some(name) = self.rule else {
            let sections: Vec<String> = groups.iter().map(section).collect();
            terminal.print(&sections.join("\n"));
            return Some(Exit::Success);
        };
        // `error[no-schema]`, as it is printed, is `no-schema`.
        let bracketed = name.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
        let name = bracketed.unwrap_or(&name);
        let found: Vec<String> = groups.iter().flat_map(|group| found(group, name)).collect();
        if found.is_empty() {
            let rules = groups.iter().flat_map(|group| group.entries.iter().map(|it| it.rule.id));
            let words = groups.iter().flat_map(|group| group.words.iter().map(|it| it.word));
            return terminal.fail(unknown_rule(name, rules.chain(words)));
        }
        terminal.print(&found.join("\n"));
        Some(Exit::Success)
    }
}

/// All rules and words that can be explained, by command.
fn groups() -> Vec<Group> {
    let diff = breaking::RULES.iter().map(|rule| Entry {
        rule: (*rule).into(),
        level: rule.level.name(),
        details: effects(rule),
    });
    let lint = lint::rules().map(|rule| Entry {
        rule: rule.about,
        level: rule.about.severity.name(),
        details: if rule.recommended { String::new() } else { NOT_RECOMMENDED.to_owned() },
    });
    let validate = validate::RULES.iter().map(|rule| Entry {
        rule: **rule,
        level: rule.severity.name(),
        details: String::new(),
    });
    vec![
        Group { command: "diff", entries: diff.collect(), words: breaking::WORDS },
        Group { command: "lint", entries: lint.collect(), words: &lint::WORDS },
        Group { command: "validate", entries: validate.collect(), words: &validate::WORDS },
        Group { command: "changelog and matrix", entries: Vec::new(), words: &history::WORDS },
        Group { command: "every command", entries: Vec::new(), words: CODES },
    ]
}

/// The rules and words of a command, in a line each.
fn section(group: &Group) -> String {
    let heading = |what: &str| paint(Role::Heading, format!("{what} of {}", group.command)) + "\n";
    let name = |name: &str| paint(Role::Name, format!("{name:<38}"));
    let rules = group.entries.iter().map(|Entry { rule, level, .. }| {
        format!("{} {level:<9} {}\n", name(rule.id), rule.summary)
    });
    let words = group.words.iter().map(|word| format!("{} {}\n", name(word.word), word.subject));
    let rules = rules.collect::<String>();
    let words = words.collect::<String>();
    let parts = [("Rules", rules), ("Words", words)].into_iter().filter(|(_, it)| !it.is_empty());
    parts.map(|(what, lines)| heading(what) + &lines).collect::<Vec<_>>().join("\n")
}

/// The explanations of the rule and the words of a group that have this name.
fn found(group: &Group, name: &str) -> Vec<String> {
    let rules = group.entries.iter().filter(|entry| entry.rule.id == name).map(explained);
    // A direction, as it can be typed.
    let name = name.replace("-to-", "→").replace("->", "→");
    // A word with an addition, such as `cond:exhaustive-match`, is that word.
    let name = name.split_once(':').map_or(name.as_str(), |(word, _)| word);
    let words = group.words.iter().filter(|word| word.word == name).map(|word| {
        format!("{} ({}): {}\n", paint(Role::Name, word.word), word.subject, word.meaning)
    });
    rules.chain(words).collect()
}

fn explained(Entry { rule, level, details }: &Entry) -> String {
    let heading = |text: &str| paint(Role::Heading, text);
    format!(
        "{} ({level}): {}\n\n{}\n\n{details}{}\n  {}\n\n{}\n  {}\n{}\n  {}\n",
        paint(Role::Name, rule.id),
        rule.summary,
        rule.why,
        heading("Instead"),
        rule.remedy,
        heading("Before"),
        rule.before,
        heading("After"),
        rule.after,
    )
}

/// Tells what a change does to messages and code.
fn effects(rule: &breaking::Rule) -> String {
    let word = |verdict: Verdict| match verdict {
        Verdict::Ok => "nothing happens",
        Verdict::Risk => "something may be lost or behave in another way",
        Verdict::Break => "valid messages are rejected",
    };
    let row = |name: &str, effect: &str| format!("  {name:<11} {effect}\n");
    let wire = Direction::BOTH.into_iter();
    let wire: String = wire.map(|it| row(it.arrow(), word(rule.wire.towards(it)))).collect();
    let source = rule.source.languages().into_iter();
    let source: String = source.map(|(language, it)| row(language, &it.text())).collect();
    let heading = |text: &str| paint(Role::Heading, text);
    format!("{}\n{wire}\n{}\n{source}\n", heading("On the wire"), heading("In code"))
}
