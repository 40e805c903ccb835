"""What can be told of a message from its beginning."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct
from msgspec.json import decode

from .message import ID_STARTS, NULL, REFUSALS

_TOKEN: Final = re.compile(
    rb'\s*("[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s"{}\[\],:]+)\s*', re.DOTALL
)


class Skimmed(Struct, frozen=True):
    """What is known of a message without all of it.

    Attributes:
        id: Its id as JSON; `null` where that is not known.
        is_response: Whether it answers a call.
    """

    id: bytes
    is_response: bool


def skim(head: bytes) -> Skimmed:
    """Read the members that come before one that is cut off."""
    request = NULL
    is_response = False
    depth = 0
    key: bytes | None = None
    is_value = False
    last = b""
    for found in _TOKEN.finditer(head):
        token = found[1]
        if found.end() == len(head) and token not in b"{}[],:":
            # The rest of it may be missing.
            break
        if token in b"{[":
            depth += 1
            is_value = False
            if depth == 1 and token == b"[":
                break
        elif token in b"}]":
            depth -= 1
        elif depth == 1 and token == b":":
            key, is_value = last, True
            is_response = is_response or key in (b'"result"', b'"error"')
        elif depth == 1 and is_value:
            is_value = False
            if key == b'"id"' and _is_id(token):
                request = token
        last = token
    return Skimmed(request, is_response)


def _is_id(token: bytes) -> bool:
    try:
        decode(token)
    except REFUSALS:
        return False
    return token[0] in ID_STARTS
