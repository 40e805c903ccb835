//! Properties that alternatives require, and that stand beside these.

use indexmap::IndexMap;

use super::Room;
use crate::schema::SchemaObject;

impl Room<'_, '_> {
    /// Describes in each alternative the properties that it requires, and that only the object
    /// around it describes: there they need not be there. What the object requires and an alternative
    /// describes, this requires, too.
    pub(super) fn describe_demanded(&self, schema: &mut SchemaObject) {
        let required = &schema.required;
        for branch in schema.any_of.iter_mut().chain(&mut schema.one_of) {
            let own = branch.properties.keys().filter(|name| required.contains(*name));
            branch.required.extend(own.cloned().collect::<Vec<_>>());
        }
        if schema.branches().iter().all(|branch| branch.required.is_empty()) {
            return;
        }
        let mut beside: IndexMap<&str, Vec<&SchemaObject>> = IndexMap::new();
        self.described(schema, &mut beside, &mut Vec::new());
        let demanded = |branch: &SchemaObject| -> Vec<(String, SchemaObject)> {
            let mut own: IndexMap<&str, Vec<&SchemaObject>> = IndexMap::new();
            self.described(branch, &mut own, &mut Vec::new());
            let names = branch.required.iter().filter(|name| !own.contains_key(name.as_str()));
            let found = names.filter_map(|name| {
                let all = beside.get(name.as_str()).filter(|_| !schema.required.contains(name))?;
                let property = schema.narrowed.get(name).or(all.first().copied())?;
                Some((name.clone(), property.clone()))
            });
            found.collect()
        };
        let any: Vec<_> = schema.any_of.iter().map(demanded).collect();
        let one: Vec<_> = schema.one_of.iter().map(demanded).collect();
        let branches = schema.any_of.iter_mut().chain(&mut schema.one_of);
        for (branch, properties) in branches.zip(any.into_iter().chain(one)) {
            branch.properties.extend(properties);
        }
    }
}
