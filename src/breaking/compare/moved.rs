//! Properties that have moved from one object to another.

use std::collections::HashMap;

use super::Comparer;
use super::finding::Finding;
use crate::breaking::reach::Reach;
use crate::breaking::rules;
use crate::breaking::verdict::{Direction, Relation};

impl<'a> Comparer<'a> {
    /// Makes one finding of an optional property that is gone from one object and new in another
    /// of the same message, where the one contains the other.
    pub(super) fn moved(&mut self) {
        let mut come: HashMap<String, Vec<usize>> = HashMap::new();
        let name = |finding: &Finding<'a>| {
            finding.location.path.rsplit('.').next().unwrap_or_default().to_owned()
        };
        for (index, finding) in self.findings.iter().enumerate() {
            if finding.rule == &rules::PROPERTY_ADDED_OPTIONAL {
                come.entry(name(finding)).or_default().push(index);
            }
        }
        if come.is_empty() {
            return;
        }
        let (old, new) = (Reach::new(self.old), Reach::new(self.new));
        let mut taken = Vec::new();
        for from in 0..self.findings.len() {
            let finding = &self.findings[from];
            if finding.rule != &rules::PROPERTY_REMOVED_OPTIONAL {
                continue;
            }
            let Some([to]) = come.get(&name(finding)).map(Vec::as_slice) else { continue };
            let (gone, here) = (finding.clone(), self.findings[*to].clone());
            let (Some(before), Some(after)) = (gone.carried, here.carried) else { continue };
            let is_within = |reach: &Reach<'a>, inner: &'a str, outer: &str| {
                reach.reached(inner).types.iter().any(|name| name == outer)
            };
            let (a, b) = (gone.location.old.def, here.location.new.def);
            let (Some(a), Some(b)) = (a, b) else { continue };
            let related = gone.location.ty == here.location.ty
                || [&old, &new].into_iter().any(|reach| {
                    is_within(reach, a, here.location.ty) || is_within(reach, b, gone.location.ty)
                });
            if !related || taken.contains(to) || self.judge(before, after) != Relation::Same {
                continue;
            }
            let summary = format!("`{}` has moved to `{}`", name(&gone), here.location.full_path());
            let mut moved =
                Finding::new(&rules::PROPERTY_MOVED, &gone.location, summary).about_absence();
            moved.location.new = here.location.new.clone();
            moved.carried = gone.carried;
            debug_assert_eq!(gone.only, Some(Direction::OldToNew));
            self.findings[from] = moved;
            taken.push(*to);
        }
        taken.sort_unstable();
        for index in taken.into_iter().rev() {
            self.findings.remove(index);
        }
    }
}
