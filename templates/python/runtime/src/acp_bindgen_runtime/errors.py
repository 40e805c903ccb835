"""What can go wrong, whatever the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    Self = Any


class RequestError(Exception):
    """Why a request failed: the error object of JSON-RPC.

    A handler that raises it answers with it.

    Attributes:
        code: The kind of error.
        message: A short description.
        data: Anything else that is known about it: JSON, or `None`.
        call: The method of the call that was answered with it, if one was.
    """

    _members: ClassVar[dict[int, tuple[str, ...]]] = {}
    """The members of data that tell more, by codes: strings."""

    call: str | None = None

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        """Say what went wrong."""
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        """Give the call that it answers, the message with its code, what the data tell."""
        told = self._told()
        is_new = told not in {None, self.call} and str(told) not in self.message
        call = f"{self.call}: " if self.call else ""
        return f"{call}{self.message}{f': {told}' if is_new else ''} ({self.code})"

    def _told(self) -> str | None:
        """Give what the data tell: the method that was not found, say."""
        data = self.data
        match self.code, self.data:
            case -32601, {"method": str(method)}:
                return method
            case -32602, {
                "path": str(path),
                "expected": str(expected),
                "found": str(found),
            }:
                place = f"{path}: " if path else ""
                return f"{place}expected {expected}, found {found}"
            case code, dict():
                own = [data.get(name) for name in self._members.get(code, ())]
                return ", ".join(it for it in own if isinstance(it, str)) or None
            case _:
                return None

    def to_dict(self) -> dict[str, Any]:
        """Give the error object that is sent."""
        members: dict[str, Any] = {"code": self.code, "message": self.message}
        return members if self.data is None else {**members, "data": self.data}

    @classmethod
    def parse_error(cls, data: Any = None, *, detail: str = "") -> Self:
        """Say that a message was not JSON: -32700."""
        return cls._detailed(-32700, "Parse error", data, detail)

    @classmethod
    def invalid_request(cls, data: Any = None, *, detail: str = "") -> Self:
        """Say that a message was not a request: -32600."""
        return cls._detailed(-32600, "Invalid request", data, detail)

    @classmethod
    def method_not_found(
        cls, method: str, data: Any = None, *, detail: str = ""
    ) -> Self:
        """Say that nothing handles a method: -32601. Other data than its name can be said."""
        data = {"method": method} if data is None else data
        return cls._detailed(-32601, "Method not found", data, detail)

    @classmethod
    def invalid_params(cls, data: Any = None, *, detail: str = "") -> Self:
        """Say that the params are not those of the method: -32602."""
        return cls._detailed(-32602, "Invalid params", data, detail)

    @classmethod
    def internal_error(cls, data: Any = None, *, detail: str = "") -> Self:
        """Say that the handler failed: -32603."""
        return cls._detailed(-32603, "Internal error", data, detail)

    @classmethod
    def request_cancelled(cls, data: Any = None, *, detail: str = "") -> Self:
        """Say that the request was cancelled: -32800."""
        return cls._detailed(-32800, "Request cancelled", data, detail)

    @classmethod
    def _detailed(cls, code: int, message: str, data: Any, detail: str) -> Self:
        return cls(code, f"{message}: {detail}" if detail else message, data)


def given(members: dict[str, str | None]) -> dict[str, str] | None:
    """Leave out what nobody said. If nothing remains, there are no data."""
    said = {name: value for name, value in members.items() if value is not None}
    return said or None


class CallError(Exception):
    """A call failed, and not because the peer answered with an error."""


class ConnectionClosedError(CallError):
    """The connection is closed, or was closed before the answer came."""


class ConnectionLostError(ConnectionClosedError):
    """The connection broke, or that part of it by which the answer would have come."""

    def __str__(self) -> str:
        """Say what happened."""
        return ": ".join(("connection lost", *map(str, self.args)))


class VersionMismatchError(ConnectionClosedError):
    """The peer speaks a version of the protocol that this end does not.

    The connection is closed.
    """


class NotSupportedError(CallError):
    """The peer did not say that it can do this. Nothing was sent."""


class NotInBatchError(CallError):
    """The method cannot be part of a batch, or there are none. Nothing was sent."""


class TooLongError(CallError):
    """The message is longer than `max_line` allows. Nothing was sent."""


class MalformedResponseError(CallError):
    """The answer is no response of JSON-RPC, or its result is not the method's."""
