//! Modules at other paths than they usually have.

use super::specifiers::with_specifiers;
use crate::backend::moves::{Move, Moves, Places, Refusal, plain_parts, with_paths};
use crate::diagnostic::Diagnostics;
use crate::output::FileSet;

/// The rules about paths of modules.
struct Modules;

impl Places for Modules {
    fn is_free(&self, path: &str) -> bool {
        is_module(path)
    }

    fn refusal(&self, _: &str, to: &str) -> Option<Refusal> {
        let name = to.rsplit('/').next().unwrap_or(to);
        if plain_parts(to).is_none_or(|parts| parts.len() < 2 || parts.first() != Some(&"src")) {
            let help = "use a path below `src`, such as `src/schema/types.gen.ts`, of letters, \
                        digits, `.`, `_` and `-`";
            Some(Refusal::new("modules are below `src`", help))
        } else if !is_module(to) {
            Some(Refusal::new("it is a module", "let the name end in `.ts`"))
        } else if name.contains(".d.") {
            let help = "leave `.d` out: declarations are made by `tsc`";
            Some(Refusal::new("it is no file of declarations", help))
        } else {
            None
        }
    }
}

/// Tells whether a file is a module of the package.
pub(super) fn is_module(path: &str) -> bool {
    path.starts_with("src/") && path.strip_suffix(".ts").is_some_and(|stem| !stem.ends_with('/'))
}

/// The files of a package with modules where the user wants them: what names a module by its path
/// names it by the new one. What is wrong with the wishes is reported.
pub(super) fn moved(files: FileSet, wishes: &[Move], diagnostics: &mut Diagnostics) -> FileSet {
    if wishes.is_empty() {
        return files;
    }
    let Some(moves) =
        Moves::new(&files.iter().map(|(path, _)| path).collect(), wishes, &Modules, diagnostics)
    else {
        return FileSet::new();
    };
    let mut there = FileSet::new();
    for (path, text) in files.iter() {
        let to = moves.moved(path);
        let text = if is_module(path) {
            with_specifiers(text, |specifier| {
                let other = respecified(specifier, path, to, &moves)?;
                (other != specifier).then_some(other)
            })
        } else {
            with_paths(text, |named| renamed(named, &moves))
        };
        there.insert(to, text);
    }
    there
}

/// The specifier of a module that a module names, both moved. None if it leads out of the package.
fn respecified(specifier: &str, from: &str, to: &str, moves: &Moves) -> Option<String> {
    let (stem, extension) = specifier.rsplit_once('.')?;
    let mut named: Vec<&str> = from.split('/').collect();
    named.pop();
    for part in stem.split('/') {
        match part {
            "." => {}
            ".." => drop(named.pop()?),
            _ => named.push(part),
        }
    }
    let named = format!("{}.ts", named.join("/"));
    let named = moves.moved(&named);
    let there: Vec<&str> = named.strip_suffix(".ts")?.split('/').collect();
    let mut here: Vec<&str> = to.split('/').collect();
    here.pop();
    let (_, folder) = there.split_last()?;
    let shared = here.iter().zip(folder).take_while(|(a, b)| a == b).count();
    let up = here.len() - shared;
    let start = if up == 0 { String::from("./") } else { "../".repeat(up) };
    Some(format!("{start}{}.{extension}", there.get(shared..)?.join("/")))
}

