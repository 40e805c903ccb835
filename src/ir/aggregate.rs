//! Aggregates: all that the methods of a side carry, as one type.

use std::collections::HashSet;

use super::{Method, Name, Part, Protocol, Side, TypeKind};

/// A type that is any of what the methods of a side carry in one part of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate<'a> {
    /// Its name in code: `AgentRequest`, or `AnyAgentRequest` where the schema has such a type.
    pub name: Name,
    /// The side that handles the methods.
    pub side: &'a Side,
    /// The part of a call.
    pub part: Part,
    /// The methods, at least one, in the schema's order.
    pub methods: Vec<&'a Method>,
}

impl Protocol {
    /// The aggregates of these sides: the requests that each handles, its results, and the
    /// notifications that it handles. Where there are none, there is no aggregate.
    pub fn aggregates<'a>(&'a self, sides: &'a [Side]) -> Vec<Aggregate<'a>> {
        let mut taken = self.names_of_types(sides);
        let mut aggregates = Vec::new();
        for side in sides {
            for (part, word) in [
                (Part::Params, "request"),
                (Part::Result, "response"),
                (Part::Notification, "notification"),
            ] {
                let is_part =
                    |method: &&Method| method.is_request() != (part == Part::Notification);
                let methods: Vec<&Method> =
                    self.handled_by(&side.name.wire).filter(is_part).collect();
                if methods.is_empty() {
                    continue;
                }
                let mut words = format!("{} {word}", side.name.words.join(" "));
                while !taken.insert(Name::new(words.as_str()).pascal()) {
                    words = format!("any {words}");
                }
                let name = Name::new(words);
                aggregates.push(Aggregate { name, side, part, methods });
            }
        }
        aggregates
    }

    /// The names that types have in code, and what else a package has of a schema's own name.
    fn names_of_types(&self, sides: &[Side]) -> HashSet<String> {
        let sides = sides.iter().map(|side| &side.name);
        let of_method = |method: &'_ Method| {
            let handle = method.handle.iter().map(|it| &it.name);
            let host = method.process.iter().map(|it| &it.name);
            let names = handle.chain(host).chain(method.progress.iter().map(|it| &it.name));
            names.map(Name::pascal).collect::<Vec<_>>()
        };
        let of_methods = self.methods.iter().flat_map(of_method);
        let states = self.types.values().filter_map(|def| match &def.kind {
            TypeKind::Union(union) => union.state.as_ref().map(|state| &state.name),
            _ => None,
        });
        let types = self.types.values().map(|def| &def.name);
        let names = types.chain(sides).chain(states).map(Name::pascal);
        names.chain(of_methods).chain(self.types.keys().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::ir::Part;
    use crate::load::{Purpose, load};
    use crate::schema::SchemaText;

    #[test]
    fn aggregates_leave_the_schemas_names_alone() {
        let params = |kind: &str| json!({"type": "object", "x-method": kind, "x-side": "lamp"});
        let schema = json!({"title": "T", "$defs": {
            "OnRequest": params("on"), "OnResponse": params("on"),
            "OffNotification": params("off"),
            "LampRequest": {"type": "object"}, "lamp_notification": {"type": "string"},
        }});
        let schema = SchemaText::from_value("s.json", &schema);
        let protocol = load(schema, Purpose::Generate).protocol.unwrap();
        let found = protocol.aggregates(&protocol.sides);
        let named: Vec<_> = found.iter().map(|it| (it.name.pascal(), it.part)).collect();
        let expected = [
            ("AnyLampRequest", Part::Params),
            ("LampResponse", Part::Result),
            ("AnyLampNotification", Part::Notification),
        ];
        assert_eq!(named, expected.map(|(name, part)| (name.to_owned(), part)));
        assert_eq!(found[2].methods[0].name.wire, "off");
    }
}
