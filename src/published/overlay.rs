//! An overlay with which generated code has the names that a published package has.

use serde_json::{Map, Value};

use super::classes;
use super::declared::{Member, Type};
use super::entries::{Entry, Named, put};
use super::functions;
use super::pairing::{Partner, Reason, pair};
use crate::backend::api::{Api, Declaration, DeclarationKind, Origin};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::ir::{Name, Protocol, TypeKind};
use crate::source::{Json, Location, Node, Sources, Span, segments};

/// The names that are taken over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adoption {
    /// The overlay: `x-name`, `x-names`, `x-class-names` and `x-function-name`, in the order of the
    /// schema. Empty if all names are what generated code has anyway.
    pub overlay: Map<String, Value>,
    /// The types whose names are the same already.
    pub same: usize,
    /// The names of types, members, values and functions in the overlay.
    pub renamed: usize,
}

/// Finds out which published type is which of ours, and says with which overlay generated code has
/// its name.
///
/// `schema`: the document, with the overlays that it has. `api`: what is generated from it in the
/// language of the published package. What cannot be taken over is reported, with its place in
/// `sources`.
///
/// ```
/// use acp_bindgen::backend::{DocsMode, Options, Runtime};
/// use acp_bindgen::diagnostic::Diagnostics;
/// use acp_bindgen::generator::backend;
/// use acp_bindgen::published::{adopt, read_typescript};
/// use acp_bindgen::source::{SourceText, Sources};
/// use acp_bindgen::{Config, Purpose, SchemaText, Target, load};
/// use serde_json::json;
///
/// let schema = json!({ "$defs": { "Greeting": {
///     "type": "object",
///     "properties": {
///         "text": { "type": "string" },
///         "language": { "type": "string" },
///         "volume": { "type": "integer" },
///     },
/// } } });
/// let loaded = load(SchemaText::from_value("hello.json", &schema), Purpose::Generate);
/// let protocol = loaded.protocol.ok_or("the schema has errors")?;
/// let schema = loaded.schema.ok_or("it is a schema")?;
/// let options = Options::new("hello", DocsMode::Full, Runtime::Embedded);
/// let api = backend(&Target::TypeScript, &Config::default()).api(&protocol, &options);
///
/// let text = "export interface Salutation { text: string; language: string; volume: number; }";
/// let mut sources = Sources::default();
/// let published = read_typescript(text, sources.add(SourceText::new("hello.d.ts", text)));
/// let mut diagnostics = Diagnostics::new();
/// let adoption = adopt(&published, (&protocol, &schema.root), &api, &sources, &mut diagnostics);
/// let overlay = json!({ "$defs": { "Greeting": { "x-name": "Salutation" } } });
/// assert_eq!(Some(&adoption.overlay), overlay.as_object());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn adopt(
    published: &[Type],
    (protocol, schema): (&Protocol, &Node),
    api: &Api,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Adoption {
    let partners = pair(published, protocol, api);
    let mut adopter = Adopter {
        protocol,
        schema,
        api,
        sources,
        diagnostics,
        entries: Vec::new(),
        namesakes: Vec::new(),
        same: 0,
        code: Vec::new(),
    };
    for (ty, partner) in published.iter().zip(partners) {
        adopter.adopt(ty, partner);
    }
    adopter.give_way();
    let Adopter { mut entries, same, code, diagnostics, .. } = adopter;
    if !code.is_empty() {
        let names = code.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let message = format!("types of the package's own, which no message is of: {names}");
        let found = Diagnostic::new("published-own-types", Severity::Info, message);
        diagnostics.push(found.help("they have functions and no properties, or are errors"));
    }
    let place = |pointer: &str| {
        let key = segments(pointer).and_then(|way| way.into_iter().nth(1)).unwrap_or_default();
        protocol.types.get_index_of(&key)
    };
    entries.sort_by_key(|entry| place(&entry.pointer));
    let mut adoption = Adoption { overlay: Map::new(), same, renamed: entries.len() };
    for entry in entries {
        put(&mut adoption.overlay, entry);
    }
    adoption
}

/// Collects the overlay that takes over the names of a published package.
pub(super) struct Adopter<'a> {
    pub(super) protocol: &'a Protocol,
    schema: &'a Node,
    pub(super) api: &'a Api,
    pub(super) sources: &'a Sources,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) entries: Vec<Entry>,
    /// The pointers of definitions whose names classes of variants have taken, and these.
    pub(super) namesakes: Vec<(String, Type)>,
    pub(super) same: usize,
    /// The types of which no message is.
    code: Vec<&'a str>,
}

