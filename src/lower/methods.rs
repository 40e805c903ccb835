//! Methods: the types bound to one by `x-method` and `x-side`, paired.

use indexmap::IndexMap;

use super::Lowerer;
use super::capabilities::dotted;
use super::chosen_names::is_function_name;
use super::envelope::{Envelope, Role};
use crate::diagnostic::{Diagnostic, nearest};
use crate::ir::{Docs, Handler, Method, MethodKind, Name, Position, Type, TypeRole};
use crate::schema::{CapabilityAnnotation, SchemaObject};
use crate::source::Location;

/// The payload types of one method on one side.
#[derive(Default)]
pub(super) struct Bound<'a> {
    pub(super) requests: Vec<(&'a str, &'a SchemaObject)>,
    pub(super) responses: Vec<(&'a str, &'a SchemaObject)>,
    pub(super) notifications: Vec<(&'a str, &'a SchemaObject)>,
    /// True if no annotation binds any of them.
    pub(super) inferred: bool,
    /// True if the message unions say that a request is answered with `null`.
    pub(super) null_result: bool,
}

impl<'a> Lowerer<'a> {
    /// Pairs the bound types into methods, and notes on each type the part it plays.
    pub(super) fn methods(&mut self, envelope: &Envelope<'a>) -> Vec<Method> {
        let mut bound = self.bindings(envelope);
        if let Some(bindings) = self.bindings {
            self.infer(bindings, envelope, &mut bound);
        }
        self.answer(envelope, &mut bound);
        let asked = bound.iter().filter(|(_, types)| !types.requests.is_empty());
        let asked: Vec<&str> = asked.map(|((method, _), _)| *method).collect();
        let mut methods = Vec::new();
        for ((wire, side), types) in &bound {
            let handler = match *side {
                "both" => Handler::Either,
                "protocol" => Handler::Protocol,
                name => Handler::Side { name: name.to_owned() },
            };
            self.reject_duplicates(wire, &types.requests, "params");
            self.reject_duplicates(wire, &types.responses, "result");
            self.reject_duplicates(wire, &types.notifications, "params");
            let method = |(name, schema): (&str, &SchemaObject), kind| {
                let shared_name =
                    !matches!(kind, MethodKind::Request { .. }) && asked.contains(wire);
                Method {
                    name: method_name(wire, name, schema, shared_name),
                    function_name: function_name(wire, schema),
                    function_name_location: function_name_location(schema),
                    handler: handler.clone(),
                    kind,
                    optional: schema.annotations.optional,
                    capability: capability(schema),
                    lifecycle: schema.annotations.lifecycle,
                    inferred: types.inferred,
                    stream: None,
                    cancels: Vec::new(),
                    handle: None,
                    process: None,
                    progress: Vec::new(),
                    choice: None,
                    file: None,
                    docs: method_docs(envelope.docs.get(name).copied(), &schema.docs),
                    location: schema.location.clone(),
                }
            };
            match (types.requests.first(), types.responses.first()) {
                (Some(request), Some(response)) => {
                    let (params, result) = (named(request.0), named(response.0));
                    methods.push(method(*request, MethodKind::Request { params, result }));
                }
                (Some(request), None) if types.null_result || self.bindings.is_some() => {
                    let result = if types.null_result { Type::Null } else { Type::Any };
                    let params = named(request.0);
                    methods.push(method(*request, MethodKind::Request { params, result }));
                }
                (None, Some(_)) if self.bindings.is_some() => {}
                // The other half may be the one whose side was not understood.
                (Some(_), None) | (None, Some(_)) if self.misplaced.contains(*wire) => {}
                (Some((name, schema)), None) => self.unpaired(
                    "request-without-response",
                    format!("`{wire}` has params (`{name}`) but no result"),
                    schema,
                    format!("annotate the result's type with `x-method: {wire}`; if nothing is answered, name the params type a Notification"),
                ),
                (None, Some((name, schema))) => self.unpaired(
                    "response-without-request",
                    format!("`{wire}` has a result (`{name}`) but no params"),
                    schema,
                    format!("annotate the params' type with `x-method: {wire}`"),
                ),
                (None, None) => {}
            }
            if let Some(notification) = types.notifications.first() {
                let params = named(notification.0);
                methods.push(method(*notification, MethodKind::Notification { params }));
            }
        }
        self.note_roles(&methods);
        if methods.is_empty() && !self.diagnostics.has_errors() {
            self.diagnostics.push(
                Diagnostic::warning("no-methods", "the schema binds no type to a method")
                    .at(self.document.root.location.clone())
                    .help("annotate payload types with `x-method` and `x-side`, in an overlay if the schema is not yours"),
            );
        }
        methods
    }

