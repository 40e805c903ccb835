//! The public declarations of the package, from its model.

use super::expression::Expression;
use super::model::{
    Call, Declaration as Declared, HandlerMethod, Interface, Model, Parameter as Attribute, Params,
    SideModel, StructField,
};
use crate::backend::api::{
    Api, Declaration, DeclarationKind, Member, Origin, Parameter, Position, Role,
};
use crate::ir::{Protocol, TypeKind};

impl Model {
    /// The declarations, each with the part of the protocol that it stands for.
    pub(super) fn api(&self, protocol: &Protocol) -> Api {
        let types = self.types.origins.iter().cloned().zip(&self.types.declarations);
        let types = types.map(|(of, declared)| declared.declare(of));
        let enums = protocol.types.iter().filter_map(|(key, def)| match &def.kind {
            TypeKind::Enum(values) => Some((Origin::Type(key.clone()), values)),
            _ => None,
        });
        let enums = enums.zip(&self.enums.enums).map(|((of, values), class)| {
            let base = class.base.to_owned();
            let exhaustive = values.open.is_none();
            let members = values.values.iter().zip(&class.members).map(|(value, member)| {
                let text = format!("{} = {}", member.name, member.value);
                self::member(
                    &value.name.wire,
                    &member.name,
                    Role::Alternative,
                    String::new(),
                    &text,
                )
            });
            Declaration {
                bases: vec![base],
                members: members.collect(),
                ..class_of(
                    of,
                    &class.name,
                    DeclarationKind::Choice { exhaustive },
                    &[class.base.to_owned()],
                )
            }
        });
        let constants = self.methods.constants.iter().map(|constant| {
            let of = Origin::Method(constant.wire.clone());
            let head = vec![format!("{}: Final = {}", constant.name, constant.value)];
            Declaration { head, ..declaration(of, &constant.name, DeclarationKind::Constants) }
        });
        let sides = || protocol.sides.iter().map(|side| Origin::Side(side.name.wire.clone()));
        let interfaces = sides().zip(&self.interfaces.sides).map(|(of, side)| side.declare(of));
        let connections = self.connections.iter().flat_map(|all| sides().zip(&all.sides));
        let connections = connections.flat_map(|(of, side)| side.declare(&of));
        let declarations = enums.chain(interfaces).chain(constants).chain(types).chain(connections);
        Api { declarations: declarations.collect() }
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
                Declaration {
                    members,
                    ..class_of(of, &class.name, DeclarationKind::Record, &bases)
                }
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
                let shared = class.shared.iter().map(|it| {
                    let text = format!("{}: {}", it.name, it.ty);
                    member(&it.wire, &it.name, Role::Required, it.ty.to_string(), &text)
                });
                let constructors = class.constructors.iter().map(|it| {
                    let raw = it.is_raw.then(raw_parameters).into_iter().flatten();
                    let raw = raw.filter(|(raw, _)| it.tag.is_none() || raw.name != "tag");
                    let position = if it.is_raw { Position::Keyword } else { Position::Positional };
                    let fields = it.fields.iter().map(|field| (field.clone(), position));
                    let result = Expression::atom(it.class.clone());
                    let parameters = raw.chain(fields).collect();
                    function(&it.wire, &it.name, "def", Role::Constructor, parameters, &result)
                });
                let members = shared.chain(constructors).collect();
                let kind = DeclarationKind::Choice { exhaustive: true };
                Declaration { members, ..class_of(of, &class.name, kind, &[]) }
            }
            Self::Alias(alias) => Declaration {
                ty: alias.target.clone(),
                head: vec![format!("{}: TypeAlias = {}", alias.name, alias.target)],
                ..declaration(of, &alias.name, DeclarationKind::Alias)
            },
        }
    }
}

impl StructField {
    fn member(&self) -> Member {
        let Attribute { name, ty, default, wire } = &self.parameter;
        let given = match (&self.factory, default) {
            (Some(factory), _) => format!(" = field(default_factory={factory})"),
            (None, Some(default)) => format!(" = {default}"),
            (None, None) => String::new(),
        };
        let role = if given.is_empty() { Role::Required } else { Role::Optional };
        member(wire, name, role, ty.to_string(), &format!("{name}: {ty}{given}"))
    }
}

