//! Functions that make values of a union: `ContentBlock.text("hi")`.

use serde::Serialize;
use serde_json::Value;

use super::alternatives::{Alternative, Tag};
use super::shorthands::ShorthandModel;
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::literals;
use crate::backend::typescript::names::{self, UNKNOWN_TAG};
use crate::backend::typescript::types::{Expr, Scope};
use crate::ir::{
    Field, Findings, Namespace, OpenVariant, Selector, Things, Type, TypeKind, Union, Variant,
};

/// A function that makes a variant.
#[derive(Debug, Serialize)]
pub(super) struct ConstructorModel {
    /// The variant's name in the model.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) doc: Vec<String>,
    pub(super) name: String,
    /// The parameters that have to be given.
    pub(super) parameters: Vec<Parameter>,
    /// The type of the parameter for all that may be given.
    pub(super) rest: Option<Rest>,
    /// The parameter whose properties are the object's, too.
    pub(super) spread: Option<String>,
    /// The properties of the object.
    pub(super) properties: Vec<Property>,
    /// The functions by which it takes the one value of a variant of another union.
    #[serde(skip)]
    pub(super) shorthands: Vec<String>,
    /// The type of what it makes: of a union with shared fields, the part that has this tag.
    pub(super) result: Alternative,
}

#[derive(Debug, Serialize)]
pub(super) struct Parameter {
    /// The wire name of the field that it fills.
    #[serde(skip)]
    pub(super) of: String,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: Expr,
}

/// The type of a parameter for properties that may be absent.
#[derive(Debug, Serialize)]
pub(super) struct Rest {
    /// The type that has them all; that of the result if there is none.
    pub(super) of: Option<Expr>,
    /// The literals of those that are given otherwise.
    pub(super) without: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Property {
    key: String,
    /// A parameter or a literal.
    value: String,
}

/// The constructors of a union, if it has a tag.
pub(super) fn constructors(
    scope: Scope<'_>,
    name: &str,
    union: &Union,
    diagnostics: &mut Findings,
) -> Vec<ConstructorModel> {
    let Some(tag) = union.tag().map(|tag| tag.wire.as_str()) else { return Vec::new() };
    let mut namespace =
        Namespace::new(Things::MembersOfAny, format!("functions of `{name}` in TypeScript"));
    let mut functions = Vec::new();
    for variant in &union.variants {
        if let Some(function) = constructor(scope, union, variant, tag) {
            namespace.claim(&function.name, &variant.name.wire, &variant.location, diagnostics);
            functions.push(function);
        }
    }
    let open = union.open.as_ref();
    if let Some(open) = open.filter(|it| it.payload.is_none() && union.shared.is_empty()) {
        let function = open_constructor(scope, open, tag);
        namespace.claim(&function.name, &open.name.wire, &open.location, diagnostics);
        functions.push(function);
    }
    functions
}

fn constructor(
    scope: Scope<'_>,
    union: &Union,
    variant: &Variant,
    tag: &str,
) -> Option<ConstructorModel> {
    let payload = variant.payload.as_ref();
    let has_shared = !union.shared.is_empty();
    let mut result = Alternative::new(scope, variant, Some(tag));
    let mut parts = Parts::default();
    match (&variant.selector, &result.tag) {
        (Selector::Tag { value }, _) => parts.property(tag, literals::literal(value)),
        (Selector::Untagged, Some(Tag::Absent)) => {}
        (Selector::Untagged, _) => return None,
    }
    parts.shared = &union.shared;
    parts.fields(scope, &beside(scope, &union.shared, payload));
    parts.payload(scope, payload)?;
    if has_shared {
        result.payload = None;
    }
    let rest = parts.has_rest.then(|| Rest {
        of: payload.filter(|_| !has_shared).map(|payload| scope.expression(payload)),
        without: has_shared
            .then_some(tag)
            .into_iter()
            .chain(parts.named.iter().map(String::as_str))
            .map(literals::literal)
            .collect(),
    });
    Some(ConstructorModel {
        of: variant.name.wire.clone(),
        doc: Comment::new(&variant.docs, scope.docs).block(2),
        name: names::constructor(&variant.name),
        parameters: parts.parameters,
        rest,
        spread: parts.spread,
        properties: parts.properties,
        shorthands: parts.shorthands,
        result,
    })
}

/// The shared fields of a variant that its payload does not describe itself. Those that it need not
/// have, though all have to, are required, and of its type.
fn beside(scope: Scope<'_>, shared: &[Field], payload: Option<&Type>) -> Vec<Field> {
    let own = payload.map(|payload| scope.protocol.fields(payload)).unwrap_or_default();
    let fields = shared.iter().filter_map(|field| {
        let Some(own) = own.iter().find(|own| own.name.wire == field.name.wire) else {
            return Some(field.clone());
        };
        let is_missing = field.presence.is_required() && !own.presence.is_required();
        is_missing.then(|| Field { presence: field.presence, ..own.clone() })
    });
    fields.collect()
}

fn open_constructor(scope: Scope<'_>, open: &OpenVariant, tag: &str) -> ConstructorModel {
    let mut parts = Parts::default();
    parts.property(tag, format!("tag as {UNKNOWN_TAG}"));
    ConstructorModel {
        of: open.name.wire.clone(),
        doc: Comment::new(&open.docs, scope.docs).block(2),
        name: names::constructor(&open.name),
        parameters: vec![Parameter {
            of: String::new(),
            name: String::from("tag"),
            ty: Expr::Keyword("string"),
        }],
        rest: Some(Rest { of: Some(Expr::map(Expr::UNKNOWN)), without: Vec::new() }),
        spread: None,
        properties: parts.properties,
        shorthands: Vec::new(),
        result: Alternative::open(scope, open),
    }
}

/// The parameters of a function, and the object that it makes of them.
#[derive(Default)]
struct Parts<'a> {
    /// The fields beside the variants. One that a variant describes, too, is of both types.
    shared: &'a [Field],
    parameters: Vec<Parameter>,
    properties: Vec<Property>,
    spread: Option<String>,
    /// The fields that are not left to the rest.
    named: Vec<String>,
    shorthands: Vec<String>,
    /// True if there are properties that may be absent.
    has_rest: bool,
}

