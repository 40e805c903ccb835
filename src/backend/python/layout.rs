//! Line breaking, as `ruff format` does it with its defaults: 88 columns, four spaces.
//!
//! What fits on a line stands on one. What does not is taken apart at its outermost brackets,
//! one item a line with a trailing comma, which the formatter then leaves as it is. A statement
//! whose names are too long for that stays on one line that is marked `# fmt: skip`.

/// The longest line.
const WIDTH: usize = 88;

/// What marks a line that the formatter leaves alone.
pub(super) const SKIP: &str = "  # fmt: skip";

/// The type of a constant.
pub(super) const LITERAL: &str = "Literal";

/// One step of indentation.
const STEP: usize = 4;

/// An expression, as far as its brackets matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// Anything that is never taken apart.
    Atom(String),
    /// `a | b`
    Union(Vec<Expression>),
    /// `head[a, b]`
    Index(&'static str, Vec<Expression>),
    /// `head(a, name=b)`
    Call(String, Vec<(Option<String>, Expression)>),
    /// `[a, b]`
    List(Vec<Expression>),
    /// `{"a": b}`: keys are literals.
    Dict(Vec<(String, Expression)>),
    /// `lambda: a`
    Lambda(Box<Expression>),
}

impl Expression {
    /// An expression that is never taken apart.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    /// A call with keyword arguments.
    pub(super) fn call(
        head: impl Into<String>,
        arguments: impl IntoIterator<Item = (String, Self)>,
    ) -> Self {
        let arguments = arguments.into_iter().map(|(name, value)| (Some(name), value));
        Self::Call(head.into(), arguments.collect())
    }

    /// A tuple.
    pub(super) fn tuple(items: impl IntoIterator<Item = Self>) -> Self {
        let items: Vec<Self> = items.into_iter().collect();
        match items.as_slice() {
            [] => Self::atom("()"),
            [only] => Self::atom(format!("({},)", only.flat())),
            _ => Self::Call(String::new(), items.into_iter().map(|item| (None, item)).collect()),
        }
    }

    /// A union of types without repetitions, with its literals as one, and `UnsetType` and `None`
    /// last.
    pub(super) fn union(members: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for member in members {
            let parts = match member {
                Self::Union(parts) => parts,
                other => vec![other],
            };
            for part in parts {
                let known = flat.iter().position(|known| known.is_literal() && part.is_literal());
                match (known.and_then(|known| flat.get_mut(known)), part) {
                    (Some(Self::Index(_, known)), Self::Index(_, values)) => {
                        let new = values.into_iter().filter(|value| !known.contains(value));
                        let new: Vec<Self> = new.collect();
                        known.extend(new);
                    }
                    (_, part) => {
                        if !flat.contains(&part) {
                            flat.push(part);
                        }
                    }
                }
            }
        }
        flat.sort_by_key(|part| match part {
            Self::Atom(name) if name == "UnsetType" => 1,
            Self::Atom(name) if name == "None" => 2,
            _ => 0,
        });
        if flat.len() == 1 { flat.remove(0) } else { Self::Union(flat) }
    }

    fn is_literal(&self) -> bool {
        matches!(self, Self::Index(head, _) if *head == LITERAL)
    }

