//! Type expressions: what they consist of, and how prettier lays them out.

use crate::backend::doc::{
    Doc, bracketed, break_after_operator, concat, fluid, group, group_if, if_break, indent, join,
    text,
};

/// A type as TypeScript writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    /// `string`, `unknown`, `null`.
    Keyword(&'static str),
    /// A type by its name.
    Name(String),
    /// `Promise<T>`, `Record<string, T>`.
    Apply(&'static str, Vec<Expr>),
    /// A constant, ready to print.
    Literal(String),
    /// `T[]`
    Array(Box<Expr>),
    /// `[A, B]`
    Tuple(Vec<Expr>),
    /// An object type.
    Object(Object),
    /// `A | B`. Made by [`Expr::union`].
    Union(Vec<Expr>),
    /// `A & B`. Made by [`Expr::intersection`].
    Intersection(Vec<Expr>),
}

/// An object type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Object {
    /// What it consists of, in order.
    pub(super) members: Vec<Member>,
    /// Whether each member stands on a line of its own even where all would fit on one.
    pub(super) expanded: bool,
}

/// A member of an object type, or of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The lines of its comment, marks included.
    pub(super) doc: Vec<String>,
    /// What stands before the colon, ready to print: `name`, `"a-b"?`. None for all keys that no
    /// other member names: `[key: string]`.
    pub(super) key: Option<String>,
    /// Its type.
    pub(super) ty: Expr,
}

impl Expr {
    /// Only `null`.
    pub(super) const NULL: Self = Self::Keyword("null");
    /// Any JSON value.
    pub(super) const UNKNOWN: Self = Self::Keyword("unknown");

    /// Any of the types: nested unions are joined, repetitions left out, and `unknown` is all.
    pub(super) fn union(types: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for ty in types {
            match ty {
                Self::Union(members) => flat.extend(members),
                other => flat.push(other),
            }
        }
        if flat.contains(&Self::UNKNOWN) {
            return Self::UNKNOWN;
        }
        let mut seen = std::collections::HashSet::new();
        flat.retain(|ty| seen.insert(ty.flat_text()));
        if flat.len() > 1 {
            Self::Union(flat)
        } else {
            flat.pop().unwrap_or(Self::Keyword("never"))
        }
    }

    /// All of the types at once.
    pub(super) fn intersection(types: impl IntoIterator<Item = Self>) -> Self {
        let mut types: Vec<Self> = types.into_iter().collect();
        if types.len() > 1 {
            Self::Intersection(types)
        } else {
            types.pop().unwrap_or(Self::UNKNOWN)
        }
    }

    /// The type, or `null`.
    pub(super) fn nullable(self) -> Self {
        Self::union([self, Self::NULL])
    }

    /// `{ [key: string]: T }`. Unlike `Record<string, T>` it may refer to itself.
    pub(super) fn map(values: Self) -> Self {
        Self::Object(Object { members: vec![Member::index(values)], expanded: false })
    }

    /// A statement `export type NAME = …` without its semicolon.
    pub(super) fn declaration(&self, name: &str) -> String {
        let left = text(format!("export type {name}"));
        let doc = match self {
            Self::Union(members) if !hugs(members) => {
                break_after_operator(left, " =", union_lines(members))
            }
            _ => fluid(left, " =", self.doc()),
        };
        super::PRETTIER.print(&concat([doc, text(";")]), 0, 0)
    }

    /// `NAME(PARAMETERS): RESULT;` of an interface.
    pub(super) fn method(name: &str, parameters: &[(&str, Self)], result: &Self) -> String {
        Self::signature(name, parameters, result, ";")
    }

    /// `NAME(PARAMETERS): RESULT {` of an object.
    pub(super) fn method_head(name: &str, parameters: &[(&str, Self)], result: &Self) -> String {
        Self::signature(name, parameters, result, " {")
    }

    fn signature(name: &str, parameters: &[(&str, Self)], result: &Self, end: &str) -> String {
        let between = concat([text(","), Doc::Line]);
        let list =
            parameters.iter().map(|(name, ty)| concat([text(format!("{name}: ")), ty.doc()]));
        let list = if parameters.is_empty() {
            text("()")
        } else {
            concat([
                text("("),
                indent(concat([Doc::SoftLine, join(&between, list)])),
                if_break(",", ""),
                Doc::SoftLine,
                text(")"),
            ])
        };
        let doc = group(concat([text(name), list, text(": "), result.doc()]));
        super::PRETTIER.print(&concat([doc, text(end)]), 2, 2)
    }

    /// The type as it stands after a colon.
    pub(super) fn doc(&self) -> Doc {
        match self {
            Self::Union(members) if !hugs(members) => {
                group(indent(concat([Doc::SoftLine, union_lines(members)])))
            }
            _ => self.bare_doc(),
        }
    }

