//! The class that all variants of a union inherit, and the functions that make them; aliases;
//! and what msgspec sees instead of either.

use super::declarations::{BODY, FUNCTION, Writer};
use super::doc::{code, docstring, lines};
use super::fields::description;
use super::layout::{Expression, assignment, indented, listed};
use super::literal;
use super::model::{Alias, Declaration, Function, Union, Wire as WireLines};
use super::scope::{Wire, named};
use super::types::Reader;
use super::variants::{Attribute, Built, Leaf, LeafKind, UnionForm};
use crate::backend::names::Namespace;
use crate::ir::{Field, TypeKind};

impl<'a> Writer<'a, '_> {
    /// The class of a union, unless it is already there.
    pub(super) fn union_base(&mut self, name: &'a str) {
        let scope = self.scope;
        let (Some(def), Some(form)) = (scope.def(name), scope.form(name)) else { return };
        let TypeKind::Union(union) = &def.kind else { return };
        if !self.begin(name) {
            return;
        }
        let class = scope.class(name);
        let fallback = format!("The union `{}`.", super::doc::inline(&def.name.wire));
        let mut text = description(&def.docs, self.mode, &fallback, BODY);
        text.push(String::new());
        text.push(String::from("One of:"));
        text.extend(form.leaves.iter().flat_map(member));
        let shared: Vec<_> = union
            .shared
            .iter()
            .filter(|field| !is_redefined(&form.leaves, field))
            .map(Attribute::shared)
            .collect();
        let mut shared_lines = Vec::new();
        for Attribute { name, field, .. } in &shared {
            let ty = scope.annotation(field, Reader::People, &mut self.imports);
            shared_lines.extend(assignment(BODY, name, Some(&ty), None));
        }
        let mut functions = Namespace::new(format!("variants of `{class}` in Python"));
        let mut constructors = Vec::new();
        for leaf in &form.leaves {
            functions.claim(&leaf.function, leaf.wire, leaf.place, self.diagnostics);
            constructors.push(self.constructor(leaf));
        }
        self.imports.own("._support", "Constructors");
        let metaclass = format!("metaclass=_{class}Constructors");
        self.module.declarations.push(Declaration::Union(Union {
            constructors_header: listed(
                0,
                &format!("class _{class}Constructors"),
                &[String::from("Constructors")],
                ":",
            ),
            header: listed(0, &format!("class {class}"), &[metaclass], ":"),
            doc: docstring(&text, BODY).unwrap_or_default(),
            shared: shared_lines,
            constructors,
        }));
        self.define(class, &def.name.wire, &def.place);
    }

    /// A function that takes the required fields of a variant.
    fn constructor(&mut self, leaf: &Leaf<'a>) -> Function {
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let fields: Vec<Attribute<'a>> = match &leaf.kind {
            LeafKind::Record { record, .. } => record.fields.iter().map(Attribute::own).collect(),
            LeafKind::Built(built) => built.fields().cloned().collect(),
            LeafKind::Raw { tag, fields, .. } => {
                let [tag_parameter, raw] = self.raw_parameters();
                arguments.push(tag.map_or_else(|| String::from("tag"), literal::string));
                parameters.extend(tag.is_none().then_some(tag_parameter));
                parameters.push(raw);
                arguments.push(String::from("raw"));
                fields.clone()
            }
        };
        let is_raw = !arguments.is_empty();
        let required: Vec<_> =
            fields.iter().filter(|attribute| attribute.field.presence.is_required()).collect();
        if is_raw && !required.is_empty() {
            parameters.push(String::from("*"));
        }
        for Attribute { name, field, .. } in required {
            let ty = self.scope.annotation(field, Reader::People, &mut self.imports);
            parameters.push(format!("{name}: {}", ty.flat()));
            arguments.push(format!("{name}={name}"));
        }
        let text =
            description(leaf.docs, self.mode, &format!("Make a `{}`.", leaf.class), FUNCTION);
        let doc = match text.iter().position(String::is_empty) {
            Some(end) => text.get(..end).unwrap_or_default(),
            None => &text,
        };
        Function {
            header: listed(
                BODY,
                &format!("def {}", leaf.function),
                &parameters,
                &format!(" -> {}:", leaf.class),
            ),
            doc: docstring(doc, FUNCTION).unwrap_or_default(),
            body: listed(FUNCTION, &format!("return {}", leaf.class), &arguments, ""),
        }
    }

    /// The aliases that need nothing of this module, or all others.
    pub(super) fn aliases(&mut self, first: bool) {
        for name in self.scope.aliases().to_vec() {
            let needs_nothing = match self.scope.def(name).map(|def| &def.kind) {
                Some(TypeKind::Alias { target }) => named(target).is_empty(),
                _ => false,
            };
            if needs_nothing == first {
                self.alias(name);
            }
        }
    }

    fn alias(&mut self, name: &'a str) {
        let scope = self.scope;
        let Some(def) = scope.def(name) else { return };
        let class = scope.class(name);
        let target = self.alias_target(name, Reader::People);
        self.imports.typing("TypeAlias");
        let annotation = Expression::atom("TypeAlias");
        let fallback = format!("The type `{}`.", super::doc::inline(&def.name.wire));
        let last = self.module.declarations.last();
        let after_class = last.is_some_and(|last| !matches!(last, Declaration::Alias(_)));
        let alias = if scope.is_recursive(name) {
            self.imports.typing("TYPE_CHECKING");
            self.imports.own("._support", "mark");
            let quoted = Expression::atom(literal::string(&target.flat()));
            Alias {
                after_class,
                lines: assignment(BODY, class, Some(&annotation), Some(&quoted)),
                runtime: Some(format!("    {class} = mark(\"{class}\")")),
                doc: self.described(def, &fallback, 0),
            }
        } else {
            Alias {
                after_class,
                lines: assignment(0, class, Some(&annotation), Some(&target)),
                runtime: None,
                doc: self.described(def, &fallback, 0),
            }
        };
        self.module.declarations.push(Declaration::Alias(alias));
        self.define(class, &def.name.wire, &def.place);
    }

    /// What an alias stands for.
    fn alias_target(&mut self, name: &str, reader: Reader) -> Expression {
        let scope = self.scope;
        match scope.def(name).map(|def| &def.kind) {
            Some(TypeKind::Alias { target }) => scope.ty(target, reader, &mut self.imports),
            Some(TypeKind::Union(union)) => {
                let payloads = union.untagged().filter_map(|variant| variant.payload.as_ref());
                let mut members: Vec<_> =
                    payloads.map(|ty| scope.ty(ty, reader, &mut self.imports)).collect();
                let leaves = scope.form(name).into_iter().flat_map(|form| &form.leaves);
                members.extend(leaves.map(|leaf| Expression::atom(leaf.class.clone())));
                Expression::union(members)
            }
            _ => super::types::any(&mut self.imports),
        }
    }

    /// The private names that msgspec reads, in the order in which they can be defined.
    pub(super) fn wires(&mut self) {
        let scope = self.scope;
        let aliases = scope.aliases();
        let unions = scope.protocol.types.keys().map(String::as_str);
        let names = unions.filter(|name| !scope.is_alias(name)).chain(aliases.iter().copied());
        for name in names.filter(|name| !scope.variants.is_folded(name)) {
            let Some(wire) = scope.wire(name) else { continue };
            let class = scope.class(name);
            let runtime = match wire {
                Wire::Classes => {
                    let classes = scope.form(name).into_iter().flat_map(UnionForm::selectable);
                    Expression::union(classes.map(Expression::atom))
                }
                Wire::Parts => self.alias_target(name, Reader::Msgspec),
                Wire::Mark => {
                    self.imports.own("._support", "mark");
                    let name = Expression::atom(literal::string(class));
                    Expression::Call(String::from("mark"), vec![(None, name)])
                }
            };
            self.imports.typing("TYPE_CHECKING");
            self.imports.typing("TypeAlias");
            let private = format!("_{class}");
            let annotation = Expression::atom("TypeAlias");
            let public = Expression::atom(class);
            self.module.wires.push(WireLines {
                checked: assignment(BODY, &private, Some(&annotation), Some(&public)),
                runtime: assignment(BODY, &private, None, Some(&runtime)),
            });
        }
    }
}

/// A variant in the list of a union's docstring, with what tells it apart.
fn member(leaf: &Leaf<'_>) -> Vec<String> {
    let told = match &leaf.kind {
        LeafKind::Built(Built { tag: Some((property, value)), .. })
        | LeafKind::Raw { tag: Some(value), property, .. } => {
            format!(": {} is {}.", code(property), code(value))
        }
        LeafKind::Raw { tag: None, property, .. } => {
            format!(": any other {}, kept as it came.", code(property))
        }
        LeafKind::Built(_) | LeafKind::Record { .. } => String::new(),
    };
    let lines = lines(&format!("{}{told}", leaf.class), BODY + 8);
    let indents = std::iter::once(4).chain(std::iter::repeat(8));
    lines.iter().zip(indents).map(|(line, indent)| indented(indent, line)).collect()
}

/// Whether a variant has its own field where the union has a shared one.
fn is_redefined(leaves: &[Leaf<'_>], shared: &Field) -> bool {
    leaves.iter().any(|leaf| match &leaf.kind {
        LeafKind::Built(built) => built.fields().any(|attribute| {
            attribute.field.name.wire == shared.name.wire && !std::ptr::eq(attribute.field, shared)
        }),
        _ => false,
    })
}
