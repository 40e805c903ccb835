//! Emits the types that run programs for the other end.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::docs::DocComment;
use crate::backend::rust::model::{Model, Scope, is_stored_bare};
use crate::backend::rust::names;
use crate::backend::rust::types::RustType;
use crate::ir::{Field, Handle, Method, Name, ProcessHost, Type};

/// The module of all hosts, if there are any.
pub(super) fn hosts(model: &Model<'_>) -> Option<TokenStream> {
    let scope = &model.scope;
    let hosts: Vec<TokenStream> = scope
        .protocol
        .process_hosts()
        .filter_map(|(opener, process)| {
            let handle = opener.handle.as_ref()?;
            Emitter { scope, opener, handle, process }.host()
        })
        .collect();
    (!hosts.is_empty()).then(|| {
        quote! {
            //! Types that run programs for the other end of a connection.

            use super::connection;
            use super::rpc::Result;
            use super::types::*;

            #(#hosts)*
        }
    })
}

struct Emitter<'a, 'm> {
    scope: &'m Scope<'a>,
    opener: &'a Method,
    handle: &'a Handle,
    process: &'a ProcessHost,
}

/// A request that a host handles.
struct Handled<'a> {
    ident: Ident,
    docs: DocComment,
    params: &'a Type,
    result: &'a Type,
}