impl<'a> Adopter<'a> {
    fn adopt(&mut self, ty: &'a Type, partner: Partner<'_>) {
        let (ours, reason) = match partner {
            Partner::Declared { ours, reason } => (ours, reason),
            Partner::Class { union, ours, reason } => {
                if reason == Reason::Shape {
                    self.guessed(ty, &ours.name);
                }
                self.class(ty, union, ours);
                self.class_members(ty, union, ours);
                return;
            }
            Partner::Variant { union, variant } => {
                self.variant(ty, union, variant);
                let of =
                    Origin::Variant { ty: union.to_owned(), variant: variant.name.wire.clone() };
                if let Some(ours) = self.api.declarations.iter().find(|it| it.of == of) {
                    self.class_members(ty, union, ours);
                }
                return;
            }
            Partner::None if ty.is_code() => {
                self.code.push(&ty.name);
                return;
            }
            Partner::None => {
                let message = format!("nothing in the schema is like `{}`", ty.name);
                let help = "if it is a type of the protocol, give that an `x-name` by hand";
                self.warn("published-type-unknown", message, ty.span, help);
                return;
            }
        };
        let Origin::Type(key) = &ours.of else {
            self.same += 1;
            if ours.kind == DeclarationKind::Handler {
                self.functions(ty, ours);
            }
            return;
        };
        let Some(def) = self.protocol.type_def(key) else { return };
        if ours.name == ty.name {
            self.same += 1;
        } else if self.is_spelled(&ty.name, Name::pascal, ty.span)
            && self.is_free(&ty.name, ty.span)
            && self.is_within_reach(&def.location, &ty.name, ty.span)
        {
            if reason == Reason::Shape {
                self.guessed(ty, key);
            }
            let (pointer, name) = (def.location.pointer.clone(), ty.name.clone());
            self.entries.push(Entry { pointer, of: Named::Itself, name });
        }
        self.members(ty, ours, key);
    }

    /// Says that a type is held to be one of ours for its members alone.
    fn guessed(&mut self, ty: &Type, ours: &str) {
        let message = format!("`{}` is held to be `{ours}`: only their members are alike", ty.name);
        let found = Diagnostic::new("published-type-guessed", Severity::Info, message);
        let found = found.at(self.sources.location("", ty.span));
        self.diagnostics.push(found.help("take it out of the overlay if that is not so"));
    }

    /// Takes over the names of what the class of a variant has: its own fields, and those that it
    /// shares with the other variants.
    fn class_members(&mut self, ty: &Type, union: &str, ours: &Declaration) {
        self.members(ty, ours, union);
        let payload =
            classes::variant(union, ours, self.protocol).and_then(|it| it.payload.as_ref());
        if let Some(crate::ir::Type::Named { name }) = payload {
            self.members(ty, ours, name);
        }
    }

