//! Names of definitions, and what msgspec is told instead of them.
//!
//! A union is written in annotations as itself, but msgspec has to see the classes of its
//! variants, or a mark that generated code decodes it. Such a definition has a second, private
//! name (`_SessionUpdate`) that is the same type to a type checker and the other one at run
//! time.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::expression::Expression;
use super::super::imports::Imports;
use super::super::modules::Modules;
use super::super::names;
use super::super::types::{self, Reader};
use super::classes::Variants;
use super::variants::{UnionForm, VariantClass, VariantKind, is_unseen, needs_wire_map};
use crate::decode::{DecodePlan, FieldPlan, TypePlan};
use crate::ir::{Field, JsonType, JsonTypes, Protocol, Record, Type, TypeDef, TypeKind, Union};

/// The names of all definitions of a protocol.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) plan: &'a DecodePlan,
    pub(super) modules: &'a Modules,
    /// The plan of each field.
    fields: HashMap<*const Field, &'a FieldPlan>,
    pub(super) variants: Variants<'a>,
    classes: HashMap<&'a str, String>,
    /// Aliases, each after those it is made of.
    alias_order: Vec<&'a str>,
    /// Aliases that are made of themselves.
    recursive: HashSet<&'a str>,
    /// The types that msgspec sees instead of definitions.
    wires: HashMap<&'a str, Wire>,
    /// The kinds of JSON that a union by shape can be, where msgspec tells its variants apart.
    shapes: HashMap<&'a str, JsonTypes>,
}

/// The types that msgspec sees instead of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    /// The classes that a tag selects.
    Classes,
    /// The expression itself, of what msgspec sees instead of its parts.
    Parts,
    /// A mark: msgspec leaves the value to generated code.
    Mark,
}

impl<'a> Scope<'a> {
    /// Names everything.
    pub(super) fn new(
        protocol: &'a Protocol,
        plan: &'a DecodePlan,
        variants: Variants<'a>,
        modules: &'a Modules,
    ) -> Self {
        let classes =
            protocol.types.iter().map(|(key, def)| (key.as_str(), names::class(&def.name)));
        let mut scope = Self {
            protocol,
            plan,
            modules,
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
            // What an object must not have is for generated code to see, as is what its keys and
            // the items in it have to fit.
            if let TypeKind::Record(record) = &def.kind
                && (!scope.forbidden(name).is_empty()
                    || !record.keys.is_empty()
                    || record.fields.iter().any(|field| scope.is_unseen(&field.ty)))
            {
                scope.wires.insert(name, Wire::Mark);
            }
            // Where a tag need not be there, generated code looks at the value from the start,
            // so that msgspec keeps what is around it.
            if let TypeKind::Union(union) = &def.kind
                && union.untagged().next().is_none()
                && scope
                    .form(name)
                    .is_some_and(|form| form.is_class && form.selectable().count() > 1)
                && !union.shared.iter().any(|field| scope.is_unseen(&field.ty))
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
    pub(super) fn class(&self, name: &str) -> &str {
        self.classes.get(name).map_or("Any", String::as_str)
    }

    /// The plan of a field.
    pub(super) fn field_plan(&self, field: &Field) -> Option<&'a FieldPlan> {
        self.fields.get(&std::ptr::from_ref(field)).copied()
    }

    /// The type of a record's members that no field names, where they are kept.
    pub(super) fn kept(&self, name: &str) -> Option<&'a Type> {
        self.plan.record(name)?.kept()
    }

