//! The parts of connections that are the same for every protocol: the package `rpc`.

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!($name, ".py"),
            include_str!(concat!("../../../templates/python/rpc/", $name, ".py")),
        )),*]
    };
}

/// The modules, without their headers, in the order in which they are best read.
pub(super) const RPC: [(&str, &str); 18] = modules![
    "__init__",
    "options",
    "transport",
    "stdio",
    "process",
    "method",
    "message",
    "framing",
    "outbox",
    "calls",
    "running",
    "link",
    "context",
    "peer",
    "service",
    "inbox",
    "connection",
    "lifetime",
];