    /// The whole expression on one line.
    pub(super) fn flat(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Atom(atom) => text.push_str(atom),
            Self::Lambda(body) => {
                text.push_str("lambda: ");
                body.write(text);
            }
            Self::Union(members) => {
                for (index, member) in members.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { " | " });
                    member.write(text);
                }
            }
            Self::Index(..) | Self::Call(..) | Self::List(_) | Self::Dict(_) => {
                let (open, items, close) = self.brackets();
                text.push_str(&open);
                for (index, (prefix, item)) in items.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { ", " });
                    text.push_str(prefix);
                    item.write(text);
                }
                text.push_str(close);
            }
        }
    }

    /// The opening bracket with what stands before it, the items with theirs, and the closing
    /// bracket. No items: nothing to take apart.
    fn brackets(&self) -> (String, Vec<(String, &Self)>, &'static str) {
        match self {
            Self::Index(head, items) => (format!("{head}["), unnamed(items), "]"),
            Self::List(items) => (String::from("["), unnamed(items), "]"),
            Self::Dict(entries) => {
                let items = entries.iter().map(|(key, value)| (format!("{key}: "), value));
                (String::from("{"), items.collect(), "}")
            }
            Self::Call(head, arguments) => {
                let items = arguments.iter().map(|(name, value)| {
                    (name.as_ref().map(|name| format!("{name}=")).unwrap_or_default(), value)
                });
                (format!("{head}("), items.collect(), ")")
            }
            Self::Atom(_) | Self::Union(_) | Self::Lambda(_) => (String::new(), Vec::new(), ""),
        }
    }

    /// Whether brackets are all there is to take apart.
    fn is_bracketed(&self) -> bool {
        !self.brackets().1.is_empty()
    }

    /// Writes the expression between two texts, on one line if it fits.
    fn place(&self, indent: usize, before: &str, after: &str, lines: &mut Vec<String>) {
        let line = indented(indent, &format!("{before}{}{after}", self.flat()));
        if fits(&line) {
            lines.push(line);
            return;
        }
        if let Self::Lambda(body) = self {
            body.place(indent, &format!("{before}lambda: "), after, lines);
            return;
        }
        let (open, items, close) = self.brackets();
        if items.is_empty() {
            lines.push(line);
            return;
        }
        lines.push(indented(indent, &format!("{before}{open}")));
        for (prefix, item) in items {
            item.place(indent + STEP, &prefix, ",", lines);
        }
        lines.push(indented(indent, &format!("{close}{after}")));
    }
}

/// `target: annotation = value`, at an indentation.
pub(super) fn assignment(
    indent: usize,
    target: &str,
    annotation: Option<&Expression>,
    value: Option<&Expression>,
) -> Vec<String> {
    let mut head = target.to_owned();
    if let Some(annotation) = annotation {
        head.push_str(": ");
        head.push_str(&annotation.flat());
    }
    let Some(value) = value else {
        return annotated(indent, target, &head, annotation, "");
    };
    let flat = value.flat();
    let line = indented(indent, &format!("{head} = {flat}"));
    if fits(&line) {
        return vec![line];
    }
    let mut lines = Vec::new();
    if value.is_bracketed() {
        value.place(indent, &format!("{head} = "), "", &mut lines);
    } else if matches!(annotation, Some(Expression::Index(..))) {
        // Which of the two gives way is the formatter's to know.
    } else if fits(&indented(indent, &format!("{head} = ("))) {
        lines = parenthesized(indent, &format!("{head} = "), value, "");
    } else {
        return annotated(indent, target, &head, annotation, &format!(" = {flat}"));
    }
    settled(lines, line)
}

/// A statement that is an expression, or begins with its words.
pub(super) fn statement(indent: usize, value: &Expression) -> Vec<String> {
    let line = indented(indent, &value.flat());
    if fits(&line) {
        return vec![line];
    }
    let mut lines = Vec::new();
    value.place(indent, "", "", &mut lines);
    settled(lines, line)
}

/// An annotation that has to give way itself, before ` = value` or nothing.
fn annotated(
    indent: usize,
    target: &str,
    head: &str,
    annotation: Option<&Expression>,
    rest: &str,
) -> Vec<String> {
    let line = indented(indent, &format!("{head}{rest}"));
    if fits(&line) {
        return vec![line];
    }
    let Some(annotation @ Expression::Union(_)) = annotation else {
        return settled(Vec::new(), line);
    };
    settled(parenthesized(indent, &format!("{target}: "), annotation, rest), line)
}

/// `before (`, the expression one step further in, `)after`.
fn parenthesized(indent: usize, before: &str, value: &Expression, after: &str) -> Vec<String> {
    let mut lines = vec![indented(indent, &format!("{before}("))];
    let line = indented(indent + STEP, &value.flat());
    match value {
        Expression::Union(members) if !fits(&line) => {
            for (index, member) in members.iter().enumerate() {
                let operator = if index == 0 { "" } else { "| " };
                lines.push(indented(indent + STEP, &format!("{operator}{}", member.flat())));
            }
        }
        _ => lines.push(line),
    }
    lines.push(indented(indent, &format!("){after}")));
    lines
}

