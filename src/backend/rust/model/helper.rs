//! The model of functions beside a call.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::scope::Scope;
use super::values::{held, is_stored_bare};
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::ir::{Choice, Field, FileAccess, Method, Name, Type, TypeKind};

/// The functions that offer options, and give back what was chosen.
#[derive(Debug)]
pub(crate) struct ChoiceModel {
    pub function: Ident,
    /// The fields that hold the options, and the id of each; and the options' type.
    pub options: Ident,
    pub id: Ident,
    pub option: RustType,
    /// The field of the result that says what was chosen, the function that gives the variant which
    /// names an option, and its field.
    pub outcome: Ident,
    pub accessor: Ident,
    pub chosen: Ident,
    pub yes: Option<YesModel>,
}

/// The function that tells whether an option was chosen that means yes.
#[derive(Debug)]
pub(crate) struct YesModel {
    pub function: Ident,
    pub field: Ident,
    pub values: Vec<TokenStream>,
}

/// The function that reads or writes a file.
#[derive(Debug)]
pub(crate) struct FileModel {
    pub function: Ident,
    pub path: Ident,
    pub text: Ident,
    /// The type of the text, if it is one of its own.
    pub wrapped: Option<RustType>,
    pub writes: bool,
    /// The functions that are told which lines are read, and their arguments.
    pub part: Vec<(Ident, TokenStream)>,
}

/// The functions beside a call.
#[derive(Debug, Default)]
pub(crate) struct Helpers {
    pub choice: Option<ChoiceModel>,
    pub file: Option<FileModel>,
}

impl Helpers {
    pub(super) fn new(scope: &Scope<'_>, method: &Method) -> Self {
        Self {
            choice: method.choice.as_ref().and_then(|it| choice(scope, it)),
            file: method.file.as_ref().and_then(|it| file(scope, method, it)),
        }
    }

    /// The names of all functions.
    pub(super) fn functions(&self) -> impl Iterator<Item = &Ident> {
        let choice = self.choice.iter();
        let choice = choice.flat_map(|it| {
            [Some(&it.function), it.yes.as_ref().map(|yes| &yes.function)].into_iter().flatten()
        });
        choice.chain(self.file.iter().map(|it| &it.function))
    }
}

fn choice(scope: &Scope<'_>, it: &Choice) -> Option<ChoiceModel> {
    let TypeKind::Union(union) = &scope.protocol.type_def(&it.union)?.kind else { return None };
    let (_, variant) = union.tagged().find(|(tag, _)| *tag == it.tag)?;
    let option = Type::Named { name: it.option.clone() };
    let yes = it.yes.as_ref().and_then(|yes| {
        let field = scope.protocol.field(&option, &yes.property.wire)?;
        let values = yes.values.iter().filter_map(|value| held(scope, field, value));
        Some(YesModel {
            function: names::value(&yes.name),
            field: names::value(&yes.property),
            values: values.collect(),
        })
    });
    Some(ChoiceModel {
        function: names::value(&it.name),
        options: names::value(&it.options),
        id: names::value(&it.id),
        option: scope.rust_type(&option),
        outcome: names::value(&it.outcome),
        accessor: format_ident!("as_{}", variant.name.snake()),
        chosen: names::value(&it.chosen),
        yes,
    })
}

fn file(scope: &Scope<'_>, method: &Method, it: &FileAccess) -> Option<FileModel> {
    let params = method.params();
    let text_of = if it.writes { params } else { method.result()? };
    let text = scope.rust_type(&scope.protocol.field(text_of, &it.text.wire)?.ty);
    let argument = |function: &str, name: &Name| {
        let field = scope.protocol.field(params, &name.wire)?;
        Some((format_ident!("{function}"), number(scope, field)))
    };
    let line = it.line.as_ref().and_then(|name| argument("line", name));
    let limit = it.limit.as_ref().and_then(|name| argument("limit", name));
    Some(FileModel {
        function: names::value(&it.name),
        path: names::value(&it.path),
        text: names::value(&it.text),
        wrapped: (text != RustType::String).then_some(text),
        writes: it.writes,
        part: line.into_iter().chain(limit).collect(),
    })
}

/// A number of the params, if it is given.
fn number(scope: &Scope<'_>, field: &Field) -> TokenStream {
    let ident = names::value(&field.name);
    let named = match scope.rust_type(scope.resolve(&field.ty)) {
        named @ RustType::Named(_) => Some(quote!(.map(#named::get))),
        _ => None,
    };
    if is_stored_bare(field) {
        quote!(Some(params.#ident) #named)
    } else {
        quote!(params.#ident.as_ref().copied() #named)
    }
}
