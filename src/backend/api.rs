//! The public API of a generated package, as data: what its users can name, read, build, call
//! and implement, keyed by the names of the model.
//!
//! Two of them are compared to find out what a change of a schema does to users' code. The
//! comparison knows no language: a type is text whose alternatives are separated by ` | `.
//! Everything else it needs is a field of its own here.

/// The public declarations of a generated package that follow from its protocol, in the order of
/// the package. Those that are the same for every protocol are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Api {
    /// The declarations. No two have the same `name`, unless names collide, which generation reports.
    pub declarations: Vec<Declaration>,
}

/// A type, a constant, a handler to implement, an object to call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The part of the protocol that it stands for.
    pub of: Origin,
    /// Its name in code.
    pub name: String,
    /// The use that it has.
    pub kind: DeclarationKind,
    /// The type that an alias or a newtype stands for. Empty for other kinds.
    pub ty: String,
    /// The traits that it derives, or the classes that it inherits from: what it can be used as.
    pub bases: Vec<String>,
    /// The lines before the members as they are shown: attributes, then the declaration's own.
    pub head: Vec<String>,
    /// Its members, in order.
    pub members: Vec<Member>,
    /// The line after the members as it is shown, if there is one.
    pub tail: String,
}

/// The part of a protocol that a declaration stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A definition, by its key in [`Protocol::types`](crate::ir::Protocol::types).
    Type(String),
    /// A variant of a union, where it is a type of its own.
    Variant {
        /// The union's key in [`Protocol::types`](crate::ir::Protocol::types).
        ty: String,
        /// The variant's name, as [`Variant::name`](crate::ir::Variant::name) spells it.
        variant: String,
    },
    /// A method, by its wire name.
    Method(String),
    /// A side, by its name.
    Side(String),
    /// The protocol as a whole.
    Protocol,
}

/// The use that a declaration has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// A value with fields.
    Record,
    /// A value that is one of several: an enum or a union. Its alternatives are members.
    Choice {
        /// True if code can tell all alternatives apart without a fallback, so that a new one makes
        /// such code incomplete.
        exhaustive: bool,
    },
    /// Another name for `ty`, interchangeable with it.
    Alias,
    /// A type of its own around `ty`.
    Newtype,
    /// Functions for users to implement.
    Handler,
    /// Functions for users to call.
    Caller,
    /// A constant, or several.
    Constants,
}

/// A field, an alternative, a value or a function of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The wire name of the field or of the method, or the name of the variant or enum value as
    /// the model spells it (`name.wire`). Empty where it stands for none of them.
    pub of: String,
    /// Its name in code. With its role it tells the members of a declaration apart.
    pub name: String,
    /// The use that it has.
    pub role: Role,
    /// The type of the field or constant, what the alternative holds, or what the function gives;
    /// of a field as a type checker sees it who reads it: `T | undefined` where it can be absent.
    /// Where an alternative is no name but a type, it is that type.
    pub ty: String,
    /// The parameters of the function. Empty for everything else.
    pub parameters: Vec<Parameter>,
    /// The declaration on one line, as it is shown, with its indentation. Empty: not shown.
    pub text: String,
}

/// The use that a member has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A field that need not be given.
    Optional,
    /// A field that whoever builds the value has to give.
    Required,
    /// An alternative of a choice.
    Alternative,
    /// A value with a name.
    Constant,
    /// A function to call; in a handler, one that has to be written.
    Function,
    /// In a handler, a function that may be left out.
    OptionalFunction,
    /// A function that makes the value.
    Constructor,
    /// A trait that is implemented.
    Trait,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The wire name of the field that it fills. Empty where it fills none.
    pub of: String,
    /// Its name in code.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// The way in which it is given: by its place or by its name.
    pub position: Position,
    /// True if it has to be given.
    pub required: bool,
}

/// The way in which a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// By its place among the others.
    Positional,
    /// By its name only.
    Keyword,
}

impl Declaration {
    /// A declaration without members.
    pub fn new(of: Origin, name: &str, kind: DeclarationKind) -> Self {
        let (ty, tail) = (String::new(), String::new());
        let (bases, head, members) = (Vec::new(), Vec::new(), Vec::new());
        Self { of, name: name.to_owned(), kind, ty, bases, head, members, tail }
    }

    /// The whole declaration as it is shown, line by line.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let members = self.members.iter().map(|member| member.text.as_str());
        let lines = self.head.iter().map(String::as_str).chain(members).chain([self.tail.as_str()]);
        lines.filter(|line| !line.is_empty())
    }
}

impl Member {
    /// A member without parameters.
    pub fn new(of: &str, name: &str, role: Role, ty: String, text: String) -> Self {
        let (of, name) = (of.to_owned(), name.to_owned());
        Self { of, name, role, ty, parameters: Vec::new(), text }
    }
}

impl Role {
    /// Tells whether it is a function to call or to write, not a value.
    pub fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::OptionalFunction | Self::Constructor)
    }
}
