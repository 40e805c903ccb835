//! Sides, and the methods they handle.

use super::scope::Scope;
use crate::backend::names::Namespace;
use crate::backend::rust::{docs, ident};
use crate::diagnostic::Diagnostics;
use crate::ir::{Protocol, Side, Type};
use crate::source::Place;

/// One end of a connection.
#[derive(Debug)]
pub(in crate::backend::rust) struct SideModel {
    /// The side's name in the schema.
    pub wire: String,
    /// The name of its trait.
    pub ident: String,
    /// The word that begins the names of its functions.
    pub snake: String,
    pub methods: Vec<MethodModel>,
    /// The types of params and result of an extension request, and of the params of an extension
    /// notification.
    pub extensions: Option<(String, String, String)>,
}

/// A method that a side handles.
#[derive(Debug)]
pub(in crate::backend::rust) struct MethodModel {
    pub wire: String,
    pub ident: String,
    /// The name of the constant that holds the wire name.
    pub constant: String,
    pub docs: Vec<String>,
    pub params: String,
    /// The type of the result, if it is a request.
    pub result: Option<String>,
    pub optional: bool,
}

/// The names of all methods, and of their constants.
pub(super) fn constants(
    protocol: &Protocol,
    diagnostics: &mut Diagnostics,
) -> Vec<(String, String)> {
    let mut names = Namespace::new("method constants in Rust");
    let mut seen = std::collections::HashSet::new();
    let mut constants = Vec::new();
    for method in &protocol.methods {
        let constant = ident::constant(&method.name);
        if seen.insert((constant.clone(), &method.name.wire)) {
            names.claim(&constant, &method.name.wire, &method.place, diagnostics);
            constants.push((constant, method.name.wire.clone()));
        }
    }
    constants
}

/// Decides all sides.
pub(super) fn sides(scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Vec<SideModel> {
    let mut names = Namespace::new("traits in Rust");
    scope
        .protocol
        .sides
        .iter()
        .map(|side| {
            let model = lower(scope, side, diagnostics);
            names.claim(&model.ident, &model.wire, &Place::default(), diagnostics);
            model
        })
        .collect()
}

fn lower(scope: &Scope<'_>, side: &Side, diagnostics: &mut Diagnostics) -> SideModel {
    let mut names = Namespace::new(format!("methods of `{}` in Rust", side.name.wire));
    let methods = scope
        .protocol
        .handled_by(&side.name.wire)
        .map(|method| {
            let ident = ident::value(&method.name);
            names.claim(&ident, &method.name.wire, &method.place, diagnostics);
            MethodModel {
                wire: method.name.wire.clone(),
                ident,
                constant: ident::constant(&method.name),
                docs: docs::comment(&method.docs, scope.options),
                params: scope.expression(method.params()),
                result: method.result().map(|result| scope.expression(result)),
                optional: method.optional,
            }
        })
        .collect();
    let extensions = scope.protocol.extensions.as_ref().map(|extensions| {
        let place = Place::default();
        names.claim("ext_method", "extension methods", &place, diagnostics);
        names.claim("ext_notification", "extension notifications", &place, diagnostics);
        let any = Type::Any;
        let expression = |ty: &Option<Type>| scope.expression(ty.as_ref().unwrap_or(&any));
        (
            expression(&extensions.request),
            expression(&extensions.result),
            expression(&extensions.notification),
        )
    });
    SideModel {
        wire: side.name.wire.clone(),
        ident: ident::trait_name(&side.name),
        snake: side.name.snake(),
        methods,
        extensions,
    }
}
