//! Imports of a module from its own package, written anew with other modules.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::imports::{MemberKey, Natural};
use super::layout::{Reader, layout};

/// A name that a module imports from its own package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnImport {
    /// The module that it comes from, relative to the importing one: `..rpc`.
    pub(super) module: String,
    /// The name there.
    pub(super) name: String,
    /// The name here, if it is another.
    pub(super) alias: Option<String>,
}

/// The text of a module with other imports from its own package. Those that stand together are sorted
/// as `ruff` sorts them, if one of them changes.
pub(super) fn with_imports(text: &str, change: impl Fn(&OwnImport) -> OwnImport) -> String {
    let mut out = String::with_capacity(text.len());
    let mut reader = Reader::default();
    let mut block = Block::default();
    let mut statement = String::new();
    for line in text.split_inclusive('\n') {
        let is_first = reader.is_between_statements();
        reader.read(line.trim_end_matches('\n'));
        if statement.is_empty() && !(is_first && line.trim_start().starts_with("from .")) {
            block.flush(&change, &mut out);
            out.push_str(line);
            continue;
        }
        statement.push_str(line);
        if reader.is_between_statements() {
            let indentation = statement.len() - statement.trim_start().len();
            let imports = imports(&statement);
            if imports.is_none() || indentation != block.indentation {
                block.flush(&change, &mut out);
            }
            match imports {
                Some(imports) => {
                    block.indentation = indentation;
                    block.text.push_str(&statement);
                    block.imports.extend(imports);
                }
                None => out.push_str(&statement),
            }
            statement.clear();
        }
    }
    block.flush(&change, &mut out);
    out + &statement
}

/// Statements that stand together.
#[derive(Default)]
struct Block {
    indentation: usize,
    text: String,
    imports: Vec<OwnImport>,
}

impl Block {
    /// Writes the statements, and begins with none.
    fn flush(&mut self, change: &impl Fn(&OwnImport) -> OwnImport, out: &mut String) {
        let Self { indentation, text, imports } = std::mem::take(self);
        let changed: Vec<OwnImport> = imports.iter().map(change).collect();
        if changed == imports {
            out.push_str(&text);
        } else {
            out.push_str(&printed(&changed, indentation));
        }
    }
}

/// The imports of a statement. None if it is not written as this tool writes them.
fn imports(statement: &str) -> Option<Vec<OwnImport>> {
    let lines: Vec<&str> = statement.lines().map(str::trim).collect();
    let line = lines.join(" ");
    let (module, names) = line.strip_prefix("from ")?.split_once(" import ")?;
    if line.contains(['#', '*', ';']) {
        return None;
    }
    let names = names.trim_start_matches('(').trim_end_matches(')').split(',').map(str::trim);
    let import = |name: &str| {
        let (name, alias) =
            name.split_once(" as ").map_or((name, None), |(name, alias)| (name, Some(alias)));
        OwnImport {
            module: module.to_owned(),
            name: name.to_owned(),
            alias: alias.map(str::to_owned),
        }
    };
    Some(names.filter(|name| !name.is_empty()).map(import).collect())
}

/// Import statements in the order of `ruff`: the modules from afar first; what has another name here
/// in a statement of its own.
fn printed(imports: &[OwnImport], indentation: usize) -> String {
    let mut plain: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut statements = Vec::new();
    for OwnImport { module, name, alias } in imports {
        match alias {
            Some(alias) => {
                statements.push((module.as_str(), name.as_str(), format!("{name} as {alias}")));
            }
            None => plain.entry(module.as_str()).or_default().push(name),
        }
    }
    for (module, mut names) in plain {
        names.sort_by_cached_key(|name| MemberKey::new(name));
        names.dedup();
        let first = names.first().copied().unwrap_or_default();
        statements.push((module, first, names.join(", ")));
    }
    statements.sort_by_cached_key(|(module, first, names)| {
        let name = module.trim_start_matches('.');
        let distance = Reverse(module.len() - name.len());
        let name = [name.to_ascii_lowercase(), name.to_owned()].map(Natural::new);
        (distance, name, MemberKey::new(first), names.clone())
    });
    statements
        .iter()
        .map(|(module, _, names)| {
            layout(&format!("{:indentation$}from {module} import {names}\n", ""))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(import: &OwnImport) -> OwnImport {
        match (import.module.as_str(), import.name.as_str()) {
            (".", "types") => OwnImport {
                name: String::from("schema"),
                alias: import.alias.clone().or(Some(String::from("types"))),
                ..import.clone()
            },
            (".types", _) => OwnImport { module: String::from(".schema"), ..import.clone() },
            _ => import.clone(),
        }
    }

    #[test]
    fn statements_are_sorted_and_broken() {
        let text = "\
\"\"\"A module.

from .types import A
\"\"\"

from __future__ import annotations

from . import codecs, types
from ._support import given
from .states import SessionUpdateState
from .types import (
    AnAgentWithALongName,
    AClientWithALongName,
    ASideWithALongName,
)

if TYPE_CHECKING:
    from . import types


def f() -> None:
    from .types import A, b, C
    from .types import Old as Old
";
        let expected = "\
\"\"\"A module.

from .types import A
\"\"\"

from __future__ import annotations

from . import codecs
from . import schema as types
from ._support import given
from .schema import AClientWithALongName, AnAgentWithALongName, ASideWithALongName
from .states import SessionUpdateState

if TYPE_CHECKING:
    from . import schema as types


def f() -> None:
    from .schema import A, C, b
    from .schema import Old as Old
";
        assert_eq!(with_imports(text, moved), expected);
        assert_eq!(with_imports(text, Clone::clone), text);
    }

    #[test]
    fn what_comes_from_afar_is_first() {
        let text = "from ..a import X\nfrom .rules import Terms\nfrom .types import Y\n";
        let far = |import: &OwnImport| OwnImport {
            module: import.module.replace(".types", "..types"),
            ..import.clone()
        };
        let expected = "from ..a import X\nfrom ..types import Y\nfrom .rules import Terms\n";
        assert_eq!(with_imports(text, far), expected);
    }

    #[test]
    fn comments_keep_a_statement() {
        let text = "from .types import A  # noqa\nfrom .types import (\n    # why\n    B,\n)\n";
        assert_eq!(with_imports(text, moved), text);
    }
}
