//! Emits the types of handles: a handle is the result of a request that opens something.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::{Argument, HandleMethodModel, HandleModel, SideModel};

/// Emits the types of the handles that a side opens.
pub(super) fn handles(side: &SideModel<'_>) -> TokenStream {
    let handles = side.handles.iter().map(|handle| definition(side, handle));
    quote!(#(#handles)*)
}

fn definition(side: &SideModel<'_>, handle: &HandleModel) -> TokenStream {
    let HandleModel { ident, opened_by, params, result, kept, .. } = handle;
    let peer = &side.names.peer;
    let fields = kept.iter().map(|kept| {
        let (ident, ty) = (&kept.ident, &kept.ty);
        quote!(#ident: #ty,)
    });
    let values = kept.iter().map(|kept| {
        let ident = &kept.ident;
        let clone = (!kept.is_copied).then(|| quote!(.clone()));
        quote!(let #ident = params.#ident #clone;)
    });
    let idents = kept.iter().map(|kept| &kept.ident);
    let methods = handle.methods.iter().map(|it| method(it, &quote!(&self)));
    let release = handle.release.as_ref().map(|it| method(it, &quote!(self)));
    let about = format!(" What [`{peer}::{opened_by}`] opens: it knows its id, and reads like the");
    let released = release.is_some().then(|| {
        quote! {
            ///
            /// Dropped, it stays open: whoever is done with it awaits [`release`](Self::release).
        }
    });
    quote! {
        #[doc = #about]
        /// answer.
        #released
        #[derive(Debug)]
        pub struct #ident {
            peer: #peer,
            answer: #result,
            #(#fields)*
        }

        impl #ident {
            /// Opens one at the other end of a connection.
            ///
            /// # Errors
            ///
            /// The call fails.
            pub async fn create(
                peer: &#peer,
                params: #params
            ) -> Result<Self, connection::CallError> {
                let peer = peer.clone();
                #(#values)*
                let answer = peer.#opened_by(params).await?;
                Ok(Self { peer, answer, #(#idents),* })
            }

            #(#methods)*
            #release
        }

        impl std::ops::Deref for #ident {
            type Target = #result;

            fn deref(&self) -> &Self::Target {
                &self.answer
            }
        }
    }
}

fn method(model: &HandleMethodModel, receiver: &TokenStream) -> TokenStream {
    let HandleMethodModel { ident, docs, function, constant, params, result, arguments } = model;
    let (verb, call) = match result {
        Some(result) => ("Calls", quote!(connection::Call<#params, #result>)),
        None => ("Sends", quote!(connection::Notice<#params>)),
    };
    let about = DocComment::trusted(&format!("{verb} [`methods::{constant}`]."));
    let about = docs.clone().before(about);
    let given = arguments.iter().filter_map(|argument| match argument {
        Argument::Given(parameter) => Some(parameter.declaration()),
        Argument::Kept(..) | Argument::Id(..) => None,
    });
    let values = arguments.iter().map(|argument| match argument {
        Argument::Given(parameter) => {
            let ident = &parameter.ident;
            quote!(#ident)
        }
        Argument::Kept(ident, true) => quote!(self.#ident),
        Argument::Kept(ident, false) => quote!(self.#ident.clone()),
        Argument::Id(ident, true) => quote!(self.answer.#ident),
        Argument::Id(ident, false) => quote!(self.answer.#ident.clone()),
    });
    quote! {
        #about
        pub fn #ident(#receiver, #(#given),*) -> #call {
            self.peer.#function(#params::new(#(#values),*))
        }
    }
}
