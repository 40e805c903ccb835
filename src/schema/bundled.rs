//! The bundled schemas: exported from the crate that defines the protocol, so that upgrading the
//! protocol is `cargo update`. The only module that names it.

use agent_client_protocol_schema as acp;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{RemoveRefSiblings, ReplaceBoolSchemas};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value};

use super::SchemaText;

/// The prefix of a bundled schema's name on the command line.
pub const PREFIX: &str = "bundled:";

/// The names of the bundled schemas; the first is the default.
pub const NAMES: [&str; 2] = ["acp@v1", "acp@v2"];

/// The release of the crate that the schemas are exported from. A test compares it with
/// `Cargo.lock`.
pub const VERSION: &str = "1.15.1";

/// The schema of this name, as JSON text, and the overlay that supplies what it lacks.
pub fn text(name: &str) -> Option<(SchemaText, SchemaText)> {
    let (schema, overlay, guides) = match name {
        "acp@v1" => {
            (export::<v1::Root>(), include_str!("../../schema/acp.overlay.json"), V1_GUIDES)
        }
        "acp@v2" => {
            (export::<v2::Root>(), include_str!("../../schema/acp.v2.overlay.json"), NO_GUIDES)
        }
        _ => return None,
    };
    let text = SchemaText {
        label: format!("{PREFIX}{name}"),
        text: format!("{:#}", schema.as_value()),
        version: Some(VERSION.to_owned()),
        builtin: true,
    };
    let overlay = SchemaText {
        label: format!("{PREFIX}{name}.overlay"),
        text: with_guides(overlay, guides),
        version: None,
        builtin: true,
    };
    Some((text, overlay))
}

/// Examples for users of the packages, by target.
type Guides = &'static [(&'static str, &'static str)];
const V1_GUIDES: Guides = &[
    ("python", include_str!("../../schema/acp.v1.guide.python.md")),
    ("rust", include_str!("../../schema/acp.v1.guide.rust.md")),
    ("typescript", include_str!("../../schema/acp.v1.guide.typescript.md")),
];
const NO_GUIDES: Guides = &[];

/// The overlay with the annotation that holds the guides.
fn with_guides(overlay: &str, guides: Guides) -> String {
    let Ok(mut members) = serde_json::from_str::<Map<String, Value>>(overlay) else {
        return overlay.to_owned();
    };
    let guides: Map<_, _> =
        guides.iter().map(|(target, text)| ((*target).to_owned(), (*text).into())).collect();
    members.insert("x-guides".to_owned(), guides.into());
    format!("{:#}", Value::from(members))
}

fn export<Root: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.untagged_enum_variant_titles = true;
    let mut booleans = ReplaceBoolSchemas::default();
    booleans.skip_additional_properties = true;
    settings
        .with_transform(booleans)
        .with_transform(RemoveRefSiblings::default())
        .into_generator()
        .into_root_schema_for::<Root>()
}

/// The crate defines payloads and envelopes; which messages travel is said here, as its
/// publisher does: whatever one side sends, whatever the other sends, and what either may send.
macro_rules! root {
    ($version:ident) => {
        mod $version {
            use super::acp::$version::{
                AgentNotification, AgentRequest, AgentResponse, ClientNotification, ClientRequest,
                ClientResponse, JsonRpcMessage, Notification, ProtocolLevelNotification, Request,
                Response,
            };
            use super::{JsonSchema, Schema, SchemaGenerator, json_schema, titled};

            #[derive(JsonSchema)]
            #[schemars(untagged, inline)]
            #[allow(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
            enum Agent {
                Request(Request<AgentRequest>),
                Response(Response<AgentResponse>),
                Notification(Notification<AgentNotification>),
            }

            #[derive(JsonSchema)]
            #[schemars(untagged, inline)]
            #[allow(dead_code, clippy::large_enum_variant, reason = "only its schema is used")]
            enum Client {
                Request(Request<ClientRequest>),
                Response(Response<ClientResponse>),
                Notification(Notification<ClientNotification>),
            }

            pub(super) struct Root;

            impl JsonSchema for Root {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    "Agent Client Protocol".into()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    let agent = titled::<JsonRpcMessage<Agent>>("Agent", generator);
                    let client = titled::<JsonRpcMessage<Client>>("Client", generator);
                    let protocol = titled::<JsonRpcMessage<Notification<ProtocolLevelNotification>>>(
                        "ProtocolLevel",
                        generator,
                    );
                    json_schema!({ "anyOf": [agent, client, protocol] })
                }
            }
        }
    };
}

root!(v1);
root!(v2);

fn titled<T: JsonSchema>(title: &str, generator: &mut SchemaGenerator) -> Schema {
    let mut schema = generator.subschema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}

#[cfg(test)]
mod tests {
    use super::{NAMES, VERSION, text};

    #[test]
    fn every_name_has_a_schema() {
        for name in NAMES {
            let (schema, _) = text(name).unwrap();
            assert!(schema.text.contains("\"x-method\""), "{name}");
        }
        assert!(text("acp@v0").is_none());
    }

    #[test]
    fn the_version_is_the_locked_one() {
        let lock = include_str!("../../Cargo.lock");
        let entry = lock
            .split("[[package]]")
            .find(|entry| entry.contains("name = \"agent-client-protocol-schema\""));
        assert!(entry.unwrap().contains(&format!("version = \"{VERSION}\"")));
    }
}
