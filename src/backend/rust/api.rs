//! The public declarations, from the syntax tree that is printed.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, FnArg, ImplItem, Item, ReturnType, Signature, TraitItem, Visibility};

use super::emit::Definition;
use super::model::{self, Model};
use super::{emit, names};
use crate::backend::api::{
    Api, Declaration, DeclarationKind, Member, Origin, Parameter, Position, Role,
};
use crate::backend::{DocsMode, Options};
use crate::diagnostic::Diagnostics;
use crate::ir::{Findings, Name, Protocol, Type, TypeKind, with_distinct_names};

/// The modules that declare what belongs to a protocol. The others are the same for all protocols,
/// or follow from these.
const MODULES: [&str; 6] = ["connections", "handlers", "hosts", "methods", "states", "types"];

/// The public declarations of the crate.
pub(super) fn api(protocol: &Protocol, options: &Options) -> Api {
    let options = Options { docs: DocsMode::Off, ..options.clone() };
    // What is wrong with a protocol is said by `generate`.
    with_distinct_names(protocol, &mut Diagnostics::new(), |protocol, findings| {
        let model = model::build(protocol, &options, findings);
        declared(protocol, &model, findings)
    })
}

fn declared(protocol: &Protocol, model: &Model<'_>, findings: &mut Findings) -> Api {
    // What a request opens belongs to that, and so does what a notification tells of.
    let mut handles: HashMap<String, Origin> = HashMap::new();
    for side in &model.sides {
        for progress in &side.progresses {
            handles.insert(word(&progress.ident), Origin::Method(progress.wire.clone()));
        }
        for handle in &side.handles {
            let opening = side.methods.iter().find(|it| it.ident == handle.opened_by);
            let of = opening.map(|it| Origin::Method(it.method.name.wire.clone()));
            handles.extend(of.map(|of| (word(&handle.ident), of)));
        }
    }
    for (opener, process) in protocol.process_hosts() {
        let ident = names::type_name(&process.name, |_| false);
        handles.insert(word(&ident), Origin::Method(opener.name.wire.clone()));
    }
    let definitions = protocol
        .types
        .iter()
        .map(|(wire, def)| Definition::new(&model.scope, wire, def, findings).types);
    let mut modules = emit::modules(model);
    modules.push(("types", Box::new(definitions)));
    modules.retain(|(name, _)| MODULES.contains(name));
    modules.sort_by_key(|(name, _)| *name);
    let mut api = Api::default();
    for (name, fragments) in modules {
        for fragment in fragments {
            let of = match name {
                "states" | "types" => Origin::Type(fragment.subject.to_owned()),
                "methods" | "hosts" => Origin::Protocol,
                _ => Origin::Side(fragment.subject.to_owned()),
            };
            let wires = wires(protocol, &of);
            let Ok(file) = fragment.parse(protocol) else { continue };
            for item in file.items {
                let handle = match &item {
                    Item::Struct(item) => handles.get(&word(&item.ident)),
                    _ => None,
                };
                let of = handle.filter(|_| ["connections", "hosts"].contains(&name)).unwrap_or(&of);
                declare(item, of, &wires, &mut api.declarations);
            }
        }
    }
    api.declarations.extend(protocol.remote.iter().map(|_| transport()));
    api
}

/// The choice of transports, which there is where the protocol is spoken over HTTP.
fn transport() -> Declaration {
    let kind = DeclarationKind::Choice { exhaustive: true };
    let start = Declaration::new(Origin::Protocol, "remote::Transport", kind);
    let members = ["Auto", "Http", "WebSocket"].map(|name| {
        Member::new("", name, Role::Alternative, String::new(), format!("    {name},"))
    });
    Declaration { head: vec![String::from("pub enum Transport")], ..start }.with(members)
}

