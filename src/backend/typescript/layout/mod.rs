//! Breaks lines that are too wide, as prettier does.
//!
//! A template spells each statement on one line. What is generated is never formatted afterwards,
//! so a line that does not fit is read and laid out by the document printer. Lines that fit stay
//! as they are, and so does whatever is not understood here.

mod statements;
mod text;
mod types;

use self::text::Text;
use super::PRETTIER;

/// The text with its wide lines broken. Lines that begin with `|` belong to the type above.
pub(super) fn lay_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut lines: Vec<&str> = Vec::new();
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        lines.push(line);
        if rest.peek().is_some_and(|next| goes_on(&lines, next)) {
            continue;
        }
        match laid_out(&lines) {
            Some(broken) => out.push_str(&broken),
            None => out.push_str(&lines.join("\n")),
        }
        out.push('\n');
        lines.clear();
    }
    out
}

/// Tells whether a line belongs to the union that the lines above begin.
fn goes_on(lines: &[&str], next: &str) -> bool {
    let next = next.trim_start();
    next.starts_with("| ") || lines.len() > 1 && matches!(next, ";" | ");")
}

/// The statement of these lines, unless it stays as it is.
fn laid_out(lines: &[&str]) -> Option<String> {
    let mut joined = String::new();
    for line in lines {
        let line = line.trim_start();
        let is_end = joined.is_empty() || matches!(line, ";" | ");");
        joined.push_str(if is_end { "" } else { " " });
        joined.push_str(line);
    }
    let first = lines.first()?;
    if lines.len() == 1 && (first.len() <= PRETTIER.width || PRETTIER.fits(first)) {
        return None;
    }
    let indentation = first.len() - first.trim_start().len();
    let doc = statements::statement(&joined)?;
    Some(" ".repeat(indentation) + &PRETTIER.print(&doc, indentation, indentation))
}

#[cfg(test)]
mod tests {
    use super::lay_out;

    fn lines(text: &str, expected: &str) {
        assert_eq!(lay_out(text), format!("{expected}\n"));
    }

    fn long(letter: &str, times: usize) -> String {
        letter.repeat(times)
    }

    #[test]
    fn what_fits_or_is_not_understood_stays() {
        lines("a  =  b;", "a  =  b;");
        for line in [
            format!("// {}", long("w ", 50)),
            format!("  if ({}) {{", long("x", 90)),
            format!("return f((a) => g({}));", long("x", 90)),
            format!("x = `{}`;", long("x", 90)),
        ] {
            lines(&line, &line);
        }
    }

    #[test]
    fn a_union_goes_to_the_next_line_before_it_breaks() {
        let member = |letter: &str| format!("\"{}\"", long(letter, 17));
        let [a, b, c, d] = ["a", "b", "c", "d"].map(member);
        lines(
            &format!("export type Abcdef =\n  | {a}\n  | {b}\n  | {c}\n;"),
            &format!("export type Abcdef =\n  {a} | {b} | {c};"),
        );
        lines(
            &format!("export type A =\n  | {a}\n  | {b}\n  | {c}\n  | {d}\n;"),
            &format!("export type A =\n  | {a}\n  | {b}\n  | {c}\n  | {d};"),
        );
    }

    #[test]
    fn tagged_variants_are_in_parentheses() {
        lines(
            "export type U =\n  | Text & { type: \"text\" }\n  | { type: \"none\" }\n;",
            "export type U = (Text & { type: \"text\" }) | { type: \"none\" };",
        );
        lines("export type U =\n  | (Text & { t: 1 })\n;", "export type U = Text & { t: 1 };");
        let name = long("C", 70);
        lines(
            &format!(
                "export type U =\n  | {name} & {{ type: \"text\" }}\n  | {{ type: \"none\" }}\n;"
            ),
            &format!(
                "export type U =\n  | ({name} & {{\n      type: \"text\";\n    }})\n  | {{ type: \"none\" }};"
            ),
        );
    }

    #[test]
    fn shared_fields_stand_before_the_union() {
        lines("} & (\n  | A\n  | B\n);", "} & (A | B);");
        lines("} & (\n  | A\n);", "} & A;");
        let (a, b) = (long("A", 40), long("B", 40));
        lines(&format!("}} & (\n  | {a}\n  | {b}\n);"), &format!("}} & (\n  | {a}\n  | {b}\n);"));
    }

    #[test]
    fn types_break_where_prettier_breaks_them() {
        let name = long("L", 40);
        lines(
            &format!("export type {name} = {name} | null;"),
            &format!("export type {name} =\n  {name} | null;"),
        );
        lines(&format!("  {name}?: {name} | null;"), &format!("  {name}?: {name} | null;"));
        lines(
            &format!("export type {name} = ({name} | B)[];"),
            &format!("export type {name} = (\n  {name} | B\n)[];"),
        );
    }

    #[test]
    fn signatures_break_at_their_parameters() {
        lines(
            "  subtract(params: SubtractRequest, options: CallOptions = {}): Promise<SubtractResponse> {",
            "  subtract(\n    params: SubtractRequest,\n    options: CallOptions = {},\n  ): Promise<SubtractResponse> {",
        );
    }

    #[test]
    fn calls_break_at_their_arguments() {
        let arguments = ["context", "value", "result"].map(|name| long(name, 4)).join(", ");
        lines(
            &format!("  const result = fill({arguments});"),
            &format!("  const result = fill(\n    {},\n  );", arguments.replace(", ", ",\n    ")),
        );
        let name = long("D", 60);
        lines(
            &format!("export const {name}: Codec<T> = /* @__PURE__ */ codec(decodeShort);"),
            &format!("export const {name}: Codec<T> =\n  /* @__PURE__ */ codec(decodeShort);"),
        );
    }

    #[test]
    fn a_long_string_moves_down_unless_its_key_is_short() {
        let value = format!("\"{}\"", long("v", 80));
        lines(&format!("  abcd: {value},"), &format!("  abcd: {value},"));
        lines(&format!("  abcde: {value},"), &format!("  abcde:\n    {value},"));
        lines(
            &format!("  field = value[{value}];"),
            &format!("  field =\n    value[\n      {value}\n    ];"),
        );
    }

    #[test]
    fn names_of_imports_break_unless_there_is_one() {
        let (a, b) = (long("A", 40), long("B", 40));
        lines(
            &format!("import type {{ {a}, {b} }} from \"./types.js\";"),
            &format!("import type {{\n  {a},\n  {b},\n}} from \"./types.js\";"),
        );
        let one = format!("import {{ {a}{b} }} from \"./codecs.js\";");
        lines(&one, &one);
    }
}
