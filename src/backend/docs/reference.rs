//! The page, and the sections of methods.

use minijinja::context;
use minijinja::value::Value;

use super::anchors::slug;
use super::expression::expression;
use super::facts::{badges, fact};
use super::format::{Format, Markup};
use super::prose::markdown::{bar_safe, rows_of};
use super::security::{SCRIPT, STYLE, policy};
use super::writer::Writer;
use super::{Docs as Target, SCHEMA};
use crate::backend::{DocsMode, header_lines};
use crate::ir::{CapabilityLocation, Docs, Handler, Method, Position, Protocol, Type};

/// Writes the values of a reference.
pub(super) fn page(protocol: &Protocol, of: &Target, mode: DocsMode) -> Value {
    let mut writer = Writer::new(protocol, of, mode);
    let types_anchor = writer.anchors.claim("types");
    let groups = writer.groups();
    let own = writer.own_sections().into_iter();
    let types: Vec<Value> = own.map(|def| writer.type_section(def, &def.docs, true)).collect();
    let markup = &writer.markup;
    let title = &protocol.title.wire;
    context! {
        header => header_lines(&protocol.origin).to_vec(),
        title => markup.text(title),
        title_plain => markup.plain(title),
        summary_plain => markup.plain(&format!("Methods and types of {}", title.trim())),
        prose => writer.prose(&protocol.docs),
        facts => facts(protocol, markup, of.schema.is_some()),
        // The methods, by who handles them.
        groups,
        // Whether there is a method to be listed.
        has_methods => protocol.methods.iter().any(|method| !method.docs.hidden),
        // All methods as a Markdown table.
        overview => if of.format == Format::Html { String::new() } else { writer.overview() },
        // All types that are no payload of a method, by name.
        types,
        types_anchor,
        style => STYLE,
        script => SCRIPT,
        policy => policy(),
    }
}

/// Version, schema, counts.
fn facts(protocol: &Protocol, markup: &Markup<'_>, has_schema: bool) -> Vec<Value> {
    let version = protocol.version.as_ref();
    let version = version.map(|version| fact("Protocol version", markup.value(version)));
    let origin = &protocol.origin;
    let release = origin.version.iter().map(|version| format!(" {}", markup.text(version)));
    let label = markup.code(&origin.label);
    let label = if has_schema { markup.link_to(&label, SCHEMA) } else { label };
    let schema = format!("{label}{}", release.collect::<String>());
    let methods = protocol.methods.iter().filter(|method| !method.docs.hidden).count();
    let counts = [
        fact("Schema", schema),
        fact("Methods", methods.to_string()),
        fact("Types", markup.sections.len().to_string()),
    ];
    version.into_iter().chain(counts).collect()
}