    /// The type without the indentation of its own that a union has.
    fn bare_doc(&self) -> Doc {
        match self {
            Self::Keyword(keyword) => text(*keyword),
            Self::Name(name) | Self::Literal(name) => text(name.as_str()),
            Self::Apply(name, types) => concat([text(*name), arguments(types)]),
            Self::Array(items) => concat([items.operand(), text("[]")]),
            Self::Tuple(items) => tuple(items),
            Self::Object(object) => object.doc(),
            Self::Union(members) if hugs(members) => {
                join(&text(" | "), members.iter().map(Expr::operand))
            }
            Self::Union(members) => union_lines(members),
            Self::Intersection(members) => intersection(members),
        }
    }

    /// The type as part of an array, a union or an intersection, in parentheses where it needs
    /// them.
    fn operand(&self) -> Doc {
        match self {
            Self::Union(members) if hugs(members) => {
                concat([text("("), self.bare_doc(), text(")")])
            }
            Self::Union(members) => concat([
                text("("),
                group(concat([
                    indent(concat([Doc::SoftLine, union_lines(members)])),
                    Doc::SoftLine,
                ])),
                text(")"),
            ]),
            Self::Intersection(_) => concat([text("("), self.bare_doc(), text(")")]),
            _ => self.bare_doc(),
        }
    }

    fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Whether prettier keeps it within `<…>` on the line.
    fn is_simple_argument(&self) -> bool {
        match self {
            Self::Keyword(_) | Self::Name(_) | Self::Object(_) => true,
            Self::Union(members) => hugs(members),
            _ => false,
        }
    }

    /// The type on one line, to tell it from others.
    fn flat_text(&self) -> String {
        super::PRETTIER.print(&self.bare_doc(), 0, 0)
    }
}

impl Member {
    /// `[key: string]: T`
    pub(super) fn index(values: Expr) -> Self {
        Self { doc: Vec::new(), key: None, ty: values }
    }

    /// A property that is always there.
    pub(super) fn property(key: &str, ty: Expr) -> Self {
        Self { doc: Vec::new(), key: Some(super::text::key(key)), ty }
    }

    /// A property that is never there.
    pub(super) fn absent(key: &str) -> Self {
        let key = super::text::key(key) + "?";
        Self { doc: Vec::new(), key: Some(key), ty: Expr::Keyword("never") }
    }

    fn doc(&self) -> Doc {
        let lines = self.doc.iter().flat_map(|line| [text(line.as_str()), Doc::HardLine]);
        let key = if let Some(key) = &self.key {
            text(key.as_str())
        } else {
            let parameter = indent(concat([Doc::SoftLine, text("key: string")]));
            concat([text("["), group(concat([parameter, Doc::SoftLine])), text("]")])
        };
        concat(lines.chain([key, text(": "), self.ty.doc()]))
    }
}

impl Object {
    fn doc(&self) -> Doc {
        if self.members.is_empty() {
            return text("{}");
        }
        let between = concat([text(";"), Doc::Line]);
        let members = join(&between, self.members.iter().map(Member::doc));
        let parts = [
            text("{"),
            indent(concat([Doc::Line, members])),
            if_break(";", ""),
            Doc::Line,
            text("}"),
        ];
        group_if(concat(parts), self.expanded)
    }
}

/// Whether prettier keeps a union on the line: one object or named type, and `null`.
fn hugs(members: &[Expr]) -> bool {
    let is_body = |ty: &Expr| matches!(ty, Expr::Object(_) | Expr::Name(_) | Expr::Apply(..));
    let is_void = |ty: &Expr| matches!(ty, Expr::Keyword("null" | "void"));
    members.iter().filter(|member| is_body(member)).count() == 1
        && members.iter().all(|member| is_body(member) || is_void(member))
}

fn union_lines(members: &[Expr]) -> Doc {
    let lines = members.iter().enumerate().flat_map(|(index, member)| {
        let mark = if index == 0 { if_break("| ", "") } else { concat([Doc::Line, text("| ")]) };
        [mark, indent(member.operand())]
    });
    group(concat(lines))
}

fn intersection(members: &[Expr]) -> Doc {
    let mut parts = Vec::with_capacity(members.len());
    let mut was_indented = false;
    for (index, member) in members.iter().enumerate() {
        let doc = member.operand();
        let Some(previous) = index.checked_sub(1).and_then(|before| members.get(before)) else {
            parts.push(doc);
            continue;
        };
        parts.push(match (previous.is_object(), member.is_object()) {
            (true, true) => concat([text(" & "), if was_indented { indent(doc) } else { doc }]),
            (false, false) => indent(concat([text(" &"), Doc::Line, doc])),
            _ => {
                was_indented |= index > 1;
                concat([text(" & "), if index > 1 { indent(doc) } else { doc }])
            }
        });
    }
    group(concat(parts))
}

