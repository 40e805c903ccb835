//! How records become JSON and come from it.

use crate::backend::rust::layout::{Field, Page};
use crate::backend::rust::literal;
use crate::backend::rust::model::{
    CompositeModel, DefaultValue, FieldModel, Form, Helper, Read, Reading, RecordModel, Slot,
};

/// Prints the codec of a record.
pub(super) fn record(page: &mut Page, ident: &str, record: &RecordModel) {
    print(page, ident, record, None);
}

/// Prints the codec of a record that shares its JSON object with a union.
pub(super) fn composite(page: &mut Page, ident: &str, composite: &CompositeModel) {
    print(page, ident, &composite.record, Some(&composite.field));
}

/// Prints a function that reads.
pub(super) fn reading(page: &mut Page, name: &str, reader: &str, body: impl FnOnce(&mut Page)) {
    let parameter = format!("{reader}: &mut json::Reader<'_>");
    page.function(&format!("fn {name}"), &[parameter], "json::Result<Self>", body);
}

/// Prints functions that read parts.
pub(super) fn helpers(page: &mut Page, helpers: &[Helper]) {
    for helper in helpers {
        let parameter = String::from("reader: &mut json::Reader<'_>");
        let returns = format!("json::Result<{}>", helper.returns);
        page.function(&format!("fn {}", helper.name), &[parameter], &returns, |page| {
            let mut arguments = vec![String::from("reader")];
            arguments.extend(helper.arguments.iter().cloned());
            page.call("", &helper.callee, &arguments, "");
        });
        page.gap();
    }
}

/// Names of local variables, none of them that of a field.
struct Locals {
    reader: String,
    key: String,
    value: String,
    start: String,
}

impl Locals {
    fn new(record: &RecordModel, kind: Option<&str>) -> Self {
        let free = |name: &str| {
            let mut name = name.to_owned();
            while record.fields.iter().any(|field| field.ident == name) || kind == Some(&*name) {
                name.push('_');
            }
            name
        };
        Self {
            reader: free("reader"),
            key: free("key"),
            value: free("value"),
            start: free("start"),
        }
    }
}

fn print(page: &mut Page, ident: &str, record: &RecordModel, kind: Option<&str>) {
    let locals = Locals::new(record, kind);
    page.gap();
    page.block(&format!("impl json::Record for {ident}"), |page| {
        reading(page, "read", &locals.reader, |page| read(page, record, kind, &locals));
        page.gap();
        let returns = "Result<(), M::Error>";
        let parameters = [String::from("&self"), parameter_object(record, kind)];
        page.function(WRITE, &parameters, returns, |page| write(page, record, kind));
    });
    page.gap();
    page.line(&format!("json::record!({ident});"));
}

/// The head of the function that writes members.
pub(super) const WRITE: &str = "fn write<M: serde::ser::SerializeMap>";

/// The parameter that members are written to. One that is not used begins with an underscore.
fn parameter_object(record: &RecordModel, kind: Option<&str>) -> String {
    let unused = record.fields.is_empty() && kind.is_none();
    format!("{}object: &mut M", if unused { "_" } else { "" })
}

fn read(page: &mut Page, record: &RecordModel, kind: Option<&str>, locals: &Locals) {
    let Locals { reader, key, start, .. } = locals;
    helpers(page, &record.helpers);
    if kind.is_some() {
        page.line(&format!("let {start} = {reader}.mark();"));
    }
    if record.fields.is_empty() {
        page.line(&format!("{reader}.skip_rest()?;"));
    } else {
        for field in &record.fields {
            page.line(&format!("let mut {} = None;", field.ident));
        }
        page.block(&format!("while let Some({key}) = {reader}.key()?"), |page| {
            page.block(&format!("match &*{key}"), |page| {
                for field in &record.fields {
                    arm(page, field, locals);
                }
                page.line(&format!("_ => {reader}.skip()?,"));
            });
        });
    }
    for field in record.fields.iter().filter(|field| matches!(field.slot, Slot::Constant(_))) {
        let arguments = [field.ident.clone(), literal::string(&field.wire)];
        page.call("", "json::required::<_>", &arguments, "?;");
    }
    if kind.is_some() {
        page.line(&format!("{reader}.restore({start});"));
    }
    let mut fields: Vec<Field> = record.fields.iter().filter_map(finished).collect();
    if let Some(kind) = kind {
        let read = format!("{kind}: json::Record::read({reader})?");
        fields.push(Field::Plain(read));
    }
    page.literal("Ok(", "Self", &fields, ")");
}

