//! The public declarations of handles, of helpers, of hosts, of what tells of progress, and of states.

use super::api::{alias, declaration, function, parameter, shown, with_options};
use super::handles::HandleModel;
use super::helpers::{ChoiceModel, FileModel};
use super::hosts::HostModel;
use super::progress::{ENDS, ProgressModel};
use super::records::FieldModel;
use super::states::{CollectionModel, StateModel};
use crate::backend::api::{Declaration, DeclarationKind, Member, Origin, Parameter, Role};
use crate::backend::typescript::names::APPLY;

impl HandleModel {
    /// The class as a declaration.
    pub(super) fn declare(&self) -> Declaration {
        let methods = self.calls().map(|method| {
            let rest = method.rest.iter();
            let rest = rest.map(|ty| parameter("", "params", ty.clone(), method.is_required));
            let parameters = with_options(rest.collect(), method.result.is_some());
            let ty = format!("Promise<{}>", shown(method.result.as_ref()));
            function(&method.of, &method.name, Role::Function, parameters, ty)
        });
        let result = self.result.to_string();
        // Nobody builds one, so that none of them has to be given.
        let fields = self.fields.iter().map(FieldModel::member);
        let fields = fields.map(|field| Member { role: Role::Constant, ..field });
        let id = self.short_id.iter().map(|id| {
            let text = format!("  get id(): {};", id.ty);
            Member::new("", "id", Role::Constant, id.ty.to_string(), text)
        });
        let end = format!(" implements {result} {{");
        let of = Origin::Method(self.of.clone());
        Declaration {
            members: fields.chain(id).chain(methods).collect(),
            bases: vec![result],
            tail: String::from("}"),
            ..declaration(of, &self.name, DeclarationKind::Caller, "class", &end)
        }
    }
}

impl ChoiceModel {
    /// Its functions as declarations. `parameters`: those of the call.
    pub(super) fn called(&self, of: &str, parameters: &[Parameter]) -> Vec<Member> {
        let call =
            |name: &str, ty: String| function(of, name, Role::Function, parameters.to_vec(), ty);
        let choice = call(&self.name, format!("Promise<{} | undefined>", self.option));
        let yes = self.yes.iter().map(|yes| call(&yes.name, String::from("Promise<boolean>")));
        [choice].into_iter().chain(yes).collect()
    }
}

impl FileModel {
    /// The function as a declaration.
    pub(super) fn declare(&self) -> Declaration {
        let result = self.result.as_ref().map_or_else(|| String::from("void"), ToString::to_string);
        let parameters = vec![
            parameter("", "peer", self.peer.clone(), true),
            parameter("", "params", self.params.to_string(), true),
        ];
        let parameters = with_options(parameters, true);
        let ty = format!("Promise<{result}>");
        let called = function(&self.of, &self.name, Role::Function, parameters, ty);
        let shown = called.text.trim().to_owned();
        Declaration {
            members: vec![Member { text: String::new(), ..called }],
            head: vec![format!("export function {shown}")],
            ..Declaration::new(Origin::Method(self.of.clone()), &self.name, DeclarationKind::Caller)
        }
    }
}

impl HostModel {
    /// The class as a declaration.
    pub(super) fn declare(&self) -> Declaration {
        let of = Origin::Method(self.of.clone());
        Declaration {
            tail: String::from("}"),
            ..declaration(of, &self.name, DeclarationKind::Caller, "class", " {")
        }
    }
}

impl ProgressModel {
    /// The class as a declaration.
    pub(super) fn declare(&self) -> Declaration {
        let tells = |name: &str, given: String, required: bool| {
            let change = parameter("", "change", given, required);
            function("", name, Role::Function, vec![change], String::from("Promise<void>"))
        };
        let ends = ENDS.into_iter().map(|name| tells(name, self.last.clone(), false));
        let members = [tells("update", self.changed.clone(), true)].into_iter().chain(ends);
        let of = Origin::Method(self.of.clone());
        Declaration {
            members: members.collect(),
            tail: String::from("}"),
            ..declaration(of, &self.name, DeclarationKind::Caller, "class", " {")
        }
    }

    /// The function of the peer that makes one.
    pub(super) fn called(&self) -> Member {
        let work = format!("rpc.ProgressWork<{}, T>", self.name);
        let parameters = vec![
            parameter("", "params", self.given.clone(), true),
            parameter("", "work", work, true),
            parameter("", "options", String::from("rpc.ProgressOptions"), false),
        ];
        function(&self.of, &self.function, Role::Function, parameters, String::from("Promise<T>"))
    }
}

impl StateModel {
    /// The class and its old names as declarations.
    pub(super) fn declare(&self) -> impl Iterator<Item = Declaration> {
        let of = || Origin::Type(self.of.clone());
        let old = self.old.iter().map(move |old| alias(of(), &old.name, &self.name));
        [self.class()].into_iter().chain(old)
    }

    fn class(&self) -> Declaration {
        let collections =
            self.collections.iter().map(|CollectionModel { name, ty, key, .. }| {
                let ty = match key {
                    Some(_) => format!("ReadonlyMap<string, {ty}>"),
                    None => format!("{ty} | undefined"),
                };
                let text = format!("  get {name}(): {ty};");
                Member::new("", name, Role::Constant, ty, text)
            });
        let values = self.collections.iter().filter_map(|it| it.value.as_ref()).map(|it| {
            let ty = format!("{} | undefined", it.ty);
            let text = format!("  get {}(): {ty};", it.name);
            Member::new("", &it.name, Role::Constant, ty, text)
        });
        let update = parameter("", "update", self.union.clone(), true);
        let apply = function("", APPLY, Role::Function, vec![update], String::from("boolean"));
        let end = (!self.endings.is_empty())
            .then(|| function("", self.end, Role::Function, Vec::new(), String::from("boolean")));
        Declaration {
            members: collections.chain(values).chain([apply]).chain(end).collect(),
            tail: String::from("}"),
            ..declaration(
                Origin::Type(self.of.clone()),
                &self.name,
                DeclarationKind::Caller,
                "class",
                " {",
            )
        }
    }
}
