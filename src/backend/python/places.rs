//! Where modules of a package can be.

use std::collections::BTreeSet;

use super::modules::{Modules, RUNTIME};
use super::names;
use crate::backend::moves::{Places, Refusal, plain_parts};

/// The rules about the paths of a package.
pub(super) struct Package<'m> {
    folder: String,
    /// The folder of the runtime, if it is here: its modules stay, and are there alone.
    runtime: Option<String>,
    /// The names that the package exports.
    exports: &'m [String],
}

impl Places for Package<'_> {
    fn is_free(&self, path: &str) -> bool {
        let stem = self.within(path).and_then(|path| path.strip_suffix(".py"));
        stem.is_some_and(|stem| stem != "__init__") && !self.is_runtime(path)
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
        if self.is_runtime(to) && !self.is_runtime(from) {
            let help = format!("use a path like `{folder}/schema.py`");
            let why = format!("`{folder}/{RUNTIME}` has modules of its own alone");
            return Some(Refusal::new(why, help));
        }
        let name = stem.split('/').next()?;
        let is_taken = from != to && self.exports.iter().any(|export| export == name);
        let why = format!("the package exports something else as `{name}`");
        is_taken.then(|| Refusal::new(why, "use another name"))
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

impl<'m> Package<'m> {
    /// The package, which exports these names.
    pub(super) fn new(modules: &Modules, exports: &'m [String]) -> Self {
        let folder = modules.folder();
        let runtime = (!modules.is_runtime_apart).then(|| format!("{folder}/{RUNTIME}/"));
        Self { folder, runtime, exports }
    }

    /// A path from the package's folder.
    fn within<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.folder.as_str())?.strip_prefix('/')
    }

    fn is_runtime(&self, path: &str) -> bool {
        self.runtime.as_ref().is_some_and(|folder| path.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::moves::{Move, Moves};
    use crate::backend::{DocsMode, Options, Runtime};
    use crate::diagnostic::Diagnostics;

    fn wish(from: &str, to: &str) -> Move {
        let path = |name: &str| format!("src/acp/{name}");
        Move { from: path(from), to: path(to), locations: None }
    }

    fn codes(wishes: &[Move]) -> Vec<&'static str> {
        let modules = Modules::new(&Options::new("acp", DocsMode::Off, Runtime::Embedded));
        let names = ["__init__", "types", "enums", "runtime/rpc/__init__", "runtime/rpc/link"];
        let paths = names.map(|name| modules.usual_path(name));
        let exports = ["codecs", "given"].map(String::from);
        let mut diagnostics = Diagnostics::new();
        let package = Package::new(&modules, &exports);
        let paths = paths.iter().map(String::as_str).collect();
        assert!(Moves::new(&paths, wishes, &package, &mut diagnostics).is_none());
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
    fn the_runtime_keeps_its_modules_and_takes_no_others() {
        assert_eq!(codes(&[wish("runtime/rpc/link.py", "link.py")]), ["bad-file-name"]);
        assert_eq!(codes(&[wish("types.py", "runtime/types.py")]), ["bad-file-name"]);
    }

    #[test]
    fn what_would_hide_or_be_another_is_refused() {
        assert_eq!(codes(&[wish("types.py", "given.py")]), ["bad-file-name"]);
        assert_eq!(codes(&[wish("types.py", "given/types.py")]), ["bad-file-name"]);
        for to in ["enums.py", "Enums.py", "runtime.py", "enums/types.py"] {
            assert_eq!(codes(&[wish("types.py", to)]), ["file-collision"], "{to}");
        }
    }
}