impl Interface {
    fn declare(&self, of: Origin) -> Declaration {
        let bases = if self.is_abstract { vec![String::from("ABC")] } else { Vec::new() };
        let context = || Attribute::new("context", Expression::atom(self.context.clone()));
        let handlers = self.handlers.iter().map(
            |HandlerMethod { name, wire_name, params, result, is_optional, .. }| {
                let request = Attribute::new("request", params.clone());
                let role = if *is_optional { Role::OptionalFunction } else { Role::Function };
                let parameters = [request, context()].map(positional);
                function(wire_name, name, "async def", role, parameters.to_vec(), result)
            },
        );
        let extensions =
            [("ext_method", &self.ext_method), ("ext_notification", &self.ext_notification)];
        let extensions = extensions.into_iter().filter_map(|(name, handler)| {
            let handler = handler.as_ref()?;
            let method = Attribute::new("method", Expression::atom("str"));
            let params = Attribute::new("params", handler.params.clone());
            let parameters = [method, params, context()].map(positional);
            let role = Role::OptionalFunction;
            Some(function("", name, "async def", role, parameters.to_vec(), &handler.result))
        });
        let members = handlers.chain(extensions).collect();
        Declaration { members, ..class_of(of, &self.name, DeclarationKind::Handler, &bases) }
    }
}

impl SideModel {
    fn declare(&self, of: &Origin) -> [Declaration; 2] {
        let calls = self.calls.iter().flat_map(Call::members);
        let extensions =
            [("ext_method", &self.ext_method), ("ext_notification", &self.ext_notification)];
        let extensions = extensions.into_iter().filter_map(|(name, call)| {
            let call = call.as_ref()?;
            let method = Attribute::new("method", Expression::atom("str"));
            let params = Attribute::new("params", call.params.clone());
            let parameters = [method, params].map(positional).to_vec();
            Some(function("", name, "async def", Role::Function, parameters, &call.result))
        });
        let members = calls.chain(extensions).collect();
        let caller = |name: &str, bases: &[&str]| {
            let bases: Vec<String> = bases.iter().map(|base| (*base).to_owned()).collect();
            class_of(of.clone(), name, DeclarationKind::Caller, &bases)
        };
        let peer = Declaration { members, ..caller(&self.peer, &["_rpc.Peer"]) };
        [peer, caller(&self.connection, &["_rpc.Lifetime", &self.base])]
    }
}

impl Call {
    fn members(&self) -> impl Iterator<Item = Member> {
        let Params { required, optional, .. } = &self.params;
        let required = required.iter().cloned().map(positional);
        let optional = optional.iter().map(|it| (it.clone(), Position::Keyword));
        let parameters: Vec<_> = required.chain(optional).collect();
        let streamed = self.streamed.as_ref().map(|streamed| {
            let result = Expression::Index("_streams.StreamedCall", vec![self.result.clone()]);
            function(&self.wire, &streamed.name, "def", Role::Function, parameters.clone(), &result)
        });
        let call =
            function(&self.wire, &self.name, "async def", Role::Function, parameters, &self.result);
        [call].into_iter().chain(streamed)
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

fn declaration(of: Origin, name: &str, kind: DeclarationKind) -> Declaration {
    Declaration {
        of,
        name: name.to_owned(),
        kind,
        ty: String::new(),
        bases: Vec::new(),
        head: Vec::new(),
        members: Vec::new(),
        tail: String::new(),
    }
}

fn class_of(of: Origin, name: &str, kind: DeclarationKind, bases: &[String]) -> Declaration {
    let shown = if bases.is_empty() { String::new() } else { format!("({})", bases.join(", ")) };
    let head = vec![format!("class {name}{shown}:")];
    Declaration { bases: bases.to_vec(), head, ..declaration(of, name, kind) }
}

fn member(of: &str, name: &str, role: Role, ty: String, text: &str) -> Member {
    let text = format!("    {text}");
    Member { of: of.to_owned(), name: name.to_owned(), role, ty, parameters: Vec::new(), text }
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
        ty: parameter.ty.to_string(),
        position,
    });
    let parameters = parameters.collect();
    let optional = if role == Role::OptionalFunction { " # optional" } else { "" };
    let text = format!("{keyword} {name}({}) -> {result}: ...{optional}", shown.join(", "));
    Member { parameters, ..member(of, name, role, result.to_string(), &text) }
}
