//! `refs`: a table of files by URL.

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serializer};

use crate::input::MappedUrl;

pub(super) fn serialize<S: Serializer>(refs: &[MappedUrl], output: S) -> Result<S::Ok, S::Error> {
    output.collect_map(refs.iter().map(|it| (&it.url, &it.file)))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<MappedUrl>, D::Error> {
    let table = IndexMap::<String, String>::deserialize(input)?;
    Ok(table.into_iter().map(|(url, file)| MappedUrl { url, file }).collect())
}