impl Writer<'_> {
    /// All methods, by handler: the sides in their order, then what either side handles, then
    /// what is part of every connection.
    fn groups(&mut self) -> Vec<Value> {
        let protocol = self.protocol;
        let mut groups = Vec::new();
        for handler in protocol.handlers() {
            let methods = protocol.methods.iter().enumerate();
            let methods: Vec<(usize, &Method)> = methods
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
    fn extensions(&mut self) -> Option<Value> {
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
        let notes = vec![
            "Peers may agree on methods that are not listed here.".to_owned(),
            format!("Of these, {}.", carried.join(", ")),
        ];
        let anchor = self.anchors.claim("methods-other");
        let description = self.said_of_extensions();
        let docs = Docs { description, ..Docs::default() };
        Some(self.group_of("Other methods", anchor, &docs, notes, Vec::new()))
    }

    /// Collects the schema's descriptions of extension messages, by the side that handles them.
    fn said_of_extensions(&self) -> Option<String> {
        let mut paragraphs = Vec::new();
        for side in &self.protocol.sides {
            let kinds = [
                ("Requests", &side.extensions.request),
                ("Notifications", &side.extensions.notification),
            ];
            for (kind, docs) in kinds.into_iter().filter(|(_, docs)| !docs.hidden) {
                if let Some(text) = &docs.description {
                    paragraphs.push(format!("{kind} to the {}:", side.name.wire));
                    paragraphs.push(text.clone());
                }
            }
        }
        (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
    }

    fn group_of(
        &self,
        title: &str,
        anchor: String,
        docs: &Docs,
        notes: Vec<String>,
        methods: Vec<Value>,
    ) -> Value {
        let (title, title_plain) = (self.markup.text(title), self.markup.plain(title));
        let (badges, prose) = (badges(docs), self.prose(docs));
        context! { title, title_plain, anchor, badges, prose, notes, methods }
    }

    fn group(&mut self, handler: &Handler, methods: &[(usize, &Method)]) -> Value {
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
        let docs = match handler {
            Handler::Side { name } => self.protocol.side(name).map(|side| side.docs.clone()),
            Handler::Either | Handler::Protocol => None,
        };
        self.group_of(&title, anchor, &docs.unwrap_or_default(), notes, methods)
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

    fn method(&mut self, index: usize, method: &Method, handler: &Handler) -> Value {
        let anchor = self.methods.get(index).cloned().flatten().unwrap_or_default();
        let params = if method.is_request() { "Request" } else { "Notification" };
        let params = [(params, true, method.params())].into_iter();
        let payloads = params.chain(method.result().map(|result| ("Response", false, result)));
        let payloads: Vec<Value> =
            payloads.map(|payload| self.payload_of(index, method, payload, &anchor)).collect();
        context! {
            name => self.markup.code(&method.name.wire),
            name_plain => self.markup.plain(&method.name.wire),
            kind => if method.is_request() { "request" } else { "notification" },
            direction => self.direction(handler),
            badges => badges(&method.docs),
            since => self.label(self.since.method(&method.name.wire)),
            prose => self.prose(&method.docs),
            lead => self.lead(&method.docs),
            when => self.when(method),
            notes => self.method_notes(method, handler),
            payloads,
            anchor,
        }
    }

    /// The params or the result of a method, under its title.
    fn payload_of(
        &mut self,
        index: usize,
        method: &Method,
        (title, is_params, ty): (&str, bool, &Type),
        owner: &str,
    ) -> Value {
        let anchor = self.anchors.claim(&format!("{owner}-{}", title.to_lowercase()));
        let def = match ty {
            Type::Named { name } if self.homes.get(name.as_str()) == Some(&(index, is_params)) => {
                self.protocol.type_def(name)
            }
            _ => None,
        };
        // The type, if this is where it is described. The message around it says more than an
        // example of its own would.
        let section = def.map(|def| {
            let is_said = is_params && def.docs == method.docs;
            let docs = if is_said { &Docs::default() } else { &def.docs };
            self.type_section(def, docs, false)
        });
        let message =
            if is_params { self.examples.call(method) } else { self.examples.answer(method) };
        context! {
            title,
            anchor,
            ty => self.markup.pieces(&expression(ty)),
            section,
            example => self.markup.example(message.as_ref()),
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

    /// When a method can be called, in a word or two for a table.
    fn when(&self, method: &Method) -> String {
        match &method.capability {
            Some(path) => format!("if {}", self.markup.code(&path.join("."))),
            None if method.optional => "optional".to_owned(),
            None => "always".to_owned(),
        }
    }

    /// The table of all methods, in Markdown.
    fn overview(&self) -> String {
        let head = ["Method", "Sent by → handled by", "Available", "What it does"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for handler in self.protocol.handlers() {
            for (method, anchor) in self.protocol.methods.iter().zip(&self.methods) {
                let Some(anchor) = anchor.as_ref().filter(|_| method.handler == handler) else {
                    continue;
                };
                let badges = badges(&method.docs).into_iter().map(|badge| format!(", **{badge}**"));
                rows.push(vec![
                    self.markup.link(&self.markup.code(&method.name.wire), anchor),
                    self.direction(&handler),
                    self.when(method) + &badges.collect::<String>(),
                    self.lead(&method.docs),
                ]);
            }
        }
        let safe = |row: &Vec<String>| row.iter().map(|cell| bar_safe(cell)).collect();
        rows_of(&rows.iter().map(safe).collect::<Vec<Vec<String>>>())
    }

    fn method_notes(&self, method: &Method, handler: &Handler) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(path) = &method.capability {
            let capability = self.markup.code(&path.join("."));
            let location = self.protocol.capabilities_of(handler);
            let location =
                location.map(|at| format!(", in {}", self.location(at))).unwrap_or_default();
            notes.push(format!("Capability: only where {capability} is declared{location}."));
        }
        if method.optional {
            notes.push("Optional: a handler may answer that there is no such method.".into());
        }
        if method.lifecycle {
            notes.push("Not in a batch: it changes what later messages mean.".into());
        }
        notes.extend(self.meaning_of_method(method));
        notes
    }
}
