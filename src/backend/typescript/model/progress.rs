//! Classes that tell of an item from its start to its end.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::imports::TypeImports;
use crate::backend::typescript::literals::{key, literal};
use crate::backend::typescript::names;
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{Method, Name, Progress, Side, Type};

/// All of them.
#[derive(Debug, Serialize)]
pub(in crate::backend::typescript) struct ProgressesModel {
    pub(super) classes: Vec<ProgressModel>,
    imports: TypeImports,
    /// The classes by which they tell, sorted.
    peers: BTreeSet<String>,
}

/// A class that tells of an item.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProgressModel {
    /// The wire name of the notification.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) name: String,
    doc: Vec<String>,
    /// The function of the peer that makes one, and its comment.
    pub(super) function: String,
    function_doc: Vec<String>,
    /// The class by which it tells, and its method for that.
    peer: String,
    call: String,
    /// The types of the item and of the union.
    item: Expr,
    union: Expr,
    /// The types of what begins one, of a change, and of what may be said at the end.
    pub(super) given: String,
    pub(super) changed: String,
    pub(super) last: String,
    /// The properties that the notification needs, and the one that holds the change: each with its
    /// variable, as members of an object.
    with: Vec<String>,
    property: String,
    tag: PropertyModel,
    key: PropertyModel,
    status: PropertyModel,
    /// Literals of the tags, and of the values of the status.
    opens: String,
    changes: String,
    started: Option<String>,
    /// The functions that end it: the name, the comment and the value of each.
    ends: Vec<EndModel>,
}

/// A function that ends what is told of.
#[derive(Clone, Debug, Serialize)]
struct EndModel {
    name: &'static str,
    doc: Vec<String>,
    value: String,
}

/// A property: as a key, as a literal, and how it is read.
#[derive(Clone, Debug, Serialize)]
struct PropertyModel {
    key: String,
    literal: String,
    access: String,
}

/// The functions that end something.
pub(super) const ENDS: [&str; 3] = ["complete", "fail", "cancel"];

impl ProgressesModel {
    /// The classes of the protocol, if it has any.
    pub(super) fn new(scope: Scope<'_>) -> Option<Self> {
        let mut imports = TypeImports::default();
        let mut classes = Vec::new();
        for side in &scope.protocol.sides {
            for method in scope.protocol.handled_by(&side.name.wire) {
                let all = progress(scope, side, method, &mut imports);
                for (class, progress) in all.iter().zip(&method.progress) {
                    let named = |name: &String| Type::Named { name: name.clone() };
                    if !progress.with.is_empty() {
                        imports.expression(scope, method.params());
                    }
                    for name in [&progress.item, &progress.change, &progress.union] {
                        imports.expression(scope, &named(name));
                    }
                    classes.push(class.clone());
                }
            }
        }
        let peers = classes.iter().map(|it| it.peer.clone()).collect();
        (!classes.is_empty()).then_some(Self { classes, imports, peers })
    }
}

/// The items that a notification tells of from start to end. Imports what their functions take.
pub(super) fn progress(
    scope: Scope<'_>,
    side: &Side,
    method: &Method,
    imports: &mut TypeImports,
) -> Vec<ProgressModel> {
    let models = method.progress.iter().map(|it| {
        imports.expression(scope, &Type::Named { name: it.item.clone() });
        ProgressModel::new(scope, side, method, it)
    });
    models.collect()
}

impl ProgressModel {
    fn new(scope: Scope<'_>, side: &Side, method: &Method, it: &Progress) -> Self {
        let named = |name: &String| scope.expression(&Type::Named { name: name.clone() });
        let Progress { name, item, status, .. } = it;
        let about = format!("A `{item}` that the other end is told of, from its start to its end.");
        let doc = Comment::about(about)
            .paragraph("The first end counts: after it, nothing is told.")
            .status(&method.docs);
        let function_doc =
            Comment::about(format!("Tells of a `{item}` from its start to its end."))
                .paragraph(&format!(
                    "It ends with `work`: what throws has failed. When the `signal` fires, its `{}`\nis `{}` at once.",
                    status.wire, it.cancelled
                ))
                .status(&method.docs);
        let says = [
            "Tells that it is done",
            "Tells that it has failed",
            "Tells that a cancelled turn has ended it",
        ];
        let values = [&it.completed, &it.failed, &it.cancelled];
        let ends = ENDS.into_iter().zip(says).zip(values).map(|((name, says), value)| EndModel {
            name,
            doc: Comment::about(format!("{says}: its `{}` is then `{value}`.", status.wire))
                .block(2),
            value: literal(value),
        });
        let params = scope.expression(method.params());
        let (change, key) = (named(&it.change), literal(&it.key.wire));
        let needed: Vec<String> = it.with.iter().map(|name| literal(&name.wire)).collect();
        let given = if needed.is_empty() {
            named(item).to_string()
        } else {
            format!("Pick<{params}, {}> & {}", needed.join(" | "), named(item))
        };
        Self {
            of: method.name.wire.clone(),
            name: names::progress(it),
            doc: doc.block(0),
            function: names::member(name),
            function_doc: function_doc.block(2),
            peer: names::side(side).peer,
            call: names::peer_method(method),
            item: named(item),
            union: named(&it.union),
            given,
            changed: format!("Omit<{change}, {key}>"),
            last: format!("Omit<{change}, {key} | {}>", literal(&status.wire)),
            property: given_as(&it.property.wire, "update"),
            tag: PropertyModel::from_wire(tag(scope, it)),
            key: PropertyModel::new(&it.key),
            status: PropertyModel::new(status),
            opens: literal(&it.opens),
            changes: literal(&it.changes),
            started: it.started.as_deref().map(literal),
            ends: ends.collect(),
            with: it.with.iter().map(taken).collect(),
        }
    }
}

/// The property that holds the tag of a union.
fn tag<'a>(scope: Scope<'a>, it: &Progress) -> &'a str {
    let def = scope.protocol.type_def(&it.union).map(|def| &def.kind);
    let Some(crate::ir::TypeKind::Union(union)) = def else { return "" };
    union.tag().map_or("", |tag| &tag.wire)
}

impl PropertyModel {
    fn new(name: &Name) -> Self {
        Self::from_wire(&name.wire)
    }

    fn from_wire(wire: &str) -> Self {
        let (key, literal) = (key(wire), literal(wire));
        let access = if key == wire { format!(".{key}") } else { format!("[{literal}]") };
        Self { key, literal, access }
    }
}

/// A property as a member of an object, with the variable that holds its value.
fn given_as(wire: &str, variable: &str) -> String {
    let key = key(wire);
    if key == variable { key } else { format!("{key}: {variable}") }
}

/// The same, with a variable of its own.
fn taken(name: &Name) -> String {
    let mut variable = names::parameter(name);
    while ["begun", "opening", "options", "params", "peer", "update"].contains(&variable.as_str()) {
        variable.push('_');
    }
    given_as(&name.wire, &variable)
}
