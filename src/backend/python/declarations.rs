//! The contents of `types.py`: structs, unions with their variants, and aliases, each after
//! what it inherits.

use std::collections::HashSet;

use super::defaults::Default;
use super::doc::docstring;
use super::fields::{check_default, claim, class_text, description};
use super::imports::Imports;
use super::layout::{self, Expression, assignment, listed};
use super::literal;
use super::model::{Declaration, Function, Raw, Struct, TypesModule};
use super::scope::Scope;
use super::types::Reader;
use super::variants::{Attribute, Built, Leaf, LeafKind};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{TypeDef, TypeKind};
use crate::source::Place;

/// The indentation of a class body, and of a function's in it.
pub(super) const BODY: usize = 4;
pub(super) const FUNCTION: usize = 8;

/// Writes the model of `types.py`, and claims the names it defines.
pub(super) fn types_module(
    scope: &Scope<'_>,
    mode: DocsMode,
    exports: &mut Exports,
    diagnostics: &mut Diagnostics,
) -> TypesModule {
    let mut writer = Writer {
        scope,
        mode,
        diagnostics,
        exports,
        imports: Imports::default(),
        module: TypesModule::default(),
        defined: HashSet::new(),
        written: HashSet::new(),
    };
    writer.aliases(true);
    for (name, def) in &scope.protocol.types {
        match &def.kind {
            _ if scope.variants.is_folded(name) => {}
            TypeKind::Record(_) => writer.record(name, def),
            TypeKind::Union(_) => writer.union(name, def),
            TypeKind::Enum(_) | TypeKind::Alias { .. } => {}
        }
    }
    writer.aliases(false);
    writer.wires();
    writer.module.imports = writer.imports.lines();
    writer.module
}

/// The names that the package's modules offer.
#[derive(Debug)]
pub(super) struct Exports {
    namespace: Namespace,
    pub(super) types: Vec<String>,
    pub(super) enums: Vec<String>,
    pub(super) interfaces: Vec<String>,
}

impl Exports {
    pub(super) fn new() -> Self {
        Self {
            namespace: Namespace::new("names of the Python package"),
            types: Vec::new(),
            enums: Vec::new(),
            interfaces: Vec::new(),
        }
    }

    /// Takes a name. Two things of one name are reported with both places.
    pub(super) fn claim(
        &mut self,
        name: &str,
        wire: &str,
        place: &Place,
        diagnostics: &mut Diagnostics,
    ) {
        self.namespace.claim(name, wire, place, diagnostics);
    }
}

pub(super) struct Writer<'a, 'w> {
    pub(super) scope: &'w Scope<'a>,
    pub(super) mode: DocsMode,
    pub(super) diagnostics: &'w mut Diagnostics,
    pub(super) exports: &'w mut Exports,
    pub(super) imports: Imports,
    pub(super) module: TypesModule,
    /// The classes that stand above.
    defined: HashSet<String>,
    /// The definitions whose classes stand above.
    written: HashSet<&'a str>,
}