/// The path of a module that has moved, or of what it is compiled to.
fn renamed(named: &str, moves: &Moves) -> Option<String> {
    if named.starts_with("src/") {
        return Some(moves.moved(named).to_owned()).filter(|to| to != named);
    }
    let compiled = named.strip_prefix("dist/")?;
    let endings = [".d.ts.map", ".d.ts", ".js.map", ".js"];
    let (stem, ending) =
        endings.iter().find_map(|end| Some((compiled.strip_suffix(end)?, *end)))?;
    let from = format!("src/{stem}.ts");
    let to = moves.moved(&from);
    let stem = to.strip_prefix("src/")?.strip_suffix(".ts")?;
    (to != from).then(|| format!("dist/{stem}{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(from: &str, to: &str) -> Move {
        Move { from: from.to_owned(), to: to.to_owned(), locations: None }
    }

    fn files(list: &[(&str, &str)]) -> FileSet {
        let mut files = FileSet::new();
        for (path, text) in list {
            files.insert(*path, *text);
        }
        files
    }

    const TYPES: &str = "\
import { a } from \"./deep/a.js\";
import type * as own from \"./own.js\";
export * from \"./codec.js\";
export type {
  AnAgentWithALongName,
  AClientWithALongName,
  ASideWithALongName,
} from \"./deep/a.js\";
";

    const A: &str = "import \"../types.js\";\nexport { b } from \"./b.js\";\n";

    #[test]
    fn modules_find_each_other_where_they_are() {
        let package = files(&[
            ("src/types.ts", TYPES),
            ("src/codec.ts", "export * as types from \"./types.js\";\n"),
            ("src/deep/a.ts", A),
            ("src/deep/b.ts", "export * from \"../deep.js\";\n"),
            ("src/deep.ts", "export const b = 1;\n"),
            (
                "package.json",
                "{ \"types\": \"./dist/types.d.ts\", \"main\": \"./dist/codec.js\" }\n",
            ),
            ("jsr.json", "{ \"exports\": { \"./types\": \"./src/types.ts\" } }\n"),
            ("README.md", "See `src/types.ts`, `src/codec.ts` and dist/types.js.\n"),
        ]);
        let wishes =
            [wish("src/types.ts", "src/schema/types.gen.ts"), wish("src/deep/a.ts", "src/a.ts")];
        let mut diagnostics = Diagnostics::new();
        let there = moved(package, &wishes, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let expected = files(&[
            (
                "src/schema/types.gen.ts",
                "\
import { a } from \"../a.js\";
import type * as own from \"../own.js\";
export * from \"../codec.js\";
export type {
  AnAgentWithALongName,
  AClientWithALongName,
  ASideWithALongName,
} from \"../a.js\";
",
            ),
            ("src/codec.ts", "export * as types from \"./schema/types.gen.js\";\n"),
            ("src/a.ts", "import \"./schema/types.gen.js\";\nexport { b } from \"./deep/b.js\";\n"),
            ("src/deep/b.ts", "export * from \"../deep.js\";\n"),
            ("src/deep.ts", "export const b = 1;\n"),
            (
                "package.json",
                "{ \"types\": \"./dist/schema/types.gen.d.ts\", \"main\": \"./dist/codec.js\" }\n",
            ),
            ("jsr.json", "{ \"exports\": { \"./types\": \"./src/schema/types.gen.ts\" } }\n"),
            (
                "README.md",
                "See `src/schema/types.gen.ts`, `src/codec.ts` and dist/schema/types.gen.js.\n",
            ),
        ]);
        assert_eq!(there, expected);
    }

    #[test]
    fn two_modules_can_change_places() {
        let package = files(&[("src/a.ts", "import \"./b.ts\";\n"), ("src/b.ts", "")]);
        let wishes = [wish("src/a.ts", "src/b.ts"), wish("src/b.ts", "src/a.ts")];
        let there = moved(package, &wishes, &mut Diagnostics::new());
        assert_eq!(there, files(&[("src/a.ts", ""), ("src/b.ts", "import \"./a.ts\";\n")]));
    }

    #[test]
    fn what_is_wrong_is_said_all_at_once() {
        let package =
            files(&[("src/a.ts", ""), ("src/b.ts", ""), ("src/c.ts", ""), ("package.json", "{}")]);
        let wishes = [
            wish("src/aa.ts", "src/x.ts"),
            wish("package.json", "src/package.ts"),
            wish("src/a.ts", "../a.ts"),
            wish("src/b.ts", "src/b.d.ts"),
            wish("src/c.ts", "src/B.ts"),
        ];
        let mut diagnostics = Diagnostics::new();
        assert!(moved(package, &wishes, &mut diagnostics).is_empty());
        let codes: Vec<&str> = diagnostics.iter().map(|it| it.code).collect();
        let bad = "bad-file-name";
        assert_eq!(codes, ["unknown-file", bad, bad, bad]);
        for to in
            ["src", "/src/a.ts", "src/../a.ts", "lib/a.ts", "src/a.js", "src/.ts", "src/a b.ts"]
        {
            assert!(Modules.refusal("src/a.ts", to).is_some(), "{to}");
        }
        for to in ["src/a.ts", "src/x/y-z/a.gen.ts"] {
            assert!(Modules.refusal("src/a.ts", to).is_none(), "{to}");
        }
    }

    #[test]
    fn one_path_is_for_one_file() {
        for (from, to) in [("src/a.ts", "src/b.ts"), ("src/a.ts", "src/B.ts")] {
            let package = files(&[("src/a.ts", ""), ("src/b.ts", "")]);
            let mut diagnostics = Diagnostics::new();
            moved(package, &[wish(from, to)], &mut diagnostics);
            let codes: Vec<&str> = diagnostics.iter().map(|it| it.code).collect();
            assert_eq!(codes, ["file-collision"], "{to}");
        }
    }

    /// Every module of a package moves and moves back, and is then as it was made.
    #[cfg(feature = "bundled")]
    #[test]
    fn imports_break_as_before() {
        use crate::backend::{Backend, DocsMode, Options, Runtime, typescript::TypeScript};
        let (schema, overlay) = crate::schema::bundled::text("acp@v1").unwrap();
        let inputs = crate::load::Inputs::new(schema, vec![overlay]);
        let protocol = crate::load::load(inputs, crate::load::Purpose::Generate).protocol.unwrap();
        let mut options = Options::new("acp", DocsMode::Off, Runtime::Embedded);
        let diagnostics = &mut Diagnostics::new();
        let before = TypeScript.emit(&protocol, &options, diagnostics);
        let modules = before.iter().map(|(path, _)| path).filter(|path| is_module(path));
        options.moves = modules
            .map(|path| {
                wish(path, &path.replace("src/", "src/a-long-name/").replace(".ts", ".gen.ts"))
            })
            .collect();
        assert!(options.moves.len() > 40);
        let there = TypeScript.emit(&protocol, &options, diagnostics);
        let there_text = there.get("src/a-long-name/remote-node.gen.ts").unwrap();
        assert!(there_text.contains(" from \"./remote/node/listen.gen.js\";\n"), "{there_text}");
        let wishes = options.moves.into_iter();
        let back: Vec<Move> = wishes
            .map(|Move { from, to, .. }| Move { from: to, to: from, locations: None })
            .collect();
        assert_eq!(moved(there, &back, diagnostics), before);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }
}