/// The wire names of what the members of a declaration can stand for, by their names in code.
fn wires<'a>(protocol: &'a Protocol, of: &Origin) -> HashMap<String, &'a str> {
    let mut wires = HashMap::new();
    let mut insert = |name: &'a Name, wire: &'a str| {
        for ident in [names::value(name), names::variant(name)] {
            wires.entry(word(&ident)).or_insert(wire);
        }
    };
    let Origin::Type(ty) = of else {
        // Methods of several sides can have functions of one name.
        if let Origin::Side(side) = of {
            let handled = || protocol.methods.iter().filter(|method| method.is_handled_by(side));
            handled().for_each(|method| insert(method.function(), &method.function().wire));
            for method in handled() {
                method.helpers().for_each(|name| insert(name, &method.name.wire));
            }
        }
        protocol
            .methods
            .iter()
            .for_each(|method| insert(method.function(), &method.function().wire));
        protocol.methods.iter().for_each(|method| insert(&method.name, &method.name.wire));
        return wires;
    };
    let mut add = |name: &'a Name| insert(name, &name.wire);
    let kind = |ty: &str| protocol.type_def(ty).map(|def| &def.kind);
    match kind(ty) {
        Some(TypeKind::Record(record)) => record.fields.iter().for_each(|it| add(&it.name)),
        Some(TypeKind::Enum(of)) => of.values.iter().for_each(|value| add(&value.name)),
        Some(TypeKind::Union(union)) => {
            union.shared.iter().for_each(|field| add(&field.name));
            union.variants.iter().for_each(|variant| add(&variant.name));
            for payload in union.variants.iter().filter_map(|it| it.payload.as_ref()) {
                let Type::Named { name } = protocol.resolve(payload) else { continue };
                if let Some(TypeKind::Record(record)) = kind(name) {
                    record.fields.iter().for_each(|field| add(&field.name));
                }
            }
        }
        Some(TypeKind::Tuple(_) | TypeKind::Alias { .. }) | None => {}
    }
    wires
}

/// An identifier without the mark of a keyword.
fn word(ident: &impl ToString) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

type Wires<'a> = HashMap<String, &'a str>;

