//! The TypeScript target: an ESM package of types.
//!
//! The IR becomes a model in which everything is decided ([`types`], [`interfaces`],
//! [`package`]), and templates print it. What comes out is laid out as prettier would leave it
//! ([`layout`]).

mod expression;
mod interfaces;
mod jsdoc;
mod layout;
mod names;
mod objects;
mod package;
mod text;
mod types;

use serde::Serialize;

use self::interfaces::{InterfacesModel, MethodsModel};
use self::names::TypeNames;
use self::package::PackageModel;
use self::types::{Scope, TypesModel};
use super::template::{TemplateText, Templates};
use super::{Backend, Options};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::Protocol;
use crate::output::FileSet;

/// Generates a TypeScript package.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeScript;

impl Backend for TypeScript {
    fn id(&self) -> &'static str {
        "typescript"
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let names = TypeNames::new(protocol, diagnostics);
        let scope = Scope { protocol, names: &names, docs: options.docs };
        let model = Model {
            package: PackageModel::new(scope, options),
            types: scope.types(diagnostics),
            interfaces: scope.interfaces(diagnostics),
            methods: scope.methods(diagnostics),
        };
        print(&model).unwrap_or_else(|diagnostic| {
            diagnostics.push(diagnostic);
            FileSet::new()
        })
    }
}

/// A whole package, everything decided.
#[derive(Debug, Serialize)]
struct Model {
    package: PackageModel,
    types: TypesModel,
    interfaces: InterfacesModel,
    methods: MethodsModel,
}

/// The files of the package, each printed by the template of its name.
const FILES: [&str; 7] = [
    "README.md",
    "package.json",
    "src/index.ts",
    "src/interfaces.ts",
    "src/methods.ts",
    "src/types.ts",
    "tsconfig.json",
];

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../templates/typescript/", $name, ".jinja")))),*]
    };
}

/// The templates: those of the files, and those they include.
const TEMPLATES: [TemplateText; 9] = templates![
    "README.md",
    "header.ts",
    "package.json",
    "src/index.ts",
    "src/interfaces.ts",
    "src/methods.ts",
    "src/types.ts",
    "src/type.ts",
    "tsconfig.json",
];

fn print(model: &Model) -> Result<FileSet, Diagnostic> {
    let templates = Templates::new(&TEMPLATES)?;
    let model = Templates::model(model);
    let mut files = FileSet::new();
    for path in FILES {
        files.insert(path, templates.render_value(path, &model)?);
    }
    Ok(files)
}
