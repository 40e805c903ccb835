//! The names of the methods.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::model::Model;

/// A constant for each method.
pub(super) fn methods(model: &Model<'_>) -> TokenStream {
    let mut handlers: HashMap<&Ident, Vec<String>> = HashMap::new();
    for side in &model.sides {
        for method in &side.methods {
            let sides = handlers.entry(&method.constant).or_default();
            sides.push(side.names.handler.to_string());
        }
    }
    let constants = model.methods.iter().map(|(constant, wire)| {
        let about = match handlers.get(constant) {
            Some(sides) => format!(" Handled by `{}`.", sides.join("` and `")),
            None => String::from(" Of the protocol itself."),
        };
        quote! {
            #[doc = #about]
            pub const #constant: &str = #wire;
        }
    });
    quote! {
        //! The names of the methods.

        #(#constants)*
    }
}
