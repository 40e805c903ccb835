//! Modules at other paths than they usually have.

use super::layout::layout;
use super::places::{INIT, Package, STATUS};
use super::reimport::{OwnImport, with_imports};
use crate::backend::moves::{Move, Moves, with_paths};
use crate::diagnostic::Diagnostics;
use crate::output::FileSet;

impl Package<'_> {
    /// The import of the same thing, once modules have moved. `from` and `to`: the folder of the
    /// importing module before and after.
    fn reimported(
        &self,
        import: &OwnImport,
        from: &[&str],
        to: &[&str],
        moves: &Moves,
    ) -> OwnImport {
        let name = import.module.trim_start_matches('.');
        let up = (import.module.len() - name.len()).saturating_sub(1);
        let mut module = from.get(..from.len().saturating_sub(up)).unwrap_or_default().to_vec();
        module.extend(name.split('.').filter(|part| !part.is_empty()));
        let mut itself = module.clone();
        itself.push(&import.name);
        if let Some(there) = self.moved(&itself, moves)
            && let Some((name, folder)) = there.split_last()
        {
            let here = import.alias.as_deref().unwrap_or(&import.name);
            return OwnImport {
                module: relative(to, folder),
                name: name.clone(),
                alias: (here != name).then(|| here.to_owned()),
            };
        }
        let stays = || module.iter().map(|part| (*part).to_owned()).collect();
        let module = self.moved(&module, moves).unwrap_or_else(stays);
        OwnImport { module: relative(to, &module), ..import.clone() }
    }

    /// The parts of a module's path once it has moved, if it is one of the package.
    fn moved(&self, module: &[&str], moves: &Moves) -> Option<Vec<String>> {
        let path = format!("{}/{}.py", self.folder, module.join("/"));
        self.files.get(&path)?;
        let to = self.within(moves.moved(&path))?.strip_suffix(".py")?;
        Some(to.split('/').map(str::to_owned).collect())
    }

    /// The text of a package's own module, with the paths of modules that it imports late. `here`:
    /// its folder, where it stays.
    fn late(&self, text: &str, here: &[&str], moves: &Moves) -> String {
        let mut is_table = false;
        let line = |line: &str| {
            is_table = if is_table { line.trim() != "}" } else { line.trim() == "_LATE = {" };
            let entry = line.strip_suffix("\",\n").and_then(|entry| entry.rsplit_once("\": \"."));
            let Some((name, place)) = entry.filter(|_| is_table) else {
                return line.to_owned();
            };
            let (module, original) = place.split_once(':').unzip();
            let module = module.unwrap_or(place);
            let path: Vec<&str> = here.iter().copied().chain(module.split('.')).collect();
            let there = self.moved(&path, moves).map(|there| relative(here, &there));
            let module = there.unwrap_or_else(|| format!(".{module}"));
            let original = original.map_or_else(String::new, |name| format!(":{name}"));
            format!("{name}\": \"{module}{original}\",\n")
        };
        text.split_inclusive('\n').map(line).collect()
    }

    /// The text of the module that gives warnings, with the names of modules that it looks through.
    fn makers(&self, text: &str, moves: &Moves) -> String {
        let line = |line: &str| {
            if !line.starts_with("_MAKERS: ") {
                return line.to_owned();
            }
            let names = line.split('"').enumerate().map(|(at, part)| {
                let there = (at % 2 == 1).then(|| self.moved(&[part], moves)).flatten();
                there.map_or_else(|| part.to_owned(), |there| there.join("."))
            });
            layout(&names.collect::<Vec<_>>().join("\""))
        };
        text.split_inclusive('\n').map(line).collect()
    }

    /// The text of a file such as a README, with the dotted names of modules that have moved.
    fn mentioned(&self, text: &str, moves: &Moves) -> String {
        let start = format!("{}.", self.name);
        let line = |line: &str| {
            let mut out = String::new();
            let mut rest = line;
            while let Some(at) = rest.find(&start) {
                let (before, found) = rest.split_at(at);
                let is_name = |next: char| next.is_ascii_alphanumeric() || "_.".contains(next);
                let end = found.find(|next| !is_name(next)).unwrap_or(found.len());
                let (found, after) = found.split_at(end);
                let is_module = ["`", "from ", "import "].iter().any(|it| before.ends_with(it));
                let named = is_module.then(|| self.renamed(found, moves)).flatten();
                out.extend([before, named.as_deref().unwrap_or(found)]);
                rest = after;
            }
            out.push_str(rest);
            if out != line && out.starts_with("from ") { layout(&out) } else { out }
        };
        text.split_inclusive('\n').map(line).collect()
    }

    /// A dotted name that begins with that of a module, which has moved.
    fn renamed(&self, dotted: &str, moves: &Moves) -> Option<String> {
        let parts: Vec<&str> = dotted.split('.').skip(1).collect();
        (1..=parts.len()).rev().find_map(|count| {
            let (module, rest) = parts.split_at_checked(count)?;
            let there = self.moved(module, moves)?;
            let there = there.iter().map(String::as_str).chain(rest.iter().copied());
            Some([self.name].into_iter().chain(there).collect::<Vec<_>>().join("."))
        })
    }
}

