//! Processes: `x-process`, tied to the methods and properties that it names.

use super::named_fields;
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{
    Field, Handle, Kind, Method, Name, ProcessEnv, ProcessExit, ProcessHost, ProcessOutput,
    Protocol, Type,
};
use crate::schema::{Document, ProcessAnnotation};

/// Gives each annotated request the class that runs what it starts, and checks that all it names
/// is there.
pub(super) fn resolve(protocol: &mut Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        let Some(annotation) = &schema.annotations.process else { continue };
        let mut methods = protocol.methods.iter();
        let index = methods.position(|method| method.is_request_with(name));
        let opener = index.and_then(|index| protocol.methods.get(index));
        let host = match opener.and_then(|method| Some((method, method.handle.as_ref()?))) {
            Some((method, handle)) => Lookup { protocol, method, handle }.host(annotation),
            None if schema.annotations.handle.is_some() => continue,
            None => {
                let message = format!("`{name}` has an `x-process`, but no `x-handle`");
                Err(Diagnostic::error("misplaced-process", message)
                    .help("it stands beside `x-handle`, on the params of the request that starts a program"))
            }
        };
        match (host, index.and_then(|index| protocol.methods.get_mut(index))) {
            (Ok(host), Some(method)) => method.process = Some(host),
            (Err(problem), _) => diagnostics.push(problem.at(annotation.location.clone())),
            (Ok(_), None) => {}
        }
    }
}

/// The request that starts programs.
struct Lookup<'a> {
    protocol: &'a Protocol,
    method: &'a Method,
    handle: &'a Handle,
}

/// What a property has to be.
#[derive(Clone, Copy)]
enum Wanted {
    Text,
    /// What the host makes up: it has to be any text.
    AnyText,
    Integer,
    Boolean,
    Texts,
    Object,
}

impl Wanted {
    fn text(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::AnyText => "a string of any length",
            Self::Integer => "an integer",
            Self::Boolean => "a boolean",
            Self::Texts => "an array of strings",
            Self::Object => "an object",
        }
    }
}

type Found<T> = Result<T, Diagnostic>;

impl<'a> Lookup<'a> {
    fn host(&self, annotation: &ProcessAnnotation) -> Found<ProcessHost> {
        let name = &annotation.name;
        if self.protocol.types.contains_key(name) || self.handle.name.wire == *name {
            let message = format!("`{name}`, the `name` of `x-process`, is a type or a handle");
            return Err(error(message).help("give the class a name of its own"));
        }
        let params = self.method.params();
        self.ids()?;
        self.distinct(annotation)?;
        Ok(ProcessHost {
            name: Name::new(name),
            command: self.required(params, &annotation.command, Wanted::Text)?.name.clone(),
            args: self.optional(params, annotation.args.as_ref(), Wanted::Texts)?,
            env: annotation.env.as_ref().map(|env| self.env(env)).transpose()?,
            cwd: self.optional(params, annotation.cwd.as_ref(), Wanted::Text)?,
            limit: self.optional(params, annotation.limit.as_ref(), Wanted::Integer)?,
            exit: self.exit(annotation)?,
            output: self.output(annotation)?,
            wait: annotation.wait.clone(),
            kill: self.kill(&annotation.kill)?,
        })
    }

    /// Checks that the id is text and can be given back: the host makes it up, and compares what
    /// belongs to it.
    fn ids(&self) -> Found<()> {
        let Handle { id, with, release, .. } = self.handle;
        for name in with {
            self.required(self.method.params(), &name.wire, Wanted::Text)?;
        }
        let result = Self::result(self.method)?;
        self.required(result, &id.wire, Wanted::AnyText)?;
        self.only(result, &[id])?;
        let Some(release) = release else {
            let message = "`x-process` stands beside an `x-handle` without `release`".to_owned();
            return Err(error(message).help("name the request that gives the process back"));
        };
        self.kill(release).map(drop)
    }

    /// Checks that each request does one thing.
    fn distinct(&self, annotation: &ProcessAnnotation) -> Found<()> {
        let [output, ..] = &annotation.output;
        let named = [output, &annotation.wait, &annotation.kill, &self.method.name.wire];
        let mut seen: Vec<&String> = self.handle.release.iter().collect();
        for wire in named {
            if seen.contains(&wire) {
                let message = format!("`{wire}` has two meanings for `x-process`");
                return Err(error(message).help("name a request of its own for each"));
            }
            seen.push(wire);
        }
        Ok(())
    }

    fn env(&self, [items, name, value]: &[String; 3]) -> Found<ProcessEnv> {
        let params = self.method.params();
        let field = self.field(params, items)?;
        let array = match self.protocol.resolved(&field.ty).kind {
            Kind::Array(array) if !self.protocol.resolved(&array.items).nullable => array,
            _ => return Err(self.wrong(items, "an array of objects")),
        };
        Ok(ProcessEnv {
            items: field.name.clone(),
            name: self.required(&array.items, name, Wanted::Text)?.name.clone(),
            value: self.required(&array.items, value, Wanted::Text)?.name.clone(),
        })
    }

    fn output(&self, annotation: &ProcessAnnotation) -> Found<ProcessOutput> {
        let [method, text, truncated, exit] = &annotation.output;
        let result = Self::result(self.using(method)?)?;
        let text = &self.required(result, text, Wanted::AnyText)?.name;
        let truncated = &self.required(result, truncated, Wanted::Boolean)?.name;
        let exit = self.absent(result, exit, Wanted::Object)?;
        self.only(result, &[text, truncated])?;
        self.exit_of(&exit.ty, &annotation.exit)?;
        Ok(ProcessOutput {
            method: method.clone(),
            text: text.clone(),
            truncated: truncated.clone(),
            exit: exit.name.clone(),
        })
    }

