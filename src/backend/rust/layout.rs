//! Prints code the way `rustfmt` would.
//!
//! `rustfmt` is not at hand where code is generated, and a printer that only knows where a line
//! may break would not agree with it: its choices depend on the construct. This page knows its
//! rules for the few constructs that generated code is made of.

/// The longest line.
const MAX_WIDTH: usize = 100;
/// The longest list of arguments, and the longest array, on one line.
const MAX_LIST: usize = 60;
/// The longest body of a struct literal on one line.
const MAX_STRUCT_LITERAL: usize = 18;
/// Literals up to this length fill lines, where an array does not fit on one.
const MAX_FILL_ITEM: usize = 10;

/// A file being written.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    depth: usize,
    /// Whether something was written since the last opening brace.
    started: bool,
}

impl Page {
    /// An empty page.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// What was written.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Writes a line.
    pub(super) fn line(&mut self, line: &str) {
        self.indent();
        self.text.push_str(line);
        self.text.push('\n');
        self.started = true;
    }

    /// Writes lines as they are, but indented.
    pub(super) fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.line(line);
        }
    }

    /// Leaves a line empty, unless a block has just begun.
    pub(super) fn gap(&mut self) {
        if self.started {
            self.text.push('\n');
        }
    }

    /// Writes a block: `head {`, what it holds, `}`. An empty one takes one line.
    pub(super) fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.block_with(head, "}", inside);
    }

    /// Writes a block that ends in other text than `}`.
    pub(super) fn block_with(&mut self, head: &str, end: &str, inside: impl FnOnce(&mut Self)) {
        self.indent();
        self.text.push_str(head);
        self.text.push_str(" {");
        self.inside(end, inside);
    }

    /// Writes the second half of a block in two halves: a line, and the closing brace.
    pub(super) fn rest(&mut self, line: &str) {
        self.depth += 1;
        self.line(line);
        self.depth -= 1;
        self.line("}");
    }

    /// Writes a function: its head on one line if that fits, else a parameter a line.
    pub(super) fn function(
        &mut self,
        head: &str,
        parameters: &[String],
        returns: &str,
        body: impl FnOnce(&mut Self),
    ) {
        self.signature(head, parameters, returns, " {");
        self.inside("}", body);
    }

    /// Writes a function's head, and what follows it on its last line.
    pub(super) fn signature(
        &mut self,
        head: &str,
        parameters: &[String],
        returns: &str,
        end: &str,
    ) {
        let returns = if returns.is_empty() { String::new() } else { format!(" -> {returns}") };
        let list = parameters.join(", ");
        self.indent();
        if self.fits(&[head, "(", &list, ")", &returns, end]) {
            self.push(&[head, "(", &list, ")", &returns, end]);
        } else {
            self.push(&[head, "(\n"]);
            self.vertical(parameters);
            self.indent();
            match end.strip_prefix(' ') {
                // A brace that does not fit stands alone.
                Some(brace) if !self.fits(&[")", &returns, end]) => {
                    self.push(&[")", &returns, "\n"]);
                    self.indent();
                    self.push(&[brace]);
                }
                _ => self.push(&[")", &returns, end]),
            }
        }
        if !end.ends_with('{') {
            self.text.push('\n');
        }
        self.started = true;
    }

    /// Writes a call within other text: `let x = ` `callee(` arguments `)` `?;`.
    pub(super) fn call(&mut self, before: &str, callee: &str, arguments: &[String], after: &str) {
        let list = arguments.join(", ");
        self.indent();
        self.text.push_str(before);
        self.text.push_str(callee);
        // A single argument that cannot be broken stays where it is.
        let is_atom = arguments.len() == 1 && !list.ends_with([')', ']', '}']);
        let is_short = is_atom || width(&list) <= MAX_LIST;
        if is_short && self.fits(&[before, callee, "(", &list, ")", after]) {
            self.push(&["(", &list, ")", after, "\n"]);
        } else {
            self.text.push_str("(\n");
            self.vertical(arguments);
            self.indent();
            self.push(&[")", after, "\n"]);
        }
        self.started = true;
    }

    /// Whether a call that is the only argument of another call stays on one line.
    pub(super) fn nests(
        &self,
        before: &str,
        callee: &str,
        arguments: &[String],
        after: &str,
    ) -> bool {
        let list = arguments.join(", ");
        let call = [callee, "(", &list, ")"];
        let outer = before.matches('(').count().saturating_sub(1);
        let width = call.iter().map(|part| width(part)).sum::<usize>() + outer * "Box::new()".len();
        width <= MAX_LIST && self.fits(&[before, callee, "(", &list, ")", after])
    }

    /// Writes a struct literal within other text. A field is `name: value` or just `name`.
    pub(super) fn literal(&mut self, before: &str, name: &str, fields: &[Field], after: &str) {
        let list = fields.iter().map(Field::text).collect::<Vec<_>>().join(", ");
        if list.is_empty() {
            self.line(&format!("{before}{name} {{}}{after}"));
        } else if width(&list) <= MAX_STRUCT_LITERAL {
            self.line(&format!("{before}{name} {{ {list} }}{after}"));
        } else {
            let end = format!("}}{after}");
            self.block_with(&format!("{before}{name}"), &end, |page| {
                for field in fields {
                    match field {
                        Field::Plain(text) => page.line(&format!("{text},")),
                        Field::Call { before, callee, arguments, after } => {
                            page.call(before, callee, arguments, &format!("{after},"));
                        }
                    }
                }
            });
        }
    }

    /// Writes an array literal within other text.
    pub(super) fn array(&mut self, before: &str, items: &[String], after: &str) {
        let list = items.join(", ");
        self.indent();
        self.text.push_str(before);
        self.text.push('[');
        if width(&list) <= MAX_LIST && self.fits(&[before, "[", &list, "]", after]) {
            self.text.push_str(&list);
        } else {
            self.text.push('\n');
            let is_short = |item: &String| width(item) <= MAX_FILL_ITEM && !item.contains("::");
            if items.iter().all(is_short) {
                self.filled(items);
            } else {
                self.vertical(items);
            }
            self.indent();
        }
        self.push(&["]", after, "\n"]);
        self.started = true;
    }

    /// Writes an arm of a match whose body is a call.
    pub(super) fn arm_call(
        &mut self,
        pattern: &str,
        callee: &str,
        arguments: &[String],
        after: &str,
    ) {
        let list = arguments.join(", ");
        if width(&list) <= MAX_LIST || arguments.len() == 1 {
            self.arm(pattern, &format!("{callee}({list}){after}"), false);
        } else {
            self.call(&format!("{pattern} => "), callee, arguments, &format!("{after},"));
        }
    }

    /// Writes an arm of a match: on one line if that fits, else as a block.
    pub(super) fn arm(&mut self, pattern: &str, body: &str, statement: bool) {
        self.indent();
        // `rustfmt` wants a column or two to spare after an assignment or a `return`. A statement
        // in a block stays there, so it may be put into one too early.
        let spare = if statement { "  " } else { "" };
        if self.fits(&[pattern, " => ", body, ",", spare]) {
            self.push(&[pattern, " => ", body, ",\n"]);
        } else {
            self.push(&[pattern, " => {\n"]);
            self.depth += 1;
            self.line(&format!("{body}{}", if statement { ";" } else { "" }));
            self.depth -= 1;
            self.line("}");
        }
        self.started = true;
    }

    /// Writes an assignment of a block that waits for a call.
    pub(super) fn async_call(&mut self, before: &str, callee: &str, arguments: &[String]) {
        let block = format!("async move {{ {callee}({}).await }};", arguments.join(", "));
        self.indent();
        if self.fits(&[before, " ", &block]) {
            self.push(&[before, " ", &block, "\n"]);
            return;
        }
        if self.fits(&["    ", &block]) {
            self.push(&[before, "\n"]);
            self.depth += 1;
            self.line(&block);
            self.depth -= 1;
            return;
        }
        self.push(&[before, " async move {\n"]);
        self.depth += 1;
        self.call("", callee, arguments, ".await");
        self.depth -= 1;
        self.line("};");
    }

    /// Whether these parts fit on the line that has only been indented.
    fn fits(&self, parts: &[&str]) -> bool {
        self.depth * 4 + parts.iter().map(|part| width(part)).sum::<usize>() <= MAX_WIDTH
    }

    fn push(&mut self, parts: &[&str]) {
        self.text.extend(parts.iter().copied());
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
    }

    fn inside(&mut self, end: &str, inside: impl FnOnce(&mut Self)) {
        let before = self.text.len();
        self.text.push('\n');
        self.depth += 1;
        self.started = false;
        inside(self);
        self.depth -= 1;
        if self.text.len() == before + 1 {
            self.text.truncate(before);
        } else {
            self.indent();
        }
        self.text.push_str(end);
        self.text.push('\n');
        self.started = true;
    }

    fn vertical(&mut self, items: &[String]) {
        self.depth += 1;
        for item in items {
            self.line(&format!("{item},"));
        }
        self.depth -= 1;
    }

    fn filled(&mut self, items: &[String]) {
        self.depth += 1;
        let mut line = String::new();
        for item in items {
            if !line.is_empty() && !self.fits(&[&line, " ", item, ","]) {
                self.line(&line);
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(item);
            line.push(',');
        }
        self.line(&line);
        self.depth -= 1;
    }
}

/// A field of a struct literal.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// One that stays on one line.
    Plain(String),
    /// One whose value is a call, whose arguments may need a line each.
    Call {
        /// The name, and what stands before the function: `path: `.
        before: String,
        /// The function.
        callee: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// What stands after the call: `?`.
        after: String,
    },
}

impl Field {
    fn text(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Call { before, callee, arguments, after } => {
                format!("{before}{callee}({}){after}", arguments.join(", "))
            }
        }
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
