//! Emits the functions beside a call: they make it, and do what comes next.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::model::{ChoiceModel, FileModel, MethodModel};

/// The functions beside a call. Only where the package does input and output, there is a disk.
pub(super) fn helpers(method: &MethodModel<'_>, is_driven: bool) -> TokenStream {
    let choice = method.helpers.choice.as_ref().map(|it| choice(method, it));
    let file = method.helpers.file.as_ref().filter(|_| is_driven).map(|it| file(method, it));
    quote!(#choice #file)
}

fn choice(method: &MethodModel<'_>, it: &ChoiceModel) -> TokenStream {
    let MethodModel { ident: call, constant, params, .. } = method;
    let ChoiceModel { function, options, id, option, outcome, accessor, chosen, yes } = it;
    let about = format!(
        " Calls [`methods::{constant}`], and gives the option that was chosen, if one was."
    );
    let yes = yes.as_ref().map(|yes| {
        let (ask, field, values) = (&yes.function, &yes.field, &yes.values);
        let about =
            format!(" Calls [`methods::{constant}`], and tells whether what was chosen means yes.");
        quote! {
            #[doc = #about]
            ///
            /// # Errors
            ///
            /// The call fails, or the answer names an option that was not offered.
            pub async fn #ask(&self, params: #params) -> Result<bool, connection::CallError> {
                let chosen = self.#function(params).await?;
                Ok(chosen.is_some_and(|it| [#(#values),*].contains(&it.#field)))
            }
        }
    });
    quote! {
        #[doc = #about]
        ///
        /// # Errors
        ///
        /// The call fails, or the answer names an option that was not offered.
        pub async fn #function(
            &self,
            params: #params
        ) -> Result<Option<#option>, connection::CallError> {
            let offered = params.#options.clone();
            let answer = self.#call(params).await?;
            let Some(chosen) = answer.#outcome.#accessor() else { return Ok(None) };
            let chosen = &chosen.#chosen;
            let found = offered.into_iter().find(|it| it.#id == *chosen);
            found.map(Some).ok_or_else(|| {
                let what = format!("`{}` was not offered", chosen.as_str());
                connection::CallError::Malformed(what)
            })
        }
        #yes
    }
}

fn file(method: &MethodModel<'_>, it: &FileModel) -> TokenStream {
    let MethodModel { ident: call, constant, params, .. } = method;
    let FileModel { function, path, text, wrapped, writes, part } = it;
    let verb = if *writes { "writes" } else { "reads" };
    let about = format!(
        " Calls [`methods::{constant}`], or {verb} the file on the disk if the other end has no such method."
    );
    let errors = " The call fails for another reason, or the file on the disk cannot be used.";
    if *writes {
        return quote! {
            #[doc = #about]
            ///
            /// # Errors
            ///
            #[doc = #errors]
            pub async fn #function(&self, params: #params) -> Result<(), connection::FileError> {
                let file = connection::DiskFile::new(params.#path.as_str());
                let text = params.#text.as_str().to_owned();
                if let Err(error) = self.#call(params).await {
                    return file.write(text, error).await;
                }
                Ok(())
            }
        };
    }
    let parts = part.iter().map(|(name, value)| quote!(.#name(#value)));
    let returned = wrapped.as_ref().map_or_else(|| quote!(String), |ty| quote!(#ty));
    let made = wrapped.as_ref().map(|ty| quote!(.map(#ty::from)));
    quote! {
        #[doc = #about]
        ///
        /// # Errors
        ///
        #[doc = #errors]
        pub async fn #function(
            &self,
            params: #params
        ) -> Result<#returned, connection::FileError> {
            let file = connection::DiskFile::new(params.#path.as_str()) #(#parts)*;
            match self.#call(params).await {
                Ok(answer) => Ok(answer.#text),
                Err(error) => file.read(error).await #made,
            }
        }
    }
}
