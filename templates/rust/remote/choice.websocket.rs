//! The transport of a client: there is one.

use std::sync::Arc;

use super::super::connection::{CallError, Handle, Service};
use super::client::Remote;
use super::dial;
use super::endpoint::Endpoint;
use super::ledger::Ledger;

/// What a client chooses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {}

/// Connects to a server.
pub(super) async fn connect(
    _: &'static Endpoint,
    remote: &Remote,
    service: Arc<dyn Service>,
    ledger: &Arc<Ledger>,
) -> Result<Handle, CallError> {
    dial::connect(remote, service, ledger).await
}
