//! The table of all types, for programs that find one by its name.

use crate::backend::rust::layout::Page;
use crate::backend::rust::literal;
use crate::backend::rust::model::Model;

/// A macro that calls another with the names of all types, in the schema and in Rust.
pub(super) fn table(model: &Model) -> String {
    let mut page = Page::new();
    page.line("//! The table of all types.");
    page.gap();
    page.line("/// Calls a macro with all types: `\"name in the schema\" NameInRust,` for each.");
    page.line("#[doc(hidden)]");
    page.line("#[macro_export]");
    page.block("macro_rules! for_each_type", |page| {
        page.block_with("($callback:ident) =>", "};", |page| {
            page.block("$callback!", |page| {
                for ty in &model.types {
                    page.line(&format!("{} {},", literal::string(&ty.wire), ty.ident));
                }
            });
        });
    });
    page.finish()
}
