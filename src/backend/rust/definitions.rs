//! The two modules that definitions stand in, of a few definitions at a time: the code of a large
//! schema is never held as a whole.

use std::ops::Range;

use syn::File;

use super::emit::{Definition, heads};
use super::model::Scope;
use super::source::Text;
use crate::diagnostic::Diagnostic;
use crate::ir::{Findings, Protocol};
use crate::parallel;

/// How many definitions a thread takes at once.
const PART: usize = 512;

/// The texts of types and of codecs. As many threads as there are cores make large ones.
pub(super) fn printed(
    scope: &Scope<'_>,
    comment: &str,
    findings: &mut Findings,
) -> Result<[String; 2], Diagnostic> {
    let size = if scope.protocol.is_large() { PART } else { usize::MAX };
    printed_in_parts(scope, size, comment, findings)
}

/// The same, in parts of so many definitions.
fn printed_in_parts(
    scope: &Scope<'_>,
    size: usize,
    comment: &str,
    findings: &mut Findings,
) -> Result<[String; 2], Diagnostic> {
    let (protocol, options) = (scope.protocol, scope.options);
    let mut texts = [Text::new(comment), Text::new(comment)];
    for (text, head) in texts.iter_mut().zip(heads()) {
        text.push(head.parse(protocol)?);
    }
    let count = protocol.types.len();
    if count <= size {
        add(&mut texts, scope, 0..count, findings)?;
        return Ok(texts.map(Text::finish));
    }
    let parts = (0..count).step_by(size).map(|start| start..count.min(start + size)).collect();
    // Identifiers stay in their thread.
    let start = || Scope::new(protocol, options);
    let made = parallel::map_with(parts, start, |scope, part| {
        let (mut texts, mut findings) = <([Text; 2], Findings)>::default();
        add(&mut texts, scope, part, &mut findings).map(|()| (texts, findings))
    });
    let mut parts = [Vec::new(), Vec::new()];
    for part in made {
        let ([types, codecs], found) = part?;
        parts[0].push(types);
        parts[1].push(codecs);
        findings.extend(found);
    }
    texts.iter_mut().zip(parts).for_each(|(text, parts)| text.extend(parts));
    Ok(texts.map(Text::finish))
}

/// Adds the code of some definitions.
fn add(
    [types, codecs]: &mut [Text; 2],
    scope: &Scope<'_>,
    range: Range<usize>,
    findings: &mut Findings,
) -> Result<(), Diagnostic> {
    for (wire, def) in scope.protocol.types.iter().skip(range.start).take(range.len()) {
        let definition = Definition::new(scope, wire, def, findings);
        types.push(definition.types.parse(scope.protocol)?);
        if let Some(code) = definition.codecs {
            codecs.push(code.parse(scope.protocol)?);
        }
    }
    Ok(())
}

/// The two modules as syntax trees.
pub(super) fn parsed(scope: &Scope<'_>, findings: &mut Findings) -> Result<[File; 2], Diagnostic> {
    let protocol: &Protocol = scope.protocol;
    let [types, codecs] = heads();
    let mut files = [types.parse(protocol)?, codecs.parse(protocol)?];
    for (wire, def) in &protocol.types {
        let definition = Definition::new(scope, wire, def, findings);
        files[0].items.extend(definition.types.parse(protocol)?.items);
        if let Some(code) = definition.codecs {
            files[1].items.extend(code.parse(protocol)?.items);
        }
    }
    Ok(files)
}

#[cfg(all(test, feature = "bundled"))]
mod tests {
    use super::*;
    use crate::backend::{DocsMode, Options, Runtime};
    use crate::load::{Inputs, Purpose, load};

    #[test]
    fn the_text_does_not_depend_on_its_parts() {
        let (schema, overlay) = crate::schema::bundled::text("acp@v1").unwrap();
        let loaded = load(Inputs::new(schema, vec![overlay]), Purpose::Generate);
        let protocol = loaded.protocol.unwrap();
        let options = Options::new("acp", DocsMode::Full, Runtime::None);
        let scope = Scope::new(&protocol, &options);
        let printed =
            |size| printed_in_parts(&scope, size, "// header\n", &mut Findings::default()).unwrap();
        let whole = printed(usize::MAX);
        assert!(whole[0].starts_with("// header\n\n//! The types"), "{}", &whole[0][..99]);
        for size in [1, 7, 100] {
            assert!(printed(size) == whole, "in parts of {size}");
        }
    }
}
