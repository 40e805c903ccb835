//! Cookies that servers set, kept for the connections that follow.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cookie_store::{CookieStore, RawCookie};
use url::Url;

/// The cookies of a client: of which host and path, until when, and whether for TLS only, as
/// servers say.
#[derive(Debug, Default)]
pub(super) struct Cookies(Mutex<CookieStore>);

impl Cookies {
    /// Keeps what an answer from a place sets.
    pub(super) fn keep<'a>(&self, set: impl Iterator<Item = &'a str>, url: &Url) {
        let cookies = set.filter_map(|it| RawCookie::parse(it.to_owned()).ok());
        self.lock().store_response_cookies(cookies, &plain(url));
    }

    /// What to send to a place, if there is anything.
    pub(super) fn header(&self, url: &Url) -> Option<String> {
        let store = self.lock();
        let pairs = store
            .get_request_values(&plain(url))
            .map(|(name, value)| format!("{name}={value}"));
        let header = pairs.collect::<Vec<_>>().join("; ");
        (!header.is_empty()).then_some(header)
    }

    fn lock(&self) -> MutexGuard<'_, CookieStore> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where cookies of a `WebSocket` belong: to the same place over HTTP.
fn plain(url: &Url) -> Url {
    let mut plain = url.clone();
    let scheme = if url.scheme() == "wss" {
        "https"
    } else {
        "http"
    };
    if matches!(url.scheme(), "ws" | "wss") {
        // Fails for other schemes only.
        let _ = plain.set_scheme(scheme);
    }
    plain
}
