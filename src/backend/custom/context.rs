//! The values that a custom template sees, beside filters.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind};

use super::paths::Placeholder;
use super::value::{member, model};
use super::{filters, types};
use crate::backend::{DocsMode, Options, header_lines};
use crate::ir::{Name, Protocol};

/// The values that every template sees.
pub(super) struct Context {
    protocol: Arc<Protocol>,
    /// The protocol as templates see it: made once.
    value: Value,
    package: Value,
    docs: Value,
    header: Value,
}

impl Context {
    pub(super) fn new(protocol: Arc<Protocol>, options: &Options) -> Self {
        let docs = match options.docs {
            DocsMode::Full => "full",
            DocsMode::Off => "off",
        };
        Self {
            value: model(&*protocol),
            package: Value::from(options.package.as_str()),
            docs: Value::from(docs),
            header: Value::from_iter(header_lines(&protocol.origin)),
            protocol,
        }
    }

    /// Adds the filters and functions that know the protocol.
    pub(super) fn extend(&self, environment: &mut Environment<'static>) {
        filters::extend(environment);
        types::extend(environment, &self.protocol, &self.value);
        environment.add_function("fail", |message: String| {
            Err::<Value, _>(Error::new(ErrorKind::InvalidOperation, message))
        });
    }

    /// The values for a template that is printed once, or for one item.
    pub(super) fn root(&self, item: Option<(Placeholder, Value)>) -> Value {
        let mut values = BTreeMap::from([
            ("protocol", self.value.clone()),
            ("package", self.package.clone()),
            ("docs", self.docs.clone()),
            ("header", self.header.clone()),
        ]);
        if let Some((placeholder, item)) = item {
            let name = match placeholder {
                Placeholder::Package => "package",
                Placeholder::Type => "type",
                Placeholder::Side => "side",
                Placeholder::Method => "method",
            };
            values.insert(name, item);
        }
        Value::from(values)
    }

    /// All things that a placeholder stands for, with their names.
    pub(super) fn items(&self, placeholder: Placeholder) -> Vec<(Name, Value)> {
        let Protocol { types, sides, methods, .. } = &*self.protocol;
        let (key, names): (&str, Vec<&Name>) = match placeholder {
            Placeholder::Package => return Vec::new(),
            Placeholder::Type => {
                let named =
                    |name: &Name| (name.clone(), types::definition(&self.value, &name.wire));
                return types.values().map(|def| named(&def.name)).collect();
            }
            Placeholder::Side => ("sides", sides.iter().map(|side| &side.name).collect()),
            Placeholder::Method => ("methods", methods.iter().map(|it| &it.name).collect()),
        };
        let values = member(&self.value, key);
        names.into_iter().cloned().zip(values.try_iter().into_iter().flatten()).collect()
    }
}
