//! What is asked without a `WebSocket`.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{StatusCode, Version};
use axum::response::Response;

use super::server::{App, Head, refuse};

/// Nothing: there are only `WebSocket`s.
#[derive(Clone, Debug, Default)]
pub(super) struct Http {}

impl Http {
    /// Whether a version of HTTP is spoken.
    #[allow(clippy::unused_self, reason = "elsewhere it can be chosen")]
    pub(super) fn speaks(&self, _: Version) -> bool {
        true
    }
}

/// Says that there are only `WebSocket`s.
#[allow(
    clippy::unused_async,
    reason = "elsewhere there is something to wait for"
)]
pub(super) async fn answer(_: &App, _: &Head, _: Parts, _: Body) -> Response {
    refuse(
        StatusCode::UPGRADE_REQUIRED,
        "there are only WebSockets here",
    )
}
