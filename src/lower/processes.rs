//! Processes: `x-process`, tied to the methods and properties that it names.

use super::named_fields;
use super::properties::{Found, Properties, Wanted};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{
    Handle, Kind, Method, Name, ProcessEnv, ProcessExit, ProcessHost, ProcessOutput, Protocol, Type,
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
            Some((method, handle)) => {
                let properties =
                    Properties { protocol, method, keyword: "x-process", code: "unknown-process" };
                Lookup { protocol, method, handle, properties }.host(annotation)
            }
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
    properties: Properties<'a>,
}

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
            command: self
                .properties
                .required(params, &annotation.command, Wanted::Text)?
                .name
                .clone(),
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
            self.properties.required(self.method.params(), &name.wire, Wanted::Text)?;
        }
        let result = Self::result(self.method)?;
        self.properties.required(result, &id.wire, Wanted::AnyText)?;
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
        let field = self.properties.field(params, items)?;
        let array = match self.protocol.resolved(&field.ty).kind {
            Kind::Array(array) if !self.protocol.resolved(&array.items).nullable => array,
            _ => return Err(self.properties.wrong(items, "an array of objects")),
        };
        Ok(ProcessEnv {
            items: field.name.clone(),
            name: self.properties.required(&array.items, name, Wanted::Text)?.name.clone(),
            value: self.properties.required(&array.items, value, Wanted::Text)?.name.clone(),
        })
    }

    fn output(&self, annotation: &ProcessAnnotation) -> Found<ProcessOutput> {
        let [method, text, truncated, exit] = &annotation.output;
        let result = Self::result(self.using(method)?)?;
        let text = &self.properties.required(result, text, Wanted::AnyText)?.name;
        let truncated = &self.properties.required(result, truncated, Wanted::Boolean)?.name;
        let exit = self.properties.absent(result, exit, Wanted::Object)?;
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
        let code = &self.properties.absent(ty, code, Wanted::Integer)?.name;
        let signal = &self.properties.absent(ty, signal, Wanted::AnyText)?.name;
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
            self.properties.required(method.params(), &name.wire, Wanted::Text)?;
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
            return Err(self.properties.wrong("result", "an object"));
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
        let found = self.properties.optional(ty, name, wanted)?;
        Ok(found.map(|field| field.name.clone()))
    }
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error("unknown-process", message)
}
