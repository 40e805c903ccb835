//! Where lines break.
//!
//! What is generated is never formatted afterwards, so it has to come out the way `prettier`
//! would leave it. This is prettier's own algorithm (Wadler's, with its extensions): a document
//! says where a line *may* break, and [`print`] breaks the outermost groups that do not fit.

/// The widest line, in columns.
pub(super) const WIDTH: usize = 80;

/// A text with places where it may break.
#[derive(Clone, Debug)]
pub(super) enum Doc {
    /// Text without a line break.
    Text(String),
    /// One after the other.
    Concat(Vec<Doc>),
    /// Line breaks within go two columns further to the right.
    Indent(Box<Doc>),
    /// Either none of its own lines breaks, or all do.
    Group {
        contents: Box<Doc>,
        /// Whether it breaks in any case.
        breaks: bool,
        /// What [`Doc::IndentIfBreak`] calls it.
        id: Option<u8>,
    },
    /// A space, or a line break.
    Line,
    /// Nothing, or a line break.
    SoftLine,
    /// A line break in any case.
    HardLine,
    /// One text if the enclosing group breaks, another if not.
    IfBreak { broken: Box<Doc>, flat: Box<Doc> },
    /// Indented if the group of this id broke.
    IndentIfBreak { contents: Box<Doc>, group: u8 },
}

/// Text without a line break.
pub(super) fn text(text: impl Into<String>) -> Doc {
    Doc::Text(text.into())
}

/// One after the other.
pub(super) fn concat(parts: impl IntoIterator<Item = Doc>) -> Doc {
    Doc::Concat(parts.into_iter().collect())
}

/// Line breaks within go two columns further to the right.
pub(super) fn indent(contents: Doc) -> Doc {
    Doc::Indent(Box::new(contents))
}

/// Breaks none of its own lines, or all.
pub(super) fn group(contents: Doc) -> Doc {
    group_if(contents, false)
}

/// A group that breaks in any case if `breaks`.
pub(super) fn group_if(contents: Doc, breaks: bool) -> Doc {
    let breaks = breaks || must_break(&contents);
    Doc::Group { contents: Box::new(contents), breaks, id: None }
}

/// Text for a group that breaks, and for one that does not.
pub(super) fn if_break(broken: &str, flat: &str) -> Doc {
    Doc::IfBreak { broken: Box::new(text(broken)), flat: Box::new(text(flat)) }
}

/// The parts with something between them.
pub(super) fn join(separator: &Doc, parts: impl IntoIterator<Item = Doc>) -> Doc {
    let mut joined = Vec::new();
    for part in parts {
        if !joined.is_empty() {
            joined.push(separator.clone());
        }
        joined.push(part);
    }
    Doc::Concat(joined)
}

/// `left operator right` where the right side moves to a line of its own as a whole.
pub(super) fn break_after_operator(left: Doc, operator: &str, right: Doc) -> Doc {
    group(concat([group(left), text(operator), group(indent(concat([Doc::Line, right])))]))
}

/// `left operator right` where the right side stays on the line if its beginning fits.
pub(super) fn fluid(left: Doc, operator: &str, right: Doc) -> Doc {
    const ID: u8 = 1;
    let gap = Doc::Group { contents: Box::new(indent(Doc::Line)), breaks: false, id: Some(ID) };
    let right = Doc::IndentIfBreak { contents: Box::new(right), group: ID };
    group(concat([group(left), text(operator), gap, right]))
}

fn must_break(doc: &Doc) -> bool {
    match doc {
        Doc::HardLine => true,
        Doc::Concat(parts) => parts.iter().any(must_break),
        Doc::Indent(contents) | Doc::IndentIfBreak { contents, .. } => must_break(contents),
        Doc::Group { breaks, .. } => *breaks,
        Doc::IfBreak { broken, flat } => must_break(broken) || must_break(flat),
        Doc::Text(_) | Doc::Line | Doc::SoftLine => false,
    }
}

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

/// The document as text. It begins at column `column`, and its broken lines are indented by
/// `indentation` at least.
pub(super) fn print(doc: &Doc, indentation: usize, column: usize) -> String {
    let mut printer = Printer { out: String::new(), column, groups: [Mode::Flat; 256] };
    printer.run(Command { indent: indentation, mode: Mode::Broken, doc });
    printer.out
}

struct Printer {
    out: String,
    column: usize,
    /// How the groups with an id came out.
    groups: [Mode; 256],
}

