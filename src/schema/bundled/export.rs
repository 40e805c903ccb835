//! How the schemas of the crate that defines the protocol are exported, with whatever features it
//! has. The build script includes this file, too.

pub(crate) use agent_client_protocol_schema as acp;
pub(crate) use schemars::generate::SchemaGenerator;
use schemars::generate::SchemaSettings;
use schemars::transform::{RemoveRefSiblings, ReplaceBoolSchemas};
pub(crate) use schemars::{JsonSchema, Schema, json_schema};

/// The schema of a root, as JSON text.
pub(crate) fn export<Root: JsonSchema>() -> String {
    let mut settings = SchemaSettings::draft2020_12();
    settings.untagged_enum_variant_titles = true;
    let mut booleans = ReplaceBoolSchemas::default();
    booleans.skip_additional_properties = true;
    let schema = settings
        .with_transform(booleans)
        .with_transform(RemoveRefSiblings::default())
        .into_generator()
        .into_root_schema_for::<Root>();
    format!("{:#}", schema.as_value())
}

/// The messages that a side sends.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[allow(dead_code, reason = "only its schema is used")]
pub(crate) enum Sent<Q, R, N> {
    Request(Q),
    Response(R),
    Notification(N),
}

/// Makes the root of a version: a module of its name with a type `Root`.
///
/// The crate defines payloads and envelopes; which messages travel is said here, as its publisher
/// does: whatever each of two sides sends, what either may send, and what further sides send.
macro_rules! root {
    ($version:ident $(, $side:literal: $request:ident, $response:ident, $notification:ident)*) => {
        mod $version {
            use super::export::acp::$version as acp;
            use super::export::{JsonSchema, Schema, SchemaGenerator, Sent, json_schema, titled};

            type Messages<Q, R, N> =
                Sent<acp::Request<Q>, acp::Response<R>, acp::Notification<N>>;
            type Agent =
                Messages<acp::AgentRequest, acp::AgentResponse, acp::AgentNotification>;
            type Client =
                Messages<acp::ClientRequest, acp::ClientResponse, acp::ClientNotification>;
            type ProtocolLevel = acp::Notification<acp::ProtocolLevelNotification>;

            pub(super) struct Root;

            impl JsonSchema for Root {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    "Agent Client Protocol".into()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    let all = [
                        titled::<acp::JsonRpcMessage<Agent>>("Agent", generator),
                        titled::<acp::JsonRpcMessage<Client>>("Client", generator),
                        titled::<acp::JsonRpcMessage<ProtocolLevel>>("ProtocolLevel", generator),
                        $(titled::<acp::JsonRpcMessage<
                            Messages<acp::$request, acp::$response, acp::$notification>,
                        >>($side, generator)),*
                    ];
                    json_schema!({ "anyOf": all })
                }
            }
        }
    };
}

pub(crate) use root;

/// The schema of a type, with a title.
pub(crate) fn titled<T: JsonSchema>(title: &str, generator: &mut SchemaGenerator) -> Schema {
    let mut schema = generator.subschema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}
