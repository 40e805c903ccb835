//! The contents of `_decoders.py`: for each definition a function that decodes it, and the
//! table that says how.
//!
//! A table may name any function, a function any table: functions stand above.

mod types;
mod unions;

use super::declarations::FUNCTION;
use super::imports::Imports;
use super::layout::{Expression, assignment, listed};
use super::literal;
use super::model::{DecodersModule, Function};
use super::scope::Scope;
use super::variants::Attribute;
use crate::ir::{Name, TypeDef, TypeKind};

/// The indentation of a function's body.
const BODY: usize = FUNCTION - 4;

/// Writes the model of `_decoders.py`.
pub(super) fn decoders_module(scope: &Scope<'_>) -> DecodersModule {
    let mut writer = Writer {
        scope,
        imports: Imports::default(),
        module: DecodersModule::default(),
        checks: Vec::new(),
    };
    let types = || scope.protocol.types.iter().filter(|(name, _)| !scope.variants.is_folded(name));
    for (name, def) in types() {
        writer.function(name, def);
    }
    // What other tables name stands before them.
    for (_, def) in types().filter(|(_, def)| matches!(def.kind, TypeKind::Record(_))) {
        writer.table("", def);
    }
    for (name, def) in types().filter(|(_, def)| !matches!(def.kind, TypeKind::Record(_))) {
        writer.table(name, def);
    }
    let mut module = writer.module;
    module.imports = writer.imports.lines();
    let checked = if module.functions.is_empty() { "Decode" } else { "Context, Decode" };
    checked.clone_into(&mut module.checked);
    module
}

struct Writer<'a, 'w> {
    scope: &'w Scope<'a>,
    imports: Imports,
    module: DecodersModule,
    /// The definitions without a class whose checks are being written, each inside the one before.
    checks: Vec<&'a str>,
}

impl<'a> Writer<'a, '_> {
    /// The function that decodes a definition.
    fn function(&mut self, key: &str, def: &TypeDef) {
        let class = self.scope.class(key);
        let name = function(&def.name);
        self.module.table.push(format!("{}: {name}", literal::string(class)));
        let table = table(&def.name);
        let given = [String::from("value"), String::from("context")];
        let with = |more: &[String]| given.iter().chain(more).cloned().collect::<Vec<_>>();
        let (head, arguments) = match &def.kind {
            TypeKind::Record(_) => {
                let head = format!("return {}", self.helper("record"));
                (head, with(&[self.class(key), table]))
            }
            TypeKind::Enum(_) => {
                let head = format!("return {}", self.value("choice"));
                (head, with(&[self.class(key)]))
            }
            TypeKind::Union(_) => (format!("return {table}.decode"), with(&[String::from("{}")])),
            TypeKind::Alias { .. } => (format!("return {table}"), with(&[])),
        };
        let parameters = ["value: Any", "context: Context"].map(String::from);
        self.module.functions.push(Function {
            header: listed(0, &format!("def {name}"), &parameters, " -> Any:"),
            doc: Vec::new(),
            body: listed(BODY, &head, &arguments, ""),
        });
    }

    /// The table that the function uses.
    fn table(&mut self, key: &str, def: &'a TypeDef) {
        let value = match &def.kind {
            TypeKind::Record(record) => self.fields(record.fields.iter().map(Attribute::own)),
            TypeKind::Union(union) => self.union(key, union),
            TypeKind::Alias { target } => self.ty(target),
            TypeKind::Enum(_) => return,
        };
        self.module.constants.push(assignment(0, &table(&def.name), None, Some(&value)));
    }

    /// A function of `_decoding.py`.
    fn helper(&mut self, name: &'static str) -> &'static str {
        self.imports.own("._decoding", name);
        name
    }

    /// A function of `_values.py`.
    fn value(&mut self, name: &'static str) -> &'static str {
        self.imports.own("._values", name);
        name
    }

    /// A class of the package.
    fn class(&mut self, key: &str) -> String {
        let module = match self.scope.def(key).map(|def| &def.kind) {
            Some(TypeKind::Enum(_)) => "enums",
            _ => "types",
        };
        self.imports.own(".", module);
        format!("{module}.{}", self.scope.class(key))
    }

    /// A class of a variant.
    fn leaf_class(&mut self, class: &str) -> Expression {
        self.imports.own(".", "types");
        Expression::atom(format!("types.{class}"))
    }
}

/// The function that decodes a definition.
fn function(name: &Name) -> String {
    format!("_decode_{}", name.snake())
}

/// The table that it uses.
fn table(name: &Name) -> String {
    format!("_{}", name.screaming())
}

/// A call with arguments by position, and then by name.
fn call<const N: usize>(
    head: &str,
    positional: impl IntoIterator<Item = Expression>,
    named: [(&str, Option<Expression>); N],
) -> Expression {
    let positional = positional.into_iter().map(|value| (None, value));
    let named = named.into_iter().filter_map(|(name, value)| Some((Some(name.to_owned()), value?)));
    Expression::Call(head.to_owned(), positional.chain(named).collect())
}

/// A string as an expression.
fn string(text: &str) -> Expression {
    Expression::atom(literal::string(text))
}

/// `True`, or nothing.
fn flag(is_set: bool) -> Option<Expression> {
    is_set.then(|| Expression::atom("True"))
}
