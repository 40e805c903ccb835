//! The program in the README, of a protocol whose authors have written no guide.

use quote::ToTokens;
use serde_json::Value;

use super::model::{Model, SideModel};
use super::package::{filled, krate};
use super::runtime::is_driven;
use crate::example::{Examples, ShownCall};
use crate::ir::Stability;
use crate::source::is_hidden;

/// The program, around its parts.
const PROGRAM: &str = include_str!("../../../templates/rust/README.program.md.txt");

/// The most methods that the handlers in a README have.
const MOST: usize = 8;

/// Makes the program: both ends of a connection, and one call. `None` if there is no call that can
/// be shown, or if handlers have to have more methods than a reader would look at.
pub(super) fn program(model: &Model<'_>) -> Option<String> {
    let protocol = model.scope.protocol;
    if !is_driven(model) || protocol.guides.contains_key("rust") {
        return None;
    }
    let examples = Examples::new(protocol);
    let shown = examples.shown_call()?;
    let side = |wire: &str| model.sides.iter().find(|side| side.wire == wire);
    let near = side(&shown.handler.name.wire)?;
    let far = side(&shown.caller.name.wire)?;
    let mut left = MOST;
    let mut handlers = handler(near, &shown, &mut left)?;
    if near.wire != far.wire {
        handlers += &handler(far, &shown, &mut left)?;
    }
    let own = |side: &SideModel<'_>| own(&side.names.handler.to_string());
    let (peer, _) = far.peers.first()?;
    let method = near.methods.iter().find(|it| it.method.name == shown.method.name)?;
    let parts = [
        ("CRATE", krate(model.scope.options)),
        ("NEAR", near.names.connection.to_string()),
        ("ENDS", [own(near), own(far)].join(", ")),
        ("PEER", peer.to_string()),
        ("CALL", method.ident.to_string()),
        ("HANDLERS", handlers),
        ("PARAMS", raw(&shown.params)?),
    ];
    Some(filled(PROGRAM, &parts))
}

/// The name of a type that handles what a side does.
fn own(side: &str) -> String {
    format!("My{side}")
}

/// A type that handles what a side does, with the methods that it has to have.
fn handler(side: &SideModel<'_>, shown: &ShownCall<'_>, left: &mut usize) -> Option<String> {
    let (context, handler) = (&side.names.context, side.names.handler.to_string());
    let own = own(&handler);
    let is_needed = |method: &&super::model::MethodModel<'_>| {
        let docs = &method.method.docs;
        !method.method.optional && docs.stability != Stability::Unstable
    };
    let requests = side.methods.iter().filter(is_needed);
    let mut text = String::new();
    for method in requests {
        let Some(result) = &method.result else { continue };
        *left = left.checked_sub(1)?;
        let is_shown =
            method.method.name == shown.method.name && side.wire == shown.handler.name.wire;
        let body = if is_shown {
            format!("Ok(json::decode({})?)", raw(&shown.result)?)
        } else {
            "Err(RequestError::internal_error())".to_owned()
        };
        let name = &method.ident;
        let types = [method.params.to_token_stream(), result.to_token_stream()];
        let [params, result] = types.map(|ty| ty.to_string().replace(' ', ""));
        let head = format!("    async fn {name}(");
        let tail = format!(") -> Result<{result}> {{");
        let one = format!("{head}&self, _: {params}, _: {context}{tail}");
        let signature = if one.len() <= 100 {
            one
        } else {
            format!(
                "{head}\n        &self,\n        _: {params},\n        _: {context},\n    {tail}"
            )
        };
        text += &[signature.as_str(), "\n        ", &body, "\n    }\n"].concat();
    }
    let body = if text.is_empty() { "{}".to_owned() } else { format!("{{\n{text}}}") };
    Some(format!("\nstruct {own};\n\nimpl {handler} for {own} {body}\n"))
}

/// A value as a raw string of JSON. `None` if something in it would end the string, or not be seen.
fn raw(value: &Value) -> Option<String> {
    let text = value.to_string();
    let is_plain = !text.contains("\"#") && !text.chars().any(is_hidden);
    is_plain.then(|| format!("r#\"{text}\"#"))
}
