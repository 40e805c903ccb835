//! Methods that sides handle.

use proc_macro2::Ident;

use super::helper::Helpers;
use crate::backend::rust::docs::DocComment;
use crate::backend::rust::types::RustType;
use crate::ir::Method;

/// A method that a side handles.
#[derive(Debug)]
pub(crate) struct MethodModel<'a> {
    pub method: &'a Method,
    pub ident: Ident,
    /// The name of the constant that holds the wire name.
    pub constant: Ident,
    pub docs: DocComment,
    pub params: RustType,
    /// The type of the result, if it is a request.
    pub result: Option<RustType>,
    /// The function that gives the result in pieces, if it comes in some.
    pub streamed: Option<Ident>,
    /// The properties with the token and with the piece, if it brings pieces of
    /// the results of other methods.
    pub pieces: Vec<(&'a str, &'a str)>,
    /// The functions beside the call.
    pub helpers: Helpers,
}
