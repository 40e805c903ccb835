//! What a definition is called, and what msgspec is told instead of it.
//!
//! A union is written in annotations as itself, but msgspec has to see the classes of its
//! variants, or a mark that generated code decodes it. Such a definition has a second, private
//! name (`_SessionUpdate`) that is the same type to a type checker and the other one at run
//! time.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::expression::Expression;
use super::super::imports::Imports;
use super::super::names;
use super::super::types::{self, Reader};
use super::classes::Variants;
use super::variants::{UnionForm, VariantKind, needs_wire_map};
use crate::decode::{DecodePlan, FieldPlan, TypePlan};
use crate::ir::{EnumBase, Field, Protocol, Record, Type, TypeDef, TypeKind};

/// The names of all definitions of a protocol.
#[derive(Debug)]
pub(in crate::backend::python) struct Scope<'a> {
    pub(in crate::backend::python) protocol: &'a Protocol,
    pub(in crate::backend::python) plan: &'a DecodePlan,
    /// How each field is decoded.
    fields: HashMap<*const Field, &'a FieldPlan>,
    pub(in crate::backend::python) variants: Variants<'a>,
    classes: HashMap<&'a str, String>,
    /// Aliases, each after those it is made of.
    alias_order: Vec<&'a str>,
    /// Aliases that are made of themselves.
    recursive: HashSet<&'a str>,
    /// What msgspec sees instead of a definition.
    wires: HashMap<&'a str, Wire>,
    /// The kinds of JSON that a union by shape can be, where msgspec tells its variants apart.
    shapes: HashMap<&'a str, u8>,
}

/// What msgspec sees instead of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::backend::python) enum Wire {
    /// The classes that a tag selects.
    Classes,
    /// The same expression, of what msgspec sees instead of its parts.
    Parts,
    /// A mark: msgspec leaves the value to generated code.
    Mark,
}

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
/// `1.0` is an integer, too, and which of the two it becomes is not for msgspec to say.
const NUMBER: u8 = INTEGER | 8;
const STRING: u8 = 16;
const ARRAY: u8 = 32;
const OBJECT: u8 = 64;

impl<'a> Scope<'a> {
    /// Names everything.
    pub(in crate::backend::python) fn new(
        protocol: &'a Protocol,
        plan: &'a DecodePlan,
        variants: Variants<'a>,
    ) -> Self {
        let classes =
            protocol.types.iter().map(|(key, def)| (key.as_str(), names::class(&def.name)));
        let mut scope = Self {
            protocol,
            plan,
            fields: protocol
                .types
                .iter()
                .flat_map(|(name, def)| planned(name, def, plan))
                .collect(),
            variants,
            classes: classes.collect(),
            alias_order: Vec::new(),
            recursive: HashSet::new(),
            wires: HashMap::new(),
            shapes: HashMap::new(),
        };
        scope.order_aliases();
        for (name, def) in &protocol.types {
            // Where a tag need not be there, generated code looks at the value from the start,
            // so that msgspec keeps what is around it.
            if let TypeKind::Union(union) = &def.kind
                && union.untagged().next().is_none()
                && scope
                    .form(name)
                    .is_some_and(|form| form.is_class && form.selectable().count() > 1)
            {
                scope.wires.insert(name, Wire::Classes);
            }
        }
        for index in 0..scope.alias_order.len() {
            let name = scope.alias_order[index];
            if let Some(wire) = scope.alias_wire(name) {
                scope.wires.insert(name, wire);
            }
        }
        scope
    }

    /// The class or alias of a definition.
    pub(in crate::backend::python) fn class(&self, name: &str) -> &str {
        self.classes.get(name).map_or("Any", String::as_str)
    }