/// Adds what an item declares. What an `impl` has belongs to its type, which comes before it.
fn declare(item: Item, of: &Origin, wires: &Wires<'_>, declarations: &mut Vec<Declaration>) {
    let start = |name: String, kind, attrs: &[Attribute], head: TokenStream| Declaration {
        of: of.clone(),
        name,
        kind,
        ty: String::new(),
        bases: bases(attrs),
        head: attributes(attrs).into_iter().chain([shown(head)]).collect(),
        members: Vec::new(),
        tail: String::new(),
    };
    let declaration = match item {
        Item::Struct(item) if is_public(&item.vis) => {
            let (ident, fields) = (&item.ident, &item.fields);
            if let syn::Fields::Unnamed(fields) = fields {
                let ty = fields.unnamed.iter().map(|field| shown(field.ty.to_token_stream()));
                let head = quote!(pub struct #ident #fields;);
                let kind = DeclarationKind::Newtype;
                Declaration { ty: ty.collect(), ..start(word(ident), kind, &item.attrs, head) }
            } else {
                let kind = DeclarationKind::Record;
                let members = fields.iter().filter_map(|field| {
                    let (ident, ty) = (field.ident.as_ref()?, &field.ty);
                    let text = format!("    {},", shown(quote!(pub #ident: #ty)));
                    Some(member(word(ident), Role::Optional, ty.to_token_stream(), wires, text))
                });
                start(word(ident), kind, &item.attrs, quote!(pub struct #ident)).with(members)
            }
        }
        Item::Enum(item) if is_public(&item.vis) => {
            let ident = &item.ident;
            let attributes = attributes(&item.attrs);
            let exhaustive = !attributes.iter().any(|line| line == "#[non_exhaustive]");
            let kind = DeclarationKind::Choice { exhaustive };
            let members = item.variants.iter().map(|variant| {
                let (ident, payload) = (&variant.ident, variant.fields.to_token_stream());
                let text = format!("    {},", shown(quote!(#ident #payload)));
                member(word(ident), Role::Alternative, payload, wires, text)
            });
            start(word(ident), kind, &item.attrs, quote!(pub enum #ident)).with(members)
        }
        Item::Trait(item) if is_public(&item.vis) => {
            let (ident, supertraits) = (&item.ident, &item.supertraits);
            let members = item.items.iter().filter_map(|inner| match inner {
                TraitItem::Fn(function) => {
                    Some(method(&function.sig, function.default.is_some(), wires))
                }
                _ => None,
            });
            let head = quote!(pub trait #ident: #supertraits);
            start(word(ident), DeclarationKind::Handler, &item.attrs, head).with(members)
        }
        Item::Type(item) if is_public(&item.vis) => {
            let (ident, ty) = (&item.ident, &item.ty);
            let head = quote!(pub type #ident = #ty;);
            let ty = shown(ty.to_token_stream());
            Declaration { ty, ..start(word(ident), DeclarationKind::Alias, &item.attrs, head) }
        }
        Item::Const(item) if is_public(&item.vis) => {
            let (ident, ty, value) = (&item.ident, &item.ty, &item.expr);
            let wire = shown(value.to_token_stream()).trim_matches('"').to_owned();
            let head = quote!(pub const #ident: #ty = #value;);
            let kind = DeclarationKind::Constants;
            Declaration { of: Origin::Method(wire), ..start(word(ident), kind, &[], head) }
        }
        Item::Impl(item) => {
            let (name, members) = implemented(&item, wires);
            let mut known = declarations.iter_mut().rev();
            if let Some(declaration) = known.find(|declaration| declaration.name == name) {
                declaration.members.extend(members);
                return;
            }
            let ty = &item.self_ty;
            start(name, DeclarationKind::Caller, &[], quote!(impl #ty)).with(members)
        }
        _ => return,
    };
    declarations.push(declaration);
}

impl Declaration {
    /// The declaration with members in braces.
    fn with(mut self, members: impl IntoIterator<Item = Member>) -> Self {
        self.members.extend(members);
        let is_caller = self.kind == DeclarationKind::Caller;
        let is_empty = self.members.is_empty() && !is_caller;
        if let Some(head) = self.head.last_mut() {
            head.push_str(if is_empty { " {}" } else { " {" });
        }
        if !is_empty {
            self.tail = String::from("}");
        }
        self
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The type that an `impl` is for, and its public functions, or the trait that it implements.
fn implemented(item: &syn::ItemImpl, wires: &Wires<'_>) -> (String, Vec<Member>) {
    let ty = &item.self_ty;
    let name = shown(ty.to_token_stream());
    if let Some((path, _)) = &item.trait_ {
        let implemented = shown(path.to_token_stream());
        let text = shown(quote!(impl #path for #ty));
        let member = member(implemented, Role::Trait, TokenStream::new(), &HashMap::new(), text);
        return (name, vec![member]);
    }
    let functions = item.items.iter().filter_map(|inner| match inner {
        ImplItem::Fn(inner) if is_public(&inner.vis) => Some(function(&inner.sig, wires)),
        _ => None,
    });
    (name, functions.collect())
}

fn member(name: String, role: Role, ty: TokenStream, wires: &Wires<'_>, text: String) -> Member {
    let of = wires.get(&name).copied().unwrap_or_default().to_owned();
    Member { of, name, role, ty: shown(ty), parameters: Vec::new(), text }
}

/// A function to call.
fn function(signature: &Signature, wires: &Wires<'_>) -> Member {
    let is_associated = !matches!(signature.inputs.first(), Some(FnArg::Receiver(_)));
    let text = format!("    {};", shown(quote!(pub #signature)));
    let mut member = of_signature(signature, Role::Function, wires, text);
    if is_associated && member.ty == "Self" {
        member.role = Role::Constructor;
    }
    member
}

/// A function to write. Whoever implements the trait may leave out what has a body.
fn method(signature: &Signature, has_body: bool, wires: &Wires<'_>) -> Member {
    let (role, body) =
        if has_body { (Role::OptionalFunction, " { … }") } else { (Role::Function, ";") };
    let text = format!("    {}{body}", shown(signature.to_token_stream()));
    of_signature(signature, role, wires, text)
}

fn of_signature(signature: &Signature, role: Role, wires: &Wires<'_>, text: String) -> Member {
    let returns = match &signature.output {
        ReturnType::Type(_, ty) => ty.to_token_stream(),
        ReturnType::Default => TokenStream::new(),
    };
    let parameters = signature.inputs.iter().filter_map(|input| {
        let FnArg::Typed(parameter) = input else { return None };
        let name = word(&shown(parameter.pat.to_token_stream()));
        Some(Parameter {
            of: wires.get(&name).copied().unwrap_or_default().to_owned(),
            ty: shown(parameter.ty.to_token_stream()),
            name,
            position: Position::Positional,
            required: true,
        })
    });
    let parameters = parameters.collect();
    Member { parameters, ..member(word(&signature.ident), role, returns, wires, text) }
}

/// The attributes that users notice, a line each.
fn attributes(attrs: &[Attribute]) -> Vec<String> {
    let noticed = |attr: &&Attribute| {
        attr.path().is_ident("derive") || attr.path().is_ident("non_exhaustive")
    };
    attrs.iter().filter(noticed).map(|attr| shown(attr.to_token_stream())).collect()
}

/// The traits that are derived.
fn bases(attrs: &[Attribute]) -> Vec<String> {
    let derive = attrs.iter().find(|attr| attr.path().is_ident("derive"));
    let list = derive.and_then(|attr| attr.meta.require_list().ok());
    let tokens = list.map(|list| shown(list.tokens.clone())).unwrap_or_default();
    tokens.split(", ").filter(|name| !name.is_empty()).map(String::from).collect()
}

/// Code on one line.
fn shown(tokens: TokenStream) -> String {
    let mut line = String::new();
    show(tokens, &mut line);
    line
}

fn show(tokens: TokenStream, line: &mut String) {
    let mut wants_space = false;
    let mut is_joint = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                line.push_str(open);
                show(group.stream(), line);
                line.push_str(close);
                (wants_space, is_joint) = (false, false);
            }
            TokenTree::Punct(punct) => {
                let mark = punct.as_char();
                let is_end = !is_joint;
                let is_alone = punct.spacing() == Spacing::Alone && is_end;
                let is_arrow = mark == '-' || mark == '>' && is_joint;
                let is_operator = is_alone && matches!(mark, '=' | '+');
                if (is_operator || mark == '-') && !line.ends_with(' ') {
                    line.push(' ');
                }
                if mark == '\'' && wants_space {
                    line.push(' ');
                }
                line.push(mark);
                let is_separator = is_alone && matches!(mark, ',' | ':') || is_operator;
                if is_separator || is_arrow && mark == '>' {
                    line.push(' ');
                }
                is_joint = punct.spacing() == Spacing::Joint;
                wants_space = mark == '>' && !is_arrow;
            }
            word => {
                if wants_space {
                    line.push(' ');
                }
                line.push_str(&word.to_string());
                (wants_space, is_joint) = (true, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_cut_down_to_what_users_see() {
        let file: syn::File = syn::parse_quote! {
            #[derive(Clone, Debug)]
            #[non_exhaustive]
            pub struct Lamp { #[doc = " Hot."] pub watts: Patch<u8>, pub r#type: &'static str }
            impl Lamp {
                #[must_use]
                pub fn new(mut kind: impl Into<String>) -> Self { todo }
                pub(super) fn hidden(&self) {}
            }
            impl From<u8> for Lamp { fn from(_: u8) -> Self { todo } }
            pub struct Id(String);
            pub enum Empty {}
            pub trait House: Send + Sync { fn open(&self) -> bool; fn shut(&self) -> A<B, C> { true } }
        };
        let mut declarations = Vec::new();
        let wires = Wires::from([(String::from("type"), "Type")]);
        for item in file.items {
            declare(item, &Origin::Protocol, &wires, &mut declarations);
        }
        let texts: Vec<String> =
            declarations.iter().map(|it| it.lines().collect::<Vec<_>>().join("\n")).collect();
        assert_eq!(
            texts,
            [
                "#[derive(Clone, Debug)]\n#[non_exhaustive]\npub struct Lamp {\n    \
                 pub watts: Patch<u8>,\n    pub r#type: &'static str,\n    \
                 pub fn new(mut kind: impl Into<String>) -> Self;\nimpl From<u8> for Lamp\n}",
                "pub struct Id(String);",
                "pub enum Empty {}",
                "pub trait House: Send + Sync {\n    fn open(&self) -> bool;\n    \
                 fn shut(&self) -> A<B, C> { … }\n}",
            ]
        );
        assert_eq!(declarations[0].bases, ["Clone", "Debug"]);
        let members: Vec<_> =
            declarations[0].members.iter().map(|it| (&*it.name, &*it.of, it.role)).collect();
        assert_eq!(
            members,
            [
                ("watts", "", Role::Optional),
                ("type", "Type", Role::Optional),
                ("new", "", Role::Constructor),
                ("From<u8>", "", Role::Trait),
            ]
        );
    }
}
