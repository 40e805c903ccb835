//! How the protocol is spoken over HTTP: `x-remote`, tied to the methods and properties it names.

use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Method, Protocol, Remote, RemoteSession};
use crate::schema::{Document, RemoteAnnotation, RemoteSessionAnnotation};

/// Gives the protocol its `x-remote`, and checks that the schema has all that it names.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    let Some(annotation) = &document.root.annotations.remote else { return };
    let mut problems = Vec::new();
    let session = annotation.session.as_ref();
    let remote = Remote {
        path: annotation.path.clone(),
        opens: annotation.opens.clone(),
        connection: annotation.connection.clone(),
        version: annotation.version.clone(),
        session: session.map(|session| self::session(protocol, session, &mut problems)),
    };
    problems.extend(request(protocol, "opens", &annotation.opens).err());
    problems.extend(form(annotation));
    if annotation.version.is_some() && protocol.negotiation.is_none() {
        let message = "`x-remote` names a header for the version, but the ends agree on none";
        let help = "annotate with `x-protocol-version` the properties that hold it";
        problems.push(Diagnostic::error("unknown-remote", message).help(help));
    }
    for problem in problems {
        diagnostics.push(problem.at(annotation.location.clone()));
    }
    protocol.remote = Some(remote);
}

fn session(
    protocol: &Protocol,
    annotation: &RemoteSessionAnnotation,
    problems: &mut Vec<Diagnostic>,
) -> RemoteSession {
    let RemoteSessionAnnotation { property, header, reopens, closes } = annotation;
    let has_it = |method: &Method| {
        method.result().is_some_and(|result| protocol.has_field(result, property))
    };
    let by_result = protocol.methods.iter().filter(|method| has_it(method));
    let opened_by: Vec<String> = by_result.map(|method| method.name.wire.clone()).collect();
    if opened_by.is_empty() {
        let message =
            format!("`{property}`, the session property of `x-remote`, is in no request's result");
        let help = "`property` is the property of a result that holds the id of a new session";
        problems.push(Diagnostic::error("unknown-remote", message).help(help));
    }
    let named = [("reopens", reopens), ("closes", closes)];
    for (member, wire) in
        named.iter().flat_map(|(member, all)| all.iter().map(move |it| (member, it)))
    {
        match request(protocol, &format!("session/{member}"), wire) {
            Ok(method) if !protocol.has_field(method.params(), property) => {
                let message = format!(
                    "`x-remote/session/{member}` names `{wire}`, whose params have no property `{property}`"
                );
                let help = format!("name requests whose params have `{property}`");
                problems.push(Diagnostic::error("unknown-remote", message).help(help));
            }
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    RemoteSession {
        property: property.clone(),
        header: header.clone(),
        opened_by,
        reopened_by: reopens.clone(),
        closed_by: closes.clone(),
    }
}

fn request<'a>(protocol: &'a Protocol, member: &str, wire: &str) -> Result<&'a Method, Diagnostic> {
    protocol.request(wire).ok_or_else(|| {
        let requests = protocol.methods.iter().filter(|method| method.is_request());
        let near = nearest(wire, requests.map(|method| method.name.wire.as_str()));
        let message = format!("`x-remote/{member}` names `{wire}`, which is no request");
        Diagnostic::error("unknown-remote", message).near(near, "name the `x-method` of a request")
    })
}

/// Finds names of headers and a path that HTTP does not allow.
fn form(annotation: &RemoteAnnotation) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let headers = [Some(&annotation.connection), annotation.version.as_ref()];
    let session = annotation.session.as_ref().map(|session| &session.header);
    let mut seen: Vec<String> = Vec::new();
    for header in headers.into_iter().chain([session]).flatten() {
        let is_token =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if header.is_empty() || !header.bytes().all(is_token) {
            let message = format!("`{header}` in `x-remote` is no name of a header");
            let help = "letters, digits and `-` make the name of a header";
            problems.push(Diagnostic::error("malformed-keyword", message).help(help));
        }
        let folded = header.to_ascii_lowercase();
        if seen.contains(&folded) {
            let message = format!("`x-remote` names the header `{header}` twice");
            let help = "give each header a name of its own";
            problems.push(Diagnostic::error("malformed-keyword", message).help(help));
        }
        seen.push(folded);
    }
    let is_path = |path: &str| {
        path.starts_with('/')
            && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte))
    };
    if !is_path(&annotation.path) {
        let message = format!("`{}` in `x-remote` is no path", annotation.path);
        let help = "it begins with `/`, and has letters, digits and `/`, `-`, `.`, `_`, `~`";
        problems.push(Diagnostic::error("malformed-keyword", message).help(help));
    }
    problems
}
