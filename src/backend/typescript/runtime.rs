//! The parts of the package that are the same for every protocol.

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("src/", $name),
            include_str!(concat!("../../../templates/typescript/src/", $name)),
        )),*]
    };
}

/// Connections: path and text, without the header.
pub(super) const CONNECTION: [(&str, &str); 21] = texts![
    "connection/batch.ts",
    "connection/calls.ts",
    "connection/connection.ts",
    "connection/connection-error.ts",
    "connection/context.ts",
    "connection/decoding.ts",
    "connection/framing.ts",
    "connection/inbox.ts",
    "connection/index.ts",
    "connection/link.ts",
    "connection/message.ts",
    "connection/method.ts",
    "connection/options.ts",
    "connection/outbox.ts",
    "connection/peer.ts",
    "connection/pipe.ts",
    "connection/running.ts",
    "connection/scan.ts",
    "connection/service.ts",
    "connection/stream.ts",
    "node.ts",
];
