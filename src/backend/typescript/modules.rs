//! Modules: where they are in a package, and how they name each other. It is decided before anything
//! is printed, and templates ask for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use minijinja::value::Value;
use minijinja::{Error, ErrorKind, context};

use super::runtime::{FOLDER, PACKAGE};
use crate::backend::moves::{Moves, Places, Refusal, plain_parts};
use crate::backend::{Options, Runtime};
use crate::diagnostic::Diagnostics;

/// The modules of a package.
#[derive(Debug)]
pub(super) struct Modules {
    /// The paths of the modules that there are, those of the runtime included.
    known: BTreeSet<&'static str>,
    moves: Moves,
    /// True if the runtime is a package of its own.
    is_runtime_apart: bool,
    /// The ending by which modules of the package name each other.
    ending: &'static str,
}

impl Modules {
    /// Decides where the files of a package are. `printed` are those of the package alone, `copied`
    /// those of the runtime, by their usual paths. None if something is wrong with the user's wishes,
    /// which is reported.
    pub(super) fn new(
        printed: &[&'static str],
        copied: impl Iterator<Item = &'static str>,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Self>> {
        let is_runtime_apart = options.runtime == Runtime::Package;
        let known: BTreeSet<&str> = printed.iter().copied().chain(copied).collect();
        let is_here = |path: &&&str| !is_runtime_apart || !path.starts_with(FOLDER);
        let here = known.iter().filter(is_here).copied().collect();
        let moves = Moves::new(&here, &options.moves, &Rules, diagnostics)?;
        let ending = if options.imports_sources { "ts" } else { "js" };
        Some(Arc::new(Self { known, moves, is_runtime_apart, ending }))
    }

    /// The path that a file of the package gets.
    pub(super) fn path<'a>(&'a self, path: &'a str) -> &'a str {
        self.moves.moved(path)
    }

    /// What the template of a file may ask, beside the model: `module("types")` and
    /// `runtime("codec")` are the specifiers of modules, `place("types")` is the path of a module below
    /// `src`, without an ending.
    pub(super) fn context(self: &Arc<Self>, file: &'static str) -> Value {
        let function = |ask: fn(&Self, &str, &str) -> Result<String, Error>| {
            let modules = Arc::clone(self);
            Value::from_function(move |name: &str| ask(&modules, file, name))
        };
        context! {
            module => function(Self::module),
            runtime => function(Self::runtime),
            place => function(|modules, _, name| modules.place(name)),
        }
    }

    /// The specifier of a module of the package.
    fn module(&self, file: &str, name: &str) -> Result<String, Error> {
        Ok(format!("{}.{}", relative(self.path(file), &self.found(name)?), self.ending))
    }

    /// The specifier of a module of the runtime.
    fn runtime(&self, file: &str, name: &str) -> Result<String, Error> {
        let within = format!("runtime/{name}");
        if self.is_runtime_apart {
            return self.found(&within).map(|_| format!("{PACKAGE}/{name}.js"));
        }
        self.module(file, &within)
    }

    fn place(&self, name: &str) -> Result<String, Error> {
        let path = self.found(name)?;
        Ok(path.strip_prefix("src/").map_or(path.clone(), str::to_owned))
    }

    /// The path of a module, without its ending.
    fn found(&self, name: &str) -> Result<String, Error> {
        let path = format!("src/{name}.ts");
        if !self.known.contains(path.as_str()) {
            let message = format!("the package has no module `{name}`");
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
        let path = self.path(&path);
        Ok(path.strip_suffix(".ts").unwrap_or(path).to_owned())
    }
}

/// The path from a file to what stands at another path.
fn relative(from: &str, to: &str) -> String {
    let folders = |path| str::split(path, '/').count() - 1;
    let parts = from.split('/').zip(to.split('/')).take_while(|(a, b)| a == b).count();
    let shared = parts.min(folders(from)).min(folders(to));
    let up = folders(from) - shared;
    let start = if up == 0 { String::from("./") } else { "../".repeat(up) };
    to.split('/').skip(shared).fold(start, |path, part| {
        let separator = if path.ends_with('/') { "" } else { "/" };
        path + separator + part
    })
}

/// The rules about paths of modules.
struct Rules;

impl Places for Rules {
    fn is_free(&self, path: &str) -> bool {
        is_module(path) && !path.starts_with(FOLDER)
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
fn is_module(path: &str) -> bool {
    path.starts_with("src/") && path.strip_suffix(".ts").is_some_and(|stem| !stem.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::DocsMode;
    use crate::backend::moves::Move;

    fn modules(
        wishes: &[(&str, &str)],
        change: impl Fn(&mut Options),
    ) -> Result<Arc<Modules>, Vec<&'static str>> {
        let mut options = Options::new("acp", DocsMode::Off, Runtime::Embedded);
        let wish = |(from, to): &(&str, &str)| Move {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            locations: None,
        };
        options.moves = wishes.iter().map(wish).collect();
        change(&mut options);
        let printed = ["package.json", "src/a.ts", "src/b.ts", "src/c.ts"];
        let copied = ["src/runtime/codec.ts", "src/runtime/remote/client.ts"];
        let mut diagnostics = Diagnostics::new();
        Modules::new(&printed, copied.into_iter(), &options, &mut diagnostics)
            .ok_or_else(|| diagnostics.iter().map(|it| it.code).collect())
    }

    #[test]
    fn modules_name_each_other_where_they_are() {
        let wishes = [("src/a.ts", "src/schema/a.gen.ts"), ("src/b.ts", "src/schema/deep/b.ts")];
        let modules = modules(&wishes, |_| {}).unwrap();
        let module = |file, name| modules.module(file, name).unwrap();
        assert_eq!(module("src/c.ts", "a"), "./schema/a.gen.js");
        assert_eq!(module("src/a.ts", "b"), "./deep/b.js");
        assert_eq!(module("src/b.ts", "a"), "../a.gen.js");
        assert_eq!(module("src/b.ts", "c"), "../../c.js");
        assert_eq!(modules.runtime("src/a.ts", "codec").unwrap(), "../runtime/codec.js");
        assert_eq!(modules.place("a").unwrap(), "schema/a.gen");
        assert_eq!(modules.path("src/a.ts"), "src/schema/a.gen.ts");
        assert!(modules.module("src/a.ts", "d").is_err());
    }

    #[test]
    fn two_modules_can_change_places() {
        let wishes = [("src/a.ts", "src/b.ts"), ("src/b.ts", "src/a.ts")];
        let modules = modules(&wishes, |options| options.imports_sources = true).unwrap();
        assert_eq!(modules.module("src/a.ts", "b").unwrap(), "./a.ts");
    }

    #[test]
    fn the_runtime_is_in_its_folder_or_a_package() {
        let specifiers = |runtime| {
            let modules = modules(&[], |options| options.runtime = runtime).unwrap();
            ["codec", "remote/client"].map(|name| modules.runtime("src/a.ts", name).unwrap())
        };
        let copied = ["./runtime/codec.js", "./runtime/remote/client.js"];
        assert_eq!(specifiers(Runtime::Embedded), copied);
        let apart = ["acp-bindgen-runtime/codec.js", "acp-bindgen-runtime/remote/client.js"];
        assert_eq!(specifiers(Runtime::Package), apart);
    }

    #[test]
    fn what_is_wrong_is_said_all_at_once() {
        let wishes = [
            ("src/aa.ts", "src/x.ts"),
            ("package.json", "src/package.ts"),
            ("src/runtime/codec.ts", "src/codec.ts"),
            ("src/a.ts", "../a.ts"),
            ("src/b.ts", "src/b.d.ts"),
            ("src/c.ts", "src/B.ts"),
        ];
        let bad = "bad-file-name";
        let codes = modules(&wishes, |_| {}).unwrap_err();
        assert_eq!(codes, ["unknown-file", bad, bad, bad, bad]);
        for to in
            ["src", "/src/a.ts", "src/../a.ts", "lib/a.ts", "src/a.js", "src/.ts", "src/a b.ts"]
        {
            assert!(Rules.refusal("src/a.ts", to).is_some(), "{to}");
        }
        for to in ["src/a.ts", "src/x/y-z/a.gen.ts"] {
            assert!(Rules.refusal("src/a.ts", to).is_none(), "{to}");
        }
    }

    #[test]
    fn one_path_is_for_one_file() {
        for to in ["src/b.ts", "src/B.ts", "src/runtime/codec.ts"] {
            let codes = modules(&[("src/a.ts", to)], |_| {}).unwrap_err();
            assert_eq!(codes, ["file-collision"], "{to}");
        }
    }
}
