//! The page, and the sections of methods.

use super::anchors::slug;
use super::expression::expression;
use super::facts::badges;
use super::format::{Format, Markup};
use super::model::{Fact, Group, MethodSection, Page, Payload, TypeSection};
use super::writer::Writer;
use crate::backend::{DocsMode, header_lines};
use crate::ir::{CapabilityLocation, Handler, Method, Position, Protocol, Type};

/// Writes the model of a reference.
pub(super) fn page(protocol: &Protocol, format: Format, docs: DocsMode) -> Page {
    let mut writer = Writer::new(protocol, format, docs);
    let types_anchor = writer.anchors.claim("types");
    let groups = writer.groups();
    let own = writer.own_sections();
    let types: Vec<TypeSection> = own.into_iter().map(|def| writer.type_section(def)).collect();
    let markup = &writer.markup;
    let title = &protocol.title.wire;
    Page {
        header: header_lines(&protocol.origin),
        title: markup.text(title),
        title_plain: markup.plain(title),
        summary_plain: markup.plain(&format!("Methods and types of {}", title.trim())),
        prose: writer.prose(&protocol.docs),
        facts: facts(protocol, markup),
        groups,
        types,
        types_anchor,
    }
}

fn facts(protocol: &Protocol, markup: &Markup<'_>) -> Vec<Fact> {
    let version = protocol.version.as_ref().map(|version| markup.value(version));
    let version = version.map(|value| Fact { label: "Protocol version", value });
    let origin = &protocol.origin;
    let release = origin.version.iter().map(|version| format!(" {}", markup.text(version)));
    let schema = format!("{}{}", markup.code(&origin.label), release.collect::<String>());
    let methods = protocol.methods.iter().filter(|method| !method.docs.hidden).count();
    let facts = [
        version,
        Some(Fact { label: "Schema", value: schema }),
        Some(Fact { label: "Methods", value: methods.to_string() }),
        Some(Fact { label: "Types", value: markup.sections.len().to_string() }),
    ];
    facts.into_iter().flatten().collect()
}