    /// The sets of properties of which a record's object must not have all.
    pub(super) fn forbidden(&self, name: &str) -> &'a [Vec<String>] {
        self.plan.record(name).map_or(&[], |plan| &plan.forbidden)
    }

    /// Tells whether a strict decoder refuses members of a record that no field names.
    pub(super) fn is_closed(&self, name: &str) -> bool {
        self.plan.record(name).is_some_and(|plan| plan.closed)
    }

    /// Tells whether msgspec has no words for what a type asks of its values: that items differ, how
    /// many keys there are, and which, or all of an array or an object.
    pub(super) fn is_unseen(&self, ty: &Type) -> bool {
        is_unseen(self.protocol, ty)
    }

    /// Tells whether a record cannot be a struct: its class maps attributes to wire names itself,
    /// because msgspec cannot write one of them, or because it keeps members that no field names.
    pub(super) fn needs_wire_map(&self, name: &str, record: &Record) -> bool {
        record.fields.iter().any(needs_wire_map) || self.kept(name).is_some()
    }

    /// A union's form.
    pub(super) fn form(&self, name: &str) -> Option<&UnionForm<'a>> {
        self.variants.form(name)
    }

    /// The class of a union's variant.
    pub(super) fn variant_class(&self, union: &str, tag: &str) -> Option<&VariantClass<'a>> {
        let TypeKind::Union(of) = self.kind(union)? else { return None };
        let index = of.variants.iter().position(|it| it.tag() == Some(tag))?;
        let mut classes = self.form(union)?.classes.iter();
        classes.find(|class| class.variant == Some(index))
    }

    /// The type that msgspec sees instead of a definition, if it is another.
    pub(super) fn wire(&self, name: &str) -> Option<Wire> {
        self.wires.get(name).copied()
    }

    /// Aliases, each after those it is made of.
    pub(super) fn aliases(&self) -> &[&'a str] {
        &self.alias_order
    }

    /// Tells whether an alias is made of itself.
    pub(super) fn is_recursive(&self, name: &str) -> bool {
        self.recursive.contains(name)
    }

    /// Tells whether an alias is a mark at run time, and what it is only to a type checker: it is made
    /// of itself, or of what Python can write only from 3.11 on.
    pub(super) fn is_marked(&self, name: &str) -> bool {
        let kind = self.kind(name);
        self.is_recursive(name)
            || matches!(kind, Some(TypeKind::Tuple(tuple)) if tuple.rest.is_some())
    }

    /// Tells whether a definition is an alias: of another type, a tuple, or of the variants of a union that
    /// shape alone tells apart.
    pub(super) fn is_alias(&self, name: &str) -> bool {
        match self.kind(name) {
            Some(TypeKind::Tuple(_) | TypeKind::Alias { .. }) => true,
            Some(TypeKind::Union(_)) => self.form(name).is_some_and(|form| !form.is_class),
            _ => false,
        }
    }

    pub(super) fn def(&self, name: &str) -> Option<&'a TypeDef> {
        self.protocol.types.get(name)
    }

    /// The kind of a definition.
    pub(super) fn kind(&self, name: &str) -> Option<&'a TypeKind> {
        self.def(name).map(|def| &def.kind)
    }

    /// The types an alias is made of.
    fn parts(&self, name: &str) -> Vec<&'a Type> {
        match self.kind(name) {
            Some(TypeKind::Alias { target }) => vec![target],
            Some(TypeKind::Tuple(tuple)) => tuple.types().collect(),
            Some(TypeKind::Union(union)) => {
                union.untagged().filter_map(|variant| variant.payload.as_ref()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Orders aliases after those they are made of. Where that is impossible, the first that is
    /// left counts as recursive.
    fn order_aliases(&mut self) {
        let names = self.protocol.types.keys().map(String::as_str);
        let names = names.filter(|name| self.is_alias(name) && !self.variants.is_inlined(name));
        let all: Vec<&'a str> = names.collect();
        let mut waiting: Vec<usize> = Vec::with_capacity(all.len());
        let mut users: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, name) in all.iter().enumerate() {
            let needs = self.parts(name).into_iter().filter_map(Type::named);
            let needs: BTreeSet<&str> = needs.filter(|need| self.is_alias(need)).collect();
            waiting.push(needs.len());
            for need in needs {
                users.entry(need).or_default().push(index);
            }
        }
        let mut left: BTreeSet<usize> = (0..all.len()).collect();
        let mut ready = left.clone();
        ready.retain(|index| waiting[*index] == 0);
        while let Some(first) = left.first().copied() {
            let next = ready.pop_first().unwrap_or_else(|| {
                self.recursive.insert(all[first]);
                first
            });
            if !left.remove(&next) {
                continue;
            }
            self.alias_order.push(all[next]);
            for user in users.get(all[next]).into_iter().flatten() {
                waiting[*user] = waiting[*user].saturating_sub(1);
                if waiting[*user] == 0 {
                    ready.insert(*user);
                }
            }
        }
    }

    /// The type that msgspec sees instead of an alias whose parts are known.
    fn alias_wire(&mut self, name: &'a str) -> Option<Wire> {
        if self.is_marked(name) || self.def(name).is_some_and(|def| def.old_name) {
            return None;
        }
        if self.parts(name).into_iter().any(|part| self.is_unseen(part)) {
            return Some(Wire::Mark);
        }
        // msgspec knows tuples of one length.
        if matches!(self.kind(name), Some(TypeKind::Tuple(tuple)) if !tuple.is_exact()) {
            return Some(Wire::Mark);
        }
        if let Some(TypeKind::Union(union)) = self.kind(name) {
            let Some(shape) = self.disjoint(union) else { return Some(Wire::Mark) };
            self.shapes.insert(name, shape);
        }
        let replaced = |part: &str| self.wires.contains_key(part);
        self.parts(name).into_iter().filter_map(Type::named).any(replaced).then_some(Wire::Parts)
    }

    /// The JSON types of a union's variants, if each has its own and msgspec knows them all.
    fn disjoint(&self, union: &Union) -> Option<JsonTypes> {
        if union.tag().is_some() {
            return None;
        }
        let is_tuple = |ty: &Type| {
            let name = self.protocol.resolve(ty).named();
            name.is_some_and(|name| matches!(self.kind(name), Some(TypeKind::Tuple(_))))
        };
        if union.variants.iter().filter_map(|it| it.payload.as_ref()).any(is_tuple) {
            // It runs out of memory where a tuple and a number with bounds are one type.
            return None;
        }
        union.variants.iter().try_fold(JsonTypes::NONE, |seen, variant| {
            let shape = self.shape(variant.payload.as_ref()?)?;
            (!seen.intersects(shape)).then(|| seen.union(shape))
        })
    }

    /// The JSON types that msgspec knows a type by. `1.0` is an integer, too, and whether a number
    /// becomes one is not for msgspec to say.
    fn shape(&self, ty: &Type) -> Option<JsonTypes> {
        Some(match ty {
            Type::Literal { value } if value.is_string() => JsonType::String.into(),
            Type::Literal { value } if value.is_null() => JsonType::Null.into(),
            Type::Any | Type::Literal { .. } => return None,
            Type::Nullable { inner } => JsonTypes::from(JsonType::Null).union(self.shape(inner)?),
            Type::Named { name } => match self.kind(name)? {
                TypeKind::Record(record)
                    if self.needs_wire_map(name, record) || self.wire(name).is_some() =>
                {
                    return None;
                }
                TypeKind::Tuple(_) if self.is_marked(name) || self.wire(name).is_some() => {
                    return None;
                }
                TypeKind::Tuple(_) => JsonType::Array.into(),
                TypeKind::Alias { target }
                    if !self.is_recursive(name) && self.wire(name) != Some(Wire::Mark) =>
                {
                    self.shape(target)?
                }
                TypeKind::Alias { .. } => return None,
                TypeKind::Union(_) => match self.wire(name) {
                    Some(Wire::Classes) => JsonType::Object.into(),
                    _ => *self.shapes.get(name.as_str())?,
                },
                TypeKind::Record(_) | TypeKind::Enum(_) => self.protocol.json_types(ty),
            },
            _ => self.protocol.json_types(ty),
        })
    }
}

impl Scope<'_> {
    /// The expression for a type.
    pub(super) fn ty(&self, ty: &Type, reader: Reader, imports: &mut Imports) -> Expression {
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
    pub(super) fn typed(&self, ty: &Type, imports: &mut Imports) -> Expression {
        if let Some(name) = ty.named()
            && !matches!(self.kind(name), Some(TypeKind::Enum(_)))
        {
            imports.own("types", self.class(name));
        }
        self.ty(ty, Reader::People, imports)
    }

    /// The name of a definition where it is used.
    fn named(&self, name: &str, reader: Reader, imports: &mut Imports) -> String {
        let class = self.class(name);
        match self.kind(name) {
            Some(TypeKind::Enum(_)) => imports.own("enums", class),
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
    pub(super) fn selectable(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().filter_map(|class| match &class.kind {
            VariantKind::Generated(generated)
                if generated.is_only_of_its_tag
                    && !generated.needs_wire_map
                    && generated.forbidden.is_empty()
                    && generated.keys.is_none()
                    && !generated.is_unseen
                    && generated.tag.is_some()
                    && generated.constants.is_empty() =>
            {
                Some(class.name.as_str())
            }
            _ => None,
        })
    }
}
