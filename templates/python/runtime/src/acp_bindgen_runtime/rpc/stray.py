"""Lines that are no messages: what programs print beside those."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import Logger

_LINES: Final = 20
_SHOWN: Final = 200

_ESCAPES: Final = re.compile(
    rb"(?:\x1b(?:\[[ -?]*[0-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-OQ-WYZ\\`-~])"
    rb"[\t\r\f ]*)+"
)
"""One escape sequence of a terminal or more, and the space after them."""

_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f]")


def behind_escapes(line: bytes) -> bytes | None:
    """Give what stands behind escape sequences, if a line begins with any."""
    escapes = _ESCAPES.match(line)
    return None if escapes is None else line[escapes.end() :]


def shown(line: bytes) -> str:
    """Give the beginning of a line, for people: without what would control a terminal."""
    # A character has four bytes at most.
    text = line[: 4 * (_SHOWN + 1)].decode(errors="replace")
    more = "…" if len(text) > _SHOWN else ""
    return _CONTROLS.sub(" ", text[:_SHOWN]) + more


class Strays:
    """Takes lines that are no messages, and keeps the last."""

    __slots__ = ("_last", "_logger", "_take")

    def __init__(self, take: Callable[[str], object] | None, logger: Logger) -> None:
        """Give them to whoever wants them. It is logged if that fails."""
        self._take = take
        self._logger = logger
        self._last: deque[str] = deque(maxlen=_LINES)

    def take(self, line: bytes) -> None:
        """Take a line. Whoever wants it harms nobody by raising."""
        self._last.append(shown(line))
        if self._take is None:
            return
        try:
            self._take(line.decode(errors="replace"))
        except Exception:
            self._logger.exception("stray_lines failed")

    @property
    def last_lines(self) -> list[str]:
        """The last lines."""
        return list(self._last)
