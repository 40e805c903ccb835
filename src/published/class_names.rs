//! The names of the classes of variants, taken over.

use super::classes;
use super::declared::Type;
use super::entries::{Entry, Named};
use super::overlay::Adopter;
use super::pairing::namesake;
use crate::backend::api::{Declaration, Origin};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::{Name, Variant};
use crate::source::Location;

impl Adopter<'_> {
    /// Takes over the name of a variant's class, where the language has one.
    pub(super) fn variant(&mut self, ty: &Type, union: &str, variant: &Variant) {
        let of_union = self.api.declarations.iter().filter_map(|it| match &it.of {
            Origin::Variant { ty, variant } if ty == union => Some((&it.name, variant)),
            _ => None,
        });
        let of_union: Vec<_> = of_union.collect();
        if of_union.iter().any(|(name, _)| **name == ty.name) {
            self.same += 1;
            return;
        }
        let classes = of_union.iter().filter(|(_, of)| **of == variant.name.wire).count();
        let location = self.protocol.type_def(union).map(|def| def.location.clone());
        let label =
            format!("`{}` is the variant `{}` of `{union}`", ty.name, variant.tag_or_name());
        let (Some(tag), Some(location), 1) = (variant.tag(), location, classes) else {
            let message = match classes {
                0 => format!("{label}, which has no type of its own here"),
                _ => format!("{label}, which has {classes} classes here"),
            };
            let help = format!("keep `{}` as an alias of your own", ty.name);
            self.warn("published-name-lost", message, ty.span, help);
            return;
        };
        self.name_class(ty, (&label, tag), (Some(variant), &location));
    }

    /// Takes over the name of a class that is called like it.
    pub(super) fn class(&mut self, ty: &Type, union: &str, ours: &Declaration) {
        if ours.name == ty.name {
            self.same += 1;
            return;
        }
        let key = classes::key(union, ours, self.protocol);
        let of = classes::variant(union, ours, self.protocol);
        let (Some(key), Some(def)) = (key, self.protocol.type_def(union)) else {
            let message = format!("`{}` is called `{}` here", ty.name, ours.name);
            let help = format!("keep `{}` as an alias of your own", ty.name);
            self.warn("published-name-lost", message, ty.span, help);
            return;
        };
        let label = format!("`{}` is the variant `{key}` of `{union}`", ty.name);
        self.name_class(ty, (&label, &key), (of, &def.location.clone()));
    }

    /// Names a class of a union's variant.
    fn name_class(
        &mut self,
        ty: &Type,
        (label, key): (&str, &str),
        (variant, location): (Option<&Variant>, &Location),
    ) {
        let entry = Entry {
            pointer: location.pointer.clone(),
            of: Named::Class(key.to_owned()),
            name: ty.name.clone(),
        };
        let is_same = |other: &&Entry| other.pointer == entry.pointer && other.of == entry.of;
        if let Some(other) = self.entries.iter().find(is_same) {
            let message = format!("{label}, and so is `{}`", other.name);
            let help = format!("keep `{}` as an alias of your own", ty.name);
            self.warn("published-name-lost", message, ty.span, help);
            return;
        }
        let namesake = variant
            .and_then(|variant| namesake(ty, variant, self.api))
            .and_then(|key| self.protocol.type_def(key));
        let may_be = match &namesake {
            Some(def) => self.is_within_reach(&def.location, &ty.name, ty.span),
            None => self.is_free(&ty.name, ty.span),
        };
        if may_be
            && self.is_spelled(&ty.name, Name::pascal, ty.span)
            && self.is_within_reach(location, &ty.name, ty.span)
        {
            self.entries.push(entry);
            if let Some(def) = namesake {
                self.namesakes.push((def.location.pointer.clone(), ty.clone()));
            }
        }
    }

    /// Gives another name to each definition whose name the class of a variant has taken, unless it
    /// has got one.
    pub(super) fn give_way(&mut self) {
        for (pointer, ty) in std::mem::take(&mut self.namesakes) {
            let has_one = |it: &Entry| it.pointer == pointer && it.of == Named::Itself;
            if self.entries.iter().any(has_one) {
                continue;
            }
            let mut name = format!("{}Fields", ty.name);
            let is_taken = |name: &str, entries: &[Entry]| {
                self.api.declarations.iter().any(|it| it.name == name)
                    || entries.iter().any(|it| it.name == name)
            };
            while is_taken(&name, &self.entries) {
                name.push_str("Fields");
            }
            let message = format!(
                "`{}` is the class of a variant, and what the variant has is called `{name}`",
                ty.name
            );
            let found = Diagnostic::new("published-name-passed-on", Severity::Info, message);
            let found = found.at(self.sources.location("", ty.span));
            self.diagnostics.push(found.help("the schema calls both so: name it as you like"));
            self.entries.push(Entry { pointer, of: Named::Itself, name });
        }
    }
}