    /// How a field is decoded.
    pub(in crate::backend::python) fn field_plan(&self, field: &Field) -> Option<&'a FieldPlan> {
        self.fields.get(&std::ptr::from_ref(field)).copied()
    }

    /// The type of a record's members that no field names, where they are kept.
    pub(in crate::backend::python) fn kept(&self, name: &str) -> Option<&'a Type> {
        self.plan.record(name)?.kept()
    }

    /// Whether a record cannot be a struct: its class maps attributes to wire names itself, because
    /// msgspec cannot write one of them, or because it keeps members that no field names.
    pub(in crate::backend::python) fn needs_wire_map(&self, name: &str, record: &Record) -> bool {
        record.fields.iter().any(needs_wire_map) || self.kept(name).is_some()
    }

    /// A union's form.
    pub(in crate::backend::python) fn form(&self, name: &str) -> Option<&UnionForm<'a>> {
        self.variants.form(name)
    }

    /// What msgspec sees instead of a definition, if not itself.
    pub(in crate::backend::python) fn wire(&self, name: &str) -> Option<Wire> {
        self.wires.get(name).copied()
    }

    /// Aliases, each after those it is made of.
    pub(in crate::backend::python) fn aliases(&self) -> &[&'a str] {
        &self.alias_order
    }

    /// Whether an alias is made of itself.
    pub(in crate::backend::python) fn is_recursive(&self, name: &str) -> bool {
        self.recursive.contains(name)
    }

    /// Whether a definition is an alias: of another type, or of the variants of a union that
    /// shape alone tells apart.
    pub(in crate::backend::python) fn is_alias(&self, name: &str) -> bool {
        match self.kind(name) {
            Some(TypeKind::Alias { .. }) => true,
            Some(TypeKind::Union(_)) => self.form(name).is_some_and(|form| !form.is_class),
            _ => false,
        }
    }

    pub(in crate::backend::python) fn def(&self, name: &str) -> Option<&'a TypeDef> {
        self.protocol.types.get(name)
    }

    /// What a definition is.
    pub(in crate::backend::python) fn kind(&self, name: &str) -> Option<&'a TypeKind> {
        self.def(name).map(|def| &def.kind)
    }

    /// The types an alias is made of.
    fn parts(&self, name: &str) -> Vec<&'a Type> {
        match self.kind(name) {
            Some(TypeKind::Alias { target }) => vec![target],
            Some(TypeKind::Union(union)) => {
                union.untagged().filter_map(|variant| variant.payload.as_ref()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Orders aliases after those they are made of. Where that is impossible, the first that is
    /// left counts as recursive.
    fn order_aliases(&mut self) {
        let protocol = self.protocol;
        let all: Vec<&'a str> = protocol
            .types
            .keys()
            .map(String::as_str)
            .filter(|name| self.is_alias(name) && !self.variants.is_inlined(name))
            .collect();
        let mut waiting: HashMap<&str, usize> = HashMap::with_capacity(all.len());
        let mut users: HashMap<&str, Vec<&'a str>> = HashMap::new();
        for name in &all {
            let mut needs: Vec<&str> = self
                .parts(name)
                .into_iter()
                .flat_map(named)
                .filter(|need| self.is_alias(need))
                .collect();
            needs.sort_unstable();
            needs.dedup();
            for need in &needs {
                users.entry(need).or_default().push(name);
            }
            waiting.insert(name, needs.len());
        }
        let mut ready: BTreeMap<usize, &'a str> = BTreeMap::new();
        let positions: HashMap<&str, usize> =
            all.iter().enumerate().map(|(index, name)| (*name, index)).collect();
        for (index, name) in all.iter().enumerate() {
            if waiting.get(name) == Some(&0) {
                ready.insert(index, name);
            }
        }
        let mut next_stuck = 0;
        let mut done: HashSet<&str> = HashSet::new();
        while done.len() < all.len() {
            let Some((_, name)) = ready.pop_first() else {
                while let Some(stuck) = all.get(next_stuck).filter(|name| done.contains(*name)) {
                    let _ = stuck;
                    next_stuck += 1;
                }
                let Some(stuck) = all.get(next_stuck) else { return };
                self.recursive.insert(stuck);
                ready.insert(next_stuck, stuck);
                continue;
            };
            if !done.insert(name) {
                continue;
            }
            self.alias_order.push(name);
            for user in users.get(name).into_iter().flatten() {
                if let Some(count) = waiting.get_mut(user) {
                    *count = count.saturating_sub(1);
                    if *count == 0 && !done.contains(user) {
                        ready.insert(positions.get(user).copied().unwrap_or_default(), user);
                    }
                }
            }
        }
    }

    /// What msgspec sees instead of an alias whose parts are known.
    fn alias_wire(&mut self, name: &'a str) -> Option<Wire> {
        if self.is_recursive(name) {
            return None;
        }
        if let Some(TypeKind::Union(union)) = self.kind(name) {
            let Some(shape) = self.disjoint(union) else { return Some(Wire::Mark) };
            self.shapes.insert(name, shape);
        }
        let replaced = |part: &str| self.wires.contains_key(part);
        self.parts(name).into_iter().flat_map(named).any(replaced).then_some(Wire::Parts)
    }

    /// The kinds of JSON of a union's variants, if each has its own and msgspec knows them all.
    fn disjoint(&self, union: &crate::ir::Union) -> Option<u8> {
        if union.tag().is_some() {
            return None;
        }
        union.variants.iter().try_fold(0, |seen, variant| {
            let shape = self.shape(variant.payload.as_ref()?)?;
            (seen & shape == 0).then_some(seen | shape)
        })
    }

    fn shape(&self, ty: &Type) -> Option<u8> {
        Some(match ty {
            Type::Null => NULL,
            Type::Boolean => BOOLEAN,
            Type::Integer(_) => INTEGER,
            Type::Number(_) => NUMBER,
            Type::String(_) => STRING,
            Type::Literal { value } if value.is_string() => STRING,
            Type::Literal { value } if value.is_null() => NULL,
            Type::Any | Type::Literal { .. } => return None,
            Type::Array(_) => ARRAY,
            Type::Map(_) => OBJECT,
            Type::Nullable { inner } => NULL | self.shape(inner)?,
            Type::Named { name } => match self.kind(name)? {
                TypeKind::Record(record) if self.needs_wire_map(name, record) => return None,
                TypeKind::Record(_) => OBJECT,
                TypeKind::Enum(definition) => match definition.base {
                    EnumBase::String => STRING,
                    EnumBase::Integer(_) => INTEGER,
                },
                TypeKind::Alias { target } if !self.is_recursive(name) => self.shape(target)?,
                TypeKind::Alias { .. } => return None,
                TypeKind::Union(_) => match self.wire(name) {
                    Some(Wire::Classes) => OBJECT,
                    _ => *self.shapes.get(name.as_str())?,
                },
            },
        })
    }
}

impl Scope<'_> {
    /// The expression for a type.
    pub(in crate::backend::python) fn ty(
        &self,
        ty: &Type,
        reader: Reader,
        imports: &mut Imports,
    ) -> Expression {
        match ty {
            Type::Any => types::any(imports),
            Type::Null => Expression::atom("None"),
            Type::Boolean => Expression::atom("bool"),
            Type::Integer(integer) => types::integer(integer, imports),
            Type::Number(number) => types::number(number, imports),
            Type::String(string) => types::string(string, imports),
            Type::Literal { value } => types::constant(value, imports),
            Type::Array(array) => {
                let items = self.ty(&array.items, reader, imports);
                let list = Expression::Index("list", vec![items]);
                let bounds = [("min_length", array.min_items), ("max_length", array.max_items)];
                types::constrained(list, &types::lengths(bounds), imports)
            }
            Type::Map(map) => {
                let values = self.ty(&map.values, reader, imports);
                Expression::Index("dict", vec![Expression::atom("str"), values])
            }
            Type::Nullable { inner } => {
                let inner = self.ty(inner, reader, imports);
                types::optional(inner, true, false, imports)
            }
            Type::Named { name } => Expression::atom(self.named(name, reader, imports)),
        }
    }

    /// A type for people, with the import of what it names.
    pub(in crate::backend::python) fn typed(&self, ty: &Type, imports: &mut Imports) -> Expression {
        for name in named(ty) {
            if !matches!(self.kind(name), Some(TypeKind::Enum(_))) {
                imports.own(".types", self.class(name));
            }
        }
        self.ty(ty, Reader::People, imports)
    }

    /// The name of a definition where it is used.
    fn named(&self, name: &str, reader: Reader, imports: &mut Imports) -> String {
        let class = self.class(name);
        match self.kind(name) {
            Some(TypeKind::Enum(_)) => imports.own(".enums", class),
            _ if reader == Reader::Msgspec && self.wire(name).is_some() => {
                return format!("_{class}");
            }
            _ => {}
        }
        class.to_owned()
    }
}

/// The fields of a definition, each with the plan for it.
fn planned<'a>(
    name: &str,
    def: &'a TypeDef,
    plan: &'a DecodePlan,
) -> impl Iterator<Item = (*const Field, &'a FieldPlan)> + use<'a> {
    let (fields, plans): (&[Field], &[FieldPlan]) = match (&def.kind, plan.get(name)) {
        (TypeKind::Record(record), Some(TypePlan::Record(plan))) => (&record.fields, &plan.fields),
        (TypeKind::Union(union), Some(TypePlan::Union(plan))) => (&union.shared, &plan.shared),
        _ => (&[], &[]),
    };
    fields.iter().map(std::ptr::from_ref).zip(plans)
}

impl UnionForm<'_> {
    /// The classes that msgspec can select by their tags: each the only one of its tag, with no
    /// further tag inside.
    pub(in crate::backend::python) fn selectable(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().filter_map(|class| match &class.kind {
            VariantKind::Generated(generated)
                if generated.is_only_of_its_tag
                    && !generated.needs_wire_map
                    && generated.tag.is_some()
                    && generated.constants.is_empty() =>
            {
                Some(class.name.as_str())
            }
            _ => None,
        })
    }
}

/// The definitions that a type names.
pub(in crate::backend::python) fn named(ty: &Type) -> Vec<&str> {
    let mut current = ty;
    loop {
        match current {
            Type::Array(array) => current = &array.items,
            Type::Map(map) => current = &map.values,
            Type::Nullable { inner } => current = inner,
            Type::Named { name } => return vec![name],
            _ => return Vec::new(),
        }
    }
}
