//! The stable part of a protocol.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::Value;

use super::{
    Choice, Docs, Enum, Field, Name, Progress, Protocol, Record, Stability, StateVariant, Type,
    TypeDef, TypeKind, Union,
};

impl Docs {
    /// Tells whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Tells whether the schema says that this may still change.
    pub fn is_unstable(&self) -> bool {
        self.stability == Stability::Unstable
    }
}

impl Protocol {
    /// Tells whether any part of the protocol may still change.
    pub fn has_unstable(&self) -> bool {
        let methods = self.methods.iter().any(|method| method.docs.is_unstable());
        methods || self.types.values().any(|def| def.docs.is_unstable() || is_unstable(&def.kind))
    }

    /// The protocol without what is unstable: methods, properties, alternatives and constants, the
    /// sides that then handle nothing, and the types that then nothing refers to.
    ///
    /// An unstable property that is required stays: no value is valid without it.
    #[must_use]
    pub fn stable(&self) -> Self {
        let mut stable = self.clone();
        stable.methods.retain(|method| !method.docs.is_unstable());
        for def in stable.types.values_mut() {
            keep_stable(&mut def.kind);
        }
        stable.forget_types(&self.reached_from_unstable(&stable));
        stable.forget_members(self);
        let handled = |name: &str| stable.methods.iter().any(|method| method.is_handled_by(name));
        let gone: Vec<String> = stable
            .sides
            .iter()
            .map(|side| side.name.wire.clone())
            .filter(|name| !handled(name) && self.handled_by(name).next().is_some())
            .collect();
        stable.sides.retain(|side| !gone.contains(&side.name.wire));
        stable.forget_methods();
        stable
    }

    /// The types to which something leads that is not in the stable part.
    fn reached_from_unstable(&self, stable: &Self) -> HashSet<&str> {
        let methods = self.methods.iter().filter(|method| method.docs.is_unstable());
        let payloads =
            methods.flat_map(|method| [Some(method.params()), method.result()]).flatten();
        let mut roots: Vec<&str> = payloads.filter_map(Type::named).collect();
        for (name, def) in &self.types {
            let kept: HashSet<&str> = match stable.types.get(name) {
                Some(def) if !def.docs.is_unstable() => def.kind.references().into_iter().collect(),
                _ => HashSet::new(),
            };
            roots.extend(def.kind.references().into_iter().filter(|other| !kept.contains(other)));
        }
        self.reachable(roots).into_iter().collect()
    }

    /// Drops the types that only unstable ones led to. `doubtful` are all that such ones did.
    fn forget_types(&mut self, doubtful: &HashSet<&str>) {
        let payloads = self
            .methods
            .iter()
            .flat_map(|method| [Some(method.params()), method.result()].into_iter().flatten());
        let mut roots: Vec<&str> = payloads.filter_map(|ty| ty.named()).collect();
        let entries = self.catalogue.iter().flat_map(|catalogue| &catalogue.entries);
        roots.extend(entries.flat_map(|entry| [entry.input.as_str(), entry.output.as_str()]));
        roots.extend(self.transport.iter().map(String::as_str));
        let own = self.types.iter().filter(|(_, def)| !def.docs.is_unstable());
        roots.extend(own.map(|(name, _)| name.as_str()).filter(|name| !doubtful.contains(name)));
        let kept: Vec<String> = self.reachable(roots).into_iter().map(str::to_owned).collect();
        self.types.retain(|name, _| kept.contains(name));
        let known: Vec<String> = self.methods.iter().map(|it| it.name.wire.clone()).collect();
        for def in self.types.values_mut() {
            def.roles.retain(|role| known.contains(&role.method));
        }
    }

    /// Drops from defaults the properties that `whole` lists and this protocol no longer does.
    fn forget_members(&mut self, whole: &Self) {
        let stable = self.clone();
        for def in self.types.values_mut() {
            let fields = match &mut def.kind {
                TypeKind::Record(record) => &mut record.fields,
                TypeKind::Union(union) => &mut union.shared,
                TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => continue,
            };
            for field in fields {
                for default in field.default.iter_mut().chain(&mut field.formal_default) {
                    stable.prune(&field.ty, default, whole);
                }
            }
        }
    }

    fn prune(&self, ty: &Type, value: &mut Value, whole: &Self) {
        match (self.resolve(ty), value) {
            (Type::Named { .. }, Value::Object(members)) => {
                let (kept, all) = (self.fields(ty), whole.fields(ty));
                let is_listed = |fields: &[Field], name: &str| {
                    fields.iter().any(|field| field.name.wire == name)
                };
                members.retain(|name, _| is_listed(kept, name) || !is_listed(all, name));
                for field in kept {
                    if let Some(member) = members.get_mut(&field.name.wire) {
                        self.prune(&field.ty, member, whole);
                    }
                }
            }
            (Type::Array(array), Value::Array(items)) => {
                for item in items {
                    self.prune(&array.items, item, whole);
                }
            }
            (Type::Named { name }, Value::Array(items)) => {
                let Some(TypeKind::Tuple(tuple)) = self.type_def(name).map(|def| &def.kind) else {
                    return;
                };
                for (at, item) in items.iter_mut().enumerate() {
                    if let Some(ty) = tuple.item(at) {
                        self.prune(ty, item, whole);
                    }
                }
            }
            _ => {}
        }
    }

