//! The hosts that a server is.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{StatusCode, header};
use axum::response::Response;

use super::server::refuse;

/// The ports that go without saying.
const USUAL: [u16; 2] = [80, 443];

/// The hosts that a server takes requests for: without a list, the names of this machine.
///
/// A page elsewhere can give its own name the address of this machine. Its requests then come from
/// within, but still name the page's host.
#[derive(Clone, Default)]
pub(super) struct Hosts {
    allowed: Option<Vec<String>>,
}

/// A host that a request names: a name or an address, and a port if one is said.
#[derive(PartialEq)]
struct Host {
    name: String,
    port: Option<u16>,
}

impl Hosts {
    /// Those of a list.
    pub(super) fn new(allowed: Vec<String>) -> Self {
        let allowed = Some(allowed);
        Self { allowed }
    }

    /// Whether requests for any host are taken.
    pub(super) fn are_all(&self) -> bool {
        let mut allowed = self.allowed.iter().flatten();
        allowed.any(|it| it == "*")
    }

    /// Checks that a request is for this server.
    ///
    /// # Errors
    ///
    /// It is not, or does not say whom it is for.
    pub(super) fn check(&self, parts: &Parts) -> Result<(), Box<Response>> {
        if self.are_all() {
            return Ok(());
        }
        let mut named = parts.headers.get_all(header::HOST).iter();
        let said = named.next().map(|it| it.to_str().unwrap_or_default());
        if named.next().is_some() {
            let message = "the header `Host` is there more than once";
            return Err(Box::new(refuse(StatusCode::BAD_REQUEST, message)));
        }
        // In HTTP/2 it is a part of the address, most often the only one.
        let asked = parts.uri.authority().map(Authority::as_str);
        let mut named = asked.into_iter().chain(said).peekable();
        let is_named = named.peek().is_some();
        if is_named && named.all(|it| Host::parse(it).is_some_and(|it| self.has(&it))) {
            return Ok(());
        }
        let message = "this server is none of the host that the request names (header `Host`); \
                       whoever runs it names its hosts with `Server::allowed_hosts`";
        Err(Box::new(refuse(StatusCode::FORBIDDEN, message)))
    }

    fn has(&self, host: &Host) -> bool {
        let Some(allowed) = &self.allowed else {
            return host.is_loopback();
        };
        let mut allowed = allowed.iter().filter_map(|it| Host::parse(it));
        let is_allowed = |it: Host| it.name == host.name && it.is_port(host.port);
        allowed.any(is_allowed)
    }
}

impl Host {
    fn parse(text: &str) -> Option<Self> {
        let end = text.rfind(']').map_or(0, |end| end + 1);
        let colon = text[end..].find(':').map_or(text.len(), |at| end + at);
        let (name, port) = text.split_at(colon);
        let port = match port.strip_prefix(':') {
            Some(port) => Some(port.parse().ok()?),
            None => None,
        };
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix('.').unwrap_or(&name);
        let is_name = !name.is_empty() && !name.contains(['@', '/', '?', '#', ',', ' ']);
        is_name.then(|| Self {
            name: name.to_owned(),
            port,
        })
    }

    /// Whether a port is the one that is allowed, if one is.
    fn is_port(&self, asked: Option<u16>) -> bool {
        self.port.is_none_or(|port| match asked {
            Some(asked) => asked == port,
            None => USUAL.contains(&port),
        })
    }

    /// Whether it is a name of this machine for itself.
    fn is_loopback(&self) -> bool {
        let bare = self.name.strip_prefix('[');
        let bare = bare.and_then(|it| it.strip_suffix(']'));
        let address = match bare {
            Some(bare) => bare.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
            None => self.name.parse().ok(),
        };
        let address = address.map(|it| it.to_canonical());
        self.name == "localhost" || address.is_some_and(|it| it.is_loopback())
    }
}