    /// Takes over the names of fields and values that code spells otherwise than messages.
    fn members(&mut self, ty: &Type, ours: &Declaration, key: &str) {
        let kind = self.protocol.type_def(key).map(|def| &def.kind);
        let renamed = ty.members().filter(|it| !it.name.is_empty());
        match kind {
            Some(kind @ (TypeKind::Record(_) | TypeKind::Union(_))) => {
                for member in renamed {
                    let Some(field) = kind.fields().iter().find(|it| is_same(&it.name, member))
                    else {
                        continue;
                    };
                    let wire = &field.name.wire;
                    let Some(own) = other(ours, wire, member) else { continue };
                    // Several types can have it, as do the classes of variants.
                    let is_it =
                        |it: &Entry| it.pointer == field.location.pointer && it.of == Named::Itself;
                    if self.entries.iter().any(is_it) {
                        continue;
                    }
                    if self.is_spelled(&member.name, Name::snake, member.span)
                        && self.is_sayable(own, member)
                        && self.is_within_reach(&field.location, &member.name, member.span)
                    {
                        let (pointer, name) = (field.location.pointer.clone(), member.name.clone());
                        self.entries.push(Entry { pointer, of: Named::Itself, name });
                    }
                }
            }
            Some(TypeKind::Enum(of)) => {
                let location = self.protocol.type_def(key).map(|def| def.location.clone());
                for member in renamed {
                    let value = of.values.iter().find(|it| is_same(&it.name, member));
                    let (Some(value), Some(location)) = (value, &location) else { continue };
                    let Some(own) = other(ours, &value.name.wire, member) else { continue };
                    if self.is_sayable(own, member)
                        && self.is_within_reach(location, &member.name, member.span)
                    {
                        let text = value.value.as_str().map(str::to_owned);
                        let of = Named::Value(text.unwrap_or_else(|| value.value.to_string()));
                        let (pointer, name) = (location.pointer.clone(), member.name.clone());
                        self.entries.push(Entry { pointer, of, name });
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes over the names of the functions that handle a side's methods.
    fn functions(&mut self, ty: &Type, ours: &Declaration) {
        let is_ours =
            |name: &str| ours.members.iter().any(|it| it.role.is_function() && it.name == name);
        for (function, method) in functions::pair(ty, ours, self.protocol) {
            if is_ours(&function.name) {
                continue;
            }
            let Some(method) = method else {
                let message = format!("`{}` of `{}` has no such name here", function.name, ty.name);
                let help = "it handles no method of the schema, or nobody can tell which: give the \
                            params of that an `x-function-name` by hand";
                self.warn("published-name-lost", message, function.span, help);
                continue;
            };
            let is_snake = ours.members.iter().any(|it| it.name.contains('_'));
            let join = if is_snake { Name::snake } else { Name::camel };
            if self.is_spelled(&function.name, join, function.span)
                && self.is_within_reach(&method.location, &function.name, function.span)
            {
                let (pointer, name) = (method.location.pointer.clone(), function.name.clone());
                self.entries.push(Entry { pointer, of: Named::Function, name });
            }
        }
    }

    /// Tells whether an annotation can say a name: it is split into words, and every language joins
    /// them in its own way.
    pub(super) fn is_spelled(&mut self, name: &str, join: fn(&Name) -> String, span: Span) -> bool {
        let spelled = join(&Name::with_words("", name));
        if spelled == name {
            return true;
        }
        let message = format!("`{name}` would be spelled `{spelled}` here");
        let help = "names are made of words, in the case that the language is used to";
        self.warn("published-name-lost", message, span, help);
        false
    }

    /// Tells whether a member's name differs from ours in more than case, or in what keeps ours from
    /// being a keyword.
    fn is_sayable(&mut self, own: &str, member: &Member) -> bool {
        let plain = |name: &str| Name::new(name.trim_start_matches("r#")).words;
        if plain(own) != plain(&member.name) {
            return true;
        }
        let message = format!("`{}` is spelled `{own}` here", member.name);
        let help = "names are made of words, in the case that the language is used to";
        self.warn("published-name-lost", message, member.span, help);
        false
    }

    /// Tells whether nothing else has a name.
    pub(super) fn is_free(&mut self, name: &str, span: Span) -> bool {
        let is_taken = self.api.declarations.iter().any(|it| it.name == name);
        if is_taken {
            let message = format!("`{name}` is something else here");
            let help = "give one of the two another name";
            self.warn("published-name-lost", message, span, help);
        }
        !is_taken
    }

    /// Tells whether an overlay can annotate a place: it cannot change a part of an array.
    pub(super) fn is_within_reach(&mut self, location: &Location, name: &str, span: Span) -> bool {
        let mut node = Some(self.schema);
        for segment in segments(&location.pointer).unwrap_or_default() {
            if !matches!(node.map(|node| &node.json), Some(Json::Object(_))) {
                let message =
                    format!("`{name}` is inside an array, where an overlay does not reach");
                let help = format!("annotate `{}` in the schema itself", location.pointer);
                self.warn("published-name-lost", message, span, help);
                return false;
            }
            node = node.and_then(|node| node.get(&segment));
        }
        true
    }

    pub(super) fn warn(
        &mut self,
        code: &'static str,
        message: String,
        span: Span,
        help: impl Into<String>,
    ) {
        let found = Diagnostic::warning(code, message).at(self.sources.location("", span));
        self.diagnostics.push(found.help(help));
    }
}

/// Tells whether a published member stands for this name in messages.
fn is_same(name: &Name, member: &Member) -> bool {
    name.wire == member.wire
        || super::declared::folded(&name.wire) == super::declared::folded(&member.wire)
}

/// The name that a member has here, if it is another one.
fn other<'a>(ours: &'a Declaration, wire: &str, member: &Member) -> Option<&'a str> {
    let mut own = ours.members.iter().filter(|it| it.of == wire && !it.role.is_function());
    own.next().map(|it| it.name.as_str()).filter(|name| *name != member.name)
}
