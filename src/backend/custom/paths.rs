//! Paths of output files: those of their templates, with placeholders.

use crate::ir::Name;

/// The path of an output file, with placeholders in it: `models/[type.snake].go`.
#[derive(Debug)]
pub(super) struct OutputPath<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Debug)]
enum Part<'a> {
    Text(&'a str),
    Hole(Placeholder, Case),
}

/// A way to join the words of a name.
type Case = fn(&Name) -> String;

/// The ways to join the words of a name, as paths and filters name them.
pub(super) const CASES: [(&str, Case); 5] = [
    ("snake", Name::snake),
    ("kebab", Name::kebab),
    ("camel", Name::camel),
    ("pascal", Name::pascal),
    ("screaming", Name::screaming),
];

/// The thing that a placeholder names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placeholder {
    /// The package's name.
    Package,
    /// The name of a type: the template is printed for each.
    Type,
    /// The name of a side.
    Side,
    /// The name of a method.
    Method,
}

impl<'a> OutputPath<'a> {
    /// Reads a path. The error says in a few words what is wrong with it.
    pub(super) fn parse(path: &'a str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = path;
        while let Some((text, hole)) = rest.split_once('[') {
            let (hole, after) =
                hole.split_once(']').ok_or_else(|| String::from("a `[` has no `]`"))?;
            parts.extend([Part::Text(text), hole_of(hole)?]);
            rest = after;
        }
        parts.push(Part::Text(rest));
        let path = Self { parts };
        let mut repeated = path.repeating();
        let first = repeated.next();
        if repeated.any(|other| Some(other) != first) {
            return Err(String::from("it has placeholders of two kinds of things"));
        }
        drop(repeated);
        Ok(path)
    }

    /// The kind of thing for each of which the template is printed, if any.
    pub(super) fn repeated(&self) -> Option<Placeholder> {
        self.repeating().next()
    }

    fn repeating(&self) -> impl Iterator<Item = Placeholder> {
        self.parts.iter().filter_map(|part| match part {
            Part::Hole(placeholder, _) if *placeholder != Placeholder::Package => {
                Some(*placeholder)
            }
            _ => None,
        })
    }

    /// The path for one thing.
    pub(super) fn fill(&self, package: &str, item: Option<&Name>) -> String {
        let package = Name::new(package);
        self.parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => (*text).to_owned(),
                Part::Hole(Placeholder::Package, case) => case(&package),
                Part::Hole(_, case) => item.map(case).unwrap_or_default(),
            })
            .collect()
    }
}

fn hole_of<'a>(text: &str) -> Result<Part<'a>, String> {
    let (of, case) = text.split_once('.').unwrap_or((text, "snake"));
    let placeholder = match of {
        "package" => Placeholder::Package,
        "type" => Placeholder::Type,
        "side" => Placeholder::Side,
        "method" => Placeholder::Method,
        _ => return Err(format!("`[{text}]` is no placeholder")),
    };
    match CASES.iter().find(|(name, _)| *name == case) {
        Some((_, join)) => Ok(Part::Hole(placeholder, *join)),
        None => Err(format!("`{case}` is no case")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled() {
        let path = OutputPath::parse("[package]/[type]/[type.pascal].go").unwrap();
        assert_eq!(path.repeated(), Some(Placeholder::Type));
        let name = Name::new("content_block");
        assert_eq!(path.fill("my-sdk", Some(&name)), "my_sdk/content_block/ContentBlock.go");
        let plain = OutputPath::parse("src/[package.kebab]/types.go").unwrap();
        assert_eq!(plain.repeated(), None);
        assert_eq!(plain.fill("My_SDK", None), "src/my-sdk/types.go");
    }

    #[test]
    fn what_is_no_placeholder_is_refused() {
        for path in ["[tipe].go", "[type.upper].go", "[type", "[type]/[side].go", "[].go"] {
            assert!(OutputPath::parse(path).is_err(), "{path}");
        }
    }
}
