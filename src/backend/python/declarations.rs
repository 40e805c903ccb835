//! The contents of `types.py`: structs, unions with their variants, and aliases, each after
//! what it inherits.

use std::collections::HashSet;

use super::defaults::Default;
use super::doc::{docstring, inline};
use super::fields::{check_default, claim, description, with_attributes};
use super::imports::Imports;
use super::layout::{Expression, LITERAL, SKIP, assignment, listed};
use super::literal;
use super::model::{Declaration, Struct, TypesModule};
use super::scope::Scope;
use super::variants::{Attribute, Built, Leaf, LeafKind, is_plain};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Field, Type, TypeDef, TypeKind};
use crate::source::Place;

/// The indentation of a class body, and of a function's in it.
pub(super) const BODY: usize = 4;
pub(super) const FUNCTION: usize = 8;

/// How deeply defaults made by classes can be nested in one another.
const MAX_NESTING: usize = 32;

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
        nesting: 0,
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
    pub(super) connections: Vec<String>,
}

impl Exports {
    pub(super) fn new() -> Self {
        Self {
            namespace: Namespace::new("names of the Python package"),
            types: Vec::new(),
            enums: Vec::new(),
            interfaces: Vec::new(),
            connections: Vec::new(),
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
    /// How many classes wait for the one that makes a default of theirs.
    nesting: usize,
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
        for field in &record.fields {
            self.default_first(field);
        }
        let class = self.scope.class(name).to_owned();
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let attributes: Vec<&Attribute<'_>> = attributes.iter().collect();
        claim(&class, attributes.iter().copied(), self.diagnostics);
        for field in &record.fields {
            check_default(self.scope, &class, field, self.diagnostics);
        }
        let fallback = format!("The object `{}`.", inline(&def.name.wire));
        let text = description(&def.docs, self.mode, &fallback, BODY);
        let text = with_attributes(text, self.mode, &attributes, self.scope);
        let mut parents: Vec<String> =
            bases.iter().map(|base| self.scope.class(base).to_owned()).collect();
        if is_plain(record) {
            self.plain(&class, parents, &text, &attributes, &[]);
        } else {
            parents.push(String::from("Struct"));
            self.structure(&class, parents, None, bases.len() > 1, &text, &attributes, &[]);
        }
        self.define(&class, &def.name.wire, &def.place);
    }

    /// Writes the class that makes a field's default before the class of the field, so that it
    /// can be named there. Where defaults are nested deeply it stands wherever it comes.
    fn default_first(&mut self, field: &'a Field) {
        let Type::Named { name } = self.scope.protocol.resolve(&field.ty) else { return };
        let is_made_by_class = matches!(
            self.scope.absent(field, &mut Imports::default()),
            Some(Default::Factory(Expression::Atom(_)))
        );
        if is_made_by_class
            && self.nesting < MAX_NESTING
            && let Some(def) = self.scope.def(name)
        {
            self.nesting += 1;
            self.record(name, def);
            self.nesting -= 1;
        }
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
            let others = self.scope.variants.bases(name).iter().filter(|base| **base != union);
            conflict = others.count() + usize::from(is_class) > 1;
        }
        if is_class {
            parents.push(self.scope.class(union).to_owned());
        }
        if built.inherits.is_none() && !built.is_plain {
            parents.push(String::from("Struct"));
        }
        claim(&leaf.class, built.fields(), self.diagnostics);
        for Attribute { field, .. } in &built.declares {
            check_default(self.scope, &leaf.class, field, self.diagnostics);
        }
        let fallback =
            format!("The variant `{}` of `{}`.", inline(leaf.wire), inline(&def.name.wire));
        let mut text = description(leaf.docs, self.mode, &fallback, BODY);
        let mut facts = Vec::new();
        if let Some((name, _)) = &built.inherits {
            facts.push(format!("It has the fields of `{}`.", self.scope.class(name)));
        }
        let constants = built.constants.iter().map(|(name, value)| (name.wire.as_str(), *value));
        let tags: Vec<(&str, &str)> = built.tag.into_iter().chain(constants).collect();
        for (property, value) in &tags {
            facts.push(format!("On the wire, `{}` is `{}`.", inline(property), inline(value)));
        }
        if !facts.is_empty() {
            text.push(String::new());
            text.extend(super::doc::lines(&facts.join(" "), BODY));
        }
        let declared: Vec<_> = built.declares.iter().collect();
        let text = with_attributes(text, self.mode, &declared, self.scope);
        if built.is_plain {
            self.plain(&leaf.class, parents, &text, &declared, &tags);
        } else {
            let constants = &built.constants;
            self.structure(&leaf.class, parents, built.tag, conflict, &text, &declared, constants);
        }
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
        // A struct that inherits another inherits how it is renamed.
        if items.iter().any(|parent| parent == "Struct") {
            items.push(String::from("kw_only=True"));
            items.push(String::from("rename=\"camel\""));
            // Messages are trees: the collector of cycles need not look at them.
            items.push(String::from("gc=False"));
        } else if !attributes.is_empty() || !constants.is_empty() {
            items.push(String::from("kw_only=True"));
        }
        if let Some((property, value)) = tag {
            items.push(format!("tag_field={}", literal::string(property)));
            items.push(format!("tag={}", literal::string(value)));
        }
        let mut header = listed(0, &format!("class {class}"), &items, ":");
        if metaclasses_conflict && let Some(first) = header.first_mut() {
            // At run time the unions are plain classes.
            let line = first.trim_end_matches(SKIP);
            let skip = first.get(line.len()..).unwrap_or_default();
            *first = format!("{line}  # type: ignore[metaclass]{skip}");
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
        self.imports.typing(LITERAL);
        self.imports.msgspec("field");
        let value = Expression::atom(literal::string(value));
        let wire = Expression::atom(literal::string(&name.wire));
        let annotation = Expression::Index(LITERAL, vec![value.clone()]);
        let arguments = [(String::from("default"), value), (String::from("name"), wire)];
        let field = Expression::call("field", arguments);
        assignment(BODY, &super::names::attribute(name), Some(&annotation), Some(&field))
    }

    /// The description of a definition as a docstring.
    pub(super) fn described(&self, def: &TypeDef, fallback: &str, indent: usize) -> Vec<String> {
        let text = description(&def.docs, self.mode, fallback, indent);
        docstring(&text, indent).unwrap_or_default()
    }
}
