//! The public declarations of the package, from its model.

use super::expression::Expression;
use super::model::{
    Declaration as Declared, Extension, HandleCall, HandleClass, HostClass, Model,
    Parameter as Attribute, Params, ProgressClass, ProgressStep, SideClasses, SideMethod,
    SidesModule, StateClass, StructField, UNKNOWN_METHOD, UNKNOWN_NOTIFICATION,
};
use crate::backend::api::{
    Api, Declaration, DeclarationKind, Member, Origin, Parameter, Position, Role,
};
use crate::ir::{Protocol, TypeKind};

impl Model {
    /// The declarations, each with the part of the protocol that it stands for.
    pub(super) fn api(&self, protocol: &Protocol) -> Api {
        let types = self.types.origins.iter().cloned().zip(self.types.declarations.iter());
        let types = types.map(|(of, declared)| declared.declare(of));
        let enums = protocol.types.iter().filter_map(|(key, def)| match &def.kind {
            TypeKind::Enum(values) => Some((Origin::Type(key.clone()), values)),
            _ => None,
        });
        let enums = enums.zip(&self.enums.enums).map(|((of, values), class)| {
            let members = values.values.iter().zip(&class.members).map(|(value, shown)| {
                let text = format!("{} = {}", shown.name, shown.value);
                member(&value.name.wire, &shown.name, Role::Alternative, String::new(), &text)
            });
            let members = members.collect();
            let kind = DeclarationKind::Choice { exhaustive: values.open.is_none() };
            Declaration { members, ..class_of(of, &class.name, kind, &[class.base.to_owned()]) }
        });
        let constants = self.methods.constants.iter().map(|constant| {
            let of = Origin::Method(constant.wire.clone());
            let head = vec![format!("{}: Final = {}", constant.name, constant.value)];
            Declaration { head, ..Declaration::new(of, &constant.name, DeclarationKind::Constants) }
        });
        let origins = protocol.sides.iter().map(|side| Origin::Side(side.name.wire.clone()));
        let sides: Vec<_> = origins.zip(&self.sides.sides).collect();
        let interfaces = sides.iter().map(|(of, side)| self.sides.interface(of, side));
        let connections = sides.iter().flat_map(|(of, side)| self.sides.connection(of, side));
        let served = sides.iter().flat_map(|(of, side)| {
            side.served_names().map(|name| {
                let head = vec![format!("def {name}(…)")];
                let kind = DeclarationKind::Caller;
                Declaration { head, ..Declaration::new(of.clone(), &name, kind) }
            })
        });
        let states = self.states.states.iter().flat_map(StateClass::declare);
        let handles = sides.iter().flat_map(|(_, side)| {
            side.side.methods.iter().filter_map(|it| {
                let of = Origin::Method(it.method.of.clone());
                it.handle.as_ref().map(|handle| handle.declare(of))
            })
        });
        let hosts = self.hosts.hosts.iter().map(HostClass::declare);
        let handles = handles.chain(hosts);
        let progress = sides.iter().flat_map(|(_, side)| {
            side.side.methods.iter().flat_map(|it| {
                let of = Origin::Method(it.method.of.clone());
                it.progress.iter().map(move |progress| progress.declare(of.clone()))
            })
        });
        let handles = handles.chain(progress);
        let declarations =
            enums.chain(interfaces).chain(constants).chain(types).chain(connections).chain(handles);
        let remote = (!sides.is_empty()).then(|| remote(protocol));
        let declarations = declarations.chain(states).chain(served).chain(remote);
        let mut declarations: Vec<Declaration> = declarations.collect();
        complete(&mut declarations);
        Api { declarations }
    }
}

impl HostClass {
    fn declare(&self) -> Declaration {
        let of = Origin::Method(self.of.clone());
        class_of(of, &self.name, DeclarationKind::Caller, &[String::from("ProgramHost")])
    }
}

/// The class `Remote`, which connects over a network. Over HTTP it takes more options.
fn remote(protocol: &Protocol) -> Declaration {
    let url = positional(Attribute::new("url", Expression::atom("str")));
    let options = [("over", "Literal[\"auto\", \"http\", \"websocket\"]"), ("http1", "bool")];
    let options = options.into_iter().filter(|_| protocol.remote.is_some()).map(|(name, ty)| {
        let default = Some(Expression::atom("..."));
        let option = Attribute::new(name, Expression::atom(ty));
        (Attribute { default, ..option }, Position::Keyword)
    });
    let parameters = [url].into_iter().chain(options).collect();
    let none = Expression::atom("None");
    let init = function("", "__init__", "def", Role::Function, parameters, &none);
    let class = class_of(Origin::Protocol, "remote.Remote", DeclarationKind::Caller, &[]);
    Declaration { members: vec![init], ..class }
}

