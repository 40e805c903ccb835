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

/// The contents of `catalogue.py`.
#[derive(Debug, Serialize)]
pub(super) struct CatalogueModule {
    /// The modules of types that it names.
    pub(super) modules: Vec<&'static str>,
    /// The class by which the request is called.
    pub(super) peer: String,
    pub(super) entries: Vec<Function>,
    /// The statement that calls.
    pub(super) call: Vec<String>,
    /// The attribute of the result that holds what came out.
    pub(super) output: String,
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
    /// What only type checkers import.
    pub(super) guarded: Vec<String>,
    pub(super) sides: Vec<Side>,
}

/// What one side handles.
#[derive(Debug, Serialize)]
pub(super) struct Side {
    pub(super) header: Vec<String>,
    pub(super) doc: Vec<String>,
    pub(super) methods: Vec<Function>,
}

/// `errors.py`
#[derive(Debug, Serialize)]
pub(super) struct ErrorsModule {
    /// The functions that make the protocol's own errors.
    pub(super) constructors: Vec<Function>,
}

/// `connections.py`
#[derive(Debug, Serialize)]
pub(super) struct ConnectionsModule {
    pub(super) imports: Vec<String>,
    /// What only type checkers import.
    pub(super) guarded: Vec<String>,
    /// Whether some results come in pieces.
    pub(super) has_streams: bool,
    /// The methods of extensions, each a constant.
    pub(super) extensions: Vec<Vec<String>>,
    pub(super) sides: Vec<End>,
}

/// One end of a connection.
#[derive(Debug, Serialize)]
pub(super) struct End {
    /// The class of its handlers.
    pub(super) name: String,
    /// Its name as text.
    pub(super) wire: String,
    /// The class that holds its methods, and the header of that.
    pub(super) methods: String,
    pub(super) methods_header: Vec<String>,
    pub(super) handled: Vec<Handled>,
    /// The constant that says what it handles, and its statement.
    pub(super) side: String,
    pub(super) describe: Vec<String>,
    /// The class by which others call it.
    pub(super) peer: String,
    pub(super) peer_header: Vec<String>,
    pub(super) calls: Vec<Function>,
    /// What its handlers know.
    pub(super) context: String,
    pub(super) context_header: Vec<String>,
    /// Who may be at the other end.
    pub(super) peers: Vec<Peer>,
    /// Whether a connection has those as properties, because there are several.
    pub(super) is_accessible: bool,
    pub(super) connection: String,
    pub(super) connection_header: Vec<String>,
    pub(super) init: Vec<String>,
    /// The function that serves on standard streams.
    pub(super) run: String,
    pub(super) run_header: Vec<String>,
    pub(super) connect: Vec<String>,
    pub(super) spawn: Option<Spawn>,
}

/// A method that a side handles.
#[derive(Debug, Serialize)]
pub(super) struct Handled {
    pub(super) lines: Vec<String>,
}

/// A side at the other end.
#[derive(Debug, Serialize)]
pub(super) struct Peer {
    /// The header of the property that gives it.
    pub(super) header: Vec<String>,
    pub(super) name: String,
}

/// The function that starts a process.
#[derive(Debug, Serialize)]
pub(super) struct Spawn {
    pub(super) name: String,
    pub(super) header: Vec<String>,
    pub(super) connect: Vec<String>,
}

/// `__init__.py`
#[derive(Debug, Serialize)]
pub(super) struct InitModule {
    pub(super) doc: Vec<String>,
    pub(super) imports: Vec<String>,
    /// What is imported once it is asked for: to type checkers, with the other imports.
    pub(super) late_imports: Vec<String>,
    /// The modules that those names come from: entries of a dictionary.
    pub(super) late: Vec<String>,
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
    pub(super) guide: Vec<String>,
    pub(super) has_version: bool,
    pub(super) has_streams: bool,
    pub(super) sides: Vec<SideSummary>,
}

/// A side, for the README.
#[derive(Debug, Serialize)]
pub(super) struct SideSummary {
    pub(super) name: String,
    pub(super) required: Vec<String>,
    pub(super) optional: Vec<String>,
}
