//! What each file of `src/` refers to in others, read with `syn`. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use crate::support;

/// The path of a module without `crate`: a file is a module.
pub(crate) type Module = Vec<String>;

/// The files that modules are declared in.
const LIB: &str = "lib";
const MAIN: &str = "main";

/// Pairs of a file and another one that it refers to.
pub(crate) fn imports() -> BTreeSet<(Module, Module)> {
    let mut files = BTreeMap::new();
    let source = support::root().join("src");
    for root in [LIB, MAIN] {
        read(&source.join(format!("{root}.rs")), &source, &[], root, &mut files);
    }
    let mut found = BTreeSet::new();
    for (module, file) in &files {
        for path in &file.paths {
            let target = resolve(&files, scope(module), path);
            if let Some(target) = target.filter(|target| target != module) {
                found.insert((module.clone(), target));
            }
        }
    }
    found
}

/// A file: what it defines, what it passes on, and what it refers to.
#[derive(Default)]
struct File {
    /// Paths in uses and in code, as written.
    paths: BTreeSet<Vec<String>>,
    /// Names that `use` makes of paths.
    names: BTreeMap<String, Vec<String>>,
    /// Modules all of whose names are here, too.
    globs: Vec<Vec<String>>,
    /// Names of items.
    items: BTreeSet<String>,
}

/// Reads a file and those it declares. `folder` is where the latter are.
fn read(
    path: &Path,
    folder: &Path,
    module: &[String],
    name: &str,
    files: &mut BTreeMap<Module, File>,
) {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parsed = syn::parse_file(&text).unwrap();
    let mut file = File::default();
    for item in parsed.items.iter().filter(|item| !is_test(attributes(item))) {
        match item {
            Item::Mod(declared) if declared.content.is_none() => {
                let name = declared.ident.to_string();
                let (flat, nested) =
                    (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
                let path = if flat.exists() { flat } else { nested };
                let below: Module = module.iter().cloned().chain([name.clone()]).collect();
                read(&path, &folder.join(&name), &below, &name, files);
            }
            Item::Use(declared) => uses(&declared.tree, &mut Vec::new(), &mut file),
            item => {
                file.items.extend(defined(item));
                Paths(&mut file.paths).visit_item(item);
            }
        }
    }
    let module = if module.is_empty() { vec![name.to_owned()] } else { module.to_vec() };
    files.insert(module, file);
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        _ => return None,
    })
}

fn uses(tree: &UseTree, path: &mut Vec<String>, file: &mut File) {
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            uses(&tree.tree, path, file);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| uses(tree, path, file)),
        UseTree::Glob(_) => {
            file.paths.insert(path.clone());
            file.globs.push(path.clone());
        }
        UseTree::Name(tree) => name(&tree.ident, &tree.ident, path, file),
        UseTree::Rename(tree) => name(&tree.ident, &tree.rename, path, file),
    }
}

fn name(name: &syn::Ident, alias: &syn::Ident, path: &[String], file: &mut File) {
    let mut whole = path.to_vec();
    if name != "self" {
        whole.push(name.to_string());
    }
    let alias =
        if alias == "self" { path.last().cloned().unwrap_or_default() } else { alias.to_string() };
    file.paths.insert(whole.clone());
    file.names.insert(alias, whole);
}

/// Collects the paths of code that name a module of this crate.
struct Paths<'a>(&'a mut BTreeSet<Vec<String>>);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if ["crate", "super", "self", "acp_bindgen"].contains(&names[0].as_str()) && names.len() > 1
        {
            self.0.insert(names);
        }
        visit::visit_path(self, path);
    }
}

/// What the names in a module stand in: a root has its modules beside it.
fn scope(module: &[String]) -> &[String] {
    if module == [LIB] || module == [MAIN] { &[] } else { module }
}

/// The file that defines what a path in a module leads to; none if that is another crate.
fn resolve(files: &BTreeMap<Module, File>, module: &[String], path: &[String]) -> Option<Module> {
    let (first, mut rest) = path.split_first()?;
    let mut at: Module = match first.as_str() {
        // The command is a crate of its own beside the library.
        "crate" | "acp_bindgen" => Vec::new(),
        "super" => {
            let mut at = module[..module.len() - 1].to_vec();
            while rest.first().is_some_and(|name| name == "super") {
                at.pop();
                rest = &rest[1..];
            }
            at
        }
        "self" => module.to_vec(),
        child => {
            let child: Module = module.iter().cloned().chain([child.to_owned()]).collect();
            if !files.contains_key(&child) {
                return None;
            }
            child
        }
    };
    while let Some((name, below)) = rest.split_first() {
        let child: Module = at.iter().cloned().chain([name.clone()]).collect();
        if !files.contains_key(&child) {
            break;
        }
        (at, rest) = (child, below);
    }
    let at = if at.is_empty() { vec![LIB.to_owned()] } else { at };
    let Some(name) = rest.first() else { return Some(at) };
    definition(files, &at, name, 0).or(Some(at))
}

/// The file that defines what has this name in a module.
fn definition(
    files: &BTreeMap<Module, File>,
    module: &[String],
    name: &str,
    depth: usize,
) -> Option<Module> {
    let file = files.get(module)?;
    if file.items.contains(name) {
        return Some(module.to_vec());
    }
    if let Some(path) = file.names.get(name) {
        return resolve(files, scope(module), path);
    }
    file.globs.iter().filter(|_| depth < 8).find_map(|path| {
        let target = resolve(files, scope(module), path)?;
        definition(files, &target, name, depth + 1)
    })
}
