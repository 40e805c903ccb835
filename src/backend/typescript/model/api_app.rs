//! The public declarations of apps, and of the types by wire names that they go by.

use super::api::{alias, declaration, function, parameter};
use super::app::{AppModel, AppSide};
use super::sides::{MethodModel, SideModel};
use crate::backend::api::{Declaration, DeclarationKind, Member, Origin, Role};
use crate::backend::typescript::literals::literal;
use crate::backend::typescript::names::MAPS;

impl AppModel {
    /// Declares the functions that make apps, and the types of each side's methods, by wire names.
    pub(super) fn declare<'a>(
        &'a self,
        sides: impl Iterator<Item = (Origin, &'a SideModel)>,
    ) -> impl Iterator<Item = Declaration> {
        let members = self.paths.iter().map(|(wire, path)| {
            let wire_literal = literal(wire);
            let text = format!("  {path}: {wire_literal},");
            Member::new(wire, path, Role::Constant, wire_literal, text)
        });
        let methods = Declaration {
            members: members.collect(),
            tail: String::from("};"),
            ..declaration(Origin::Protocol, "methods", DeclarationKind::Constants, "const", " = {")
        };
        let of_sides = sides.zip(&self.sides).flat_map(|((of, side), app)| {
            let maps = MAPS.into_iter().zip([true, false]);
            let maps = maps.map(|(end, is_request)| map(of.clone(), side, end, is_request));
            maps.chain(app.declare(of.clone())).collect::<Vec<_>>()
        });
        [methods].into_iter().chain(of_sides)
    }
}

impl AppSide {
    fn declare(&self, of: Origin) -> [Declaration; 2] {
        let Self { factory, name, connection, opening, .. } = self;
        let handlers = MAPS.map(|end| format!("sides.{name}{end}")).join(", ");
        let app = format!("{name}App");
        let ty = format!("App<sides.{name}, {connection}, {handlers}>");
        let answer = opening.iter().filter(|opening| opening.has_more).map(|opening| {
            let result = format!("sides.{name}RequestMap[{}][\"result\"]", opening.method);
            let ty = format!("Omit<{result}, {}>", opening.property);
            parameter("", "answer", ty, opening.needs_more)
        });
        let made = function("", factory, Role::Function, answer.collect(), app.clone());
        let shown = made.text.trim().to_owned();
        // What it takes is the rest of the result.
        let result = opening.iter().filter(|opening| opening.has_more);
        let result = result.map(|opening| Origin::Type(opening.result.clone())).next();
        let origin = result.unwrap_or_else(|| of.clone());
        let function = Declaration {
            members: vec![Member { text: String::new(), ..made }],
            head: vec![format!("export function {shown}")],
            ..Declaration::new(origin, factory, DeclarationKind::Caller)
        };
        [alias(of, &app, &ty), function]
    }
}

/// Declares the types of a side's requests, or of its notifications, by wire names.
fn map(of: Origin, side: &SideModel, end: &str, is_request: bool) -> Declaration {
    let name = &side.names.name;
    let methods = side.methods.iter().filter(|it| it.method.is_request == is_request);
    let member = |method: &MethodModel| {
        let params = format!("params: {}", method.types.params);
        let result = method.types.result.iter().map(|result| format!("result: {result}"));
        let parts = [params].into_iter().chain(result).collect::<Vec<_>>();
        let ty = format!("{{ {} }}", parts.join("; "));
        let text = format!("  {}: {ty};", method.wire_key);
        Member::new(&method.method.of, &method.wire_key, Role::Constant, ty, text)
    };
    Declaration {
        members: methods.map(member).collect(),
        tail: String::from("}"),
        ..declaration(of, &format!("{name}{end}"), DeclarationKind::Record, "interface", " {")
    }
}