    fn bindings(&mut self, envelope: &Envelope<'_>) -> IndexMap<(&'a str, &'a str), Bound<'a>> {
        let mut bound: IndexMap<(&str, &str), Bound<'_>> = IndexMap::new();
        for (name, schema) in &self.document.definitions {
            let annotations = &schema.annotations;
            let (method, side) = match (&annotations.method, &annotations.side) {
                (Some(method), Some(side)) => (method.as_str(), side.as_str()),
                (None, None) => continue,
                (Some(method), None) => {
                    self.half_annotated(name, schema, &format!("is bound to `{method}`"), "x-side");
                    continue;
                }
                (None, Some(side)) => {
                    self.half_annotated(name, schema, &format!("is for `{side}`"), "x-method");
                    continue;
                }
            };
            if !self.is_side(side, schema, envelope) {
                self.misplaced.insert(method.to_owned());
                continue;
            }
            let Some(role) = self.role(name, schema, envelope) else { continue };
            let types = bound.entry((method, side)).or_default();
            match role {
                Role::Request => types.requests.push((name, schema)),
                Role::Response => types.responses.push((name, schema)),
                Role::Notification => types.notifications.push((name, schema)),
            }
        }
        bound
    }

    fn half_annotated(&mut self, name: &str, schema: &SchemaObject, has: &str, lacks: &str) {
        if self.bindings.is_some() {
            return;
        }
        self.diagnostics.push(
            Diagnostic::error("half-bound", format!("`{name}` {has} but has no `{lacks}`"))
                .at(schema.location.clone())
                .help("`x-method` names the method, `x-side` the side that handles it; a payload has both"),
        );
    }

    fn is_side(&mut self, side: &str, schema: &SchemaObject, envelope: &Envelope<'_>) -> bool {
        let known = || envelope.sides.iter().map(|side| side.name.wire.as_str());
        let slip = nearest(side, known().chain(["both", "protocol"]));
        let rare = || self.uses_of_side(side) < slip.map_or(0, |near| self.uses_of_side(near));
        let declared = ["both", "protocol"].contains(&side) || known().any(|known| known == side);
        if !side.is_empty() && declared && !(slip.is_some() && rare()) {
            return true;
        }
        let error =
            Diagnostic::error("unknown-side", format!("`{side}` is not a side of this protocol"))
                .at(schema.location.clone());
        let sides = known().filter(|known| *known != side).collect::<Vec<_>>().join("`, `");
        self.diagnostics.push(error.near(slip, format!("use `{sides}`, `both` or `protocol`")));
        false
    }

    fn uses_of_side(&self, side: &str) -> usize {
        let sides = self.document.definitions.values().map(|schema| &schema.annotations.side);
        sides.filter(|other| other.as_deref() == Some(side)).count()
    }

    /// The role of a payload: from the union that lists it, else from its name.
    fn role(&mut self, name: &str, schema: &SchemaObject, envelope: &Envelope<'_>) -> Option<Role> {
        let listed = envelope.roles.get(name).copied();
        let named = Role::of_payload(name).map(|(role, _)| {
            let has_result = || self.has_result(schema, envelope);
            role.unwrap_or_else(|| if has_result() { Role::Request } else { Role::Notification })
        });
        if let (Some(listed), Some(named)) = (listed, named)
            && listed != named
        {
            self.diagnostics.push(
                Diagnostic::warning(
                    "role-disagrees",
                    format!(
                        "`{name}` is named a {} but listed among the {}s",
                        named.name(),
                        listed.name()
                    ),
                )
                .at(schema.location.clone())
                .label(format!("taken as a {}", listed.name()))
                .help("rename it, or list it in the right message union"),
            );
        }
        if listed.or(named).is_none() {
            self.diagnostics.push(
                Diagnostic::error(
                    "unknown-role",
                    format!("`{name}` is bound to a method, but is it params or result?"),
                )
                .at(schema.location.clone())
                .help(
                    "end its name in Request, Response or Notification, or in Params or Result; \
                     or list it in a message union",
                ),
            );
        }
        listed.or(named)
    }

    /// Tells whether the method of a payload has a result, on the same side.
    fn has_result(&self, schema: &SchemaObject, envelope: &Envelope<'_>) -> bool {
        let own = &schema.annotations;
        self.document.definitions.iter().any(|(name, other)| {
            let listed = envelope.roles.get(name.as_str()).copied();
            let role = || listed.or_else(|| Role::of_payload(name)?.0);
            other.annotations.method == own.method
                && other.annotations.side == own.side
                && role() == Some(Role::Response)
        })
    }

    fn reject_duplicates(&mut self, wire: &str, types: &[(&str, &SchemaObject)], what: &str) {
        let Some(((first, first_schema), others)) = types.split_first() else { return };
        for (name, schema) in others {
            self.diagnostics.push(
                Diagnostic::error(
                    "duplicate-binding",
                    format!("`{wire}` has two {what} types, `{first}` and `{name}`"),
                )
                .at(schema.location.clone())
                .related(first_schema.location.clone(), "the other one")
                .help("bind one of them to another method"),
            );
        }
    }

    fn unpaired(
        &mut self,
        code: &'static str,
        message: String,
        schema: &SchemaObject,
        help: String,
    ) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(schema.location.clone()).help(help));
    }

    fn note_roles(&mut self, methods: &[Method]) {
        for method in methods {
            let params = (Some(method.params()), Position::Params);
            for (ty, position) in [params, (method.result(), Position::Result)] {
                if let Some(Type::Named { name }) = ty
                    && let Some(def) = self.types.get_mut(name)
                {
                    def.roles.push(TypeRole { method: method.name.wire.clone(), position });
                }
            }
        }
    }
}

