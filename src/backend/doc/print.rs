//! Breaks the groups of a document that do not fit.

use super::columns::columns;
use super::{Doc, Layout};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

impl Mode {
    fn choose<'t>(self, broken: &'t str, flat: &'t str) -> &'t str {
        if self == Self::Broken { broken } else { flat }
    }
}

struct Command<'a> {
    indent: usize,
    mode: Mode,
    doc: &'a Doc<'a>,
}

impl Layout {
    /// The document as text. It begins at column `column`, and its broken lines are indented by
    /// `indentation` at least.
    pub(in crate::backend) fn print(
        self,
        doc: &Doc<'_>,
        indentation: usize,
        column: usize,
    ) -> String {
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
                Doc::Text(text) => self.write(text),
                Doc::IfBreak { broken, flat } => self.write(mode.choose(broken, flat)),
                Doc::Group { contents, id } => {
                    let flat = Command { indent, mode: Mode::Flat, doc: contents.as_ref() };
                    let fits = mode == Mode::Flat || self.fits(&flat, &commands);
                    let mode = if fits { Mode::Flat } else { Mode::Broken };
                    if let Some(id) = id {
                        self.groups[usize::from(*id)] = mode;
                    }
                    commands.push(Command { mode, ..flat });
                }
                Doc::Either { first, second } => {
                    let of = |mode, doc| Command { indent, mode, doc };
                    let flat = of(Mode::Flat, first.as_ref());
                    let broken = of(Mode::Broken, first.as_ref());
                    commands.push(if mode == Mode::Flat || self.fits(&flat, &commands) {
                        flat
                    } else if self.fits(&broken, &commands) {
                        broken
                    } else {
                        of(Mode::Broken, second.as_ref())
                    });
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

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += columns(text);
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
                Doc::IfBreak { broken, flat } => columns(mode.choose(broken, flat)),
                Doc::Group { contents: inner, .. } | Doc::Either { first: inner, .. } => {
                    commands.push(Command { indent, mode, doc: inner });
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
    fn expand<'a>(
        &self,
        commands: &mut Vec<Command<'a>>,
        indent: usize,
        mode: Mode,
        doc: &'a Doc<'a>,
    ) {
        let step = self.layout.step;
        match doc {
            Doc::Concat(parts) => {
                commands.extend(parts.iter().rev().map(|doc| Command { indent, mode, doc }));
            }
            Doc::Indent(contents) => {
                commands.push(Command { indent: indent + step, mode, doc: contents });
            }
            Doc::IndentIfBreak { contents, group } => {
                let broke = self.groups[usize::from(*group)] == Mode::Broken;
                let indent = if broke { indent + step } else { indent };
                commands.push(Command { indent, mode, doc: contents });
            }
            Doc::Text(_)
            | Doc::IfBreak { .. }
            | Doc::Group { .. }
            | Doc::Either { .. }
            | Doc::Line
            | Doc::SoftLine => {}
        }
    }
}
