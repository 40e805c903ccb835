//! Files that have another path in the package than they usually have.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::Location;

/// The most files that a hint names.
const LISTED: usize = 24;

/// A file of a package that is to have another path, as the user wishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The path that the file usually has.
    pub from: String,
    /// The path that it is to have.
    pub to: String,
    /// The locations of the two, if a file says them.
    pub locations: Option<[Location; 2]>,
}

impl Move {
    /// A finding about the old path (`part` 0) or the new one (1).
    fn error(&self, code: &'static str, part: usize, message: String) -> Diagnostic {
        let location = self.locations.as_ref().and_then(|both| both.get(part));
        let error = Diagnostic::error(code, message);
        match location {
            Some(location) => error.at(location.clone()),
            None => error,
        }
    }

    /// The finding that the package has no such file.
    fn unknown(&self, help: String) -> Diagnostic {
        let message = format!("`{}` is no file of the package", self.from);
        self.error("unknown-file", 0, message).help(help)
    }

    /// The finding that the file cannot have the path. `part`: 0 to mark the old one, 1 the new one.
    fn refused(&self, part: usize, Refusal { why, help }: Refusal) -> Diagnostic {
        let message = format!("`{}` cannot become `{}`: {why}", self.from, self.to);
        self.error("bad-file-name", part, message).help(help)
    }

    /// The finding that another file has the path, too.
    fn collides(&self, message: String) -> Diagnostic {
        self.error("file-collision", 1, message).help("give one of them another path in `files`")
    }
}

/// A reason why a file cannot have a path, with a hint.
pub(super) struct Refusal {
    pub(super) why: String,
    pub(super) help: String,
}

impl Refusal {
    pub(super) fn new(why: impl Into<String>, help: impl Into<String>) -> Self {
        Self { why: why.into(), help: help.into() }
    }
}

/// The rules of a language about the paths of its files.
pub(super) trait Places {
    /// Tells whether a file can have another path at all.
    fn is_free(&self, path: &str) -> bool;

    /// Says why a file cannot have this path.
    fn refusal(&self, from: &str, to: &str) -> Option<Refusal>;

    /// A file that would be the same as one with this path, though its path is another.
    fn rival(&self, _path: &str, _paths: &BTreeSet<&str>) -> Option<String> {
        None
    }
}

/// The files that move, and where to.
#[derive(Debug, Default)]
pub(super) struct Moves {
    paths: BTreeMap<String, String>,
}

impl Moves {
    /// Takes the user's wishes for a package that has files of these paths. What is wrong with them
    /// is reported, all of it, and there are no moves then.
    pub(super) fn new(
        paths: &BTreeSet<&str>,
        wishes: &[Move],
        places: &impl Places,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let mut problems = Diagnostics::new();
        for wish in wishes {
            let is_there = paths.contains(wish.from.as_str());
            if !is_there {
                problems.push(wish.unknown(hint(paths, &wish.from, places)));
            } else if !places.is_free(&wish.from) {
                let help = format!("these can have other paths: {}", listed(paths, places));
                problems.push(wish.refused(0, Refusal::new("it has to stay", help)));
            }
            if let Some(refusal) = places.refusal(&wish.from, &wish.to) {
                problems.push(wish.refused(1, refusal));
            }
        }
        let pairs = wishes.iter().map(|wish| (wish.from.clone(), wish.to.clone()));
        let moves = Self { paths: pairs.collect() };
        moves.check_collisions(paths, wishes, places, &mut problems);
        let is_good = problems.is_empty();
        diagnostics.extend(problems);
        is_good.then_some(moves)
    }

    /// The path that a file of the package gets.
    pub(super) fn moved<'a>(&'a self, path: &'a str) -> &'a str {
        self.paths.get(path).map_or(path, String::as_str)
    }

    /// The files that move: the path of each, and the one that it gets.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.paths.iter().map(|(from, to)| (from.as_str(), to.as_str()))
    }

    /// Reports paths that two files would have.
    fn check_collisions(
        &self,
        paths: &BTreeSet<&str>,
        wishes: &[Move],
        places: &impl Places,
        problems: &mut Diagnostics,
    ) {
        let stay = paths.iter().copied().filter(|path| self.moved(path) == *path);
        let mut taken: BTreeMap<String, &str> =
            stay.map(|path| (path.to_lowercase(), path)).collect();
        let moved = wishes.iter().filter(|wish| wish.from != wish.to);
        for wish in moved.clone() {
            match taken.get(&wish.to.to_lowercase()) {
                Some(other) => {
                    let message = format!("`{}` and `{other}` would be one file", wish.from);
                    problems.push(wish.collides(message));
                }
                None => drop(taken.insert(wish.to.to_lowercase(), &wish.from)),
            }
        }
        let all = paths.iter().map(|path| self.moved(path)).collect();
        for wish in moved {
            if let Some(other) = places.rival(&wish.to, &all) {
                let message = format!("`{}` and {other} would be one module", wish.to);
                problems.push(wish.collides(message));
            }
        }
    }
}

/// The file that was probably meant, or those that there are.
fn hint(all: &BTreeSet<&str>, meant: &str, places: &impl Places) -> String {
    let paths = || all.iter().copied().filter(|path| places.is_free(path));
    let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let near = nearest(meant, paths()).or_else(|| paths().find(|path| name(path) == name(meant)));
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", listed(all, places)),
    }
}

/// The files that can have other paths: those of the uppermost folder.
fn listed(all: &BTreeSet<&str>, places: &impl Places) -> String {
    let paths = || all.iter().copied().filter(|path| places.is_free(path));
    let top = paths().map(|path| path.matches('/').count()).min();
    let listed = paths().filter(|path| Some(path.matches('/').count()) == top);
    let listed: Vec<&str> = listed.take(LISTED).collect();
    let more = if listed.len() < paths().count() { ", and more below" } else { "" };
    format!("{}{more}", listed.join(", "))
}

/// The parts of a path, if it is one of plain names from the package's folder.
pub(super) fn plain_parts(path: &str) -> Option<Vec<&str>> {
    let is_plain = |name: &&str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"._-$@".contains(&byte);
        !name.starts_with('.') && !name.is_empty() && name.bytes().all(is_letter)
    };
    let parts: Vec<&str> = path.split('/').collect();
    parts.iter().all(is_plain).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_plain_names_are_told_apart() {
        assert_eq!(plain_parts("src/a.gen.ts"), Some(vec!["src", "a.gen.ts"]));
        for path in ["", "/a", "a//b", "../a", "a/./b", "a/.b", "a b", "c:a", "a\\b", "é"] {
            assert_eq!(plain_parts(path), None, "{path}");
        }
    }
}