impl<'a> Writer<'a, '_> {
    pub(super) fn define(&mut self, class: &str, wire: &str, place: &Place) {
        self.exports.claim(class, wire, place, self.diagnostics);
        self.exports.types.push(class.to_owned());
        self.defined.insert(class.to_owned());
    }

    /// Whether a definition is written for the first time.
    pub(super) fn begin(&mut self, name: &'a str) -> bool {
        self.written.insert(name)
    }

    fn record(&mut self, name: &'a str, def: &'a TypeDef) {
        let TypeKind::Record(record) = &def.kind else { return };
        if !self.begin(name) {
            return;
        }
        let bases: Vec<&'a str> = self.scope.variants.bases(name).to_vec();
        for base in &bases {
            self.union_base(base);
        }
        let class = self.scope.class(name).to_owned();
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let attributes: Vec<&Attribute<'_>> = attributes.iter().collect();
        claim(&class, attributes.iter().copied(), self.diagnostics);
        for field in &record.fields {
            check_default(self.scope, &class, field, self.diagnostics);
        }
        let fallback = format!("The object `{}`.", super::doc::inline(&def.name.wire));
        let text = class_text(&def.docs, self.mode, &fallback, &attributes, self.scope);
        let mut parents: Vec<String> =
            bases.iter().map(|base| self.scope.class(base).to_owned()).collect();
        parents.push(String::from("Struct"));
        self.structure(&class, parents, None, bases.len() > 1, &text, &attributes, &[]);
        self.define(&class, &def.name.wire, &def.place);
    }

    fn union(&mut self, name: &'a str, def: &'a TypeDef) {
        let scope = self.scope;
        let Some(form) = scope.form(name) else { return };
        if form.is_class {
            self.union_base(name);
        }
        for leaf in &form.leaves {
            match &leaf.kind {
                LeafKind::Record { .. } => {}
                LeafKind::Built(built) => self.variant(name, def, leaf, built, form.is_class),
                LeafKind::Raw { property, fields, .. } => {
                    self.raw(name, leaf, property, fields, form.is_class);
                }
            }
        }
    }

    fn variant(
        &mut self,
        union: &str,
        def: &'a TypeDef,
        leaf: &Leaf<'a>,
        built: &Built<'a>,
        is_class: bool,
    ) {
        let mut parents = Vec::new();
        let mut conflict = false;
        if let Some((name, _)) = &built.inherits
            && let Some(record) = self.scope.def(name)
        {
            self.record(name, record);
            parents.push(self.scope.class(name).to_owned());
            conflict = is_class && self.scope.variants.bases(name).iter().any(|b| *b != union);
        }
        if is_class {
            parents.push(self.scope.class(union).to_owned());
        }
        if built.inherits.is_none() {
            parents.push(String::from("Struct"));
        }
        claim(&leaf.class, built.fields(), self.diagnostics);
        for Attribute { field, .. } in &built.declares {
            check_default(self.scope, &leaf.class, field, self.diagnostics);
        }
        let fallback = match (&built.tag, &built.inherits) {
            (Some((property, value)), _) => format!(
                "The variant of `{}` whose `{}` is `{}`.",
                super::doc::inline(&def.name.wire),
                super::doc::inline(property),
                super::doc::inline(value)
            ),
            (None, _) => format!(
                "The variant `{}` of `{}`.",
                super::doc::inline(leaf.wire),
                super::doc::inline(&def.name.wire)
            ),
        };
        let attributes: Vec<_> = built.fields().collect();
        let text = class_text(leaf.docs, self.mode, &fallback, &attributes, self.scope);
        let declared: Vec<_> = built.declares.iter().collect();
        let constants = &built.constants;
        self.structure(&leaf.class, parents, built.tag, conflict, &text, &declared, constants);
        self.define(&leaf.class, leaf.wire, leaf.place);
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one class statement")]
    fn structure(
        &mut self,
        class: &str,
        mut items: Vec<String>,
        tag: Option<(&str, &str)>,
        metaclasses_conflict: bool,
        text: &[String],
        attributes: &[&Attribute<'_>],
        constants: &[(&crate::ir::Name, &str)],
    ) {
        self.imports.msgspec("Struct");
        items.push(String::from("kw_only=True"));
        items.push(String::from("rename=\"camel\""));
        if let Some((property, value)) = tag {
            items.push(format!("tag_field={}", literal::string(property)));
            items.push(format!("tag={}", literal::string(value)));
        }
        let mut header = listed(0, &format!("class {class}"), &items, ":");
        if metaclasses_conflict && let Some(first) = header.first_mut() {
            // At run time the unions are plain classes.
            first.push_str("  # type: ignore[metaclass]");
        }
        let mut fields = Vec::new();
        for (name, value) in constants {
            fields.extend(self.constant(name, value));
        }
        for attribute in attributes {
            fields.extend(self.scope.declare(attribute, &self.defined, &mut self.imports));
        }
        let doc = docstring(text, BODY).unwrap_or_default();
        self.module.declarations.push(Declaration::Struct(Struct { header, doc, fields }));
    }

    /// The tag of a union inside a variant: a field with one possible value.
    fn constant(&mut self, name: &crate::ir::Name, value: &str) -> Vec<String> {
        self.imports.typing("Literal");
        self.imports.msgspec("field");
        let value = Expression::atom(literal::string(value));
        let wire = Expression::atom(literal::string(&name.wire));
        let annotation = Expression::Index("Literal", vec![value.clone()]);
        let arguments = [(String::from("default"), value), (String::from("name"), wire)];
        let field = Expression::call("field", arguments);
        assignment(BODY, &super::names::attribute(name), Some(&annotation), Some(&field))
    }

    fn raw(
        &mut self,
        union: &str,
        leaf: &Leaf<'a>,
        property: &str,
        fields: &[Attribute<'a>],
        is_class: bool,
    ) {
        self.imports.own("._support", "OpenVariant");
        let mut parents = Vec::new();
        if is_class {
            parents.push(self.scope.class(union).to_owned());
        }
        parents.push(String::from("OpenVariant"));
        claim(&leaf.class, fields, self.diagnostics);
        let fallback = format!(
            "A variant of `{}` that is kept as it came.",
            super::doc::inline(self.scope.def(union).map_or("", |def| &def.name.wire))
        );
        let attributes: Vec<_> = fields.iter().collect();
        let text = class_text(leaf.docs, self.mode, &fallback, &attributes, self.scope);
        let mut slots: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        slots.sort_by(|a, b| super::imports::compare(a, b));
        let slots: Vec<_> =
            slots.into_iter().map(|name| Expression::atom(literal::string(name))).collect();
        let slots = match slots.as_slice() {
            [] => Expression::atom("()"),
            [only] => Expression::atom(format!("({},)", only.flat())),
            _ => Expression::Call(
                String::new(),
                slots.iter().map(|slot| (None, slot.clone())).collect(),
            ),
        };
        let initializer = self.initializer(property, fields);
        self.module.declarations.push(Declaration::Raw(Raw {
            header: listed(0, &format!("class {}", leaf.class), &parents, ":"),
            doc: docstring(&text, BODY).unwrap_or_default(),
            slots: assignment(BODY, "__slots__", None, Some(&slots)),
            initializer,
        }));
        self.define(&leaf.class, leaf.wire, leaf.place);
    }

    /// Takes the tag, the other properties, and the shared fields by keyword.
    fn initializer(&mut self, property: &str, fields: &[Attribute<'a>]) -> Function {
        let mut parameters = vec![String::from("self")];
        parameters.extend(self.raw_parameters());
        if !fields.is_empty() {
            parameters.push(String::from("*"));
        }
        let property = literal::string(property);
        let mut body = layout::listed(
            FUNCTION,
            "super().__init__",
            &[property, String::from("tag"), String::from("raw")],
            "",
        );
        for Attribute { name, field } in fields {
            let ty = self.scope.annotation(field, Reader::People, &mut self.imports);
            let mut value = Expression::atom(name.clone());
            let parameter = match self.scope.absent(field, &mut self.imports) {
                None => format!("{name}: {}", ty.flat()),
                Some(Default::Shared(Expression::Atom(default))) => {
                    format!("{name}: {} = {default}", ty.flat())
                }
                Some(Default::Shared(made) | Default::Factory(made)) => {
                    self.imports.msgspec("UNSET");
                    let made = match made {
                        Expression::Lambda(body) => body.flat(),
                        Expression::Atom(class) => format!("{class}()"),
                        made => made.flat(),
                    };
                    value = Expression::atom(format!(
                        "{made} if isinstance({name}, UnsetType) else {name}"
                    ));
                    let ty = super::types::optional(ty, false, true, &mut self.imports);
                    format!("{name}: {} = UNSET", ty.flat())
                }
            };
            parameters.push(parameter);
            body.extend(assignment(FUNCTION, &format!("self.{name}"), None, Some(&value)));
        }
        Function {
            header: listed(BODY, "def __init__", &parameters, " -> None:"),
            doc: docstring(&[String::from("Keep an object as it is.")], FUNCTION)
                .unwrap_or_default(),
            body,
        }
    }

    /// The tag and the other properties of an object that is kept as it came.
    pub(super) fn raw_parameters(&mut self) -> [String; 2] {
        self.imports.collections("Mapping");
        self.imports.typing("Any");
        [String::from("tag: str"), String::from("raw: Mapping[str, Any] | None = None")]
    }

    /// The description of a definition as a docstring.
    pub(super) fn described(&self, def: &TypeDef, fallback: &str, indent: usize) -> Vec<String> {
        let text = description(&def.docs, self.mode, fallback, indent);
        docstring(&text, indent).unwrap_or_default()
    }
}
