//! The definitions of `types.py`.

use std::collections::HashSet;

use serde::Serialize;

use super::super::docs::docstring;
use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::literals;
use super::calls::Params;
use super::fields::StructField;
use super::scope::Scope;
use super::{Exports, Parameter};
use crate::backend::DocsMode;
use crate::backend::api::Origin;
use crate::backend::template::Sequence;
use crate::ir::Findings;
use crate::source::Location;

/// `types.py`
#[derive(Debug, Serialize)]
pub(crate) struct TypesModule {
    pub(crate) imports: Vec<Import>,
    pub(crate) declarations: Sequence<Declaration>,
    /// The part of the protocol that each of them stands for.
    #[serde(skip)]
    pub(crate) origins: Vec<Origin>,
    /// The private names that msgspec reads.
    pub(crate) wires: Vec<WireType>,
    /// True if some types have old names beside their own.
    pub(crate) has_old_names: bool,
}

/// A definition of `types.py`.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Declaration {
    /// A class for objects with known fields.
    Struct(Struct),
    /// A class that variants inherit, with the functions that make them.
    Union(UnionClass),
    /// A class with an initializer of its own.
    Plain(PlainClass),
    /// Another name for a type.
    Alias(Alias),
}

/// A class for objects with known fields.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// The classes of the package that it inherits.
    pub(crate) bases: Vec<String>,
    /// True if one of them is a struct, from which it inherits how fields are renamed.
    pub(crate) is_derived: bool,
    /// True if type checkers see several metaclasses. At run time the unions are plain classes.
    pub(crate) has_many_metaclasses: bool,
    /// The tag that selects it: property and value, as literals.
    pub(crate) tag: Option<[String; 2]>,
    /// The attribute that gives the tag, and the tag as a literal.
    pub(crate) shown_tag: Option<[String; 2]>,
    /// True if msgspec refuses properties that it does not have.
    pub(crate) is_closed: bool,
    pub(crate) doc: String,
    /// The tags of unions inside a variant.
    pub(crate) constants: Vec<Constant>,
    pub(crate) fields: Vec<StructField>,
    /// The parameters of its initializer, where these take more than the attributes hold.
    pub(crate) takes: Vec<Parameter>,
    pub(crate) warnings: Warnings,
}

/// A field with one possible value.
#[derive(Debug, Serialize)]
pub(crate) struct Constant {
    pub(crate) name: String,
    /// The value and the wire name, as literals.
    pub(crate) value: String,
    pub(crate) wire: String,
}

/// A class that variants inherit.
#[derive(Debug, Serialize)]
pub(crate) struct UnionClass {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// The attributes that all variants have.
    pub(crate) shared: Vec<SharedAttribute>,
    /// The attribute that gives a value as one of its variants, and the type of that.
    pub(crate) variant: String,
    pub(crate) variants: Expression,
    pub(crate) constructors: Vec<Constructor>,
}

/// An attribute that all variants have.
#[derive(Debug, Serialize)]
pub(crate) struct SharedAttribute {
    #[serde(flatten)]
    pub(crate) parameter: Parameter,
    /// The docstring below it; empty if there is nothing to say.
    pub(crate) doc: String,
}

/// A function that makes a variant of its fields.
#[derive(Debug, Serialize)]
pub(crate) struct Constructor {
    pub(crate) name: String,
    pub(crate) class: String,
    #[serde(skip)]
    pub(crate) wire: String,
    /// True if the variant is kept as it came.
    pub(crate) is_raw: bool,
    /// The tag of such a variant as a literal, if only one is possible.
    pub(crate) tag: Option<String>,
    pub(crate) params: Params,
    /// The decorators that warn of the function.
    pub(crate) decorators: Vec<Expression>,
    pub(crate) doc: String,
}

