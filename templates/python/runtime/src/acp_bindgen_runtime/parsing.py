"""Reads JSON that msgspec does not read: with a number beyond all bounds.

It cannot be a value, but it may stand where nobody looks, or where it is forgiven. Else the error
says where it is.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from msgspec import Raw

DIGITS: Final = 4_000
"""How many digits Python takes for an integer at least."""


def parse(data: bytes | bytearray | memoryview | str | Raw) -> object:
    """Parse text that is JSON by its grammar."""
    text = data if isinstance(data, str) else bytes(data).decode()
    return json.loads(text, parse_constant=_refuse, parse_int=_whole)


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < DIGITS else float(digits)
