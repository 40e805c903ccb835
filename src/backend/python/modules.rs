//! Where the modules of a package are, and how they import each other.
//!
//! A module is named by its usual path in the package, without an ending: `types`,
//! `runtime/rpc`.

use std::collections::BTreeMap;

use super::names;
use crate::backend::{Options, Runtime};

/// The folder of the runtime, where the package has a copy of it.
pub(super) const RUNTIME: &str = "runtime";

/// The runtime as a package of its own, as code imports it.
pub(super) const RUNTIME_PACKAGE: &str = "acp_bindgen_runtime";

/// The place of each module of a package.
#[derive(Debug)]
pub(super) struct Modules {
    /// The package's name, as code imports it.
    pub(super) package: String,
    /// True if the runtime is a package of its own.
    pub(super) is_runtime_apart: bool,
    /// The modules that the user wants elsewhere.
    moved: BTreeMap<String, String>,
}

impl Modules {
    /// Takes the user's wishes, whether or not they can be fulfilled.
    pub(super) fn new(options: &Options) -> Self {
        let mut modules = Self {
            package: names::package(&options.package),
            is_runtime_apart: options.runtime == Runtime::Package,
            moved: BTreeMap::new(),
        };
        let folder = format!("{}/", modules.folder());
        let module =
            |path: &str| path.strip_prefix(&folder)?.strip_suffix(".py").map(str::to_owned);
        let moved = options.moves.iter();
        modules.moved = moved.filter_map(|it| Some((module(&it.from)?, module(&it.to)?))).collect();
        modules
    }

    /// The folder of the package.
    pub(super) fn folder(&self) -> String {
        format!("src/{}", self.package)
    }

    /// The path of the file that a module usually is.
    pub(super) fn usual_path(&self, module: &str) -> String {
        format!("{}/{module}.py", self.folder())
    }

    /// The name of a module below that of the package: `wire.codecs`.
    pub(super) fn dotted(&self, module: &str) -> String {
        self.place(module).replace('/', ".")
    }

    /// The modules that the user wants elsewhere: the usual name of each, and the one it has.
    pub(super) fn moved(&self) -> impl Iterator<Item = (String, String)> {
        self.moved.keys().map(|module| (module.replace('/', "."), self.dotted(module)))
    }

    /// Tells whether a module is not one of the package.
    pub(super) fn is_apart(&self, module: &str) -> bool {
        self.is_runtime_apart && within_runtime(module).is_some()
    }

    /// What a module imports another one as: `.types`.
    pub(super) fn import(&self, here: &str, module: &str) -> String {
        if let Some(within) = within_runtime(module).filter(|_| self.is_runtime_apart) {
            return format!("{RUNTIME_PACKAGE}{}", within.replace('/', "."));
        }
        let here: Vec<&str> = self.place(here).split('/').collect();
        let module: Vec<&str> = self.place(module).split('/').collect();
        relative(&here, &module)
    }

    /// What a module imports another one from, and its name there.
    pub(super) fn import_itself(&self, here: &str, module: &str) -> (String, String) {
        let whole = self.import(here, module);
        match whole.rsplit_once('.') {
            Some((folder, name)) if folder.chars().all(|it| it == '.') => {
                (format!("{folder}."), name.to_owned())
            }
            Some((folder, name)) => (folder.to_owned(), name.to_owned()),
            None => (String::new(), whole),
        }
    }

    fn place<'m>(&'m self, module: &'m str) -> &'m str {
        self.moved.get(module).map_or(module, String::as_str)
    }
}

/// The path of a module within the runtime, with its slash.
fn within_runtime(module: &str) -> Option<&str> {
    module.strip_prefix(RUNTIME).filter(|rest| rest.starts_with('/'))
}

/// A module as another one names it. `here`: the path of that.
fn relative(here: &[&str], module: &[&str]) -> String {
    let folder = here.split_last().map_or(&[][..], |(_, folder)| folder);
    let shared = folder.iter().zip(module).take_while(|(a, b)| a == b).count();
    let rest = module.get(shared..).unwrap_or_default();
    ".".repeat(folder.len() - shared + 1) + &rest.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::DocsMode;
    use crate::backend::moves::Move;

    fn modules(runtime: Runtime) -> Modules {
        let mut options = Options::new("acp", DocsMode::Off, runtime);
        for (from, to) in
            [("types", "schema"), ("codecs", "wire/json/codecs"), ("_decoders", "wire/d")]
        {
            let path = |name: &str| format!("src/acp/{name}.py");
            options.moves.push(Move { from: path(from), to: path(to), locations: None });
        }
        Modules::new(&options)
    }

    #[test]
    fn modules_import_each_other_where_they_are() {
        let modules = modules(Runtime::Embedded);
        let import = |here, module| modules.import(here, module);
        assert_eq!(import("enums", "types"), ".schema");
        assert_eq!(import("codecs", "types"), "...schema");
        assert_eq!(import("codecs", "_decoders"), "..d");
        assert_eq!(import("_decoders", "codecs"), ".json.codecs");
        assert_eq!(import("__init__", "codecs"), ".wire.json.codecs");
        assert_eq!(import("_decoders", "runtime/rpc/programs"), "..runtime.rpc.programs");
        let itself = |here, module| modules.import_itself(here, module);
        let pair = |from: &str, name: &str| (from.to_owned(), name.to_owned());
        assert_eq!(itself("enums", "types"), pair(".", "schema"));
        assert_eq!(itself("codecs", "types"), pair("...", "schema"));
        assert_eq!(itself("enums", "codecs"), pair(".wire.json", "codecs"));
        assert_eq!(itself("enums", "runtime/rpc"), pair(".runtime", "rpc"));
    }

    #[test]
    fn the_runtime_can_be_a_package_of_its_own() {
        let modules = modules(Runtime::Package);
        assert_eq!(modules.import("codecs", "runtime/rpc"), "acp_bindgen_runtime.rpc");
        let (from, name) = modules.import_itself("codecs", "runtime/rpc");
        assert_eq!((from.as_str(), name.as_str()), ("acp_bindgen_runtime", "rpc"));
        assert_eq!(modules.import("enums", "types"), ".schema");
    }
}
