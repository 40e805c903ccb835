//! Functions as prettier lays them out.

use super::expression::Expr;
use super::names;
use crate::backend::doc::{Doc, bracketed, concat, group, text};

/// A method that calls another end, at column 2.
pub(super) fn method(
    name: &str,
    parameters: &[(&str, Expr)],
    result: Option<Expr>,
    target: &str,
) -> String {
    let is_request = result.is_some();
    let mut all: Vec<Doc> =
        parameters.iter().map(|(name, ty)| concat([text(format!("{name}: ")), ty.doc()])).collect();
    if is_request {
        all.push(text("options?: rpc.CallOptions"));
    }
    let result = Expr::Apply("Promise", vec![result.unwrap_or(Expr::Keyword("void"))]);
    let head = concat([text(name), list(all), text(": "), result.doc(), text(" {")]);
    let mut arguments = vec![text("this"), text(target), text("params")];
    if is_request {
        arguments.push(text("options"));
    }
    let function = if is_request { "rpc.call" } else { "rpc.notify" };
    let body = concat([text(format!("return {function}")), list(arguments), text(";")]);
    format!(
        "{}\n    {}\n  }}",
        super::PRETTIER.print(&group(head), 2, 2),
        super::PRETTIER.print(&body, 4, 4)
    )
}

/// A method that calls another end and gives the pieces of the result, at column 2. The targets
/// are the method and its stream.
pub(super) fn streamed(
    name: &str,
    (parameter, ty): (&str, Expr),
    result: &Expr,
    targets: [String; 2],
) -> String {
    let params = concat([text(format!("{parameter}: ")), ty.doc()]);
    let all = vec![params, text("options?: rpc.CallOptions")];
    let head = concat([text(name), list(all), text(": "), result.doc(), text(" {")]);
    let arguments = std::iter::once(text("this"))
        .chain(targets.map(text))
        .chain([text("params"), text("options")])
        .collect();
    let body = concat([text("return streams.call"), list(arguments), text(";")]);
    format!(
        "{}\n    {}\n  }}",
        super::PRETTIER.print(&group(head), 2, 2),
        super::PRETTIER.print(&body, 4, 4)
    )
}

/// A method that calls by name and decodes what comes out, at column 2. The types are those of
/// what goes in and of what comes out.
pub(super) fn named(name: &str, wire: &str, [input, output]: [String; 2]) -> String {
    let parameters = vec![text(format!("input: types.{input}")), text("options?: CallOptions")];
    let result = Expr::Apply("Promise", vec![Expr::Name(format!("types.{output}"))]);
    let head = concat([
        text(format!("async {name}")),
        list(parameters),
        text(": "),
        result.doc(),
        text(" {"),
    ]);
    let encoded = concat([
        text(format!("codecs.{}.encode", names::codec(&input))),
        list(vec![text("input")]),
    ]);
    let arguments = vec![text(wire.to_owned()), encoded, text("options")];
    let call = concat([text("const output = await this.#call"), list(arguments), text(";")]);
    let decoded = concat([
        text(format!("return codecs.{}.decode", names::codec(&output))),
        list(vec![text("output")]),
        text(";"),
    ]);
    let (head, call) =
        (super::PRETTIER.print(&group(head), 2, 2), super::PRETTIER.print(&call, 4, 4));
    format!("{head}\n    {call}\n    {}\n  }}", super::PRETTIER.print(&decoded, 4, 4))
}

/// The statement that calls a method of `this.#peer`, at column 4.
pub(super) fn by_peer(method: &str) -> String {
    let arguments = vec![text("params"), text("options")];
    let head = text(format!("const result = await this.#peer.{method}"));
    super::PRETTIER.print(&concat([head, list(arguments), text(";")]), 4, 4)
}

/// The constructor's parameter that makes a handler, at column 4.
pub(super) fn handler_parameter(handler: &str, connection: &str) -> String {
    let parameter = vec![text(format!("connection: {connection}"))];
    let doc =
        concat([text(format!("to{handler}: ")), list(parameter), text(format!(" => {handler},"))]);
    super::PRETTIER.print(&doc, 4, 4)
}

/// The statement that makes a connection, at column 4.
pub(super) fn make_connection(side: &str, context: &str) -> String {
    let arguments = [String::from("stream"), String::from("options"), format!("{side}()")];
    let arguments = arguments.into_iter().chain([context.to_owned()]).map(text).collect();
    let doc = concat([text("const connection = new rpc.Connection"), list(arguments), text(";")]);
    super::PRETTIER.print(&doc, 4, 4)
}

/// A static method that makes an error, at column 2.
pub(super) fn error(name: &str, code: &str, message: &str) -> String {
    let parameters = ["data?: unknown", "detail?: string"].map(text).to_vec();
    let head = concat([text(format!("static {name}")), list(parameters), text(": RequestError {")]);
    let message = concat([text("text"), list(vec![text(message), text("detail")])]);
    let arguments = vec![text(code), message, text("data")];
    let body = concat([text("return new RequestError"), list(arguments), text(";")]);
    format!(
        "{}\n    {}\n  }}",
        super::PRETTIER.print(&head, 2, 2),
        super::PRETTIER.print(&body, 4, 4)
    )
}

/// Parameters or arguments in parentheses.
fn list(items: Vec<Doc>) -> Doc {
    bracketed("(", items, ")")
}

#[cfg(test)]
mod tests {
    use super::method;
    use crate::backend::typescript::expression::Expr;

    #[test]
    fn what_does_not_fit_is_broken() {
        let params = ("params", Expr::Name(String::from("AddNotification")));
        assert_eq!(
            method("add", &[params], None, "sumMethods.add"),
            "add(params: AddNotification): Promise<void> {
    return rpc.notify(this, sumMethods.add, params);
  }"
        );
        let params = ("params", Expr::Name(String::from("SubtractRequest")));
        let result = Expr::Name(String::from("SubtractResponse"));
        assert_eq!(
            method("subtract", &[params], Some(result), "sumMethods.subtract"),
            "subtract(
    params: SubtractRequest,
    options?: rpc.CallOptions,
  ): Promise<SubtractResponse> {
    return rpc.call(this, sumMethods.subtract, params, options);
  }"
        );
    }
}
