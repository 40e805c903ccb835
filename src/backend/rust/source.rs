//! From tokens to source text: parsed by `syn`, printed by `prettyplease`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{File, Item};

use crate::diagnostic::Diagnostic;
use crate::ir::Protocol;

/// The code of one thing of the schema.
pub(super) struct Fragment<'a> {
    /// The name of the thing in the IR, or of a module.
    pub(super) subject: &'a str,
    pub(super) tokens: TokenStream,
}

impl<'a> Fragment<'a> {
    /// The code of a thing.
    pub(super) fn new(subject: &'a str, tokens: TokenStream) -> Self {
        Self { subject, tokens }
    }

    /// The code as items. Code that is none is our own fault: an error that says where in the
    /// schema it comes from.
    pub(super) fn parse(self, protocol: &Protocol) -> Result<File, Diagnostic> {
        let subject = self.subject;
        syn::parse2(self.tokens).map_err(|error| {
            let message = format!("the Rust code of `{subject}` is not valid: {error}");
            let diagnostic = Diagnostic::error("invalid-rust", message)
                .help("this is a fault of the generator: please report it with the schema");
            match protocol.type_def(subject) {
                Some(def) => diagnostic.at(def.location.clone()),
                None => diagnostic,
            }
        })
    }
}

/// Source text, with an empty line between items.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    /// The first item and the last one, once there is any.
    ends: Option<Ends>,
}

/// The kinds of two items, if they are of those that stand line by line.
#[derive(Clone, Copy, Debug)]
struct Ends {
    first: Option<Line>,
    last: Option<Line>,
}

/// The kinds of items that stand line by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Use,
    Module,
    Constant,
}

impl Text {
    /// Begins with a header of `//` comments.
    pub(super) fn new(header: &str) -> Self {
        Self { text: header.to_owned(), ..Self::default() }
    }

    /// Adds a file's comment, attributes and items.
    pub(super) fn push(&mut self, file: File) {
        let (docs, attrs): (Vec<_>, Vec<_>) =
            file.attrs.into_iter().partition(|attr| attr.path().is_ident("doc"));
        for attrs in [docs, attrs].into_iter().filter(|attrs| !attrs.is_empty()) {
            self.paragraph(&unparsed(attrs, Vec::new()));
        }
        for item in file.items {
            let line = match &item {
                Item::Use(_) => Some(Line::Use),
                Item::Mod(_) => Some(Line::Module),
                Item::Const(_) => Some(Line::Constant),
                _ => None,
            };
            let has_members = matches!(item, Item::Impl(_) | Item::Trait(_));
            let text = match listed(&item) {
                Some(text) => text,
                None => unparsed(Vec::new(), vec![item]),
            };
            if self.goes_on_with(line) {
                self.text.push_str(&text);
            } else if has_members {
                self.paragraph(&spaced(&text));
            } else {
                self.paragraph(&text);
            }
            self.end(Ends { first: line, last: line });
        }
    }

    /// Adds other texts, as if their items had been added to this one.
    pub(super) fn extend(&mut self, others: Vec<Self>) {
        // It is large where there are some.
        self.text.reserve_exact(others.iter().map(|other| other.text.len() + 1).sum());
        for Self { text, ends } in others {
            let Some(ends) = ends else { continue };
            if self.goes_on_with(ends.first) {
                self.text.push_str(&text);
            } else {
                self.paragraph(&text);
            }
            self.end(ends);
        }
    }

    /// Tells whether the next item stands right below the last one.
    fn goes_on_with(&self, line: Option<Line>) -> bool {
        line.is_some() && self.ends.is_some_and(|ends| ends.last == line)
    }

    /// Takes note of items that were added.
    fn end(&mut self, added: Ends) {
        self.ends.get_or_insert(added).last = added.last;
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn paragraph(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        if !text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

/// The text of a macro that lists fields: `NAME!(TYPE { FIELD, … });`, a line for each. Tokens of a
/// macro are no code yet, so that `prettyplease` would only fill lines with them.
fn listed(item: &Item) -> Option<String> {
    let Item::Macro(item) = item else { return None };
    let mut tokens = item.mac.tokens.clone().into_iter();
    let (Some(TokenTree::Ident(ty)), Some(TokenTree::Group(list)), None) =
        (tokens.next(), tokens.next(), tokens.next())
    else {
        return None;
    };
    let list: Vec<TokenTree> = list.stream().into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let fields = list.split(is_comma).map(|field| format!("    {},\n", spelled(field)));
    let path = spelled(&item.mac.path.to_token_stream().into_iter().collect::<Vec<_>>());
    Some(format!("{path}!({ty} {{\n{}}});\n", fields.collect::<String>()))
}

/// The tokens of names, constants and marks in one line.
fn spelled(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(mark) => text.push(mark.as_char()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                text.extend(["(", &spelled(&inner), ")"]);
            }
            word => {
                let is_apart =
                    !text.is_empty() && !["::", "..", "-"].iter().any(|it| text.ends_with(it));
                text += if is_apart { " " } else { "" };
                text += &word.to_string();
            }
        }
    }
    text
}

fn unparsed(attrs: Vec<syn::Attribute>, items: Vec<Item>) -> String {
    prettyplease::unparse(&File { shebang: None, frontmatter: None, attrs, items })
}

/// The text of an `impl` or a trait with an empty line between its members.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 32);
    let mut ended = false;
    for line in text.split_inclusive('\n') {
        if ended && line != "}\n" {
            spaced.push('\n');
        }
        let is_member = line.strip_prefix("    ").is_some_and(|line| !line.starts_with([' ', '/']));
        ended = is_member && (line.ends_with("}\n") || line.ends_with(";\n"));
        spaced.push_str(line);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;
    use crate::load::{Purpose, load};

    fn printed(tokens: TokenStream) -> String {
        let mut text = Text::new("// header\n");
        text.push(syn::parse2(tokens).unwrap());
        text.finish()
    }

    #[test]
    fn items_and_members_stand_apart() {
        let tokens = quote! {
            //! About.
            #![allow(dead_code)]
            use a::B;
            use c::D;
            /// A lamp.
            impl Lamp {
                /// Of no use;
                const ON: bool = true;
                fn on(&self) -> bool { if self.0 { true } else { false } }
                fn off(&self) {}
            }
            trait House { fn open(&self); fn shut(&self) { self.open(); } }
        };
        assert_eq!(
            printed(tokens),
            "// header\n\n//! About.\n\n#![allow(dead_code)]\n\nuse a::B;\nuse c::D;\n\n\
             /// A lamp.\nimpl Lamp {\n    /// Of no use;\n    const ON: bool = true;\n\n    \
             fn on(&self) -> bool {\n        if self.0 { true } else { false }\n    }\n\n    \
             fn off(&self) {}\n}\n\n\
             trait House {\n    fn open(&self);\n\n    fn shut(&self) {\n        self.open();\n    }\n}\n"
        );
    }

    #[test]
    fn code_that_is_none_is_an_error_of_the_type() {
        let schema = serde_json::json!({"$defs": {"Lamp": {"type": "string"}}});
        let schema = crate::schema::SchemaText::from_value("s.json", &schema);
        let protocol = load(schema, Purpose::Generate).protocol.unwrap();
        let error = Fragment::new("Lamp", quote!(pub struct 1;)).parse(&protocol).err().unwrap();
        assert_eq!(error.code, "invalid-rust");
        assert!(error.message.starts_with("the Rust code of `Lamp` is not valid: "), "{error:?}");
        assert_eq!(error.location.unwrap().pointer, "/$defs/Lamp");
    }
}
