"""Which pages may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .asgi import AnswerError, refusal
from .hosts import ALL, Hosts

if TYPE_CHECKING:
    from collections.abc import Collection

    from .endpoint import Endpoint
    from .request import Request

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_MAX_AGE = "600"


class Origins:
    """Which hosts a server is, and which pages may ask it: its own, and those that are named."""

    def __init__(
        self,
        hosts: Collection[str] | None,
        origins: Collection[str],
        endpoint: Endpoint,
    ) -> None:
        """Allow requests for these hosts, and from pages of these origins."""
        self._hosts = Hosts(hosts)
        self._origins = origins
        self._endpoint = endpoint

    def check(self, request: Request) -> None:
        """Check that a request is for this server, and from no page that must not ask.

        Raises:
            AnswerError: It must not be answered.
        """
        self._hosts.check(request)
        if len(request.all("origin")) > 1:
            raise refusal(400, "the header `Origin` is there more than once")
        if not self._is_foreign(request):
            return
        if ALL not in self._origins and request.origin not in self._origins:
            raise refusal(403, "the header `Origin` names a page that is not allowed")

    def allowance(self, request: Request) -> list[tuple[str, str]]:
        """Give the headers by which a page may read the answer."""
        if request.origin is None or not self._is_foreign(request):
            return []
        headers = [
            ("access-control-allow-origin", request.origin),
            ("access-control-allow-credentials", "true"),
            ("vary", "Origin"),
        ]
        if self._endpoint.connection:
            exposed = self._endpoint.connection
            headers.append(("access-control-expose-headers", exposed))
        return headers

    def granted(self, request: Request) -> list[tuple[str, str]]:
        """Give the headers by which a page may read the answer, if it may ask at all."""
        try:
            self.check(request)
        except AnswerError:
            return []
        return self.allowance(request)

    def preflight(self, request: Request) -> list[tuple[str, str]]:
        """Give the headers by which a page may ask."""
        endpoint = self._endpoint
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

    def _is_foreign(self, request: Request) -> bool:
        """Whether a page asks that came from another host or port.

        The header `Host` tells those of the server only where it was checked.
        """
        origin = request.origin
        if origin is None:
            return False
        if self._hosts.are_all:
            return True
        try:
            asking = urlsplit(origin)
            usual = _PORTS.get(asking.scheme)
            asked = urlsplit("//" + (request.header("host") or ""))
            here = (asked.hostname, asked.port or usual)
            there = (asking.hostname, asking.port or usual)
        except ValueError:
            return True
        return there != here or asking.hostname is None
