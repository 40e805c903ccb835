//! The TypeScript target: an ESM package.
//!
//! The IR becomes a `model` in which everything is decided, templates print it, and wide lines
//! are broken as prettier would break them (`layout`).

mod data;
mod docs;
mod imports;
mod layout;
mod literals;
mod model;
mod modules;
mod names;
mod package;
mod runtime;
mod types;

use minijinja::context;

use self::model::Model;
use self::modules::Modules;
use self::names::TypeNames;
use self::runtime::Needs;
use self::types::Scope;
use super::api::Api;
use super::doc::Layout;
use super::syntax::SyntaxFilters;
use super::template::{TemplateText, Templates};
use super::{Backend, Options, Runtime};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::{Protocol, with_distinct_names};
use crate::output::FileSet;
use crate::parallel;

pub(super) use docs::comment_lines;

/// The syntax filters of TypeScript.
pub(super) const SYNTAX: SyntaxFilters = SyntaxFilters {
    id: "typescript",
    ident: names::variable,
    literal: literals::scalar,
    doc: docs::lines,
};

/// The measures of prettier.
const PRETTIER: Layout = Layout { width: 80, step: 2 };

/// Generates a TypeScript package.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypeScript;

impl Backend for TypeScript {
    fn id(&self) -> &'static str {
        "typescript"
    }

    fn api(&self, protocol: &Protocol, options: &Options) -> Api {
        let sides = &protocol.sides;
        let protocol = &*options.narrowed(protocol);
        // What is wrong with a protocol is said by `generate`.
        with_distinct_names(protocol, &mut Diagnostics::new(), |protocol, findings| {
            let names = TypeNames::new(protocol, findings);
            let scope = Scope { protocol, names: &names, docs: options.docs };
            Model::new(scope, sides, options, findings).api(protocol, sides)
        })
    }

    fn emit(
        &self,
        protocol: &Protocol,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> FileSet {
        let sides = &protocol.sides;
        let protocol = &*options.narrowed(protocol);
        let printed = with_distinct_names(protocol, diagnostics, |protocol, findings| {
            let names = TypeNames::new(protocol, findings);
            let scope = Scope { protocol, names: &names, docs: options.docs };
            let model = Model::new(scope, sides, options, findings);
            print(model, options, protocol.is_large())
        });
        printed.unwrap_or_else(|problems| {
            diagnostics.extend(problems);
            FileSet::new()
        })
    }

    fn runtime(&self) -> FileSet {
        runtime::package()
    }

    fn templates(&self) -> &'static [TemplateText] {
        TEMPLATES
    }
}

/// Tells whether a template prints a file of a package; others are included, or are for protocols
/// that have more.
fn is_file(template: &str, model: &Model) -> bool {
    match template {
        "header.ts" => false,
        "jsr.json" => model.is_for_jsr(),
        "src/app.ts" => model.app.is_some(),
        "src/catalogue.ts" => model.catalogue.is_some(),
        "src/state.ts" => model.states.is_some(),
        "src/handles.ts" => model.handles.is_some(),
        "src/payloads.ts" => model.payloads.is_some(),
        "src/files.ts" => model.files.is_some(),
        "src/hosts.ts" => model.hosts.is_some(),
        "src/progress.ts" => model.progress.is_some(),
        "src/connections.ts" | "src/errors.ts" | "src/node.ts" | "src/remote.ts"
        | "src/remote-node.ts" => !model.sides.is_empty(),
        _ => template.matches('/').count() < 2,
    }
}

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../templates/typescript/", $name, ".jinja")))),*]
    };
}

/// The templates: those of the files, and those they include.
static TEMPLATES: &[TemplateText] = templates![
    "README.md",
    "header.ts",
    "jsr.json",
    "package.json",
    "tsconfig.json",
    "src/app.ts",
    "src/catalogue.ts",
    "src/codecs.ts",
    "src/codecs/alias.ts",
    "src/codecs/call.ts",
    "src/codecs/enum.ts",
    "src/codecs/field.ts",
    "src/codecs/fields.ts",
    "src/codecs/record.ts",
    "src/codecs/steps.ts",
    "src/codecs/union.ts",
    "src/connections.ts",
    "src/connections/connection.ts",
    "src/connections/context.ts",
    "src/connections/doc.ts",
    "src/connections/peer.ts",
    "src/connections/side.ts",
    "src/connections/stream.ts",
    "src/connections/version.ts",
    "src/errors.ts",
    "src/files.ts",
    "src/handles.ts",
    "src/hosts.ts",
    "src/index.ts",
    "src/interfaces.ts",
    "src/interfaces/interface.ts",
    "src/interfaces/map.ts",
    "src/methods.ts",
    "src/node.ts",
    "src/payloads.ts",
    "src/remote-node.ts",
    "src/progress.ts",
    "src/remote.ts",
    "src/state.ts",
    "src/types.ts",
    "src/types/alias.ts",
    "src/types/alternative.ts",
    "src/types/constructors.ts",
    "src/types/enum.ts",
    "src/types/field.ts",
    "src/types/record.ts",
    "src/types/shorthand.ts",
    "src/types/union.ts",
];

fn print(model: Model, options: &Options, is_large: bool) -> Result<FileSet, Diagnostics> {
    let templates = Templates::overridden(TEMPLATES, &options.templates)?
        .with_filter("lay_out", layout::lay_out);
    let needs = Needs {
        keywords: model.has_keywords(),
        tuples: model.has_tuples(),
        payloads: model.payloads.is_some(),
        connections: !model.sides.is_empty(),
        app: model.app.is_some(),
        http: model.has_http(),
        hosts: model.hosts.is_some(),
        streams: model.sides.has_streams,
        state: model.states.is_some(),
    };
    let paths = TEMPLATES.iter().map(|(name, _)| *name);
    let mut paths: Vec<&str> = paths.filter(|path| is_file(path, &model)).collect();
    let mut problems = Diagnostics::new();
    let copied = runtime::files(&needs).map(|(path, _)| path);
    let Some(modules) = Modules::new(&paths, copied, options, &mut problems) else {
        return Err(problems);
    };
    // What takes longest is begun first.
    paths.sort_by_key(|path| !["src/types.ts", "src/codecs.ts"].contains(path));
    let model = Templates::model(model);
    let printed = parallel::map_if(is_large, paths, |path| {
        let model = context! { ..modules.context(path), ..model.clone() };
        let text = templates.render_value(path, &model)?;
        let text = if path.starts_with("src/") { layout::lay_out_file(text) } else { text };
        Ok::<_, Diagnostic>((path, text))
    });
    let mut files = FileSet::new();
    for file in printed {
        let (path, text) = file?;
        files.insert(modules.path(path), text);
    }
    if options.runtime == Runtime::Package {
        return Ok(files);
    }
    let header = templates.render_value("header.ts", &model)?;
    for (path, text) in runtime::files(&needs) {
        let text = format!("{header}\n{text}");
        let is_changed = options.imports_sources;
        files.insert(path, if is_changed { text.replace(".js\";", ".ts\";") } else { text });
    }
    Ok(files)
}