impl Parts<'_> {
    /// Adds what a payload consists of, if that can be told: the fields of a record, or as a
    /// parameter any other object.
    fn payload(&mut self, scope: Scope<'_>, payload: Option<&Type>) -> Option<()> {
        let Some(payload) = payload else { return Some(()) };
        let Type::Named { name } = scope.protocol.resolve(payload) else { return None };
        match &scope.protocol.type_def(name)?.kind {
            TypeKind::Record(record) => {
                self.fields(scope, &record.fields);
                Some(())
            }
            TypeKind::Union(_) if scope.protocol.is_object(payload) => {
                let whole = self.parameter("", "value", scope.expression(payload));
                self.spread = Some(whole);
                Some(())
            }
            _ => None,
        }
    }

    /// Adds fields: the required ones each as a parameter.
    fn fields(&mut self, scope: Scope<'_>, fields: &[Field]) {
        for field in fields {
            let key = field.name.wire.as_str();
            if !field.presence.is_required() {
                self.has_rest = true;
                continue;
            }
            let constant = match scope.protocol.resolve(&field.ty) {
                Type::Literal { value: Value::Array(_) | Value::Object(_) } => None,
                Type::Literal { value } if !field.presence.is_nullable() => {
                    Some(literals::constant(value))
                }
                _ => None,
            };
            let value = constant.unwrap_or_else(|| self.given(scope, field));
            self.property(key, value);
            self.named.push(key.to_owned());
        }
    }

    /// Adds a parameter for a field, and gives the value that it makes of it.
    fn given(&mut self, scope: Scope<'_>, field: &Field) -> String {
        let (key, name) = (&field.name.wire, names::parameter(&field.name));
        let Some((shorthand, is_array)) = ShorthandModel::of_field(scope, field) else {
            let own = scope.field_type(field);
            let shared = self.shared.iter().find(|it| it.name.wire == *key);
            // A value of a type by name is one of the type of JSON that it stands beside.
            let is_part = |shared: &Expr| {
                matches!(shared, Expr::Keyword(_)) && !matches!(own, Expr::Keyword(_))
            };
            let shared = shared.map(|it| scope.field_type(it));
            let ty = match shared.filter(|shared| *shared != own && !is_part(shared)) {
                Some(shared) => Expr::Intersection(vec![shared, own]),
                None => own,
            };
            return self.parameter(key, &name, ty);
        };
        let ShorthandModel { function, ty, .. } = shorthand;
        let short = match scope.protocol.resolve(&field.ty) {
            Type::Array(array) => {
                Expr::Array(Box::new(Expr::union([scope.expression(&array.items), ty])))
            }
            _ => Expr::union([scope.field_type(field), ty]),
        };
        self.shorthands.push(function.clone());
        let given = self.parameter(key, &name, short);
        if is_array { format!("{given}.map({function})") } else { format!("{function}({given})") }
    }

    fn property(&mut self, key: &str, value: String) {
        self.properties.push(Property { key: literals::object_key(key), value });
    }

    /// Adds a parameter, under a name that no other one has.
    fn parameter(&mut self, of: &str, name: &str, ty: Expr) -> String {
        let mut name = name.to_owned();
        while name == "rest"
            || self.shorthands.contains(&name)
            || self.parameters.iter().any(|taken| taken.name == name)
        {
            name.push('_');
        }
        self.parameters.push(Parameter { of: of.to_owned(), name: name.clone(), ty });
        name
    }
}