/// Reads a property into its variable.
fn arm(page: &mut Page, field: &FieldModel, locals: &Locals) {
    let Locals { reader, key, value, .. } = locals;
    let ident = &field.ident;
    let read = |function: &str| match &field.read {
        Read::Plainly => format!("{reader}.{function}(&{key})?"),
        Read::By(read) => format!("{reader}.{function}_with(&{key}, {read})?"),
    };
    let pattern = literal::string(&field.wire);
    let (read, other) = match &field.reading {
        Reading::Strict => {
            page.arm(&pattern, &format!("{ident} = Some({})", read("field")), true);
            return;
        }
        Reading::Lenient => (read("lenient"), None),
        Reading::NonNull => (read("non_null"), None),
        Reading::LenientOr(other) => (read("lenient"), Some(other)),
        Reading::NonNullOr(other) => (read("non_null"), Some(other)),
    };
    let Some(other) = other else {
        page.arm(&pattern, &format!("{ident} = {read}"), true);
        return;
    };
    page.block(&format!("{pattern} =>"), |page| {
        page.line(&format!("let {value} = {read};"));
        let value = otherwise(value, other);
        page.call(&format!("{ident} = "), "Some", &[value], ";");
    });
}

/// The value that an `Option` holds, or another.
fn otherwise(option: &str, other: &DefaultValue) -> String {
    let code = &other.code;
    match other.form {
        Form::Standard => format!("{option}.unwrap_or_default()"),
        Form::Constant => format!("{option}.unwrap_or({code})"),
        Form::Call => match code.strip_suffix("()") {
            Some(function) if !function.contains('(') => {
                format!("{option}.unwrap_or_else({function})")
            }
            _ => format!("{option}.unwrap_or_else(|| {code})"),
        },
    }
}

/// A field of the finished struct.
fn finished(field: &FieldModel) -> Option<Field> {
    let ident = &field.ident;
    Some(match &field.slot {
        Slot::Constant(_) => return None,
        Slot::Optional => Field::Plain(ident.clone()),
        Slot::Required => Field::Call {
            before: format!("{ident}: "),
            callee: String::from("json::required"),
            arguments: vec![ident.clone(), literal::string(&field.wire)],
            after: String::from("?"),
        },
        Slot::Patch => Field::Plain(format!("{ident}: {ident}.unwrap_or_default()")),
        Slot::Defaulted(default) => Field::Plain(format!("{ident}: {}", otherwise(ident, default))),
    })
}

fn write(page: &mut Page, record: &RecordModel, kind: Option<&str>) {
    let (last, rest) = match (kind, record.fields.split_last()) {
        (None, None) => {
            page.line("Ok(())");
            return;
        }
        (Some(_), _) => (None, record.fields.as_slice()),
        (None, Some((last, rest))) => (Some(last), rest),
    };
    for field in rest {
        put(page, field, "?;");
    }
    if let Some(last) = last {
        put(page, last, "");
    }
    if let Some(kind) = kind {
        page.line(&format!("json::Record::write(&self.{kind}, object)"));
    }
}

fn put(page: &mut Page, field: &FieldModel, after: &str) {
    let (function, value) = match &field.slot {
        Slot::Constant(value) => ("json::put", value.clone()),
        Slot::Required | Slot::Defaulted(_) => ("json::put", format!("&self.{}", field.ident)),
        Slot::Optional => ("json::put_some", format!("self.{}.as_ref()", field.ident)),
        Slot::Patch => ("json::put_patch", format!("&self.{}", field.ident)),
    };
    let arguments = [String::from("object"), literal::string(&field.wire), value];
    page.call("", function, &arguments, after);
}
