//! The document printer: text with places where lines may break, laid out for a line width.
//!
//! Generated code is never formatted afterwards, so it has to come out the way the language's own
//! formatter would leave it. This is prettier's algorithm (Wadler's, with its extensions): a
//! document says where a line *may* break, and [`Layout::print`] breaks the outermost groups that
//! do not fit. What belongs to one language stays with that language.

pub(in crate::backend) mod columns;
mod print;

use std::borrow::Cow;

/// The measures of a language's formatter.
#[derive(Clone, Copy, Debug)]
pub(in crate::backend) struct Layout {
    /// The widest line, in columns.
    pub(in crate::backend) width: usize,
    /// A step of indentation, in columns.
    pub(in crate::backend) step: usize,
}

/// A text with places where it may break.
#[derive(Clone, Debug)]
pub(in crate::backend) enum Doc<'a> {
    /// Text without a line break.
    Text(Cow<'a, str>),
    /// Documents in a row.
    Concat(Vec<Self>),
    /// Line breaks within go one step further to the right.
    Indent(Box<Self>),
    /// Either none of its own lines breaks, or all do. [`Doc::IndentIfBreak`] calls it by its id.
    Group { contents: Box<Self>, id: Option<u8> },
    /// A space, or a line break.
    Line,
    /// Nothing, or a line break.
    SoftLine,
    /// A choice: a text if the enclosing group breaks, another if not.
    IfBreak { broken: &'static str, flat: &'static str },
    /// A choice of layouts: the first on one line, else the first with its own lines broken if its
    /// beginning fits, else the second.
    Either { first: Box<Self>, second: Box<Self> },
    /// Indents its contents if the group of this id breaks.
    IndentIfBreak { contents: Box<Self>, group: u8 },
}

/// Text without a line break.
pub(in crate::backend) fn text<'a>(text: impl Into<Cow<'a, str>>) -> Doc<'a> {
    Doc::Text(text.into())
}

/// Documents in a row.
pub(in crate::backend) fn concat<'a>(parts: impl IntoIterator<Item = Doc<'a>>) -> Doc<'a> {
    Doc::Concat(parts.into_iter().collect())
}

/// Line breaks within go one step further to the right.
pub(in crate::backend) fn indent(contents: Doc<'_>) -> Doc<'_> {
    Doc::Indent(Box::new(contents))
}

/// Makes a group: either none of its own lines breaks, or all do.
pub(in crate::backend) fn group(contents: Doc<'_>) -> Doc<'_> {
    Doc::Group { contents: Box::new(contents), id: None }
}

/// Makes a text that depends on whether the group around it breaks.
pub(in crate::backend) fn if_break(broken: &'static str, flat: &'static str) -> Doc<'static> {
    Doc::IfBreak { broken, flat }
}

/// Items between brackets, on one line or each on a line of its own, then with a comma at the end.
pub(in crate::backend) fn bracketed<'a>(
    open: impl Into<Cow<'a, str>>,
    items: impl IntoIterator<Item = Doc<'a>>,
    close: &'a str,
) -> Doc<'a> {
    let mut items = items.into_iter().peekable();
    if items.peek().is_none() {
        return text(open.into() + close);
    }
    let inner = listed(&Doc::SoftLine, ",", items);
    group(concat([text(open), inner, Doc::SoftLine, text(close)]))
}

/// Items between brackets, of which the last is a list: if they do not fit on one line, it is the
/// items of this list that have lines of their own, where the beginning leaves room for that.
pub(in crate::backend) fn hugging<'a>(
    open: &str,
    mut items: Vec<Doc<'a>>,
    close: &'a str,
) -> Doc<'a> {
    let all = bracketed(open.to_owned(), items.clone(), close);
    let Some(last) = items.pop() else { return all };
    items.push(ungrouped(last));
    let items = join(&text(", "), items);
    let first = concat([text(open.to_owned()), items, text(close)]);
    Doc::Either { first: Box::new(first), second: Box::new(all) }
}

/// A document whose lines break as those around it do.
fn ungrouped(doc: Doc<'_>) -> Doc<'_> {
    match doc {
        Doc::Group { contents, id: None } => *contents,
        Doc::Concat(parts) => Doc::Concat(parts.into_iter().map(ungrouped).collect()),
        doc => doc,
    }
}

/// Items between braces, likewise, with spaces inside of the braces.
pub(in crate::backend) fn braced<'a>(
    separator: &'static str,
    items: impl IntoIterator<Item = Doc<'a>>,
) -> Doc<'a> {
    group(concat([text("{"), listed(&Doc::Line, separator, items), Doc::Line, text("}")]))
}

/// Lays out the items between two brackets, without the gap before the closing bracket.
pub(in crate::backend) fn listed<'a>(
    gap: &Doc<'a>,
    separator: &'static str,
    items: impl IntoIterator<Item = Doc<'a>>,
) -> Doc<'a> {
    let items = join(&concat([text(separator), Doc::Line]), items);
    indent(concat([gap.clone(), items, if_break(separator, "")]))
}

/// Joins parts, with a separator between each two.
pub(in crate::backend) fn join<'a>(
    separator: &Doc<'a>,
    parts: impl IntoIterator<Item = Doc<'a>>,
) -> Doc<'a> {
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
pub(in crate::backend) fn break_after_operator<'a>(
    left: Doc<'a>,
    operator: &'a str,
    right: Doc<'a>,
) -> Doc<'a> {
    group(concat([group(left), text(operator), group(indent(concat([Doc::Line, right])))]))
}

/// `left operator right` where the right side stays on the line if its beginning fits.
pub(in crate::backend) fn fluid<'a>(left: Doc<'a>, operator: &'a str, right: Doc<'a>) -> Doc<'a> {
    const ID: u8 = 1;
    let gap = Doc::Group { contents: Box::new(indent(Doc::Line)), id: Some(ID) };
    let right = Doc::IndentIfBreak { contents: Box::new(right), group: ID };
    group(concat([group(left), text(operator), gap, right]))
}
