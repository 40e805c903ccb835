//! Properties that have moved from one object to another.

use std::collections::HashMap;

use super::Comparer;
use super::draft::Draft;
use super::uses::Judged;
use crate::breaking::reach::Reach;
use crate::breaking::rules;
use crate::breaking::verdict::Way;

impl<'a> Comparer<'a> {
    /// Makes one finding of an optional property that is gone from one object and new in another
    /// of the same message, where the one contains the other.
    pub(super) fn moved(&mut self) {
        let mut come: HashMap<String, Vec<usize>> = HashMap::new();
        let name =
            |draft: &Draft<'a>| draft.site.path.rsplit('.').next().unwrap_or_default().to_owned();
        for (index, draft) in self.drafts.iter().enumerate() {
            if draft.rule == &rules::PROPERTY_ADDED_OPTIONAL {
                come.entry(name(draft)).or_default().push(index);
            }
        }
        if come.is_empty() {
            return;
        }
        let (old, new) = (Reach::of(self.old), Reach::of(self.new));
        let mut taken = Vec::new();
        for from in 0..self.drafts.len() {
            let draft = &self.drafts[from];
            if draft.rule != &rules::PROPERTY_REMOVED_OPTIONAL {
                continue;
            }
            let Some([to]) = come.get(&name(draft)).map(Vec::as_slice) else { continue };
            let (gone, here) = (draft.clone(), self.drafts[*to].clone());
            let (Some(before), Some(after)) = (gone.carried, here.carried) else { continue };
            let is_within = |reach: &Reach<'a>, inner: &'a str, outer: &str| {
                reach.reached(inner).types.iter().any(|name| name == outer)
            };
            let (a, b) = (gone.site.old.def, here.site.new.def);
            let (Some(a), Some(b)) = (a, b) else { continue };
            let related = gone.site.ty == here.site.ty
                || [&old, &new].into_iter().any(|reach| {
                    is_within(reach, a, here.site.ty) || is_within(reach, b, gone.site.ty)
                });
            if !related || taken.contains(to) || self.judge(before, after) != Judged::Same {
                continue;
            }
            let dot =
                if here.site.path.starts_with('<') || here.site.path.is_empty() { "" } else { "." };
            let summary =
                format!("`{}` has moved to `{}{dot}{}`", name(&gone), here.site.ty, here.site.path);
            let mut moved = Draft::new(&rules::PROPERTY_MOVED, &gone.site, summary).about_absence();
            moved.site.new = here.site.new.clone();
            moved.carried = gone.carried;
            debug_assert_eq!(gone.only, Some(Way::OldToNew));
            self.drafts[from] = moved;
            taken.push(*to);
        }
        taken.sort_unstable();
        for index in taken.into_iter().rev() {
            self.drafts.remove(index);
        }
    }
}
