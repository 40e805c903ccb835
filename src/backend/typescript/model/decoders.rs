//! Which function decodes a type, and with what arguments.

use std::collections::HashSet;

use serde::Serialize;

use super::keywords::{
    RulesConstant, integer_bounds, key_rules, length_bounds, number_bounds, pattern, string_bounds,
};
use crate::backend::typescript::imports::RuntimeImports;
use crate::backend::typescript::literals::{self, at_most};
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::decode::{Candidates, DecodePlan, RecordPlan, Step, TypePlan};
use crate::ir::{
    ArrayType, Enum, EnumBase, KeyRules, Protocol, Record, StringType, Tuple, Type, TypeKind, Union,
};

/// The decoder of a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Decoder {
    /// The function. None where any value will do.
    pub(super) function: Option<String>,
    /// The arguments beside the value and the context.
    pub(super) arguments: Vec<String>,
    /// The keys that belong to unions around the value, if it is told.
    pub(super) outer: Option<OuterKeys>,
}

/// The keys of an object that belong to unions around it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct OuterKeys {
    /// True if those that the function itself is told are among them.
    pub(super) passes_on: bool,
    /// The others: literals.
    pub(super) keys: Vec<String>,
}

/// A function that decodes a part of a type.
#[derive(Debug, Serialize)]
pub(super) struct PartModel {
    name: String,
    /// True if `null` is let through before.
    nullable: bool,
    /// True if it is told which keys are not its own.
    takes_outer: bool,
    decoder: Decoder,
}

/// The decoder of the members that no field names.
#[derive(Debug, Serialize)]
pub(super) struct RestModel {
    /// The list of the fields' keys, and their literals.
    name: String,
    keys: Vec<String>,
    /// The function that decodes a member.
    function: String,
}

/// The list of the fields' keys, and their literals: a strict decoder refuses others.
#[derive(Debug, Serialize)]
pub(super) struct ClosedModel {
    name: String,
    keys: Vec<String>,
}

impl Decoder {
    const ANY: Self = Self { function: None, arguments: Vec::new(), outer: None };

    fn call(function: String, arguments: Vec<String>) -> Self {
        Self { function: Some(function), arguments, outer: None }
    }

    pub(super) fn is_any(&self) -> bool {
        self.function.is_none()
    }
}

/// Finds the decoders for the parts of one type.
#[derive(Debug)]
pub(super) struct DecoderBuilder<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) plan: &'a DecodePlan,
    pub(super) imports: &'a mut RuntimeImports,
    /// The functions made so far.
    pub(super) parts: Vec<PartModel>,
    /// The rules for keys made so far: the names of constants, and their values.
    pub(super) rules: Vec<RulesConstant>,
    /// The type's name in TypeScript.
    owner: &'a str,
    /// True if its function is told which keys are not its own.
    pub(super) takes_outer: bool,
}

impl<'a> DecoderBuilder<'a> {
    /// Makes the decoder builder for the type of this key.
    pub(super) fn new(
        scope: Scope<'a>,
        plan: &'a DecodePlan,
        imports: &'a mut RuntimeImports,
        key: &'a str,
    ) -> Self {
        let (parts, rules, owner) = (Vec::new(), Vec::new(), scope.names.name(key));
        let takes_outer = looks_at_all_keys(scope.protocol, plan, key, &mut HashSet::new());
        Self { scope, plan, imports, parts, rules, owner, takes_outer }
    }

    /// Tells whether the function that decodes the type looks at keys that no field names.
    pub(super) fn looks_at_all_keys(&self, ty: &Type) -> bool {
        let Type::Named { name } = self.scope.protocol.resolve(ty) else { return false };
        looks_at_all_keys(self.scope.protocol, self.plan, name, &mut HashSet::new())
    }

    /// The name of one of the lists of ranked variants.
    pub(super) fn ranking(&self, index: usize) -> String {
        names::ranking(self.owner) + &"_".repeat(index)
    }

    /// The name of a function for some of the fields of the type.
    pub(super) fn batch(&self, number: usize) -> String {
        let mut name = format!("{}_fields{number}", names::decoder(self.owner));
        while self.parts.iter().any(|part| part.name == name) {
            name.push('_');
        }
        name
    }

