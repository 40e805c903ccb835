//! Breaks the groups of a document that do not fit.

use super::columns::columns;
use super::{Doc, Layout};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

struct Command<'a> {
    indent: usize,
    mode: Mode,
    doc: &'a Doc,
}

impl Layout {
    /// The document as text. It begins at column `column`, and its broken lines are indented by
    /// `indentation` at least.
    pub(in crate::backend) fn print(self, doc: &Doc, indentation: usize, column: usize) -> String {
        let mut printer =
            Printer { layout: self, out: String::new(), column, groups: [Mode::Flat; 256] };
        printer.run(Command { indent: indentation, mode: Mode::Broken, doc });
        printer.out
    }

    /// Tells whether no line of the text is too wide.
    pub(in crate::backend) fn fits(self, text: &str) -> bool {
        text.lines().all(|line| columns(line) <= self.width)
    }
}

struct Printer {
    layout: Layout,
    out: String,
    column: usize,
    /// The modes of the groups with an id.
    groups: [Mode; 256],
}

impl Printer {
    fn run(&mut self, first: Command<'_>) {
        let mut commands = vec![first];
        while let Some(Command { indent, mode, doc }) = commands.pop() {
            match doc {
                Doc::Text(text) => {
                    self.out.push_str(text);
                    self.column += columns(text);
                }
                Doc::Group { contents, id } => {
                    let flat = Command { indent, mode: Mode::Flat, doc: contents.as_ref() };
                    let fits = mode == Mode::Flat || self.fits(&flat, &commands);
                    let mode = if fits { Mode::Flat } else { Mode::Broken };
                    if let Some(id) = id {
                        self.groups[usize::from(*id)] = mode;
                    }
                    commands.push(Command { mode, ..flat });
                }
                Doc::Line | Doc::SoftLine => {
                    if mode == Mode::Broken {
                        self.break_line(indent);
                    } else if matches!(doc, Doc::Line) {
                        self.out.push(' ');
                        self.column += 1;
                    }
                }
                _ => self.expand(&mut commands, indent, mode, doc),
            }
        }
    }

    fn break_line(&mut self, indent: usize) {
        let kept = self.out.trim_end_matches([' ', '\t']).len();
        self.out.truncate(kept);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Tells whether everything up to the first line break that can follow fits on this line.
    fn fits(&self, next: &Command<'_>, rest: &[Command<'_>]) -> bool {
        let Some(mut left) = self.layout.width.checked_sub(self.column) else { return false };
        let mut waiting = rest.iter().rev();
        let mut commands = vec![Command { ..*next }];
        loop {
            let Some(Command { indent, mode, doc }) = commands.pop() else {
                let Some(outer) = waiting.next() else { return true };
                commands.push(Command { ..*outer });
                continue;
            };
            let taken = match doc {
                Doc::Text(text) => columns(text),
                Doc::Group { contents, .. } => {
                    commands.push(Command { indent, mode, doc: contents });
                    0
                }
                Doc::Line | Doc::SoftLine if mode == Mode::Broken => return true,
                Doc::Line | Doc::SoftLine => usize::from(matches!(doc, Doc::Line)),
                _ => {
                    self.expand(&mut commands, indent, mode, doc);
                    0
                }
            };
            let Some(after) = left.checked_sub(taken) else { return false };
            left = after;
        }
    }

    /// Replaces a document by what it consists of.
    fn expand<'a>(&self, commands: &mut Vec<Command<'a>>, indent: usize, mode: Mode, doc: &'a Doc) {
        let step = self.layout.step;
        match doc {
            Doc::Concat(parts) => {
                commands.extend(parts.iter().rev().map(|doc| Command { indent, mode, doc }));
            }
            Doc::Indent(contents) => {
                commands.push(Command { indent: indent + step, mode, doc: contents });
            }
            Doc::IfBreak { broken, flat } => {
                let doc = if mode == Mode::Broken { broken } else { flat };
                commands.push(Command { indent, mode, doc });
            }
            Doc::IndentIfBreak { contents, group } => {
                let broke = self.groups[usize::from(*group)] == Mode::Broken;
                let indent = if broke { indent + step } else { indent };
                commands.push(Command { indent, mode, doc: contents });
            }
            Doc::Text(_) | Doc::Group { .. } | Doc::Line | Doc::SoftLine => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::backend::doc::{Doc, Layout, bracketed, concat, fluid, text};

    const LAYOUT: Layout = Layout { width: 80, step: 2 };

    fn print(doc: &Doc, indentation: usize, column: usize) -> String {
        LAYOUT.print(doc, indentation, column)
    }

    fn list(items: &[&str]) -> Doc {
        bracketed("[", items.iter().map(|item| text(*item)), "]")
    }

    #[test]
    fn a_group_breaks_only_where_it_does_not_fit() {
        assert_eq!(print(&list(&["a", "b"]), 0, 0), "[a, b]");
        assert_eq!(print(&list(&["a", "b"]), 2, 76), "[\n    a,\n    b,\n  ]");
        let wide = "w".repeat(74);
        assert_eq!(
            print(&list(&[&wide, "b"]), 0, 0),
            format!("[{wide}, b]").replace(", b]", ", b]")
        );
    }

    #[test]
    fn the_measures_are_the_languages() {
        let wide = Layout { width: 88, step: 4 };
        assert_eq!(wide.print(&list(&["a", "b"]), 0, 80), "[a, b]");
        assert_eq!(wide.print(&list(&["a", "b"]), 0, 84), "[\n    a,\n    b,\n]");
        assert!(wide.fits(&"w".repeat(88)) && !wide.fits(&"w".repeat(89)));
    }

    #[test]
    fn what_follows_counts_up_to_its_first_possible_break() {
        let doc = |tail: &str| concat([list(&["a", "b"]), text(tail)]);
        assert_eq!(print(&doc(";"), 0, 73), "[a, b];");
        assert_eq!(print(&doc(";;"), 0, 73), "[\n  a,\n  b,\n];;");
    }

    #[test]
    fn a_fluid_right_side_moves_down_when_its_beginning_does_not_fit() {
        let item = "a".repeat(30);
        let items = list(&[&item, &item, &item]);
        let doc = |left: &str| fluid(text(left), " =", items.clone());
        let broken = format!("[\n  {item},\n  {item},\n  {item},\n]");
        assert_eq!(print(&doc("x"), 0, 0), format!("x = {broken}"));
        let long = "x".repeat(78);
        let indented = broken.replace('\n', "\n  ");
        assert_eq!(print(&doc(&long), 0, 0), format!("{long} =\n  {indented}"));
    }
}
