"""Who sees what passes a connection: the observer, and logs."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from datetime import datetime, timezone
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Final

from msgspec import Raw
from msgspec.json import Encoder, decode

from .message import REFUSALS
from .observed import Failed, Observed, Received, Sent, Trouble, told
from .running import words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .method import Side
    from .options import ConnectionOptions, Log


class Watch:
    """Shows what passes a connection to whoever wants to see it.

    Attributes:
        is_on: Whether anyone wants to see messages.
        logger: The logger of the package.
    """

    __slots__ = ("_journal", "_near", "_observe", "_reports", "is_on", "logger")

    def __init__(
        self, options: ConnectionOptions, side: Side, *, has_runner: bool
    ) -> None:
        """Take the near side, and whether someone sees standard error.

        A log that cannot be opened is told of.
        """
        near, far = side.rules.near, side.rules.far or ""
        # The environment says where messages are logged to.
        variable = f"{side.package.rpartition('.')[2].upper()}_LOG"
        self.logger = logging.getLogger(side.package)
        self._near = near
        self._reports = has_runner and options.report_failures
        self._observe = options.observe
        whose = "log" if options.log else variable
        log = options.log or os.environ.get(variable)
        self._journal = _journal(self.logger, whose, log, near, far) if log else None
        self.is_on = self._observe is not None or self._journal is not None

    def received(self, line: bytes) -> None:
        """Show a line that came in."""
        if self._journal is not None:
            self._journal.write(line, is_sent=False)
        self._show(Received(line))

    def sent(self, line: bytes) -> None:
        """Show a line that goes out."""
        if self._journal is not None:
            self._journal.write(line, is_sent=True)
        self._show(Sent(line))

    def trouble(self, trouble: Trouble) -> None:
        """Show what did not go as it should."""
        if self._reports and isinstance(trouble, Failed):
            _report(f"{self._near}: {told(trouble)}", trouble.error)
        if self.logger.isEnabledFor(logging.DEBUG):
            cause = trouble.error if isinstance(trouble, Failed) else None
            self.logger.debug("%s", told(trouble), exc_info=cause)
        self._show(trouble)

    def close(self) -> None:
        """Show nothing more."""
        if self._journal is not None:
            self._journal.close()

    def _show(self, observed: Observed) -> None:
        if self._observe is None:
            return
        try:
            self._observe(observed)
        except Exception:
            self.logger.exception("the observer of a connection failed")


class _Journal:
    """Writes messages as lines that say when each was, who sent it, and who writes."""

    def __init__(
        self,
        logger: logging.Logger,
        write: Callable[[str], object],
        close: Callable[[], object],
        near: str,
        far: str,
        *,
        place: str = "",
    ) -> None:
        self._logger = logger
        self._write = write
        self._close = close
        self._place = place
        self._near = near
        self._ends = {True: (near, far), False: (far, near)}
        self._is_open = True

    def write(self, line: bytes, *, is_sent: bool) -> None:
        """Write a message. What fails once is not tried again."""
        if not self._is_open:
            return
        sender, receiver = self._ends[is_sent]
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        time = now.replace("+00:00", "Z")
        ends = {"by": self._near, "from": sender, "to": receiver}
        named = {name: end for name, end in ends.items() if end}
        record = {"time": time, **named, "message": _message(line)}
        try:
            self._write(_ENCODER.encode(record).decode())
        except Exception as error:
            if self._place and isinstance(error, OSError):
                _tell(self._place, error)
            else:
                self._logger.exception("the log of a connection cannot be written")
            self.close()

    def close(self) -> None:
        """Write nothing more."""
        if self._is_open:
            self._is_open = False
            self._close()


_ENCODER: Final = Encoder()


def _message(line: bytes) -> Raw | str:
    """Give a message as it is, in one line; what is no JSON as text."""
    try:
        # Whoever reads the log reads each line as JSON.
        decode(line)
    except REFUSALS:
        return line.decode(errors="replace")
    return Raw(line.strip().replace(b"\n", b" ").replace(b"\r", b" "))


def _is_path(log: object) -> bool:
    return isinstance(log, (str, os.PathLike))


def _journal(
    logger: logging.Logger, whose: str, log: Log, near: str, far: str
) -> _Journal | None:
    if log == "stderr":
        return _Journal(logger, _on_standard_error, _nothing, near, far)
    if _is_path(log):
        path: Any = log
        place = f"{whose}: {os.fspath(path)}"
        try:
            file = open(path, "ab", buffering=0)  # noqa: SIM115
        except OSError as error:
            _tell(place, error)
            return None
        # A line is written at once, so that several processes may share a file.
        return _Journal(
            logger,
            lambda line: file.write(f"{line}\n".encode()),
            file.close,
            near,
            far,
            place=place,
        )
    write = getattr(log, "write", None)
    if write is not None:
        return _Journal(logger, lambda line: write(f"{line}\n"), _nothing, near, far)
    return _Journal(logger, log, _nothing, near, far) if callable(log) else None


def _on_standard_error(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _report(what: str, error: BaseException) -> None:
    """Say on standard error that something failed, and why, with the traceback."""
    if sys.stderr is None:
        return
    kind = type(error).__name__
    words = words_of(error)
    why = f"{kind}: {words}" if words else kind
    with suppress(Exception):
        traceback = "".join(format_exception(error)).rstrip()
        _on_standard_error(f"{what}: {why}\n{traceback}")


def _tell(place: str, error: OSError) -> None:
    """Say in a line why nothing is logged to a place."""
    if sys.stderr is not None:
        _on_standard_error(f"{place}: {error.strerror or error}")


def _nothing() -> None:
    """Leave open what this does not own."""
