"""Which pages may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection

    from .endpoint import Endpoint
    from .request import Request

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_MAX_AGE = "600"


def is_foreign(request: Request) -> bool:
    """Whether a page asks that came from another host or port."""
    origin = request.origin
    if origin is None:
        return False
    try:
        asking = urlsplit(origin)
        usual = _PORTS.get(asking.scheme)
        asked = urlsplit("//" + (request.header("host") or ""))
        here = (asked.hostname, asked.port or usual)
        there = (asking.hostname, asking.port or usual)
    except ValueError:
        return True
    return there != here or asking.hostname is None


def is_allowed(request: Request, origins: Collection[str]) -> bool:
    """Whether a request may be answered, wherever the page came from that asks."""
    return not is_foreign(request) or "*" in origins or request.origin in origins


def allowance(request: Request, endpoint: Endpoint) -> list[tuple[str, str]]:
    """Give the headers by which a page may read the answer."""
    if request.origin is None or not is_foreign(request):
        return []
    headers = [
        ("access-control-allow-origin", request.origin),
        ("access-control-allow-credentials", "true"),
        ("vary", "Origin"),
    ]
    if endpoint.connection:
        headers.append(("access-control-expose-headers", endpoint.connection))
    return headers


def preflight(request: Request, endpoint: Endpoint) -> list[tuple[str, str]]:
    """Give the headers by which a page may ask."""
    own = [endpoint.connection, endpoint.version, endpoint.session]
    names = ["content-type", "accept"]
    names += [it if isinstance(it, str) else it.header for it in own if it]
    asked = request.header("access-control-request-headers") or ""
    names += [name.strip() for name in asked.split(",") if name.strip()]
    unique = {name.lower(): name for name in reversed(names)}
    return [
        ("access-control-allow-methods", "GET, POST, DELETE"),
        ("access-control-allow-headers", ", ".join(reversed(unique.values()))),
        ("access-control-max-age", _MAX_AGE),
    ]
