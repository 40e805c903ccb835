//! Descriptions that have changed, each change once.

use indexmap::IndexMap;

use crate::breaking::ChangedText;

/// A description that has changed, wherever it stands.
#[derive(Debug)]
pub(super) struct Rewritten<'a> {
    /// The first place, and how many more there are.
    pub(super) at: String,
    pub(super) old: Option<&'a str>,
    pub(super) new: Option<&'a str>,
}

/// The texts that have changed, those that have changed in the same way together.
pub(super) fn rewritten(texts: &[ChangedText]) -> Vec<Rewritten<'_>> {
    let mut places: IndexMap<_, Vec<&ChangedText>> = IndexMap::new();
    for text in texts {
        places.entry((text.old.as_deref(), text.new.as_deref())).or_default().push(text);
    }
    let each = places.into_iter().filter_map(|((old, new), places)| {
        let ChangedText { ty, path, .. } = *places.first()?;
        let dot = if path.is_empty() || path.starts_with('<') { "" } else { "." };
        let more = match places.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(Rewritten { at: format!("{ty}{dot}{path}{more}"), old, new })
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_is_made_everywhere_is_told_once() {
        let text = |ty: &str, path: &str, old: &str| ChangedText {
            ty: ty.to_owned(),
            path: path.to_owned(),
            old: Some(old.to_owned()),
            new: None,
        };
        let all = [
            text("Lamp", "extra", "Anything."),
            text("Fan", "<kind=a>", "Turns."),
            text("Fan", "extra", "Anything."),
        ];
        let found = rewritten(&all);
        let told: Vec<&str> = found.iter().map(|it| it.at.as_str()).collect();
        assert_eq!(told, ["Lamp.extra and 1 more", "Fan<kind=a>"]);
        assert_eq!((found[0].old, found[0].new), (Some("Anything."), None));
    }
}