fn named(name: &str) -> Type {
    Type::Named { name: name.to_owned() }
}

/// The documentation of a method: what the message union says of it, else its params.
fn method_docs(listed: Option<&Docs>, params: &Docs) -> Docs {
    let Some(listed) = listed.filter(|docs| docs.description.is_some()) else {
        return params.clone();
    };
    Docs {
        description: listed.description.clone(),
        stability: listed.stability.max(params.stability),
        deprecated: listed.deprecated || params.deprecated,
        hidden: params.hidden,
    }
}

/// The words of a method: see [`Method::name`].
fn method_name(wire: &str, params: &str, schema: &SchemaObject, shared_name: bool) -> Name {
    let params = schema.annotations.name.as_deref().unwrap_or(params);
    let own = Name::new(wire);
    let stem = Role::of_payload(params).map_or(params, |(_, stem)| stem);
    let stem = Name::new(stem);
    let segments: Vec<&str> = wire.split('/').collect();
    let namespace = segments.split_last().map(|(_, rest)| Name::new(rest.join(" ")).words);
    let is_namespace = segments.len() > 1 && namespace.is_some_and(|words| words == stem.words);
    let mut words = if is_namespace { own.words } else { stem.words };
    if shared_name {
        words.push("notification".to_owned());
    }
    Name { wire: wire.to_owned(), words, is_chosen: false }
}

/// The words that the schema gives the function of a method.
fn function_name(wire: &str, schema: &SchemaObject) -> Option<Name> {
    let chosen = schema.annotations.function_name.as_ref().map(|chosen| chosen.name.as_str());
    chosen.filter(|name| is_function_name(name)).map(|name| Name::chosen(wire, name))
}

fn function_name_location(schema: &SchemaObject) -> Option<Location> {
    schema.annotations.function_name.as_ref().map(|chosen| chosen.location.clone())
}

fn capability(schema: &SchemaObject) -> Option<Vec<String>> {
    match schema.annotations.capability.as_ref()? {
        CapabilityAnnotation::Method(path) => Some(dotted(path)),
        CapabilityAnnotation::Value(_) => None,
    }
}