/// `before(items)after`: the header of a class or function, or a call.
pub(super) fn listed(indent: usize, before: &str, items: &[String], after: &str) -> Vec<String> {
    let line = indented(indent, &format!("{before}({}){after}", items.join(", ")));
    if fits(&line) {
        return vec![line];
    }
    if items.is_empty() {
        return settled(Vec::new(), line);
    }
    let mut lines = vec![indented(indent, &format!("{before}("))];
    lines.extend(items.iter().map(|item| indented(indent + STEP, &format!("{item},"))));
    lines.push(indented(indent, &format!("){after}")));
    settled(lines, line)
}

/// `from module import names`.
pub(super) fn import(indent: usize, module: &str, names: &[&str]) -> Vec<String> {
    let before = format!("from {module} import ");
    let line = indented(indent, &format!("{before}{}", names.join(", ")));
    if fits(&line) {
        return vec![line];
    }
    let mut lines = vec![indented(indent, &format!("{before}("))];
    lines.extend(names.iter().map(|name| indented(indent + STEP, &format!("{name},"))));
    lines.push(indented(indent, ")"));
    lines
}

/// The broken form if all its lines fit, else the line with a mark.
fn settled(lines: Vec<String>, line: String) -> Vec<String> {
    if lines.is_empty() || !lines.iter().all(|line| fits(line)) {
        return vec![line + SKIP];
    }
    lines
}

/// A line at an indentation; an empty one stays empty.
pub(super) fn indented(indent: usize, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{:indent$}{text}", "") }
}

/// All text that reaches here is ASCII, so that bytes are columns.
fn fits(line: &str) -> bool {
    line.len() <= WIDTH
}

fn unnamed(items: &[Expression]) -> Vec<(String, &Expression)> {
    items.iter().map(|item| (String::new(), item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_one_member() {
        let literal = |text: &str| Expression::Index(LITERAL, vec![Expression::atom(text)]);
        let members = [literal("1"), Expression::atom("str"), literal("2"), literal("1")];
        assert_eq!(Expression::union(members).flat(), "Literal[1, 2] | str");
    }

    fn name(length: usize) -> Expression {
        Expression::atom("N".repeat(length))
    }

    #[test]
    fn what_fits_stands_on_one_line() {
        let ty = Expression::union([name(10), Expression::atom("None")]);
        let value = Expression::atom("None");
        assert_eq!(
            assignment(4, "field", Some(&ty), Some(&value)),
            ["    field: NNNNNNNNNN | None = None"]
        );
    }

    #[test]
    fn a_union_keeps_its_members_once_and_none_last() {
        let atom = Expression::atom;
        let union = Expression::union([
            atom("UnsetType"),
            Expression::union([atom("None"), atom("str")]),
            atom("str"),
        ]);
        assert_eq!(union.flat(), "str | UnsetType | None");
        assert_eq!(Expression::union([atom("str"), atom("str")]).flat(), "str");
    }

    #[test]
    fn long_calls_give_way_one_argument_a_line() {
        let inner = Expression::call("Inner", [(String::from("text"), name(70))]);
        let factory = Expression::Lambda(Box::new(inner));
        let value = Expression::call("field", [(String::from("default_factory"), factory)]);
        assert_eq!(
            assignment(0, "x", Some(&name(3)), Some(&value)),
            [
                "x: NNN = field(",
                "    default_factory=lambda: Inner(",
                &format!("        text={},", "N".repeat(70)),
                "    ),",
                ")",
            ]
        );
    }

    #[test]
    fn long_unions_are_parenthesized() {
        let ty = Expression::union([name(40), name(39), Expression::atom("UnsetType")]);
        let unset = Expression::atom("UNSET");
        assert_eq!(
            assignment(4, "x", Some(&ty), Some(&unset)),
            [
                "    x: (",
                &format!("        {}", "N".repeat(40)),
                &format!("        | {}", "N".repeat(39)),
                "        | UnsetType",
                "    ) = UNSET",
            ]
        );
    }

    #[test]
    fn what_cannot_give_way_is_marked() {
        let lines = assignment(4, "x", Some(&name(90)), None);
        assert_eq!(lines, [format!("    x: {}  # fmt: skip", "N".repeat(90))]);
    }

    #[test]
    fn headers_give_way_one_item_a_line() {
        let items = ["a".repeat(50), "b".repeat(50)];
        let lines = listed(0, "class X", &items, ":");
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[3], "):");
        assert_eq!(listed(0, "class X", &items[..1], ":").len(), 1);
        assert_eq!(import(0, ".types", &["A", "B"]), ["from .types import A, B"]);
    }
}
