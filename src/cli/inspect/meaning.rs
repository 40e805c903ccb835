//! Remarks about the meaning of messages: versions, cancellation, handles, state.

use acp_bindgen::diagnostic::printable;
use acp_bindgen::ir::{
    Collection, Fallback, Field, Method, NeededCapability, Protocol, Record, StateChange, TypeDef,
    TypeKind, Union,
};

/// The remarks about a method, a line each.
pub(super) fn of_method(method: &Method, protocol: &Protocol) -> Vec<String> {
    let mut lines = Vec::new();
    let negotiation = protocol.negotiation.iter();
    for it in negotiation.filter(|it| method.is_request() && it.method == method.name.wire) {
        let versions: Vec<String> = it.versions.iter().map(ToString::to_string).collect();
        let (asked, agreed) = (&it.params.wire, &it.result.wire);
        let versions = versions.join(", ");
        lines
            .push(format!("settles the version: {asked} asks, {agreed} answers one of {versions}"));
    }
    for remote in protocol.remote.iter().filter(|_| method.is_request()) {
        if remote.opens == method.name.wire {
            lines.push(format!("opens a connection over HTTP, posted to {}", remote.path));
        }
        let session = remote.session.iter();
        for it in session.filter(|it| it.closed_by.contains(&method.name.wire)) {
            lines.push(format!("closes the session that {} names", it.property));
        }
    }
    for cancels in &method.cancels {
        let end = match &cancels.result {
            Some(result) => format!("with {result}"),
            None => "with the error of a cancelled request".to_owned(),
        };
        lines.push(format!("cancels {} of the same {}, {end}", cancels.request, cancels.key));
    }
    let cancelled = |other: &&Method| {
        method.is_request() && other.cancels.iter().any(|it| it.request == method.name.wire)
    };
    let by: Vec<&str> =
        protocol.methods.iter().filter(cancelled).map(|it| it.name.wire.as_str()).collect();
    if !by.is_empty() {
        lines.push(format!("cancelled by {}", by.join(", ")));
    }
    if let Some(handle) = &method.handle {
        let methods = handle.methods.iter().map(|it| it.name.camel());
        let methods: Vec<String> =
            methods.chain(handle.release.iter().map(|_| "release".to_owned())).collect();
        lines.push(format!("opens a {}: {}", handle.name.pascal(), methods.join(", ")));
    }
    lines.iter().map(|line| printable(line).into_owned()).collect()
}

/// The remarks about a type, a line each.
pub(super) fn of_type(def: &TypeDef) -> Vec<String> {
    let lines = match &def.kind {
        TypeKind::Record(record) => of_record(record),
        TypeKind::Union(union) => of_union(union),
        TypeKind::Enum(_) | TypeKind::Tuple(_) | TypeKind::Alias { .. } => Vec::new(),
    };
    lines.iter().map(|line| printable(line).into_owned()).collect()
}

/// The capabilities that a receiver needs, as a remark beside a field or a variant.
pub(super) fn needed(capabilities: &[NeededCapability]) -> String {
    let remarks: Vec<String> = capabilities
        .iter()
        .map(|it| format!("to the {} if {}", it.side, it.path.join(".")))
        .collect();
    printable(&remarks.join(", ")).into_owned()
}

/// The remark about a field whose wrong values receivers forgive.
pub(super) fn forgiven(field: &Field) -> String {
    let instead = |fallback: &Fallback| match (fallback, &field.default) {
        (Fallback::Absent, None) => "absent".to_owned(),
        (Fallback::Absent, Some(default)) => default.to_string(),
        (Fallback::Value { value }, _) => value.to_string(),
    };
    let leniency = &field.leniency;
    let error = leniency.on_error.as_ref().map(|it| format!("wrong: taken as {}", instead(it)));
    let null = leniency.on_null.as_ref().map(|it| format!("null: taken as {}", instead(it)));
    let items = leniency.skip_invalid_items.then(|| "wrong items: left out".to_owned());
    let remarks: Vec<String> = [error, null, items].into_iter().flatten().collect();
    printable(&remarks.join(", ")).into_owned()
}

fn of_record(record: &Record) -> Vec<String> {
    let never = record.forbidden.iter().map(|keys| format!("never with {}", keys.join(" and ")));
    let with = |(key, wanted): (&String, &Vec<String>)| {
        format!("{key} only with {}", wanted.join(" and "))
    };
    let choices = record.keys.choices.iter().map(|choice| format!("has {}", choice.expected()));
    never.chain(record.keys.dependent.iter().map(with)).chain(choices).collect()
}

fn of_union(union: &Union) -> Vec<String> {
    let shorthand = union.shorthand.iter();
    let shorthand =
        shorthand.map(|it| format!("the {} alone stands for the variant {}", it.field, it.variant));
    let collections = union.state.iter().flat_map(|state| &state.collections);
    shorthand.chain(collections.flat_map(of_collection)).collect()
}

/// The remarks about the variants that change the items of a state, a line each.
fn of_collection(collection: &Collection) -> Vec<String> {
    let item = &collection.item;
    let put = collection.variants.iter().filter(|it| it.change.is_put());
    let put: Vec<&str> = put.map(|it| it.tag.as_str()).collect();
    let put = match &collection.key {
        Some(key) => format!("{} keep one {item} for each {}", put.join(", "), key.join(".")),
        None => format!("{} keep the latest {item}", put.join(", ")),
    };
    let others = collection.variants.iter().filter_map(|it| match &it.change {
        StateChange::Append { from, to, .. } => {
            let to = to.join(".");
            Some(format!("{} adds its {from} to the {to} of {item}", it.tag))
        }
        StateChange::Remove => Some(format!("{} removes {item}", it.tag)),
        StateChange::Replace | StateChange::Patch => None,
    });
    let ends = collection.status.as_ref().map(|it| {
        let (property, cancelled) = (&it.property, &it.cancelled);
        format!(
            "a cancelled turn makes the {property} of {item} {cancelled}, where it is {} or absent",
            it.open.join(", ")
        )
    });
    std::iter::once(put).chain(others).chain(ends).collect()
}