fn arguments(types: &[Expr]) -> Doc {
    if let [only] = types
        && only.is_simple_argument()
    {
        return concat([text("<"), only.bare_doc(), text(">")]);
    }
    let between = concat([text(","), Doc::Line]);
    group(concat([
        text("<"),
        indent(concat([Doc::SoftLine, join(&between, types.iter().map(Expr::bare_doc))])),
        Doc::SoftLine,
        text(">"),
    ]))
}

fn tuple(items: &[Expr]) -> Doc {
    bracketed("[", items.iter().map(Expr::doc), "]")
}

#[cfg(test)]
mod tests {
    use super::{Expr, Member, Object};

    fn name(name: &str) -> Expr {
        Expr::Name(name.to_owned())
    }

    fn tag(value: &str) -> Expr {
        let ty = Expr::Literal(format!("\"{value}\""));
        Expr::Object(Object { members: vec![Member::property("type", ty)], expanded: false })
    }

    fn declared(ty: &Expr, name: &str) -> String {
        ty.declaration(name)
    }

    #[test]
    fn unions_join_and_lose_repetitions() {
        let inner = Expr::union([Expr::Keyword("string"), Expr::NULL]);
        let outer = Expr::union([inner, Expr::Keyword("string"), Expr::Keyword("number")]);
        assert_eq!(declared(&outer, "A"), "export type A = string | null | number;");
        assert_eq!(Expr::union([name("A"), Expr::UNKNOWN]), Expr::UNKNOWN);
        assert_eq!(Expr::union([name("A"), name("A")]), name("A"));
        assert_eq!(Expr::union([]), Expr::Keyword("never"));
    }

    #[test]
    fn a_union_goes_to_the_next_line_before_it_breaks() {
        let member = |letter: &str| Expr::Literal(format!("\"{}\"", letter.repeat(17)));
        let two = Expr::union([member("a"), member("b"), member("c")]);
        assert_eq!(
            declared(&two, "Abcdef"),
            "export type Abcdef =\n  \"aaaaaaaaaaaaaaaaa\" | \"bbbbbbbbbbbbbbbbb\" | \"ccccccccccccccccc\";"
        );
        let four = Expr::union([member("a"), member("b"), member("c"), member("d")]);
        assert_eq!(
            declared(&four, "A"),
            "export type A =\n  | \"aaaaaaaaaaaaaaaaa\"\n  | \"bbbbbbbbbbbbbbbbb\"\n  | \"ccccccccccccccccc\"\n  | \"ddddddddddddddddd\";"
        );
    }

    #[test]
    fn tagged_variants_are_in_parentheses() {
        let first = Expr::intersection([name("TextContent"), tag("text")]);
        let both = Expr::union([first.clone(), tag("none")]);
        assert_eq!(
            declared(&both, "U"),
            "export type U = (TextContent & { type: \"text\" }) | { type: \"none\" };"
        );
        let long = Expr::intersection([name(&"C".repeat(70)), tag("text")]);
        assert_eq!(
            declared(&Expr::union([long, tag("none")]), "U"),
            format!(
                "export type U =\n  | ({} & {{\n      type: \"text\";\n    }})\n  | {{ type: \"none\" }};",
                "C".repeat(70)
            )
        );
    }

    #[test]
    fn shared_fields_stand_before_the_union() {
        let shared = Expr::Object(Object {
            members: vec![Member::property("a-b", Expr::Keyword("string"))],
            expanded: true,
        });
        let both = Expr::intersection([shared, Expr::union([name("A"), name("B")])]);
        assert_eq!(declared(&both, "U"), "export type U = {\n  \"a-b\": string;\n} & (A | B);");
    }

    #[test]
    fn a_nullable_name_is_never_broken() {
        let long = "L".repeat(40);
        assert_eq!(
            declared(&name(&long).nullable(), &long),
            format!("export type {long} =\n  {long} | null;")
        );
        let object = Expr::Object(Object {
            members: vec![Member {
                doc: Vec::new(),
                key: Some(format!("{long}?")),
                ty: name(&long).nullable(),
            }],
            expanded: true,
        });
        assert_eq!(
            declared(&object, "A"),
            format!("export type A = {{\n  {long}?: {long} | null;\n}};")
        );
    }

    #[test]
    fn arrays_break_within_their_parentheses() {
        let long = "L".repeat(40);
        let array = Expr::Array(Box::new(Expr::union([name(&long), name("B")])));
        assert_eq!(declared(&array, &long), format!("export type {long} = (\n  {long} | B\n)[];"));
        assert_eq!(
            declared(&Expr::Array(Box::new(name("A").nullable())), "B"),
            "export type B = (A | null)[];"
        );
    }
}