/// Gives unions their variants, and classes the fields that they inherit. Neither is shown with
/// them.
fn complete(declarations: &mut [Declaration]) {
    let all = declarations.to_vec();
    for declaration in declarations {
        let is_choice = matches!(declaration.kind, DeclarationKind::Choice { .. });
        let alternatives = all.iter().filter_map(|Declaration { of, name, .. }| {
            let (Origin::Variant { ty, variant }, Origin::Type(union)) = (of, &declaration.of)
            else {
                return None;
            };
            let is_own = is_choice && ty == union;
            let ty = name.clone();
            is_own.then(|| Member::new(variant, name, Role::Alternative, ty, String::new()))
        });
        let is_base = |base: &&Declaration| {
            base.kind == DeclarationKind::Record && declaration.bases.contains(&base.name)
        };
        let inherited = all.iter().filter(is_base).flat_map(|base| &base.members);
        let inherited = inherited.map(|field| Member { text: String::new(), ..field.clone() });
        let members: Vec<Member> = alternatives.chain(inherited).collect();
        declaration.members.extend(members);
    }
}

impl Declared {
    fn declare(&self, of: Origin) -> Declaration {
        match self {
            Self::Struct(class) => {
                let mut bases = class.bases.clone();
                if !class.is_derived {
                    bases.push(String::from("Struct"));
                }
                let constants = class.constants.iter().map(|constant| {
                    let ty = format!("Literal[{}]", constant.value);
                    let text = format!("{}: {ty} = {}", constant.name, constant.value);
                    member("", &constant.name, Role::Optional, ty, &text)
                });
                let fields = class.fields.iter().map(StructField::member);
                let members = constants.chain(fields).collect();
                let kind = DeclarationKind::Record;
                Declaration { members, ..class_of(of, &class.name, kind, &bases) }
            }
            Self::Plain(class) => {
                let mut bases = class.bases.clone();
                let own = if class.kept_by.is_some() { "OpenVariant" } else { "PlainObject" };
                bases.push(own.to_owned());
                let tag = class.kept_by.iter().flat_map(|_| raw_parameters());
                let fields =
                    class.fields.iter().map(|it| (it.parameter.clone(), Position::Keyword));
                let init = tag.chain(fields).collect();
                let none = Expression::atom("None");
                let init = function("", "__init__", "def", Role::Function, init, &none);
                let kind = DeclarationKind::Record;
                Declaration { members: vec![init], ..class_of(of, &class.name, kind, &bases) }
            }
            Self::Union(class) => {
                // Nobody builds this class: its variants' say which of them have to be given.
                let shared = class.shared.iter().map(|shared| {
                    let it = &shared.parameter;
                    let text = format!("{}: {}", it.name, it.ty);
                    member(&it.wire, &it.name, Role::Optional, it.ty.checked().to_string(), &text)
                });
                let constructors = class.constructors.iter().map(|it| {
                    let raw = it.is_raw.then(raw_parameters).into_iter().flatten();
                    let raw = raw.filter(|(raw, _)| it.tag.is_none() || raw.name != "tag");
                    let result = Expression::atom(it.class.clone());
                    let parameters = raw.chain(it.params.parameters()).collect();
                    function(&it.wire, &it.name, "def", Role::Constructor, parameters, &result)
                });
                let members = shared.chain(constructors).collect();
                let kind = DeclarationKind::Choice { exhaustive: true };
                Declaration { members, ..class_of(of, &class.name, kind, &[]) }
            }
            Self::Alias(alias) => Declaration {
                ty: alias.ty.checked().to_string(),
                head: vec![format!("{}: TypeAlias = {}", alias.name, alias.target)],
                ..Declaration::new(of, &alias.name, DeclarationKind::Alias)
            },
        }
    }
}

impl StructField {
    fn member(&self) -> Member {
        let Attribute { name, ty, default, wire } = &self.parameter;
        let given = match (&self.factory, default) {
            (Some(factory), _) => format!(" = field(default_factory={})", direct(factory)),
            (None, Some(default)) => format!(" = {default}"),
            (None, None) => String::new(),
        };
        let role = if given.is_empty() { Role::Required } else { Role::Optional };
        member(wire, name, role, ty.checked().to_string(), &format!("{name}: {ty}{given}"))
    }
}

/// A class in place of a function that makes one: which of them stands there depends on the
/// order of classes.
fn direct(factory: &Expression) -> Expression {
    match factory {
        Expression::Lambda(body) => match body.as_ref() {
            Expression::Call(class, arguments) if arguments.is_empty() => Expression::atom(class),
            _ => factory.clone(),
        },
        _ => factory.clone(),
    }
}

