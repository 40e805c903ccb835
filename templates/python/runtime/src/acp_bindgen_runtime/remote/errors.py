"""What a server refuses."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.json import Decoder

from ..errors import CallError
from ..rpc.message import REFUSALS


class HttpError(CallError):
    """The server refused what it was asked over HTTP.

    Attributes:
        status: The status that it answered.
        message: What it said of it.
    """

    def __init__(self, status: int, message: str = "") -> None:
        """Say what the server answered."""
        super().__init__(status, message)
        self.status = status
        self.message = message

    def __str__(self) -> str:
        """Give the status and the message."""
        shown = f"the server answered with status {self.status}"
        return f"{shown}: {self.message}" if self.message else shown


def why(error: BaseException) -> str:
    """Say what happened. Of errors without a message, the causes tell."""
    found: BaseException | None = error
    while found is not None and not str(found):
        found = found.__cause__ or found.__context__
    found = found or error
    return f"{type(found).__name__}: {found}".rstrip(": ")


class _Error(Struct):
    message: str


class _Answer(Struct):
    error: _Error


_answer = Decoder(_Answer).decode

_SHOWN: Final = 200


def message_of(body: bytes) -> str:
    """Give what a body says of an error: a JSON-RPC error's message, or how the body begins."""
    try:
        return _answer(body).error.message
    except REFUSALS:
        return body.decode(errors="replace")[:_SHOWN]
