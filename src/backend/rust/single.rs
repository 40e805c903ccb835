//! A crate as one file, to be included in another crate.

use std::collections::HashMap;

use quote::{format_ident, quote};
use syn::{File, Item};

use crate::ir::Name;

/// The files of a crate, by their paths under `src/`.
pub(super) type Files = HashMap<String, File>;

/// Puts all modules of a crate into one, which can be `include!`d anywhere, also in a module: it has
/// no inner attributes of its own and names no path from a crate's root. The module is called after
/// the file, so that two files can stand side by side.
///
/// The lints that are allowed are those that a crate's own code may be held to; how much of the
/// module is used is for the crate around it to say.
pub(super) fn nested(mut files: Files, name: &str) -> syn::Result<File> {
    let mut library = files.remove("lib.rs").unwrap_or(syn::parse2(quote!())?);
    fill(&mut library.items, "", &mut files);
    let module = format_ident!("generated_{}", Name::new(name).snake());
    let (attrs, items) = (&library.attrs, &library.items);
    syn::parse2(quote! {
        #[allow(dead_code, unused_imports, reason = "it is all there, whatever of it is used")]
        #[allow(missing_docs, unreachable_pub, reason = "it is laid out as a crate")]
        #[allow(clippy::mixed_attributes_style, clippy::unused_async, reason = "it is laid out as a crate")]
        #[allow(clippy::collapsible_if, reason = "it compiles in older editions, too")]
        #[allow(clippy::semicolon_if_nothing_returned, reason = "lines break where they stand")]
        mod #module {
            #(#attrs)*
            #(#items)*
        }

        #[allow(unused_imports, unreachable_pub, reason = "it is all there, whatever of it is used")]
        #[allow(ambiguous_glob_reexports, reason = "another protocol may be beside it")]
        pub use self::#module::*;
    })
}

/// Puts files where they are declared as modules.
fn fill(items: &mut [Item], folder: &str, files: &mut Files) {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let path = format!("{folder}{}", module.ident);
        let file = files.remove(&format!("{path}.rs"));
        let Some(mut file) = file.or_else(|| files.remove(&format!("{path}/mod.rs"))) else {
            continue;
        };
        fill(&mut file.items, &format!("{path}/"), files);
        module.attrs.append(&mut file.attrs);
        module.semi = None;
        module.content = Some((syn::token::Brace::default(), file.items));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_where_they_were_declared() {
        let files = [
            ("lib.rs", "//! Crate.\n#![allow(dead_code)]\n\nmod one;\npub mod two;\nmod no;\n"),
            ("one.rs", "//! One.\n"),
            ("two/mod.rs", "pub(crate) mod three;\n"),
            ("two/three.rs", "fn f() {}\n"),
        ];
        let files =
            files.map(|(path, text)| (path.to_owned(), syn::parse_file(text).unwrap())).into();
        let text = prettyplease::unparse(&nested(files, "lamp").unwrap());
        let start = text.find("mod generated_lamp").unwrap();
        let expected = "mod generated_lamp {\n    //! Crate.\n    #![allow(dead_code)]\n    mod one {\n        \
             //! One.\n    }\n    pub mod two {\n        pub(crate) mod three {\n            \
             fn f() {}\n        }\n    }\n    mod no;\n}\n";
        assert!(text[start..].starts_with(expected), "{text}");
        assert!(text.ends_with("pub use self::generated_lamp::*;\n"), "{text}");
    }
}
