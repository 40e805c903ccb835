//! Where modules of a package can be.

use std::collections::BTreeSet;

use super::names;
use crate::backend::moves::{Places, Refusal, plain_parts};
use crate::output::FileSet;

/// The file that makes a folder a package.
pub(super) const INIT: &str = "__init__.py";

/// The module that gives warnings.
pub(super) const STATUS: &str = "status.py";

/// The files of a package as they usually are, and its folder.
pub(super) struct Package<'f> {
    pub(super) files: &'f FileSet,
    pub(super) name: &'f str,
    pub(super) folder: String,
}

impl Places for Package<'_> {
    fn is_free(&self, path: &str) -> bool {
        self.within(path).is_some_and(|path| {
            let stem = path.strip_suffix(".py");
            // Warnings are about who called the package, which this module knows by its own place.
            stem.is_some_and(|stem| !stem.ends_with("__init__") && path != STATUS)
        })
    }

    fn refusal(&self, from: &str, to: &str) -> Option<Refusal> {
        let folder = &self.folder;
        let Some(within) = self.within(to).filter(|_| plain_parts(to).is_some()) else {
            let help = format!("use a path like `{folder}/schema.py`");
            return Some(Refusal::new(format!("modules are below `{folder}`"), help));
        };
        let Some(stem) = within.strip_suffix(".py") else {
            return Some(Refusal::new("it is a module", "let the name end in `.py`"));
        };
        if let Some(bad) = stem.split('/').find(|name| !names::is_module(name)) {
            let help = "use letters, digits and `_`, no digit first, and no word of Python's own";
            return Some(Refusal::new(format!("`{bad}` cannot name a module"), help));
        }
        if let Some(closed) = self.closed(from).filter(|closed| self.closed(to) != Some(*closed)) {
            let help = format!("use a path like `{closed}/other.py`, or let it stay");
            return Some(Refusal::new(format!("what is in `{closed}` stays there"), help));
        }
        if let Some(closed) = self.closed(to).filter(|closed| self.closed(from) != Some(*closed)) {
            let help = format!("use a path like `{folder}/schema.py`");
            return Some(Refusal::new(format!("`{closed}` has modules of its own alone"), help));
        }
        let taken = self.exported(stem).filter(|_| from != to)?;
        let why = format!("the package exports something else as `{taken}`");
        Some(Refusal::new(why, "use another name"))
    }

    fn rival(&self, path: &str, paths: &BTreeSet<&str>) -> Option<String> {
        let below = format!("{}/", path.strip_suffix(".py")?);
        if paths.iter().any(|path| path.starts_with(&below)) {
            return Some(format!("the folder `{}`", below.trim_end_matches('/')));
        }
        let above = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        let modules = above.map(|folder| format!("{folder}.py"));
        let mut modules = modules.filter(|module| paths.contains(module.as_str()));
        modules.next().map(|module| format!("`{module}`"))
    }
}

impl<'f> Package<'f> {
    /// The package of this name.
    pub(super) fn new(files: &'f FileSet, name: &'f str) -> Self {
        Self { files, name, folder: format!("src/{name}") }
    }

    /// A path from the package's folder.
    pub(super) fn within<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.folder.as_str())?.strip_prefix('/')
    }

    /// The folder of a path, if it is a package with code of its own: its modules import each other
    /// when one of them is imported.
    fn closed<'p>(&self, path: &'p str) -> Option<&'p str> {
        let above = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        let mut below = above.filter(|folder| self.within(folder).is_some());
        below.find(|folder| self.files.get(&format!("{folder}/{INIT}")).is_some())
    }

    /// The part of a module's path that the package around it exports as something else.
    fn exported<'p>(&self, stem: &'p str) -> Option<&'p str> {
        let mut folder = self.folder.clone();
        for name in stem.split('/') {
            let init = self.files.get(&format!("{folder}/{INIT}")).unwrap_or_default();
            let exports = init.rsplit_once("\n__all__ = [").map_or("", |(_, exports)| exports);
            folder = format!("{folder}/{name}");
            let is_package = self.files.get(&format!("{folder}/{INIT}")).is_some();
            if !is_package && exports.contains(&format!("\"{name}\"")) {
                return Some(name);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::moved::moved;
    use super::*;
    use crate::backend::moves::Move;
    use crate::diagnostic::Diagnostics;

    fn wish(from: &str, to: &str) -> Move {
        let path = |name: &str| format!("src/acp/{name}");
        Move { from: path(from), to: path(to), locations: None }
    }

    fn codes(wishes: &[Move]) -> Vec<&'static str> {
        let mut files = FileSet::new();
        for name in ["types", "enums", "rpc/__init__", "rpc/link"] {
            files.insert(format!("src/acp/{name}.py"), "");
        }
        files.insert("src/acp/__init__.py", "\n__all__ = [\n    \"codecs\",\n    \"given\",\n]\n");
        let mut diagnostics = Diagnostics::new();
        assert!(moved(files, "acp", wishes, &mut diagnostics).is_empty());
        diagnostics.iter().map(|it| it.code).collect()
    }

    #[test]
    fn what_is_wrong_is_said_all_at_once() {
        let wishes =
            [wish("type.py", "x.py"), wish("__init__.py", "x.py"), wish("enums.py", "1.py")];
        assert_eq!(
            codes(&wishes),
            ["unknown-file", "bad-file-name", "bad-file-name", "file-collision"]
        );
        for to in ["../x.py", "x", "x.pyi", "a-b.py", "class.py", "__main__.py", "a/class/b.py"] {
            assert_eq!(codes(&[wish("enums.py", to)]), ["bad-file-name"], "{to}");
        }
    }

    #[test]
    fn packages_within_keep_their_modules_and_take_no_others() {
        assert_eq!(codes(&[wish("rpc/link.py", "link.py")]), ["bad-file-name"]);
        assert_eq!(codes(&[wish("types.py", "rpc/types.py")]), ["bad-file-name"]);
    }

    #[test]
    fn what_would_hide_or_be_another_is_refused() {
        assert_eq!(codes(&[wish("types.py", "given.py")]), ["bad-file-name"]);
        assert_eq!(codes(&[wish("types.py", "given/types.py")]), ["bad-file-name"]);
        for to in ["enums.py", "Enums.py", "rpc.py", "enums/types.py"] {
            assert_eq!(codes(&[wish("types.py", to)]), ["file-collision"], "{to}");
        }
    }
}