/// A class with an initializer of its own.
#[derive(Debug, Serialize)]
pub(crate) struct PlainClass {
    pub(crate) name: String,
    /// The classes of the package that it inherits.
    pub(crate) bases: Vec<String>,
    /// True where type checkers take the metaclasses of its bases for different ones.
    pub(crate) has_many_metaclasses: bool,
    /// The property of the tag as a literal, for a variant that is kept as it came.
    pub(crate) kept_by: Option<String>,
    /// The attribute that gives the tag of such a variant, beside `tag`.
    pub(crate) shown_tag: Option<String>,
    pub(crate) doc: String,
    /// The names of its attributes as literals, in the linter's order.
    pub(crate) slots: Vec<String>,
    /// Attributes and wire names, as literals.
    pub(crate) wire: Vec<[String; 2]>,
    /// The name of the attribute for members that no other is for, as a literal.
    pub(crate) additional: Option<String>,
    /// The properties that select it, and their values, as literals.
    pub(crate) tags: Vec<[String; 2]>,
    pub(crate) fields: Vec<PlainField>,
    pub(crate) warnings: Warnings,
}

/// A field of a plain class: a parameter of its initializer.
#[derive(Debug, Serialize)]
pub(crate) struct PlainField {
    #[serde(flatten)]
    pub(crate) parameter: Parameter,
    /// The expression of a fresh default where the parameter is `UNSET`.
    pub(crate) made: Option<Expression>,
    /// The value that is kept, where it is not the argument itself.
    pub(crate) kept: Option<Expression>,
}

/// The warnings of a class: deprecated and unstable attributes, and the class itself.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Warnings {
    /// The decorators.
    pub(crate) decorators: Vec<Expression>,
    /// The statements that run when a value was made.
    pub(crate) statements: Vec<Expression>,
}

/// Another name for a type.
#[derive(Debug, Serialize)]
pub(crate) struct Alias {
    pub(crate) name: String,
    /// The type.
    #[serde(skip)]
    pub(crate) ty: Expression,
    /// The type in code; as a literal where the alias refers to itself.
    pub(crate) target: String,
    /// True if the alias refers to itself, so that generated code decodes it.
    pub(crate) is_marked: bool,
    /// True if a class stands above it, which asks for more space.
    pub(crate) after_class: bool,
    /// The name of the type, as a literal, if this is an old name of it: whoever asks for it gets a
    /// warning.
    pub(crate) new_name: Option<String>,
    pub(crate) doc: String,
}

impl Alias {
    /// A name that a class had before, in a block of such names.
    pub(super) fn old(name: String, new: &str) -> Self {
        let docs = [format!("Called `{new}`."), String::new(), String::from("Deprecated.")];
        Self {
            name,
            ty: Expression::atom(new),
            target: new.to_owned(),
            is_marked: false,
            after_class: false,
            new_name: Some(literals::string(new)),
            doc: docstring(&docs, 4),
        }
    }
}

/// A private name that is one thing to type checkers and another to msgspec.
#[derive(Debug, Serialize)]
pub(crate) struct WireType {
    /// The class that type checkers see.
    pub(crate) class: String,
    /// The classes from which msgspec selects by tag or kind. Without them, generated code decodes
    /// the value.
    pub(crate) target: Option<Expression>,
}

/// Collects declarations, each once.
pub(super) struct TypesBuilder<'a, 'w> {
    pub(super) scope: &'w Scope<'a>,
    pub(super) mode: DocsMode,
    pub(super) diagnostics: &'w mut Findings,
    pub(super) exports: &'w mut Exports,
    pub(super) imports: Imports,
    pub(super) declarations: Vec<Declaration>,
    pub(super) origins: Vec<Origin>,
    /// The classes that stand above.
    pub(super) defined: HashSet<String>,
    /// The definitions whose classes stand above.
    pub(super) begun: HashSet<&'a str>,
    /// The number of classes that wait for the one that makes a default of theirs.
    pub(super) nesting: usize,
}

impl<'a> TypesBuilder<'a, '_> {
    /// Adds a declaration, and claims its name.
    pub(super) fn declare(
        &mut self,
        declaration: Declaration,
        of: Origin,
        class: &str,
        wire: &str,
        location: &Location,
    ) {
        self.exports.claim(class, wire, location, self.diagnostics);
        let is_old = matches!(&declaration, Declaration::Alias(alias) if alias.new_name.is_some());
        let exported = if is_old { &mut self.exports.old_types } else { &mut self.exports.types };
        exported.push(class.to_owned());
        self.defined.insert(class.to_owned());
        self.declarations.push(declaration);
        self.origins.push(of);
    }

    /// Tells whether a definition is declared for the first time.
    pub(super) fn begin(&mut self, name: &'a str) -> bool {
        self.begun.insert(name)
    }
}
