"""How deeply arrays and objects are nested in JSON."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Final

MAX_DEPTH: Final = 128
"""How deeply they may be nested, unless another limit is set."""

_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_STEPS: Final = bytes.maketrans(b"[]{}", b"\x01\xff\x01\xff")
_OTHERS: Final = bytes(set(range(256)) - set(b"[]{}"))


def is_too_deep(text: bytes, levels: int) -> bool:
    """Whether there are more levels than this."""
    length = len(text)
    # Hardly a text has so many brackets at all.
    if length <= 2 * levels:
        return False
    left = len(text.replace(b"{", b"")) + len(text.replace(b"[", b""))
    if 2 * length - left <= levels:
        return False
    steps = _STRING.sub(b"", text).translate(_STEPS, _OTHERS)
    return max(accumulate(memoryview(steps).cast("b")), default=0) > levels