impl SidesModule {
    fn interface(&self, of: &Origin, model: &SideClasses) -> Declaration {
        let names = &model.side.names;
        let bases = if model.is_abstract { vec![String::from("ABC")] } else { Vec::new() };
        let context = || Attribute::new("context", Expression::atom(names.context.clone()));
        let handlers = model.side.methods.iter().map(|handler| {
            let request = Attribute::new("request", handler.request.clone());
            let is_optional = handler.method.is_optional;
            let role = if is_optional { Role::OptionalFunction } else { Role::Function };
            let parameters = [request, context()].map(positional).to_vec();
            let of = &handler.method.of;
            function(of, &handler.name, "async def", role, parameters, &handler.answer)
        });
        let extensions = self.extensions().map(|(name, extension)| {
            let parameters = extension.parameters().into_iter().chain([positional(context())]);
            let role = Role::OptionalFunction;
            function("", name, "async def", role, parameters.collect(), &extension.result)
        });
        let (any, none) = (Expression::atom("Any"), Expression::atom("None"));
        let unknown = [(UNKNOWN_METHOD, any.clone()), (UNKNOWN_NOTIFICATION, none)];
        let unknown = unknown.map(|(name, result)| {
            let method = Attribute::new("method", Expression::atom("str"));
            let params = Attribute::new("params", any.clone());
            let parameters = [method, params, context()].map(positional).to_vec();
            function("", name, "async def", Role::OptionalFunction, parameters, &result)
        });
        let members = handlers.chain(extensions).chain(unknown).collect();
        let kind = DeclarationKind::Handler;
        Declaration { members, ..class_of(of.clone(), &names.name, kind, &bases) }
    }

    fn connection(&self, of: &Origin, model: &SideClasses) -> [Declaration; 2] {
        let names = &model.side.names;
        let calls = model.side.methods.iter().flat_map(SideMethod::calls);
        let extensions = self.extensions().map(|(name, extension)| {
            let parameters = extension.parameters().to_vec();
            function("", name, "async def", Role::Function, parameters, &extension.result)
        });
        let agreed = self.agreed_version.map(|ty| {
            let text = format!("protocol_version: {ty}");
            member("", "protocol_version", Role::Optional, ty.to_owned(), &text)
        });
        let members = agreed.into_iter().chain(calls).chain(extensions).collect();
        let caller = |name: &str, bases: &[&str]| {
            let bases: Vec<String> = bases.iter().map(|base| (*base).to_owned()).collect();
            class_of(of.clone(), name, DeclarationKind::Caller, &bases)
        };
        let peer = Declaration { members, ..caller(&names.peer, &["_rpc.Peer"]) };
        let base = model.side.base.as_deref().unwrap_or("_rpc.Peer");
        [peer, caller(&names.connection, &["_rpc.Lifetime", base])]
    }
}

impl StateClass {
    /// The class and its old names.
    fn declare(&self) -> impl Iterator<Item = Declaration> {
        let old = self.old.iter().map(|old| {
            let head = vec![format!("{old}: TypeAlias = {}", self.name)];
            let of = Origin::Type(self.of.clone());
            let ty = self.name.clone();
            Declaration { ty, head, ..Declaration::new(of, old, DeclarationKind::Alias) }
        });
        [self.class()].into_iter().chain(old)
    }

    fn class(&self) -> Declaration {
        let of = Origin::Type(self.of.clone());
        let held = self.collections.iter().map(|it| {
            let text = format!("{}: {}", it.name, it.ty);
            member("", &it.name, Role::Optional, it.ty.to_string(), &text)
        });
        let update = Attribute::new("update", Expression::atom(self.union.clone()));
        let parameters = vec![positional(update)];
        let result = Expression::atom("bool");
        let apply = function("", "apply", "def", Role::Function, parameters, &result);
        let values = self.collections.iter().filter_map(|it| it.value.as_ref()).map(|it| {
            let text = format!("{}: {}", it.name, it.ty);
            member("", &it.name, Role::Constant, it.ty.to_string(), &text)
        });
        let end = self.endings.iter();
        let end = end.map(|_| function("", self.end, "def", Role::Function, Vec::new(), &result));
        let members = held.chain(values).chain([apply]).chain(end).collect();
        Declaration { members, ..class_of(of, &self.name, DeclarationKind::Caller, &[]) }
    }
}

impl HandleClass {
    fn declare(&self, of: Origin) -> Declaration {
        let none = Expression::atom("None");
        let methods = self.methods.iter().map(|it| (it, &it.result));
        let methods = methods.chain(self.release.iter().map(|it| (it, &none)));
        let members = methods.map(|(it, result): (&HandleCall, _)| {
            let parameters = it.params.parameters().collect();
            function(&it.of, &it.name, "async def", Role::Function, parameters, result)
        });
        let id = self.short_id.iter().map(|id| {
            member("", "id", Role::Constant, id.ty.to_string(), &format!("id: {}", id.ty))
        });
        let members = id.chain(members).collect();
        let bases = [self.response.clone()];
        Declaration { members, ..class_of(of, &self.name, DeclarationKind::Caller, &bases) }
    }
}

