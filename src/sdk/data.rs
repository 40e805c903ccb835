//! Constants that every language's runtime reads: the same records with the same fields.

use serde_json::Value;

/// A constant value. A field that is absent, `false` or an empty list may be left out where the
/// language has a default for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Text(String),
    Flag(bool),
    /// A JSON value: the language's own, or its text in a language that has none.
    Json(Value),
    /// A word of a closed set: the name of the set, and the word in lower case.
    Word(&'static str, &'static str),
    /// A form of a type that has several, each with its own number of parts: the name of the type,
    /// the name of the form, and the parts.
    Choice(&'static str, &'static str, Vec<Self>),
    List(Vec<Self>),
    Record(Record),
    Optional(Option<Box<Self>>),
}

/// A record of constants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    /// The name of its type.
    pub(crate) name: &'static str,
    /// Its fields, by their names in `snake_case`.
    pub(crate) fields: Vec<(&'static str, Data)>,
}

impl Data {
    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A list of texts.
    pub(crate) fn texts(texts: &[String]) -> Self {
        Self::List(texts.iter().map(|text| Self::text(text)).collect())
    }

    /// A record.
    pub(crate) fn record(
        name: &'static str,
        fields: impl IntoIterator<Item = (&'static str, Self)>,
    ) -> Self {
        Self::Record(Record { name, fields: fields.into_iter().collect() })
    }

    /// A value that may be absent.
    pub(crate) fn optional(data: Option<Self>) -> Self {
        Self::Optional(data.map(Box::new))
    }

    /// Tells whether it is absent, `false` or an empty list.
    #[cfg(feature = "cli")]
    pub(crate) fn is_default(&self) -> bool {
        match self {
            Self::Flag(flag) => !flag,
            Self::List(items) => items.is_empty(),
            Self::Optional(data) => data.is_none(),
            _ => false,
        }
    }
}

impl Record {
    /// The fields whose values are not the default.
    #[cfg(feature = "cli")]
    pub(crate) fn non_default(&self) -> impl Iterator<Item = (&'static str, &Data)> {
        let fields = self.fields.iter().map(|(name, data)| match data {
            Data::Optional(Some(data)) => (*name, &**data),
            data => (*name, data),
        });
        fields.filter(|(_, data)| !data.is_default())
    }
}