    /// Decides how the members of a record are decoded that no field names, if that takes anything.
    pub(super) fn rest(&mut self, record: &Record, plan: &RecordPlan) -> Option<RestModel> {
        let decoder = self.decoder(plan.kept()?, "rest");
        if decoder.is_any() {
            return None;
        }
        self.imports.decoding(["members", "type Keys"]);
        let keys = record.fields.iter().map(|field| literals::literal(&field.name.wire));
        let keys = keys.collect();
        Some(RestModel {
            name: names::keys(self.owner),
            keys,
            function: self.function(decoder, "rest"),
        })
    }

    /// Decides how the members of a record that no field names are refused, if they are.
    pub(super) fn closed(&mut self, record: &Record, plan: &RecordPlan) -> Option<ClosedModel> {
        if !plan.closed {
            return None;
        }
        self.imports.decoding(["FAIL", "type Keys"]);
        self.imports.keyword("denies");
        let keys = record.fields.iter().map(|field| literals::literal(&field.name.wire));
        Some(ClosedModel { name: names::keys(self.owner), keys: keys.collect() })
    }

    /// Decides the decoder of a type. Parts of it that take a function of their own get one, under
    /// a name that ends in `location`.
    pub(super) fn decoder(&mut self, ty: &Type, location: &str) -> Decoder {
        self.array_decoder(ty, location, "list")
    }

    /// Decodes an array whose malformed items are left out.
    pub(super) fn lenient(&mut self, ty: &Type, location: &str) -> Decoder {
        let resolved = self.scope.protocol.resolve(ty);
        match resolved {
            Type::Array(_) | Type::Nullable { .. } => {
                self.array_decoder(resolved, location, "validItems")
            }
            _ => self.decoder(ty, location),
        }
    }