impl ProgressClass {
    fn declare(&self, of: Origin) -> Declaration {
        let none = Expression::atom("None");
        let members = self.steps.iter().map(|it: &ProgressStep| {
            let parameters = it.params.parameters().collect();
            function("", it.name, "async def", Role::Function, parameters, &none)
        });
        let members = members.collect();
        let bases = [String::from("_progress.Progress")];
        Declaration { members, ..class_of(of, &self.name, DeclarationKind::Caller, &bases) }
    }
}

impl Extension {
    fn parameters(&self) -> [(Attribute, Position); 2] {
        let method = Attribute::new("method", Expression::atom("str"));
        [method, Attribute::new("params", self.params.clone())].map(positional)
    }
}

impl SideMethod {
    fn calls(&self) -> impl Iterator<Item = Member> {
        let opened = self.handle.as_ref().map(|handle| Expression::atom(handle.name.clone()));
        let call = |name: &str, keyword: &str, result: &Expression| {
            let parameters = self.params.parameters().collect();
            function(&self.method.of, name, keyword, Role::Function, parameters, result)
        };
        let streamed = self.streamed.as_ref().map(|name| {
            let result = Expression::Index("_streams.StreamedCall", vec![self.result.clone()]);
            call(name, "def", &result)
        });
        let progress = self.progress.iter().map(|it| {
            let parameters = it.start.parameters().collect();
            let result = Expression::atom(it.name.clone());
            function(&self.method.of, &it.function, "def", Role::Function, parameters, &result)
        });
        let choice = self.choice.iter().flat_map(|it| {
            let option = Expression::union([it.option.clone(), Expression::atom("None")]);
            let yes = it.yes.as_ref().map(|yes| (&yes.name, Expression::atom("bool")));
            [(&it.name, option)].into_iter().chain(yes)
        });
        let file = self.file.iter().map(|it| (&it.name, it.result.clone()));
        let helpers = choice.chain(file);
        let helpers: Vec<_> =
            helpers.map(|(name, result)| call(name, "async def", &result)).collect();
        [call(&self.call, "async def", opened.as_ref().unwrap_or(&self.result))]
            .into_iter()
            .chain(streamed)
            .chain(helpers)
            .chain(progress)
    }
}

impl Params {
    fn parameters(&self) -> impl Iterator<Item = (Attribute, Position)> {
        let keywords = self.keywords.iter().map(|it| (it.clone(), Position::Keyword));
        self.positional.iter().cloned().map(positional).chain(keywords)
    }
}

fn positional(parameter: Attribute) -> (Attribute, Position) {
    (parameter, Position::Positional)
}

/// The tag and the properties of a variant that is kept as it came.
fn raw_parameters() -> [(Attribute, Position); 2] {
    let raw = Expression::atom("Mapping[str, Any] | None");
    let raw = Attribute { default: Some(Expression::atom("None")), ..Attribute::new("raw", raw) };
    [Attribute::new("tag", Expression::atom("str")), raw].map(positional)
}

fn class_of(of: Origin, name: &str, kind: DeclarationKind, bases: &[String]) -> Declaration {
    let shown = if bases.is_empty() { String::new() } else { format!("({})", bases.join(", ")) };
    let head = vec![format!("class {name}{shown}:")];
    Declaration { bases: bases.to_vec(), head, ..Declaration::new(of, name, kind) }
}

fn member(of: &str, name: &str, role: Role, ty: String, text: &str) -> Member {
    Member::new(of, name, role, ty, format!("    {text}"))
}

fn function(
    of: &str,
    name: &str,
    keyword: &str,
    role: Role,
    parameters: Vec<(Attribute, Position)>,
    result: &Expression,
) -> Member {
    let own = if role == Role::Constructor { None } else { Some(String::from("self")) };
    let mut shown: Vec<String> = own.into_iter().collect();
    let mut last = Position::Positional;
    for (Attribute { name, ty, default, .. }, position) in &parameters {
        let ty = ty.without_constants();
        if *position != std::mem::replace(&mut last, *position) {
            shown.push(String::from("*"));
        }
        let default = default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
        shown.push(format!("{name}: {ty}{default}"));
    }
    let parameters = parameters.into_iter().map(|(parameter, position)| Parameter {
        required: parameter.default.is_none(),
        of: parameter.wire,
        name: parameter.name,
        ty: parameter.ty.without_constants().checked().to_string(),
        position,
    });
    let parameters = parameters.collect();
    let optional = if role == Role::OptionalFunction { " # optional" } else { "" };
    let text = format!("{keyword} {name}({}) -> {result}: ...{optional}", shown.join(", "));
    Member { parameters, ..member(of, name, role, result.checked().to_string(), &text) }
}
