//! Walking from type to type.

use std::collections::HashSet;

use super::{Field, Protocol, Type, TypeKind};

impl Type {
    /// The definition that a type expression comes down to; there is never more than one.
    pub fn named(&self) -> Option<&str> {
        match self {
            Self::Named { name } => Some(name),
            Self::Array(array) => array.items.named(),
            Self::Map(map) => map.values.named(),
            Self::Nullable { inner } => inner.named(),
            Self::Any
            | Self::Null
            | Self::Boolean
            | Self::Integer(_)
            | Self::Number(_)
            | Self::String(_)
            | Self::Literal { .. } => None,
        }
    }
}

impl TypeKind {
    /// The definitions that this one refers to, in the order of the schema. One that it refers
    /// to twice is there twice.
    pub fn references(&self) -> Vec<&str> {
        self.mentioned(|_| true).into_iter().map(|(_, name)| name).collect()
    }

    /// The references of which a receiver does not forgive a malformed value.
    fn strict_references(&self) -> Vec<&str> {
        let is_strict =
            |field: &Field| !field.forgives_items() && field.leniency.on_error.is_none();
        self.mentioned(is_strict).into_iter().map(|(_, name)| name).collect()
    }

    /// The definitions that this one refers to, each with the field or variant that does, by its
    /// name on the wire: no member for an alias, an open variant and members that are not listed.
    pub fn mentions(&self) -> Vec<(Option<&str>, &str)> {
        self.mentioned(|_| true)
    }

    /// The definitions that variants, an alias, and the fields that are wanted refer to.
    fn mentioned(&self, is_wanted: impl Fn(&Field) -> bool) -> Vec<(Option<&str>, &str)> {
        let parts = self.parts(is_wanted).into_iter();
        parts.filter_map(|(member, ty)| Some((member, ty.named()?))).collect()
    }

    /// The types of variants, of a tuple's items, of what an alias stands for, and of the fields that
    /// are wanted, each with the field's or variant's name on the wire.
    pub(crate) fn parts(&self, is_wanted: impl Fn(&Field) -> bool) -> Vec<(Option<&str>, &Type)> {
        match self {
            Self::Record(record) => {
                let rest = record.unknown.kept().map(|rest| (None, rest));
                of_fields(&record.fields, is_wanted).chain(rest).collect()
            }
            Self::Union(union) => {
                let variants = union.variants.iter().filter_map(|variant| {
                    Some((Some(variant.tag_or_name()), variant.payload.as_ref()?))
                });
                let open = union.open.iter().filter_map(|open| open.payload.as_ref());
                let open = open.map(|payload| (None, payload));
                of_fields(&union.shared, is_wanted).chain(variants).chain(open).collect()
            }
            Self::Enum(_) => Vec::new(),
            Self::Tuple(tuple) => tuple.types().map(|ty| (None, ty)).collect(),
            Self::Alias { target } => vec![(None, target)],
        }
    }
}

fn of_fields(
    fields: &[Field],
    is_wanted: impl Fn(&Field) -> bool,
) -> impl Iterator<Item = (Option<&str>, &Type)> {
    let wanted = fields.iter().filter(move |field| is_wanted(field));
    wanted.map(|field| (Some(field.name.wire.as_str()), &field.ty))
}

impl Protocol {
    /// The names of all definitions, each after those that it refers to, but for those that refer
    /// back to it. Otherwise in the order of the schema.
    pub fn topological(&self) -> Vec<&str> {
        self.walk(self.types.keys().map(String::as_str), TypeKind::references)
    }

    /// The names of the definitions that these lead to, they themselves included, in the order
    /// of [`Protocol::topological`].
    pub fn reachable<'a>(&'a self, from: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        self.walk(from, TypeKind::references)
    }

    /// The names of the definitions that these lead to where no receiver forgives a malformed value
    /// on the way.
    pub fn strictly_reachable<'a>(
        &'a self,
        from: impl IntoIterator<Item = &'a str>,
    ) -> Vec<&'a str> {
        self.walk(from, TypeKind::strict_references)
    }

    /// Tells whether a value of the type can hold another of the same.
    pub fn is_recursive(&self, name: &str) -> bool {
        let Some((own, def)) = self.types.get_key_value(name) else { return false };
        self.walk(def.kind.references(), TypeKind::references).contains(&own.as_str())
    }

    /// Goes through the definitions depth first, and gives each when it is done with. A chain of
    /// them can be as long as the schema, so that this keeps its own stack.
    fn walk<'a>(
        &'a self,
        from: impl IntoIterator<Item = &'a str>,
        references: fn(&'a TypeKind) -> Vec<&'a str>,
    ) -> Vec<&'a str> {
        let mut done = Vec::new();
        let mut seen = HashSet::new();
        for start in from {
            let mut stack: Vec<(&str, std::vec::IntoIter<&str>)> = Vec::new();
            let mut next = Some(start);
            loop {
                if let Some((name, def)) = next.and_then(|name| self.types.get_key_value(name))
                    && seen.insert(name.as_str())
                {
                    stack.push((name, references(&def.kind).into_iter()));
                }
                let Some((name, references)) = stack.last_mut() else { break };
                next = references.next();
                if next.is_none() {
                    done.push(*name);
                    stack.pop();
                }
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::ir::Protocol;
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    fn protocol() -> Protocol {
        let reference = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
        let list = |name: &str| json!({ "type": "array", "items": reference(name) });
        let schema = json!({ "title": "T", "$defs": {
            "Tree": { "type": "object", "properties": {
                "children": list("Branch"), "leaf": reference("Leaf")
            } },
            "Branch": { "type": "object", "properties": { "tree": reference("Tree") } },
            "Leaf": { "type": "object", "properties": { "id": reference("Id") } },
            "Id": { "type": "string" },
            "Alone": { "type": "object", "properties": { "x": { "type": "integer" } } }
        } });
        load(SchemaText::from_value("t.json", &schema), Purpose::Generate).protocol.unwrap()
    }

    #[test]
    fn what_a_type_needs_comes_before_it() {
        assert_eq!(protocol().topological(), ["Branch", "Id", "Leaf", "Tree", "Alone"]);
    }

    #[test]
    fn only_what_is_reached_is_there() {
        let protocol = protocol();
        assert_eq!(protocol.reachable(["Leaf"]), ["Id", "Leaf"]);
        assert_eq!(protocol.reachable(["Leaf", "Alone", "Leaf"]), ["Id", "Leaf", "Alone"]);
        assert_eq!(protocol.reachable(["Branch"]), ["Id", "Leaf", "Tree", "Branch"]);
        assert!(protocol.reachable(["Missing"]).is_empty());
    }

    #[test]
    fn a_type_that_comes_back_to_itself_is_recursive() {
        let protocol = protocol();
        assert!(protocol.is_recursive("Tree") && protocol.is_recursive("Branch"));
        assert!(!protocol.is_recursive("Leaf") && !protocol.is_recursive("Missing"));
    }
}
