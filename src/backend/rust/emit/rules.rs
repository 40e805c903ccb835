//! Emits the rules of the connections of a side.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::model::{
    GatesModel, LackingModel, NegotiationModel, RulesModel, TurnModel,
};
use crate::ir::{CapabilityLocation, Gate, Position, Step};

/// The body of a function that gives the rules.
pub(super) fn rules(rules: &RulesModel<'_>, handler: &Ident) -> TokenStream {
    if rules.is_empty() {
        return quote!(connection::Rules::default());
    }
    let cancel = rules
        .cancel
        .as_ref()
        .map(|(method, property)| quote!(rules.cancels_by(methods::#method, #property);));
    let handshake = rules.handshake.as_ref().map(|(method, location)| {
        let (in_params, in_result) = (quote!(learns_from_params), quote!(learns_from_result));
        told(method, location, &in_params, &in_result)
    });
    let own = rules.own.as_ref().map(|(method, location)| {
        told(method, location, &quote!(tells_in_params), &quote!(tells_in_result))
    });
    let lacking = rules.lacking.iter().map(|it| lacking(it, handler));
    let negotiation = rules.negotiation.as_ref().map(negotiation);
    let turns = rules.turns.iter().map(turn);
    let gates = rules.gates.iter().map(gates);
    quote! {
        let mut rules = connection::Rules::default();
        #cancel
        #handshake
        #negotiation
        #(#turns)*
        #own
        #(#lacking)*
        #(#gates)*
        rules
    }
}

fn told(
    method: &Ident,
    location: &CapabilityLocation,
    in_params: &TokenStream,
    in_result: &TokenStream,
) -> TokenStream {
    let property = &location.property.wire;
    let function = match location.position {
        Position::Params => in_params,
        Position::Result => in_result,
    };
    quote!(rules.#function(methods::#method, #property);)
}

fn lacking(model: &LackingModel, handler: &Ident) -> TokenStream {
    let LackingModel { capability, function, constant } = model;
    quote! {
        if !rpc::has(<H as #handler>::#function) {
            rules.lacks(&[#(#capability),*], methods::#constant);
        }
    }
}

fn negotiation(model: &NegotiationModel<'_>) -> TokenStream {
    let NegotiationModel { negotiation, constant, is_answered, ends: [own, peer] } = model;
    let (params, result) = (&negotiation.params.wire, &negotiation.result.wire);
    let versions = negotiation.versions.iter().map(ToString::to_string);
    quote! {
        rules.negotiates(connection::Negotiation {
            method: methods::#constant,
            params: #params,
            result: #result,
            versions: &[#(#versions),*],
            is_answered: #is_answered,
            own: #own,
            peer: #peer,
        });
    }
}

fn turn(model: &TurnModel<'_>) -> TokenStream {
    let TurnModel { cancels, method, request } = model;
    let key = &cancels.key;
    let result = cancels.result.as_ref().map(|result| {
        let result = result.to_string();
        quote!(Some(#result))
    });
    let result = result.unwrap_or_else(|| quote!(None));
    quote! {
        rules.cancels(connection::Turn {
            method: methods::#method,
            request: methods::#request,
            key: #key,
            result: #result,
        });
    }
}

fn gates(model: &GatesModel) -> TokenStream {
    let GatesModel { constant, position, gates } = model;
    let in_result = *position == Position::Result;
    let gates = gates.iter().map(|Gate { path, capability }| {
        let path = path.iter().map(step);
        quote!(connection::Gate { path: &[#(#path),*], capability: &[#(#capability),*] })
    });
    quote! {
        rules.gates(connection::Gated {
            method: methods::#constant,
            in_result: #in_result,
            gates: &[#(#gates),*],
        });
    }
}

fn step(step: &Step) -> TokenStream {
    match step {
        Step::Property(name) => quote!(connection::Step::Property(#name)),
        Step::Items => quote!(connection::Step::Items),
        Step::Values => quote!(connection::Step::Values),
        Step::Tag(property, tag) => quote!(connection::Step::Tag(#property, #tag)),
    }
}
