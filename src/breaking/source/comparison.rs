//! The generated APIs of two protocols, compared.

use super::effects::CodeEffect;
use super::language::Language;
use crate::backend::api::Api;

/// The generated public APIs of two protocols, and what findings do to code that uses them.
#[derive(Clone, Debug, Default)]
pub struct SourceComparison {
    pub(super) languages: Vec<ComparedApi>,
}

/// The public API of one language, before and after.
#[derive(Clone, Debug)]
pub(super) struct ComparedApi {
    pub(super) language: Language,
    pub(super) old: Api,
    pub(super) new: Api,
    pub(super) differences: Vec<Difference>,
}

/// A declaration that was, is, or is another.
#[derive(Clone, Debug, Default)]
pub(super) struct Difference {
    pub(super) old: Option<usize>,
    pub(super) new: Option<usize>,
    pub(super) effects: Vec<CodeEffect>,
    /// The ids of the findings that it has to do with.
    pub(super) findings: Vec<String>,
}