impl<'a> Emitter<'a, '_> {
    fn host(&self) -> Option<TokenStream> {
        let Self { opener, handle, process, .. } = self;
        let wire = &opener.name.wire;
        let ident = names::type_name(&process.name, |_| false);
        let about = DocComment::trusted(&format!(
            "Runs the programs that the other end starts by `{wire}`.\n\nA handler forwards that request to it, and those that use what was started. It asks\nnobody whether a program may run. Dropped, it kills all that still run."
        ));
        let (id, command) = (&handle.id.wire, &process.command.wire);
        let (start, output, wait) = (self.start()?, self.output()?, self.wait()?);
        let kill = self.end(&process.kill, &quote!(kill))?;
        let release = self.end(handle.release.as_ref()?, &quote!(release))?;
        Some(quote! {
            #about
            #[derive(Debug)]
            pub struct #ident {
                programs: connection::Programs,
            }

            impl #ident {
                /// Runs programs within these limits. It has to be used in a runtime of `tokio`.
                pub fn new(options: connection::ProgramOptions) -> Self {
                    Self { programs: connection::Programs::new([#id, #command], options) }
                }

                #start
                #output
                #wait
                #kill
                #release
            }

            impl Default for #ident {
                fn default() -> Self {
                    Self::new(connection::ProgramOptions::new())
                }
            }
        })
    }

    fn start(&self) -> Option<TokenStream> {
        let Self { opener, process, .. } = self;
        let Handled { ident, docs, params, result } = self.handled(&opener.name.wire)?;
        let command = names::value(&process.command);
        let args = self.field(process.args.as_ref()).map(|field| {
            let items = items(field);
            quote!(.args(#items))
        });
        let cwd = self.field(process.cwd.as_ref()).map(|field| {
            let value = optional(field);
            quote!(.cwd(#value))
        });
        let limit = self.field(process.limit.as_ref()).map(|field| {
            let (value, number) = (optional(field), self.number(&field.ty));
            quote!(.limit(#value.copied() #number))
        });
        let env = process.env.as_ref().and_then(|env| {
            let items = items(self.field(Some(&env.items))?);
            let [name, value] = [&env.name, &env.value].map(names::value);
            Some(quote! {
                for variable in #items {
                    start = start.env(variable.#name.as_str(), variable.#value.as_str());
                }
            })
        });
        let mutable = env.is_some().then(|| quote!(mut));
        let scope = self.scope();
        let (params, result) = (self.scope.rust_type(params), self.scope.rust_type(result));
        Some(quote! {
            #docs
            ///
            /// # Errors
            ///
            /// It cannot be started, or too many were started and not given back.
            pub fn #ident(&self, params: &#params) -> Result<#result> {
                let #mutable start = connection::Start::new(params.#command.as_str()) #args #cwd #limit;
                #env
                let id = self.programs.start(&[#scope], start)?;
                Ok(#result::new(id))
            }
        })
    }

    fn output(&self) -> Option<TokenStream> {
        let output = &self.process.output;
        let Handled { ident, docs, params, result } = self.handled(&output.method)?;
        let fields = self.scope.protocol.fields(result).iter();
        let required = fields.filter(|field| field.presence.is_required());
        let arguments = required.map(|field| {
            if field.name.wire == output.text.wire {
                quote!(output.text)
            } else {
                quote!(output.is_truncated)
            }
        });
        let exit = self.scope.protocol.field(result, &output.exit.wire)?;
        let setter = setter(&exit.name);
        let ended = self.ended(&exit.ty)?;
        let (scope, id) = (self.scope(), names::value(&self.handle.id));
        let (params, result) = (self.scope.rust_type(params), self.scope.rust_type(result));
        Some(quote! {
            #docs
            ///
            /// # Errors
            ///
            /// The id is unknown.
            pub fn #ident(&self, params: &#params) -> Result<#result> {
                let output = self.programs.output(&[#scope], params.#id.as_str())?;
                let ended = |exit: connection::ProgramExit| #ended;
                Ok(#result::new(#(#arguments),*).#setter(output.exit.map(ended)))
            }
        })
    }

    fn wait(&self) -> Option<TokenStream> {
        let Handled { ident, docs, params, result } = self.handled(&self.process.wait)?;
        let ended = self.ended(result)?;
        let (scope, id) = (self.scope(), names::value(&self.handle.id));
        let (params, result) = (self.scope.rust_type(params), self.scope.rust_type(result));
        Some(quote! {
            #docs
            ///
            /// # Errors
            ///
            /// The id is unknown.
            pub async fn #ident(&self, params: &#params) -> Result<#result> {
                let exit = self.programs.wait(&[#scope], params.#id.as_str()).await?;
                Ok(#ended)
            }
        })
    }

    /// A request that ends a program.
    fn end(&self, wire: &str, call: &TokenStream) -> Option<TokenStream> {
        let Handled { ident, docs, params, result } = self.handled(wire)?;
        let is_record = self.scope.definition(result).is_some();
        let (scope, id) = (self.scope(), names::value(&self.handle.id));
        let (params, result) = (self.scope.rust_type(params), self.scope.rust_type(result));
        let answer = if is_record { quote!(#result::new()) } else { quote!(()) };
        Some(quote! {
            #docs
            ///
            /// # Errors
            ///
            /// The id is unknown.
            pub async fn #ident(&self, params: &#params) -> Result<#result> {
                self.programs.#call(&[#scope], params.#id.as_str()).await?;
                Ok(#answer)
            }
        })
    }

    /// How a program ended, as a value of a type.
    fn ended(&self, ty: &Type) -> Option<TokenStream> {
        let exit = &self.process.exit;
        let [code, signal] = [&exit.code, &exit.signal].map(|name| {
            let field = self.scope.protocol.field(ty, &name.wire)?;
            Some((setter(&field.name), self.scope.rust_type(self.scope.resolve(&field.ty)), field))
        });
        let ((set_code, code, of), (set_signal, signal, _)) = (code?, signal?);
        let number = self.scope.rust_type(self.scope.protocol.resolve(&of.ty));
        let read = if code == number {
            quote!(exit.code::<#number>())
        } else {
            quote!(exit.wrapped_code::<#number, #code>())
        };
        let named = (signal != RustType::String).then(|| quote!(.map(#signal::from)));
        let ty = self.scope.rust_type(ty);
        Some(quote! {
            #ty::new().#set_code(#read).#set_signal(exit.signal #named)
        })
    }

    fn handled(&self, wire: &str) -> Option<Handled<'a>> {
        let method = self.scope.protocol.method_of(&self.opener.handler, wire)?;
        Some(Handled {
            ident: names::function(method.function()),
            docs: DocComment::trusted(&format!("Handles `{wire}`.")),
            params: method.params(),
            result: method.result()?,
        })
    }

    /// The values that a program belongs to.
    fn scope(&self) -> TokenStream {
        let idents = self.handle.with.iter().map(names::value);
        quote!(#(params.#idents.as_str()),*)
    }

    /// A property of the params. What may still change is not in every package.
    fn field(&self, name: Option<&Name>) -> Option<&'a Field> {
        self.scope.protocol.field(self.opener.params(), &name?.wire)
    }

    /// How a number in a type of its own is taken out of it.
    fn number(&self, ty: &Type) -> Option<TokenStream> {
        match self.scope.rust_type(self.scope.resolve(ty)) {
            named @ RustType::Named(_) => Some(quote!(.map(#named::get))),
            _ => None,
        }
    }
}

/// The items of a property, which need not be there.
fn items(field: &Field) -> TokenStream {
    let ident = names::value(&field.name);
    if is_stored_bare(field) {
        quote!(&params.#ident)
    } else {
        quote!(params.#ident.as_ref().into_iter().flatten())
    }
}

/// The value of a property, which need not be there.
fn optional(field: &Field) -> TokenStream {
    let ident = names::value(&field.name);
    if is_stored_bare(field) {
        quote!(Some(&params.#ident))
    } else {
        quote!(params.#ident.as_ref())
    }
}

/// The function that sets a property.
fn setter(name: &Name) -> Ident {
    let ident = names::value(name);
    if ident == "new" { names::suffixed(name, "with_new") } else { ident }
}
