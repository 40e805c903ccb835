"""What a server refuses."""

from __future__ import annotations

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


class _Error(Struct):
    message: str


class _Answer(Struct):
    error: _Error


_answer = Decoder(_Answer).decode


def message_of(body: bytes) -> str:
    """Give what a body says of an error, if it does."""
    try:
        return _answer(body).error.message
    except REFUSALS:
        return ""