    /// Drops what names methods that are no longer there.
    fn forget_methods(&mut self) {
        let known: Vec<String> = self.methods.iter().map(|it| it.name.wire.clone()).collect();
        let types = &self.types;
        for method in &mut self.methods {
            method.progress.retain(|it| it.is_possible(types));
            method.cancels.retain(|cancels| known.contains(&cancels.request));
            if let Some(handle) = &mut method.handle {
                handle.methods.retain(|it| known.contains(&it.method));
                handle.release = handle.release.take().filter(|it| known.contains(it));
            }
            method.process = method.process.take().filter(|host| {
                let has_release = method.handle.as_ref().is_some_and(|it| it.release.is_some());
                has_release && host.methods().iter().all(|it| known.contains(&(*it).to_owned()))
            });
            method.choice = method.choice.take().filter(|it| it.is_possible(types));
            let params = method.params().named().and_then(|name| types.get(name));
            let fields = params.map_or(&[][..], |def| def.kind.fields());
            let is_there = |name: &Name| fields.iter().any(|it| it.name.wire == name.wire);
            if let Some(file) = &mut method.file {
                file.line = file.line.take().filter(is_there);
                file.limit = file.limit.take().filter(is_there);
            }
            method.stream = method.stream.take().filter(|it| known.contains(&it.notification));
        }
        self.remote = self.remote.take().filter(|it| known.contains(&it.opens));
        if let Some(session) = self.remote.as_mut().and_then(|remote| remote.session.as_mut()) {
            session.opened_by.retain(|it| known.contains(it));
            session.reopened_by.retain(|it| known.contains(it));
            session.closed_by.retain(|it| known.contains(it));
        }
        self.negotiation = self.negotiation.take().filter(|it| known.contains(&it.method));
        let names: Vec<String> = self.sides.iter().map(|side| side.name.wire.clone()).collect();
        for side in &mut self.sides {
            side.capabilities = side.capabilities.take().filter(|it| known.contains(&it.method));
            side.counterpart = side.counterpart.take().filter(|it| names.contains(it));
        }
    }
}

impl Choice {
    /// Tells whether these types have all that it needs.
    fn is_possible(&self, types: &IndexMap<String, TypeDef>) -> bool {
        let union = types.get(&self.union).map(|def| &def.kind);
        let Some(TypeKind::Union(union)) = union else { return false };
        union.tagged().any(|(tag, _)| *tag == self.tag)
    }
}

impl Progress {
    /// Tells whether these types have all that it needs.
    fn is_possible(&self, types: &IndexMap<String, TypeDef>) -> bool {
        let Some(TypeKind::Union(union)) = types.get(&self.union).map(|def| &def.kind) else {
            return false;
        };
        let has_variant = |tag: &String| union.tagged().any(|(known, _)| known == tag);
        let has_status = |name: &String| {
            let fields = types.get(name).map_or(&[][..], |def| def.kind.fields());
            let status = fields.iter().find(|field| field.name.wire == self.status.wire);
            status.is_some_and(|field| self.is_told_by(types, &field.ty))
        };
        [&self.opens, &self.changes].into_iter().all(has_variant)
            && [&self.item, &self.change].into_iter().all(has_status)
    }

    /// Tells whether a type has all values of the status.
    fn is_told_by(&self, types: &IndexMap<String, TypeDef>, ty: &Type) -> bool {
        let def = ty.named().and_then(|name| types.get(name));
        let Some(TypeKind::Enum(of)) = def.map(|def| &def.kind) else { return true };
        let mut values = [&self.completed, &self.failed, &self.cancelled].into_iter();
        let has = |value: &String| of.values.iter().any(|it| it.value == value.as_str());
        values.all(has) && self.started.iter().all(has)
    }
}

fn is_unstable(kind: &TypeKind) -> bool {
    let fields = |fields: &[Field]| fields.iter().any(|field| field.docs.is_unstable());
    match kind {
        TypeKind::Record(record) => fields(&record.fields),
        TypeKind::Union(union) => {
            fields(&union.shared) || union.variants.iter().any(|it| it.docs.is_unstable())
        }
        TypeKind::Enum(of) => of.values.iter().any(|value| value.docs.is_unstable()),
        TypeKind::Tuple(_) | TypeKind::Alias { .. } => false,
    }
}

fn keep_stable(kind: &mut TypeKind) {
    let is_kept = |field: &Field| !field.docs.is_unstable() || field.presence.is_required();
    match kind {
        TypeKind::Record(Record { fields, .. }) => fields.retain(is_kept),
        TypeKind::Union(union) => {
            union.shared.retain(is_kept);
            keep_variants(union);
        }
        TypeKind::Enum(Enum { values, .. }) => values.retain(|value| !value.docs.is_unstable()),
        // An item is where it is because of those before it: none can be left out.
        TypeKind::Tuple(_) | TypeKind::Alias { .. } => {}
    }
}

/// Drops the unstable variants, unless there are no others.
fn keep_variants(union: &mut Union) {
    if union.variants.iter().all(|variant| variant.docs.is_unstable()) {
        return;
    }
    if let Some(open) = &mut union.open {
        let before = union.variants.iter().take(open.position);
        open.position -= before.filter(|variant| variant.docs.is_unstable()).count();
    }
    union.variants.retain(|variant| !variant.docs.is_unstable());
    let tags: Vec<&str> = union.variants.iter().filter_map(|variant| variant.tag()).collect();
    let is_known = |tag: &str| tags.contains(&tag);
    union.shorthand = union.shorthand.take().filter(|it| is_known(&it.variant));
    if let Some(state) = &mut union.state {
        for collection in &mut state.collections {
            collection.variants.retain(|it| is_known(&it.tag));
        }
        // What is only added to or removed never comes to be.
        let is_put = |it: &StateVariant| it.change.is_put();
        state.collections.retain(|collection| collection.variants.iter().any(is_put));
    }
    union.state = union.state.take().filter(|state| !state.collections.is_empty());
}