/// A module as another one names it. `here`: the folder of that.
fn relative(here: &[&str], module: &[String]) -> String {
    let shared = here.iter().zip(module).take_while(|(a, b)| **a == **b).count();
    let rest = module.get(shared..).unwrap_or_default();
    ".".repeat(here.len() - shared + 1) + &rest.join(".")
}

/// The folder of a path, in parts.
fn folder(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    parts
}

/// The files of a package with modules where the user wants them: what imports or names a module
/// does so at its new place. What is wrong with the wishes is reported.
pub(super) fn moved(
    files: FileSet,
    package: &str,
    wishes: &[Move],
    diagnostics: &mut Diagnostics,
) -> FileSet {
    if wishes.is_empty() {
        return files;
    }
    let package = Package::new(&files, package);
    let Some(moves) =
        Moves::new(&files.iter().map(|(path, _)| path).collect(), wishes, &package, diagnostics)
    else {
        return FileSet::new();
    };
    let mut there = FileSet::new();
    for (path, text) in files.iter() {
        let to = moves.moved(path);
        let text = match (package.within(path), package.within(to)) {
            (Some(from), Some(to)) if from.strip_suffix(".py").is_some() => {
                let (from, to) = (folder(from), folder(to));
                with_imports(text, |import| package.reimported(import, &from, &to, &moves))
            }
            _ => {
                let renamed =
                    |path: &str| Some(moves.moved(path).to_owned()).filter(|to| to != path);
                package.mentioned(&with_paths(text, renamed), &moves)
            }
        };
        let text = match package.within(path) {
            Some(STATUS) => package.makers(&text, &moves),
            Some(init) if init.rsplit('/').next() == Some(INIT) => {
                package.late(&text, &folder(init), &moves)
            }
            _ => text,
        };
        there.insert(to, text);
    }
    let root = files.get(&format!("{}/{INIT}", package.folder)).unwrap_or_default();
    let header = root.split_inclusive('\n').take_while(|line| line.starts_with("# ")).take(2);
    let header: String = header.collect();
    for (_, to) in moves.iter() {
        for (end, _) in to.match_indices('/') {
            let folder = to.get(..end).unwrap_or_default();
            let init = format!("{folder}/{INIT}");
            if package.within(folder).is_some() && there.get(&init).is_none() {
                there.insert(init, format!("{header}\"\"\"Modules of the package.\"\"\"\n"));
            }
        }
    }
    there
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(from: &str, to: &str) -> Move {
        let path = |name: &str| format!("src/acp/{name}");
        Move { from: path(from), to: path(to), locations: None }
    }

    const FILES: [(&str, &str); 9] = [
        (
            "src/acp/__init__.py",
            "\
# @generated
# Schema
# pyright: x
\"\"\"The package.\"\"\"

from . import codecs
from .types import A

if TYPE_CHECKING:
    from .connections import B
    from .rpc import C
else:
    _LATE = {
        \"B\": \".connections\",
        \"C\": \".rpc\",
    }

__all__ = [
    \"A\",
    \"B\",
    \"codecs\",
    \"given\",
]
",
        ),
        ("src/acp/types.py", "from . import enums\nfrom ._support import given\n"),
        ("src/acp/enums.py", ""),
        ("src/acp/codecs.py", "from . import enums, types\n"),
        ("src/acp/connections.py", "from . import rpc as _rpc\nfrom .rpc import link as _link\n"),
        ("src/acp/_support.py", ""),
        ("src/acp/rpc/__init__.py", "from .link import Link\n\n__all__ = [\"Link\"]\n"),
        ("src/acp/rpc/link.py", "from .._support import given\nfrom ..types import A\n"),
        (
            "README.md",
            "```python\nfrom acp.codecs import A\n```\n\nSee `acp.codecs.A`, my.acp.codecs, \
             `acp.codec` and `src/acp/codecs.py`.\n",
        ),
    ];

    fn package() -> FileSet {
        let mut files = FileSet::new();
        for (path, text) in FILES {
            files.insert(path, text);
        }
        files
    }

    #[test]
    fn modules_find_each_other_where_they_are() {
        let wishes = [
            wish("types.py", "schema.py"),
            wish("codecs.py", "wire/json/codecs.py"),
            wish("connections.py", "wire/_connection.py"),
            wish("rpc/link.py", "rpc/chain.py"),
        ];
        let mut diagnostics = Diagnostics::new();
        let there = moved(package(), "acp", &wishes, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let init = FILES[0].1;
        let init = init
            .replace("from . import codecs\nfrom .types import A\n", {
                "from .schema import A\nfrom .wire.json import codecs\n"
            })
            .replace(
                "from .connections import B\n    from .rpc import C",
                "from .rpc import C\n    from .wire._connection import B",
            )
            .replace("\".connections\"", "\".wire._connection\"");
        let own = "# @generated\n# Schema\n\"\"\"Modules of the package.\"\"\"\n";
        let mut expected = FileSet::new();
        for (path, text) in [
            ("src/acp/__init__.py", init.as_str()),
            ("src/acp/schema.py", FILES[1].1),
            ("src/acp/enums.py", ""),
            ("src/acp/wire/__init__.py", own),
            ("src/acp/wire/json/__init__.py", own),
            (
                "src/acp/wire/json/codecs.py",
                "from ... import enums\nfrom ... import schema as types\n",
            ),
            (
                "src/acp/wire/_connection.py",
                "from .. import rpc as _rpc\nfrom ..rpc import chain as _link\n",
            ),
            ("src/acp/_support.py", ""),
            ("src/acp/rpc/__init__.py", "from .chain import Link\n\n__all__ = [\"Link\"]\n"),
            ("src/acp/rpc/chain.py", "from .._support import given\nfrom ..schema import A\n"),
            (
                "README.md",
                "```python\nfrom acp.wire.json.codecs import A\n```\n\nSee \
                 `acp.wire.json.codecs.A`, my.acp.codecs, `acp.codec` and \
                 `src/acp/wire/json/codecs.py`.\n",
            ),
        ] {
            expected.insert(path, text);
        }
        for (path, text) in expected.iter() {
            assert_eq!(there.get(path), Some(text), "{path}");
        }
        assert_eq!(there.len(), expected.len());
    }

    /// Every module of a package moves and moves back, and is then as it was made.
    #[cfg(feature = "bundled")]
    #[test]
    fn imports_are_sorted_and_broken_as_before() {
        use crate::backend::{Backend, DocsMode, Options, Runtime, python::Python};
        let (schema, overlay) = crate::schema::bundled::text("acp@v1").unwrap();
        let inputs = crate::load::Inputs::new(schema, vec![overlay]);
        let protocol = crate::load::load(inputs, crate::load::Purpose::Generate).protocol.unwrap();
        let mut options = Options::new("acp", DocsMode::Off, Runtime::Embedded);
        let diagnostics = &mut Diagnostics::new();
        let before = Python.emit(&protocol, &options, diagnostics);
        let modules = before.iter().map(|(path, _)| path).filter_map(|path| {
            let name = path.strip_prefix("src/acp/")?.strip_suffix(".py")?;
            // The names that a package exports are for no other module.
            let is_taken = ["codecs", "methods", "rpc/stdio"].contains(&name);
            (!is_taken && !name.ends_with("__init__")).then_some(name)
        });
        options.moves = modules
            .map(|name| match name.split_once('/') {
                Some((folder, name)) => {
                    (format!("{folder}/{name}"), format!("{folder}/deep/m_{name}"))
                }
                None => (name.to_owned(), format!("m/deep/m_{name}")),
            })
            .map(|(from, to)| wish(&format!("{from}.py"), &format!("{to}.py")))
            .collect();
        assert!(options.moves.len() > 60);
        let there = Python.emit(&protocol, &options, diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let there_text = there.get("src/acp/m/deep/m_types.py").unwrap();
        assert!(there_text.contains("\nfrom .m_enums import (\n"), "{there_text}");
        let back: Vec<Move> = options
            .moves
            .into_iter()
            .map(|Move { from, to, .. }| Move { from: to, to: from, locations: None })
            .collect();
        // The packages that were made for them are gone.
        let mut modules = FileSet::new();
        for (path, text) in there.iter().filter(|(path, _)| !path.contains("/m/__init__")) {
            if !path.contains("deep/__init__") {
                modules.insert(path, text);
            }
        }
        let back = moved(modules, "acp", &back, diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        for (path, text) in before.iter() {
            assert_eq!(back.get(path), Some(text), "{path}");
        }
    }
}