impl Printer {
    fn run(&mut self, first: Command<'_>) {
        let mut commands = vec![first];
        while let Some(Command { indent, mode, doc }) = commands.pop() {
            match doc {
                Doc::Text(text) => {
                    self.out.push_str(text);
                    self.column += super::text::width(text);
                }
                Doc::Group { contents, breaks, id } => {
                    let flat = Command { indent, mode: Mode::Flat, doc: contents.as_ref() };
                    let fits = !*breaks && (mode == Mode::Flat || self.fits(&flat, &commands));
                    let mode = if fits { Mode::Flat } else { Mode::Broken };
                    if let Some(id) = id {
                        self.groups[usize::from(*id)] = mode;
                    }
                    commands.push(Command { mode, ..flat });
                }
                Doc::Line | Doc::SoftLine | Doc::HardLine => {
                    if mode == Mode::Broken || matches!(doc, Doc::HardLine) {
                        self.break_line(indent);
                    } else if matches!(doc, Doc::Line) {
                        self.out.push(' ');
                        self.column += 1;
                    }
                }
                _ => expand(&mut commands, indent, mode, doc, &self.groups),
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

    /// Whether everything up to the first line break that can follow fits on this line.
    fn fits(&self, next: &Command<'_>, rest: &[Command<'_>]) -> bool {
        let Some(mut left) = WIDTH.checked_sub(self.column) else { return false };
        let mut waiting = rest.iter().rev();
        let mut commands = vec![Command { ..*next }];
        loop {
            let Some(Command { indent, mode, doc }) = commands.pop() else {
                let Some(outer) = waiting.next() else { return true };
                commands.push(Command { ..*outer });
                continue;
            };
            let taken = match doc {
                Doc::Text(text) => super::text::width(text),
                Doc::Group { contents, breaks, .. } => {
                    let mode = if *breaks { Mode::Broken } else { mode };
                    commands.push(Command { indent, mode, doc: contents });
                    0
                }
                Doc::Line | Doc::SoftLine | Doc::HardLine => {
                    if mode == Mode::Broken || matches!(doc, Doc::HardLine) {
                        return true;
                    }
                    usize::from(matches!(doc, Doc::Line))
                }
                _ => {
                    expand(&mut commands, indent, mode, doc, &self.groups);
                    0
                }
            };
            let Some(after) = left.checked_sub(taken) else { return false };
            left = after;
        }
    }
}

/// Replaces a document by what it consists of.
fn expand<'a>(
    commands: &mut Vec<Command<'a>>,
    indent: usize,
    mode: Mode,
    doc: &'a Doc,
    groups: &[Mode; 256],
) {
    match doc {
        Doc::Concat(parts) => {
            commands.extend(parts.iter().rev().map(|doc| Command { indent, mode, doc }));
        }
        Doc::Indent(contents) => commands.push(Command { indent: indent + 2, mode, doc: contents }),
        Doc::IfBreak { broken, flat } => {
            let doc = if mode == Mode::Broken { broken } else { flat };
            commands.push(Command { indent, mode, doc });
        }
        Doc::IndentIfBreak { contents, group } => {
            let broke = groups[usize::from(*group)] == Mode::Broken;
            let indent = if broke { indent + 2 } else { indent };
            commands.push(Command { indent, mode, doc: contents });
        }
        Doc::Text(_) | Doc::Group { .. } | Doc::Line | Doc::SoftLine | Doc::HardLine => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Doc, concat, fluid, group, if_break, indent, join, print, text};

    fn list(items: &[&str]) -> Doc {
        let items = join(&concat([text(","), Doc::Line]), items.iter().map(|item| text(*item)));
        group(concat([
            text("["),
            indent(concat([Doc::SoftLine, items])),
            if_break(",", ""),
            Doc::SoftLine,
            text("]"),
        ]))
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
    fn what_follows_counts_up_to_its_first_possible_break() {
        let doc = |tail: &str| concat([list(&["a", "b"]), text(tail)]);
        assert_eq!(print(&doc(";"), 0, 73), "[a, b];");
        assert_eq!(print(&doc(";;"), 0, 73), "[\n  a,\n  b,\n];;");
    }

    #[test]
    fn a_fluid_right_side_moves_down_when_its_beginning_does_not_fit() {
        let object = || {
            group(concat([
                text("{"),
                indent(concat([Doc::HardLine, text("a")])),
                Doc::HardLine,
                text("}"),
            ]))
        };
        assert_eq!(print(&fluid(text("x"), " =", object()), 0, 0), "x = {\n  a\n}");
        let long = "x".repeat(78);
        let doc = fluid(text(long.clone()), " =", object());
        assert_eq!(print(&doc, 0, 0), format!("{long} =\n  {{\n    a\n  }}"));
    }

    #[test]
    fn a_broken_line_leaves_no_blanks_behind() {
        let doc = concat([text("a "), Doc::HardLine, Doc::HardLine, text("b")]);
        assert_eq!(print(&doc, 2, 0), "a\n\n  b");
    }
}