    fn exit(&self, annotation: &ProcessAnnotation) -> Found<ProcessExit> {
        let result = Self::result(self.using(&annotation.wait)?)?;
        self.exit_of(result, &annotation.exit)
    }

    /// The properties of an object that say how a process ended.
    fn exit_of(&self, ty: &'a Type, [code, signal]: &[String; 2]) -> Found<ProcessExit> {
        let code = &self.absent(ty, code, Wanted::Integer)?.name;
        let signal = &self.absent(ty, signal, Wanted::AnyText)?.name;
        self.only(ty, &[code, signal])?;
        Ok(ProcessExit { code: code.clone(), signal: signal.clone() })
    }

    /// A request that is answered with nothing.
    fn kill(&self, wire: &str) -> Found<String> {
        let result = self.using(wire)?.result();
        let result = result.filter(|it| !matches!(self.protocol.resolved(it).kind, Kind::Null));
        result.map_or(Ok(()), |result| self.only(result, &[]))?;
        Ok(wire.to_owned())
    }

    /// A request of the same side whose params have the id.
    fn using(&self, wire: &str) -> Found<&'a Method> {
        let handler = &self.method.handler;
        let called = self.protocol.method_of(handler, wire).filter(|it| it.is_request());
        let Some(method) = called else {
            let known = self.protocol.methods_of(handler).filter(|it| it.is_request());
            let near = nearest(wire, known.map(|it| it.name.wire.as_str()));
            let message = format!("`x-process` names `{wire}`, which is no request to that side");
            return Err(error(message).near(near, "name requests that the same side handles"));
        };
        for name in self.handle.with.iter().chain([&self.handle.id]) {
            self.required(method.params(), &name.wire, Wanted::Text)?;
        }
        Ok(method)
    }

    fn result(method: &'a Method) -> Found<&'a Type> {
        method.result().ok_or_else(|| {
            let message = format!("`{}`, which `x-process` names, is no request", method.name.wire);
            error(message).help("name requests")
        })
    }

    /// Checks that an object needs no properties but these.
    fn only(&self, ty: &Type, named: &[&Name]) -> Found<()> {
        let fields = named_fields(self.protocol, ty);
        if !matches!(self.protocol.resolved(ty).kind, Kind::Record(_)) {
            return Err(self.wrong("result", "an object"));
        }
        let mut needed = fields.iter().filter(|field| field.presence.is_required());
        match needed.find(|field| !named.contains(&&field.name)) {
            None => Ok(()),
            Some(field) => {
                let name = &field.name.wire;
                let message = format!("`{name}` is required, and `x-process` does not name it");
                Err(error(message).help("what the host answers has only what is named here"))
            }
        }
    }

    fn optional(&self, ty: &'a Type, name: Option<&String>, wanted: Wanted) -> Found<Option<Name>> {
        let Some(name) = name else { return Ok(None) };
        let field = self.field(ty, name)?;
        self.check(field, wanted)?;
        Ok(Some(field.name.clone()))
    }

    fn required(&self, ty: &'a Type, name: &str, wanted: Wanted) -> Found<&'a Field> {
        let field = self.field(ty, name)?;
        if !field.presence.is_required() || field.presence.is_nullable() {
            return Err(self.wrong(name, "required, and not `null`"));
        }
        self.check(field, wanted)?;
        Ok(field)
    }

    /// A property that need not say anything.
    fn absent(&self, ty: &'a Type, name: &str, wanted: Wanted) -> Found<&'a Field> {
        let field = self.field(ty, name)?;
        if field.presence.is_required() {
            return Err(self.wrong(name, "a property that may be absent"));
        }
        if field.default.is_some() {
            return Err(self.wrong(name, "a property without a default"));
        }
        self.check(field, wanted)?;
        Ok(field)
    }

    fn field(&self, ty: &'a Type, name: &str) -> Found<&'a Field> {
        let fields = named_fields(self.protocol, ty);
        fields.iter().find(|field| field.name.wire == name).ok_or_else(|| {
            let near = nearest(name, fields.iter().map(|field| field.name.wire.as_str()));
            let message = format!("`x-process` names the property `{name}`, which is not there");
            error(message).near(near, "name properties of what is sent and answered")
        })
    }

    fn check(&self, field: &Field, wanted: Wanted) -> Found<()> {
        let is_text = |ty: &Type| {
            let resolved = self.protocol.resolved(ty);
            matches!(resolved.kind, Kind::String(_)) && !resolved.nullable
        };
        let is_so = match (wanted, self.protocol.resolved(&field.ty).kind) {
            (Wanted::AnyText, Kind::String(text)) => {
                text.min_length.is_none() && text.max_length.is_none()
            }
            (Wanted::Text, Kind::String(_))
            | (Wanted::Integer, Kind::Integer(_))
            | (Wanted::Boolean, Kind::Boolean)
            | (Wanted::Object, Kind::Record(_)) => true,
            (Wanted::Texts, Kind::Array(array)) => is_text(&array.items),
            _ => false,
        };
        if is_so { Ok(()) } else { Err(self.wrong(&field.name.wire, wanted.text())) }
    }

    fn wrong(&self, name: &str, expected: &str) -> Diagnostic {
        let opener = &self.method.name.wire;
        let message = format!("`{name}`, for the `x-process` of `{opener}`, has to be {expected}");
        error(message).help("the host fills in and reads these properties")
    }
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-process", message)
}