    /// Decides the decoder of a type. If it is an array, this function sees to its items.
    fn array_decoder(&mut self, ty: &Type, location: &str, items: &'static str) -> Decoder {
        let decoder = self.unchecked(ty, location, items);
        let mut checks: Vec<(&'static str, Vec<String>)> = Vec::new();
        match ty {
            Type::Integer(integer) => {
                let step = integer.multiple_of.map(|step| at_most(step.into()));
                checks.extend(step.map(|step| ("wholeMultiple", vec![step])));
            }
            Type::Number(number) => {
                let all = [
                    ("above", number.above),
                    ("below", number.below),
                    ("multiple", number.multiple_of),
                ];
                let said = all
                    .into_iter()
                    .filter_map(|(name, bound)| Some((name, vec![literals::number(bound?)])));
                checks.extend(said);
            }
            Type::String(string) => {
                let pattern = string.checked_pattern().map(|it| self.pattern(it));
                checks.extend(pattern.map(|pattern| ("matching", vec![pattern])));
            }
            Type::Array(array) if self.scope.protocol.is_distinct(array) => {
                checks.push(("distinct", Vec::new()));
            }
            Type::Map(map) if !map.keys.is_empty() => {
                checks.push(("keyed", vec![self.key_rules(&map.keys)]));
            }
            _ => {}
        }
        checks.into_iter().fold(decoder, |inner, (function, arguments)| {
            let inner = self.function(inner, &format!("{location}Inner"));
            let arguments = [inner].into_iter().chain(arguments).collect();
            Decoder::call(self.imports.keyword(function), arguments)
        })
    }

    /// The name of a constant of the rules for the keys of an object.
    pub(super) fn key_rules(&mut self, rules: &KeyRules) -> String {
        let has_pattern = rules.names.as_ref().is_some_and(|names| names.text.checks_pattern);
        if has_pattern {
            self.imports.keyword("pattern");
        }
        let name = names::rules(self.owner);
        self.constant(name, "KeyRules", key_rules(rules))
    }

    /// The name of a constant of a pattern.
    fn pattern(&mut self, source: &str) -> String {
        self.imports.keyword("pattern");
        let name = names::pattern(self.owner);
        self.constant(name, "Pattern", pattern(source))
    }

    fn constant(&mut self, name: String, ty: &'static str, value: String) -> String {
        self.imports.keyword(if ty == "Pattern" { "type Pattern" } else { "type KeyRules" });
        let again = self.rules.iter().filter(|it| it.ty == ty).count();
        let name = name + &"_".repeat(again);
        self.rules.push(RulesConstant { name: name.clone(), ty, value });
        name
    }

    /// The bounds of a string that an enum does not list, and its pattern.
    pub(super) fn text_bounds(&mut self, text: &StringType) -> Vec<String> {
        let Some(pattern) = text.checked_pattern().map(|it| self.pattern(it)) else {
            return string_bounds(text);
        };
        let high = text.max_length.map_or_else(|| String::from("Infinity"), |it| it.to_string());
        vec![text.min_length.unwrap_or(0).to_string(), high, pattern]
    }

    /// Decides the decoder of a type, constraints beyond its bounds aside.
    fn unchecked(&mut self, ty: &Type, location: &str, items: &'static str) -> Decoder {
        match ty {
            Type::Any => Decoder::ANY,
            Type::Null => self.value("nothing", Vec::new()),
            Type::Boolean => self.value("boolean", Vec::new()),
            Type::Integer(integer) => self.value("integer", integer_bounds(integer)),
            Type::Number(number) => self.value("number", number_bounds(number)),
            Type::String(string) => {
                let bounds = string_bounds(string);
                self.value(if bounds.is_empty() { "string" } else { "text" }, bounds)
            }
            Type::Literal { value } => {
                let constant = self.fresh(value);
                self.value("literal", vec![constant])
            }
            Type::Array(array) => self.array(array, location, items),
            Type::Map(map) => {
                let location = format!("{location}Value");
                match self.decoder(&map.values, &location) {
                    values if values.is_any() => self.value("object", Vec::new()),
                    values => {
                        let values = self.function(values, &location);
                        self.value("map", vec![values])
                    }
                }
            }
            Type::Nullable { inner } => {
                let inner_location = format!("{location}Value");
                let inner = match items {
                    "list" => self.decoder(inner, &inner_location),
                    _ => self.lenient(inner, &inner_location),
                };
                if inner.is_any() {
                    inner
                } else {
                    Decoder::call(self.part(inner, location, true), Vec::new())
                }
            }
            Type::Named { name } => self.named(name),
        }
    }

    fn array(&mut self, array: &ArrayType, location: &str, function: &'static str) -> Decoder {
        let bounds = length_bounds(array.min_items, array.max_items);
        let location = format!("{location}Item");
        match self.decoder(&array.items, &location) {
            items if items.is_any() => self.value("array", bounds),
            items => {
                let items = self.function(items, &location);
                self.value(function, [items].into_iter().chain(bounds).collect())
            }
        }
    }

    /// Decides the decoder of a tuple.
    pub(super) fn tuple(&mut self, tuple: &Tuple) -> Decoder {
        let items = tuple.items.iter().enumerate().map(|(at, item)| {
            let location = format!("item{at}");
            let decoder = self.decoder(&item.ty, &location);
            self.function(decoder, &location)
        });
        let items: Vec<String> = items.collect();
        let rest = tuple.rest.as_ref().map(|rest| {
            let decoder = self.decoder(&rest.items, "rest");
            self.function(decoder, "rest")
        });
        let rest = rest.unwrap_or_else(|| String::from("undefined"));
        let arguments = [format!("[{}]", items.join(", ")), rest].into_iter();
        let bounds = length_bounds(Some(tuple.least()), tuple.most());
        // Of `tuples.ts`.
        Decoder::call(String::from("tuple"), arguments.chain(bounds).collect())
    }

    fn named(&mut self, name: &str) -> Decoder {
        let own = || Decoder::call(names::decoder(self.scope.names.name(name)), Vec::new());
        match self.scope.protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Alias { target }) => match target {
                Type::Any | Type::Null | Type::Boolean | Type::Named { .. } => {
                    self.decoder(target, "")
                }
                Type::String(string) if !string.is_bounded() => self.value("string", Vec::new()),
                Type::Nullable { inner } => match &**inner {
                    Type::Named { name } if self.named(name).is_any() => Decoder::ANY,
                    _ => own(),
                },
                _ => own(),
            },
            Some(TypeKind::Enum(of @ Enum { base: EnumBase::String, open: Some(_), .. }))
                if !of.is_bounded() =>
            {
                self.value("string", Vec::new())
            }
            Some(TypeKind::Union(union)) if self.is_any(name, union) => Decoder::ANY,
            Some(_) => own(),
            None => Decoder::ANY,
        }
    }

    /// Tells whether the first variant that is tried takes every value as it is.
    fn is_any(&mut self, name: &str, union: &Union) -> bool {
        let Some(plan) = self.plan.union(name) else { return false };
        let has_tag = plan.tag.as_ref().is_some_and(|tag| !tag.variants.is_empty());
        let Some(Step::Choose(choice)) = plan.steps.first() else { return false };
        let first = match choice.arms.as_slice() {
            [(_, Candidates::Only(first))] => Some(first),
            [(_, Candidates::InOrder(order))] => order.first(),
            _ => None,
        };
        let payload = first.and_then(|first| union.variants.get(*first));
        let payload = payload.and_then(|variant| variant.payload.as_ref());
        let takes_all = payload.is_some_and(|payload| {
            takes_anything(self.scope.protocol, payload)
                || matches!(payload, Type::Named { name } if self.named(name).is_any())
        });
        takes_all && !plan.is_object && plan.shared.is_empty() && !has_tag
    }

    /// A JSON value as an expression that makes it anew.
    pub(super) fn fresh(&mut self, value: &serde_json::Value) -> String {
        let expression = literals::fresh(value);
        if expression.starts_with("fresh(") {
            self.imports.decoding(["fresh"]);
        }
        expression
    }

    /// A decoder of `values.ts`.
    pub(super) fn value(&mut self, function: &'static str, arguments: Vec<String>) -> Decoder {
        Decoder::call(self.imports.value(function), arguments)
    }

    /// The name of a function that takes nothing but the value and the context, and the keys that
    /// are not its own if those are passed on.
    pub(super) fn function(&mut self, decoder: Decoder, location: &str) -> String {
        let is_plain = |outer: &OuterKeys| outer.passes_on && outer.keys.is_empty();
        match decoder.function {
            None => self.imports.value("any"),
            Some(function)
                if decoder.arguments.is_empty() && decoder.outer.as_ref().is_none_or(is_plain) =>
            {
                function
            }
            Some(_) => self.part(decoder, location, false),
        }
    }

    fn part(&mut self, decoder: Decoder, location: &str, nullable: bool) -> String {
        let mut name = format!("{}_{location}", names::decoder(self.owner));
        while self.parts.iter().any(|part| part.name == name) {
            name.push('_');
        }
        let takes_outer = decoder.outer.as_ref().is_some_and(|outer| outer.passes_on);
        self.parts.push(PartModel { name: name.clone(), nullable, takes_outer, decoder });
        name
    }
}

/// Tells whether a type is a record of whose unlisted members the type is known, or a union with
/// such a variant.
fn looks_at_all_keys<'a>(
    protocol: &'a Protocol,
    plan: &DecodePlan,
    key: &'a str,
    seen: &mut HashSet<&'a str>,
) -> bool {
    if !seen.insert(key) {
        return false;
    }
    match (protocol.type_def(key).map(|def| &def.kind), plan.get(key)) {
        (_, Some(TypePlan::Record(record))) => {
            record.closed || record.kept().is_some_and(|ty| !takes_anything(protocol, ty))
        }
        (Some(TypeKind::Union(union)), _) => {
            let open = union.open.iter().filter_map(|open| open.payload.as_ref());
            let payloads = union.variants.iter().filter_map(|variant| variant.payload.as_ref());
            payloads.chain(open).any(|payload| match protocol.resolve(payload) {
                Type::Named { name } => looks_at_all_keys(protocol, plan, name, seen),
                _ => false,
            })
        }
        _ => false,
    }
}

fn takes_anything(protocol: &Protocol, ty: &Type) -> bool {
    match protocol.resolve(ty) {
        Type::Nullable { inner } => takes_anything(protocol, inner),
        ty => *ty == Type::Any,
    }
}
