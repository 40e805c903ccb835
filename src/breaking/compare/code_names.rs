//! Compares the annotations for generated code alone: its names, and the request of a catalogue.

use indexmap::IndexSet;

use super::Comparer;
use super::finding::{ComparedLocation, Finding};
use super::rewrites::Members;
use crate::breaking::rules;
use crate::ir::{Method, Name, Variant};
use crate::source::Node;

impl<'a> Comparer<'a> {
    /// Compares the names by which generated code calls something that has kept its name on the
    /// wire.
    pub(super) fn code_name(&mut self, at: &ComparedLocation<'a>, old: &Name, new: &Name) {
        if old.words != new.words {
            self.found(&rules::CODE_NAME_CHANGED, at, said(old, new));
        }
    }

    /// Compares the names of a variant that has kept its tag.
    pub(super) fn variant_code_name(
        &mut self,
        at: &ComparedLocation<'a>,
        old: &'a Variant,
        new: &'a Variant,
    ) {
        if old.name.words != new.name.words && old.tag() == new.tag() {
            let finding = Finding::new(&rules::CODE_NAME_CHANGED, at, said(&old.name, &new.name));
            self.report(finding.renamed(old.tag_or_name(), &new.name.wire));
        }
        self.class_name(at, old.class_name.as_ref(), new.class_name.as_ref());
        let keys = old.inner_class_names.keys().chain(new.inner_class_names.keys());
        for key in keys.collect::<IndexSet<_>>() {
            let of = |variant: &'a Variant| variant.inner_class_names.get(key);
            self.class_name(at, of(old), of(new));
        }
    }

    /// Compares what a schema calls the class of a variant.
    pub(super) fn class_name(
        &mut self,
        at: &ComparedLocation<'a>,
        old: Option<&Name>,
        new: Option<&Name>,
    ) {
        let class = |name: Option<&Name>| name.map(Name::pascal);
        let summary = match (class(old), class(new)) {
            (was, is) if was == is => return,
            (_, Some(is)) => format!("its class has the name `{is}`, where variants have classes"),
            (Some(was), None) => format!("its class no longer has the name `{was}`"),
            (None, None) => return,
        };
        self.found(&rules::CODE_NAME_CHANGED, at, summary);
    }

    /// Compares the names of a method's function: those that a schema gives, and those that were made
    /// distinct from others.
    pub(super) fn function_name(&mut self, old: &'a Method, new: &'a Method) {
        // What follows from the name of other params is said of these.
        let is_own = (&old.function_name, &new.function_name) != (&None, &None)
            || old.params() == new.params();
        if is_own && old.function().words != new.function().words {
            let summary = format!(
                "the function of `{}` is called `{}` instead of `{}`",
                old.name.wire,
                new.function().words.join(" "),
                old.function().words.join(" ")
            );
            self.report_method(&rules::CODE_NAME_CHANGED, Some(old), Some(new), summary);
        }
    }

    /// Compares which request calls the entries of a catalogue, and how it says which.
    pub(super) fn catalogues(&mut self, before: &'a Members, after: &'a Members) {
        for (name, from) in before {
            let Some(to) = after.get(name) else { continue };
            let of = |node: &Node| node.get("x-catalogue").map(Node::to_value);
            let summary = match (of(&from.value), of(&to.value)) {
                (was, is) if was == is => continue,
                (None, _) => "now calls the entries of a catalogue",
                (_, None) => "no longer calls the entries of a catalogue",
                _ => "calls the entries of a catalogue in another way",
            };
            self.found(&rules::CATALOGUE_CHANGED, &self.whole(name), format!("`{name}` {summary}"));
        }
    }
}

fn said(old: &Name, new: &Name) -> String {
    let words = |name: &Name| name.words.join(" ");
    format!("generated code calls it `{}` instead of `{}`", words(new), words(old))
}
