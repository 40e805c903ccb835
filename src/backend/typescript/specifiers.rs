//! Module specifiers: how the modules of a package name each other.

use super::layout::lay_out;

/// The beginnings of statements that name a module in their first line.
const BEGINNINGS: [&str; 5] =
    ["import ", "export * ", "export type * ", "export {", "export type {"];

/// A statement whose names stand in lines of their own begins with one of these lines.
const OPEN: [&str; 4] = ["import {", "import type {", "export {", "export type {"];

/// The text of a module with other specifiers. `change` gives the one that is to stand in place of a
/// relative one, if it is another. Statements break as prettier breaks them.
pub(super) fn with_specifiers(text: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        if OPEN.contains(&line.trim_end()) {
            let mut statement = vec![line];
            for line in lines.by_ref() {
                statement.push(line);
                if line.starts_with('}') {
                    break;
                }
            }
            match broken(&statement, &change) {
                Some(statement) => out.push_str(&statement),
                None => out.extend(statement),
            }
        } else {
            match whole(line, &change).or_else(|| called(line, &change)) {
                Some(line) => out.push_str(&lay_out(&line)),
                None => out.push_str(line),
            }
        }
    }
    out
}

/// Changes a statement of several lines.
fn broken(lines: &[&str], change: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let (last, before) = lines.split_last()?;
    let last = with_specifier(last, "} from \"", change)?;
    if before.iter().any(|line| line.contains("//") || line.contains("/*")) {
        return Some(before.concat() + &last);
    }
    let names: Vec<&str> = before.iter().map(|line| line.trim()).collect();
    let names = names.join(" ");
    Some(lay_out(&format!("{} {last}", names.trim_end_matches(','))))
}

/// Changes a statement of one line.
fn whole(line: &str, change: &impl Fn(&str) -> Option<String>) -> Option<String> {
    if !BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)) {
        return None;
    }
    let is_bare = line.starts_with("import \"");
    with_specifier(line, if is_bare { "import \"" } else { " from \"" }, change)
}

/// Changes the specifier after this text, before which no string stands in the line.
fn with_specifier(
    line: &str,
    before: &str,
    change: &impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let start = line.find(before)? + before.len();
    let (head, rest) = line.split_at_checked(start)?;
    let (specifier, tail) = rest.split_once('"')?;
    if !is_relative(specifier) || head.matches('"').count() != 1 || !tail.starts_with(';') {
        return None;
    }
    Some(format!("{head}{}\"{tail}", change(specifier)?))
}

/// Changes a line that imports a module, or a type of one, within an expression.
fn called(line: &str, change: &impl Fn(&str) -> Option<String>) -> Option<String> {
    const CALL: &str = "import(\"";
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, (specifier, after))) =
        rest.split_once(CALL).and_then(|(before, rest)| Some((before, rest.split_once('"')?)))
    {
        let other = Some(specifier).filter(|it| is_relative(it)).and_then(change);
        out.extend([before, CALL, other.as_deref().unwrap_or(specifier), "\""]);
        rest = after;
    }
    out.push_str(rest);
    (out != line).then_some(out)
}

fn is_relative(specifier: &str) -> bool {
    specifier.starts_with("./") || specifier.starts_with("../")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(specifier: &str) -> Option<String> {
        Some(format!("./{}/there{}", "x".repeat(30), specifier.strip_prefix('.')?))
    }

    #[test]
    fn every_form_of_import_is_changed() {
        let text = "\
import \"./a.js\";
import * as b from \"./b.js\";
import type { C } from \"../c.js\";
export * from \"./d.js\";
export type * from \"./e.js\";
export * as f from \"./f.js\";
import { g } from \"g\";
type H = import(\"./h.js\").H;
const i = import(\"./i.js\"), j = import(\"j\");
";
        let changed = with_specifiers(text, |it| Some(it.replace(".js", ".ts")));
        assert_eq!(changed, text.replace(".js", ".ts"));
        assert_eq!(with_specifiers(text, |_| None), text);
    }

    #[test]
    fn statements_break_and_join_as_prettier_has_them() {
        let short = "import { aaa, type Bbb, ccc as ddd } from \"./a.js\";\n";
        let long = format!(
            "import {{\n  aaa,\n  type Bbb,\n  ccc as ddd,\n}} from \"./{}/there/a.js\";\n",
            "x".repeat(30)
        );
        assert_eq!(with_specifiers(short, moved), long);
        assert_eq!(with_specifiers(&long, |_| Some(String::from("./a.js"))), short);
        let single = format!("export type {{ A }} from \"./{}.js\";\n", "b".repeat(70));
        assert_eq!(
            with_specifiers(&single, |it| Some(it.replace(".js", ".ts"))).lines().count(),
            1
        );
    }

    #[test]
    fn what_only_looks_like_an_import_stays() {
        for text in [
            "const text = \" from \\\"./a.js\\\"\";\n",
            "// import { a } from \"./a.js\";\n",
            " * import { a } from \"./a.js\";\n",
            "export const a = \"x from \" + \"./a.js\";\n",
            "export {\n  a,\n};\n",
            "import {\n  a,\n  b,\n} from \"b\";\n",
        ] {
            assert_eq!(with_specifiers(text, |_| Some(String::from("./other.js"))), text);
        }
    }
}
