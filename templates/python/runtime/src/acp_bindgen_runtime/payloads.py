"""How params and results are read that may be absent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from msgspec import Raw
from msgspec.json import decode

from .codec import REFUSALS
from .support import DecodeError

Json: TypeAlias = bytes | bytearray | memoryview | str | Raw
"""The text of a JSON value."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Reader(Protocol[T_co]):
    """Reads values of a type: what a codec does."""

    def decode(self, data: Json, /, *, path: Sequence[str | int] = ()) -> T_co:
        """Read a value from JSON text."""
        ...


class AnyReader:
    """Reads any JSON, as it is."""

    def decode(self, data: Json, /, *, path: Sequence[str | int] = ()) -> Any:
        """Parse JSON."""
        try:
            return decode(data)
        except REFUSALS:
            raise DecodeError("JSON", "something else", path) from None


class NullReader:
    """Reads a result that is only `null`."""

    def decode(self, data: Json, /, *, path: Sequence[str | int] = ()) -> None:
        """Read it."""
        if _text(data) != b"null":
            raise DecodeError("null", "something else", path)


ANY: Final = AnyReader()
NONE: Final = NullReader()


def read_params(reader: Reader[T], params: Json | None) -> T:
    """Read params. Absent ones are those without any member."""
    if params is None:
        return _either(reader, b"{}", b"null", "params")
    return reader.decode(params, path=("params",))


def read_result(reader: Reader[T], result: Json | None) -> T:
    """Read a result.

    Where it need not have any member, `null` and nothing at all stand for it; and where it is
    only `null`, `{}` does.
    """
    text = b"null" if result is None else _text(result)
    if text == b"null":
        return _either(reader, text, b"{}", "result")
    if text == b"{}":
        return _either(reader, text, b"null", "result")
    return reader.decode(text, path=("result",))


def _text(data: Json) -> bytes:
    """Give a text as bytes, without the spaces around it."""
    return (data.encode() if isinstance(data, str) else bytes(data)).strip()


def _either(reader: Reader[T], first: bytes, second: bytes, part: str) -> T:
    """Read the first of two texts, or else the second."""
    try:
        return reader.decode(first, path=(part,))
    except DecodeError as error:
        try:
            return reader.decode(second, path=(part,))
        except DecodeError:
            raise error from None
