//! What the templates print. Everything is decided: lines of code are broken, lines of
//! docstrings escaped and indented.

use serde::Serialize;

/// `types.py`
#[derive(Debug, Default, Serialize)]
pub(super) struct TypesModule {
    pub(super) imports: Vec<String>,
    pub(super) declarations: Vec<Declaration>,
    /// What type checkers see of the private names, and what msgspec sees.
    pub(super) wires: Vec<Wire>,
}

/// One thing that `types.py` defines.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Declaration {
    /// A class for objects with known fields.
    Struct(Struct),
    /// A class that variants inherit, with the functions that make them.
    Union(Union),
    /// A class with an initializer of its own.
    Slotted(Slotted),
    /// Another name for a type.
    Alias(Alias),
}

/// A class for objects with known fields.
#[derive(Debug, Serialize)]
pub(super) struct Struct {
    pub(super) header: Vec<String>,
    pub(super) doc: Vec<String>,
    /// The lines of all fields.
    pub(super) fields: Vec<String>,
}

/// A class that variants inherit.
#[derive(Debug, Serialize)]
pub(super) struct Union {
    pub(super) constructors_header: Vec<String>,
    pub(super) header: Vec<String>,
    pub(super) doc: Vec<String>,
    /// The lines of the attributes that all variants have.
    pub(super) shared: Vec<String>,
    pub(super) constructors: Vec<Function>,
}

/// A function.
#[derive(Debug, Serialize)]
pub(super) struct Function {
    pub(super) header: Vec<String>,
    pub(super) doc: Vec<String>,
    pub(super) body: Vec<String>,
}

/// A class with an initializer of its own: for a variant that is kept as it came, or for an
/// object that cannot be a struct.
#[derive(Debug, Serialize)]
pub(super) struct Slotted {
    pub(super) header: Vec<String>,
    pub(super) doc: Vec<String>,
    pub(super) slots: Vec<String>,
    /// The wire names of attributes.
    pub(super) wire: Vec<String>,
    pub(super) initializer: Function,
}

/// Another name for a type.
#[derive(Debug, Serialize)]
pub(super) struct Alias {
    /// Whether a class stands above it, which asks for more space.
    pub(super) after_class: bool,
    pub(super) lines: Vec<String>,
    /// The line that defines it at run time, where that is another one.
    pub(super) runtime: Option<String>,
    pub(super) doc: Vec<String>,
}

/// A private name that is one thing to type checkers and another to msgspec.
#[derive(Debug, Serialize)]
pub(super) struct Wire {
    pub(super) checked: Vec<String>,
    pub(super) runtime: Vec<String>,
}

/// `codecs.py`
#[derive(Debug, Serialize)]
pub(super) struct CodecsModule {
    /// What only type checkers import.
    pub(super) imports: Vec<String>,
    /// The lines of each constant.
    pub(super) codecs: Vec<Vec<String>>,
}

/// `_decoders.py`
#[derive(Debug, Default, Serialize)]
pub(super) struct DecodersModule {
    pub(super) imports: Vec<String>,
    /// What only type checkers import of `_decoding.py`.
    pub(super) checked: String,
    pub(super) functions: Vec<Function>,
    /// The lines of the tables that they use.
    pub(super) constants: Vec<Vec<String>>,
    /// All functions, by the names of their classes.
    pub(super) table: Vec<String>,
}

/// `enums.py`
#[derive(Debug, Default, Serialize)]
pub(super) struct EnumsModule {
    pub(super) imports: Vec<String>,
    pub(super) enums: Vec<Enum>,
}

/// One of several constants.
#[derive(Debug, Serialize)]
pub(super) struct Enum {
    pub(super) header: Vec<String>,
    pub(super) doc: Vec<String>,
    pub(super) members: Vec<Member>,
    /// The range of unknown integers.
    pub(super) unknown: Option<Function>,
}

/// A line of code with its docstring.
#[derive(Debug, Serialize)]
pub(super) struct Member {
    pub(super) lines: Vec<String>,
    pub(super) doc: Vec<String>,
}

/// `methods.py`
#[derive(Debug, Default, Serialize)]
pub(super) struct MethodsModule {
    /// The version of the protocol, where the schema says it.
    pub(super) version: Option<Member>,
    pub(super) constants: Vec<Member>,
    pub(super) tables: Vec<Member>,
}

/// `interfaces.py`
#[derive(Debug, Default, Serialize)]
pub(super) struct InterfacesModule {
    pub(super) imports: Vec<String>,
    pub(super) sides: Vec<Side>,
}

/// What one side handles.
#[derive(Debug, Serialize)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) methods: Vec<Function>,
}

/// `__init__.py`
#[derive(Debug, Serialize)]
pub(super) struct InitModule {
    pub(super) doc: Vec<String>,
    pub(super) imports: Vec<String>,
    /// All exported names as literals.
    pub(super) all: Vec<String>,
}

/// `pyproject.toml` and `README.md`
#[derive(Debug, Serialize)]
pub(super) struct PackageFiles {
    pub(super) title: String,
    pub(super) distribution: String,
    pub(super) version: String,
    pub(super) package: String,
    pub(super) description: String,
    pub(super) sides: Vec<SideSummary>,
}

/// A side, for the README.
#[derive(Debug, Serialize)]
pub(super) struct SideSummary {
    pub(super) name: String,
    pub(super) required: Vec<String>,
    pub(super) optional: Vec<String>,
}
