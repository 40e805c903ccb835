"""Which hosts a server is."""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from .asgi import refusal

if TYPE_CHECKING:
    from collections.abc import Collection

    from .request import Request

ALL: Final = "*"

_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:@/?#\[\],]+)(?::([0-9]{1,5}))?")
_USUAL = {80, 443}


class Host(NamedTuple):
    """A host that a header names: a name or an address, and a port if one is said."""

    name: str
    port: int | None


def host_of(text: str) -> Host | None:
    """Read what a header names, if that is a host."""
    found = _HOST.fullmatch(text)
    if found is None:
        return None
    name, port = found.groups()
    name = name.lower().removesuffix(".")
    return Host(name, int(port) if port else None)


class Hosts:
    """The hosts that a server takes requests for.

    A page elsewhere can give its own name the address of this machine. Its requests then come from
    within, but still name the page's host.

    Attributes:
        are_all: Whether it takes those for any host.
    """

    def __init__(self, allowed: Collection[str] | None) -> None:
        """Allow these hosts; without any, the names of this machine.

        Raises:
            TypeError: They are one text, and no collection.
            ValueError: One of them is no host.
        """
        self.are_all = allowed is not None and ALL in allowed
        self._allowed: list[Host] | None = None
        if allowed is None:
            return
        if isinstance(allowed, str):
            raise TypeError("`allowed_hosts` is a collection of hosts, and not one")
        self._allowed = []
        for text in allowed:
            host = host_of(text)
            if host is None:
                message = (
                    f"`allowed_hosts`: {text!r} is no host, such as `example.com:8080`"
                )
                raise ValueError(message)
            self._allowed.append(host)

    def check(self, request: Request) -> None:
        """Check that a request is for this server.

        Raises:
            AnswerError: It is not.
        """
        if self.are_all:
            return
        named = request.all("host")
        if len(named) > 1:
            raise refusal(400, "the header `Host` is there more than once")
        if not named:
            raise refusal(403, "the header `Host` is missing")
        host = host_of(named[0])
        if host is None or not self._has(host):
            message = (
                "this server is none of the host that the header `Host` names; whoever runs it "
                "names its hosts with the option `allowed_hosts`"
            )
            raise refusal(403, message)

    def _has(self, host: Host) -> bool:
        if self._allowed is None:
            return _is_loopback(host.name)
        for name, port in self._allowed:
            is_port = port in {None, host.port} or (
                host.port is None and port in _USUAL
            )
            if name == host.name and is_port:
                return True
        return False


def _is_loopback(name: str) -> bool:
    """Whether a name is one of this machine for itself."""
    if name == "localhost":
        return True
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
