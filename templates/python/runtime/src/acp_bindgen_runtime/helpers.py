"""Functions beside a call: what is chosen of what was offered, and files on the disk."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TypeVar

from msgspec import UnsetType

from .errors import CallError, MalformedResponseError, NotSupportedError, RequestError

_T = TypeVar("_T")
_METHOD_NOT_FOUND = -32601


def chosen(options: Iterable[_T], attribute: str, key: object) -> _T:
    """Give the option that was chosen. An answer that names none of them is malformed."""
    for option in options:
        if getattr(option, attribute) == key:
            return option
    message = f"`{key}` was not offered"
    raise MalformedResponseError(message)


def is_missing(error: CallError | RequestError) -> bool:
    """Tell whether a call failed because the other end has no such method."""
    if isinstance(error, RequestError):
        return error.code == _METHOD_NOT_FOUND
    return isinstance(error, NotSupportedError)


async def read(
    path: str,
    line: int | UnsetType | None = None,
    limit: int | UnsetType | None = None,
) -> str:
    """Read lines of a file on the disk. Its first line is 1."""
    skipped = max(line - 1, 0) if isinstance(line, int) else 0
    end = skipped + limit if isinstance(limit, int) else None
    return await to_thread(_read, path, skipped, end)


def _read(path: str, skipped: int, end: int | None) -> str:
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        return "".join(islice(file, skipped, end))


async def write(path: str, text: str) -> None:
    """Write a file on the disk."""
    await to_thread(_write, path, text)


def _write(path: str, text: str) -> None:
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
