//! The model of handles: a handle is the result of a request that opens something.

use proc_macro2::Ident;

use super::method::MethodModel;
use super::parameters::{Parameter, required};
use super::scope::Scope;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::ir::{Field, Handle, Method, Name, Side, Type, TypeKind};

/// The type of a handle, with a function for each method that takes the handle's id.
#[derive(Debug)]
pub(crate) struct HandleModel {
    pub ident: Ident,
    /// The function that opens it, and the types of its params and its result.
    pub opened_by: Ident,
    pub params: RustType,
    pub result: RustType,
    /// The fields of the params that it keeps.
    pub kept: Vec<Kept>,
    pub methods: Vec<HandleMethodModel>,
    pub release: Option<HandleMethodModel>,
}

/// A field that a handle keeps.
#[derive(Debug)]
pub(crate) struct Kept {
    pub ident: Ident,
    pub ty: RustType,
    /// True if a value is copied where it is used.
    pub is_copied: bool,
}

/// A method of a handle.
#[derive(Debug)]
pub(crate) struct HandleMethodModel {
    pub ident: Ident,
    pub docs: DocComment,
    /// The function that it calls, and the constant of the method.
    pub function: Ident,
    pub constant: Ident,
    pub params: RustType,
    pub result: Option<RustType>,
    /// The arguments that make up the params.
    pub arguments: Vec<Argument>,
}

/// An argument of the params of a handle's method.
#[derive(Debug)]
pub(crate) enum Argument {
    /// A field of the params that the handle has kept.
    Kept(Ident, bool),
    /// The id, which is in the result.
    Id(Ident, bool),
    /// A parameter of the handle's method.
    Given(Parameter),
}

/// Decides the handles that a side opens.
pub(super) fn handles(
    scope: &Scope<'_>,
    side: &Side,
    methods: &[MethodModel<'_>],
) -> Vec<HandleModel> {
    let opening = methods.iter().filter_map(|model| Some((model, model.method.handle.as_ref()?)));
    let handles = opening.filter_map(|(opening, handle)| {
        let find = |wire: &str| {
            let found = scope.protocol.method_of(&opening.method.handler, wire)?;
            methods.iter().find(|it| std::ptr::eq(it.method, found))
        };
        let given = |name: &Name, wire: &str| {
            let ident = names::value(name);
            method(scope, handle, opening.method, find(wire)?, ident)
        };
        let release = handle.release.as_ref().and_then(|wire| given(&Name::new("release"), wire));
        let methods = handle.methods.iter().filter_map(|it| given(&it.name, &it.method));
        Some(HandleModel {
            ident: names::type_name(&handle.name, |name| *side.name.pascal() == *name),
            opened_by: opening.ident.clone(),
            params: opening.params.clone(),
            result: opening.result.clone()?,
            kept: handle.with.iter().filter_map(|it| kept(scope, opening.method, it)).collect(),
            methods: methods.collect(),
            release,
        })
    });
    handles.collect()
}

fn kept(scope: &Scope<'_>, opening: &Method, name: &Name) -> Option<Kept> {
    let field = field(scope, opening.params(), name)?;
    Some(Kept {
        ident: names::value(name),
        ty: scope.rust_type(&field.ty),
        is_copied: is_copied(scope, &field.ty),
    })
}

fn method(
    scope: &Scope<'_>,
    handle: &Handle,
    opening: &Method,
    model: &MethodModel<'_>,
    ident: Ident,
) -> Option<HandleMethodModel> {
    let (owner, def) = scope.definition(model.method.params())?;
    let TypeKind::Record(record) = &def.kind else { return None };
    let fields: Vec<(&Field, Parameter)> = required(scope, owner, &record.fields).collect();
    let arguments = fields.into_iter().map(|(field, parameter)| {
        let is_with = handle.with.iter().any(|with| with.wire == field.name.wire);
        if field.name.wire == handle.id.wire {
            let id = self::field(scope, opening.result()?, &handle.id)?;
            Some(Argument::Id(names::value(&handle.id), is_copied(scope, &id.ty)))
        } else if is_with {
            let kept = self::field(scope, opening.params(), &field.name)?;
            Some(Argument::Kept(names::value(&field.name), is_copied(scope, &kept.ty)))
        } else {
            Some(Argument::Given(parameter))
        }
    });
    Some(HandleMethodModel {
        ident,
        docs: model.docs.clone(),
        function: model.ident.clone(),
        constant: model.constant.clone(),
        params: model.params.clone(),
        result: model.result.clone(),
        arguments: arguments.collect::<Option<_>>()?,
    })
}

fn field<'a>(scope: &Scope<'a>, ty: &'a Type, name: &Name) -> Option<&'a Field> {
    scope.protocol.field(ty, &name.wire)
}

/// Tells whether Rust copies values of a type.
fn is_copied(scope: &Scope<'_>, ty: &Type) -> bool {
    let resolved = scope.protocol.resolve(ty);
    matches!(resolved, Type::Boolean | Type::Integer(_) | Type::Number(_))
}