impl Writer<'_> {
    /// All methods, by handler: the sides in their order, then what either side handles, then
    /// what is part of every connection.
    fn groups(&mut self) -> Vec<Group> {
        let protocol = self.protocol;
        let mut groups = Vec::new();
        for handler in protocol.handlers() {
            let methods: Vec<(usize, &Method)> = protocol
                .methods
                .iter()
                .enumerate()
                .filter(|(_, method)| method.handler == handler && !method.docs.hidden)
                .collect();
            if !methods.is_empty() {
                groups.push(self.group(&handler, &methods));
            }
        }
        groups.extend(self.extensions());
        groups
    }

    /// Describes the messages of methods that are not listed.
    fn extensions(&mut self) -> Option<Group> {
        let extensions = self.protocol.extensions.as_ref()?;
        let carried = [
            ("requests", &extensions.request),
            ("their results", &extensions.result),
            ("notifications", &extensions.notification),
        ];
        let carried: Vec<String> = carried
            .into_iter()
            .filter_map(|(what, ty)| {
                let ty = self.markup.pieces(&expression(ty.as_ref()?));
                Some(format!("{what} carry {ty}"))
            })
            .collect();
        let title = "Other methods";
        Some(Group {
            title: title.into(),
            title_plain: self.markup.plain(title),
            anchor: self.anchors.claim("methods-other"),
            notes: vec![
                "Peers may agree on methods that are not listed here.".into(),
                format!("Of these, {}.", carried.join(", ")),
            ],
            methods: Vec::new(),
        })
    }

    fn group(&mut self, handler: &Handler, methods: &[(usize, &Method)]) -> Group {
        let (name, mut notes) = match handler {
            Handler::Side { name } => {
                let others = match self.callers(name).join(" or the ") {
                    none if none.is_empty() => "Its peer".to_owned(),
                    others => format!("The {others}"),
                };
                let side = self.markup.text(name);
                (
                    name.clone(),
                    vec![format!("Methods that the {side} handles. {others} calls them.")],
                )
            }
            Handler::Either => (
                "Either side".to_owned(),
                vec!["Methods that each side may call on the other.".to_owned()],
            ),
            Handler::Protocol => (
                "Every connection".to_owned(),
                vec!["Methods that the connection itself handles, on each side.".to_owned()],
            ),
        };
        if let Some(location) = self.protocol.capabilities_of(handler) {
            notes.push(format!("It declares its capabilities in {}.", self.location(location)));
        }
        let mut title = name.clone();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let anchor = slug(&crate::ir::Name::new(format!("methods {name}")));
        let anchor = self.anchors.claim(&anchor);
        let methods = methods.iter().map(|(index, method)| self.method(*index, method, handler));
        let methods = methods.collect();
        Group {
            title: self.markup.text(&title),
            title_plain: self.markup.plain(&title),
            anchor,
            notes,
            methods,
        }
    }

    /// The sides that call what another handles.
    fn callers(&self, side: &str) -> Vec<String> {
        let callers = self.protocol.callers(side);
        callers.map(|side| self.markup.text(&side.name.wire)).collect()
    }

    /// Says where a side tells its capabilities.
    fn location(&self, location: &CapabilityLocation) -> String {
        let position = match location.position {
            Position::Params => "params",
            Position::Result => "result",
        };
        let method = self.method_link(&location.method);
        format!("{} of the {position} of {method}", self.markup.code(&location.property.wire))
    }

    fn method(&mut self, index: usize, method: &Method, handler: &Handler) -> MethodSection {
        let anchor = self.methods.get(index).cloned().flatten().unwrap_or_default();
        let mut kinds = vec![("Request", "request", "params", method.params())];
        match method.result() {
            Some(result) => kinds.push(("Response", "response", "result", result)),
            None => kinds = vec![("Notification", "notification", "params", method.params())],
        }
        let mut payloads = Vec::new();
        for (title, slug, position, ty) in kinds {
            let payload_anchor = self.anchors.claim(&format!("{anchor}-{slug}"));
            payloads.push(self.payload_section(
                index,
                method,
                title,
                payload_anchor,
                position == "params",
                ty,
            ));
        }
        MethodSection {
            name: self.markup.code(&method.name.wire),
            name_plain: self.markup.plain(&method.name.wire),
            kind: if method.is_request() { "request" } else { "notification" },
            direction: self.direction(handler),
            badges: badges(&method.docs),
            prose: self.prose(&method.docs),
            notes: self.method_notes(method, handler),
            payloads,
            anchor,
        }
    }

    fn payload_section(
        &mut self,
        index: usize,
        method: &Method,
        title: &'static str,
        anchor: String,
        is_params: bool,
        ty: &Type,
    ) -> Payload {
        let protocol = self.protocol;
        let def = match ty {
            Type::Named { name } if self.homes.get(name.as_str()) == Some(&(index, is_params)) => {
                protocol.type_def(name)
            }
            _ => None,
        };
        let section = def.map(|def| {
            let mut section = self.type_section(def);
            // The message around it says more.
            section.example = None;
            if is_params && def.docs == method.docs {
                section.prose = String::new();
                section.badges = Vec::new();
            }
            section
        });
        let message =
            if is_params { self.examples.call(method) } else { self.examples.answer(method) };
        Payload {
            title,
            anchor,
            ty: self.markup.pieces(&expression(ty)),
            section,
            example: message.map(|message| self.markup.example(&message)),
        }
    }

    /// Sender and receiver of a method.
    fn direction(&self, handler: &Handler) -> String {
        match handler {
            Handler::Side { name } => {
                let callers = self.callers(name);
                let callers = if callers.is_empty() { "peer".into() } else { callers.join(", ") };
                format!("{callers} → {}", self.markup.text(name))
            }
            Handler::Either => "either side → the other".into(),
            Handler::Protocol => "either side → the connection".into(),
        }
    }

    fn method_notes(&self, method: &Method, handler: &Handler) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(path) = &method.capability {
            let capability = self.markup.code(&path.join("."));
            let location = self.protocol.capabilities_of(handler);
            let place =
                location.map(|at| format!(", in {}", self.location(at))).unwrap_or_default();
            notes.push(format!("Capability: only where {capability} is declared{place}."));
        }
        if method.optional {
            notes.push("Optional: a handler may answer that there is no such method.".into());
        }
        if method.lifecycle {
            notes.push("Not in a batch: it changes what later messages mean.".into());
        }
        notes
    }
}
