//! Emits the types that tell of an item from its start to its end.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Index;

use crate::backend::rust::model::{Parameter, ProgressModel, SideModel, Started, VariantPath};

/// Emits the types of what a side is told of.
pub(super) fn progresses(side: &SideModel<'_>) -> TokenStream {
    let all = side.progresses.iter().map(|it| definition(side, it));
    quote!(#(#all)*)
}

/// The function of a peer that begins to tell of an item.
pub(super) fn function(it: &ProgressModel) -> TokenStream {
    let ProgressModel { ident, function, parameter, item, item_name, .. } = it;
    let with = given(it).map(Parameter::declaration);
    let values = given(it).map(Parameter::converted);
    let about = format!(" Tells of a [`{item_name}`] from its start to its end: that it begins.");
    quote! {
        #[doc = #about]
        ///
        /// # Errors
        ///
        /// The notification cannot be sent.
        pub async fn #function(
            &self,
            #(#with,)*
            #parameter: #item
        ) -> Result<#ident, connection::CallError> {
            #ident::start(self.clone(), (#(#values,)*), #parameter).await
        }
    }
}

/// The parameters that the notification needs beside a change.
fn given(it: &ProgressModel) -> impl Iterator<Item = &Parameter> {
    it.before.iter().chain(&it.after)
}

/// The function that waits for work, and tells how it ended.
fn run() -> TokenStream {
    quote! {
        /// Waits for `work`, and tells how it ended: with an error it has failed.
        ///
        /// # Errors
        ///
        /// That of `work`; or it is done, and the notification of that cannot be sent.
        pub async fn run<T>(
            &self,
            work: impl Future<Output = super::rpc::Result<T>>
        ) -> super::rpc::Result<T> {
            match work.await {
                Ok(value) => {
                    self.complete().await?;
                    Ok(value)
                }
                Err(error) => {
                    // Why it has failed counts for more than that this could not be told.
                    drop(self.fail().await);
                    Err(error)
                }
            }
        }
    }
}

fn definition(side: &SideModel<'_>, it: &ProgressModel) -> TokenStream {
    let ProgressModel { ident, told_by, params, item, change, key_type, union, .. } = it;
    let ProgressModel { item_name, key, status, status_wire, cancelled, .. } = it;
    let peer = &side.names.peer;
    let types: Vec<_> = given(it).map(|parameter| &parameter.ty).collect();
    let types = quote!((#(#types,)*));
    let about =
        format!(" A [`{item_name}`] that the other end is told of, from its start to its end.");
    let dropped = format!(" Dropped before that, its `{status_wire}` is `{}`.", cancelled.0);
    let opened = variant(union, &it.opens, &quote!(opening));
    let is_mutable = it.started.as_ref().map(|_| quote!(mut));
    let starts = it.started.as_ref().map(|Started { value, is_absent }| {
        quote! {
            if #is_absent {
                opening.#status = #value;
            }
        }
    });
    let all = if given(it).next().is_some() { quote!(given) } else { quote!(_given) };
    let mut places = given(it).enumerate().map(|(index, parameter)| {
        let place = Index::from(index);
        if parameter.ty.is_copied() { quote!(given.#place) } else { quote!(given.#place.clone()) }
    });
    let before: Vec<_> = places.by_ref().take(it.before.len()).collect();
    let after: Vec<_> = places.collect();
    let key_value = if key_type.is_copied() { quote!(self.key) } else { quote!(self.key.clone()) };
    let opened_key =
        if key_type.is_copied() { quote!(opening.#key) } else { quote!(opening.#key.clone()) };
    let carried = variant(union, &it.changes, &quote!(change));
    let ends = [("complete", "done", &it.completed), ("fail", "failed", &it.failed)];
    let ends = ends.map(|(name, says, value)| end(it, name, says, value));
    let (run, (_, cancelled_value)) = (run(), cancelled);
    let cancelling = format!(
        " Tells that a cancelled turn has ended it: its `{status_wire}` is then `{}`.",
        cancelled.0
    );
    quote! {
        #[doc = #about]
        ///
        /// The first end counts: after it, nothing is told.
        #[doc = #dropped]
        #[derive(Debug)]
        #[must_use = "dropped, it ends as what was cancelled"]
        pub struct #ident {
            peer: #peer,
            given: #types,
            key: #key_type,
            told: progress::Told,
        }

        impl #ident {
            async fn start(
                peer: #peer,
                given: #types,
                #is_mutable opening: #item
            ) -> Result<Self, connection::CallError> {
                #starts
                let key = #opened_key;
                Self::notice(&peer, &given, #opened).await?;
                Ok(Self { peer, given, key, told: progress::Told::default() })
            }

            #run

            /// Tells of a change.
            ///
            /// # Errors
            ///
            /// The notification cannot be sent.
            pub async fn update(
                &self,
                change: impl FnOnce(#change) -> #change
            ) -> Result<(), connection::CallError> {
                let change = change(self.change());
                self.told.tell(self.changed(change)).await
            }

            #(#ends)*

            #[doc = #cancelling]
            ///
            /// # Errors
            ///
            /// The notification cannot be sent.
            pub async fn cancel(&self) -> Result<(), connection::CallError> {
                let mut change = self.change();
                change.#status = #cancelled_value;
                self.told.end(self.changed(change)).await
            }

            fn change(&self) -> #change {
                #change::new(#key_value)
            }

            fn changed(&self, change: #change) -> connection::Notice<#params> {
                Self::notice(&self.peer, &self.given, #carried)
            }

            #[allow(clippy::trivially_copy_pass_by_ref, reason = "there may be more of it")]
            fn notice(
                peer: &#peer,
                #all: &#types,
                update: #union
            ) -> connection::Notice<#params> {
                peer.#told_by(#params::new(#(#before,)* update, #(#after),*))
            }
        }

        impl Drop for #ident {
            fn drop(&mut self) {
                let mut change = self.change();
                change.#status = #cancelled_value;
                self.told.end_now(&self.changed(change));
            }
        }
    }
}

/// The functions that tell of an end.
fn end(
    it: &ProgressModel,
    name: &str,
    says: &str,
    (value, held): &(String, TokenStream),
) -> TokenStream {
    let ProgressModel { change, status, status_wire, .. } = it;
    let (plain, with) = (format_ident!("{name}"), format_ident!("{name}_with"));
    let about = format!(" Tells that it is {says}: its `{status_wire}` is then `{value}`.");
    let more = format!(" Tells that it is {says}, and what else has changed.");
    quote! {
        #[doc = #about]
        ///
        /// # Errors
        ///
        /// The notification cannot be sent.
        pub async fn #plain(&self) -> Result<(), connection::CallError> {
            self.#with(|change| change).await
        }

        #[doc = #more]
        ///
        /// # Errors
        ///
        /// The notification cannot be sent.
        pub async fn #with(
            &self,
            change: impl FnOnce(#change) -> #change
        ) -> Result<(), connection::CallError> {
            let mut change = change(self.change());
            change.#status = #held;
            self.told.end(self.changed(change)).await
        }
    }
}

/// A value of the union: a variant that carries `payload`.
fn variant(union: &proc_macro2::Ident, of: &VariantPath, payload: &TokenStream) -> TokenStream {
    let ident = &of.ident;
    if of.boxed {
        quote!(#union::#ident(Box::new(#payload)))
    } else {
        quote!(#union::#ident(#payload))
    }
}
