"""What can be chosen about a connection."""

from __future__ import annotations

from collections.abc import Callable, Collection
from os import PathLike
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from ..depth import MAX_DEPTH


class TextWriter(Protocol):
    """Takes text, such as an open text file."""

    def write(self, text: str, /) -> object:
        """Write a text."""
        ...


Log: TypeAlias = str | PathLike[str] | TextWriter | Callable[[str], object]
"""Where messages are logged to.

The path of a file that lines are appended to, or `stderr`; what takes text; or a function that
gets each line, without its end.
"""


class ConnectionOptions(Struct, frozen=True, kw_only=True):
    """Choices about a connection.

    Attributes:
        max_line: The longest line that is read or sent, in bytes. A longer one that comes in is
            skipped and answered with an error; a call that would be longer fails.
        max_depth: How deeply arrays and objects may be nested in a message that comes in. A
            deeper one is answered as what is no JSON.
        max_requests: How many requests are handled at a time. Others wait for their turn.
        max_buffered: How much may wait to be written before senders have to wait, in bytes.
        grace: How long handlers may go on once the connection has ended, in seconds.
        observe: Sees everything that passes the connection, in order, and what goes wrong. If it
            raises, that is logged.
        stray_lines: Gets each line that comes in and is no message: what the program at the other
            end prints beside its messages, such as the address where to log in. Such a line is not
            answered then. That of a process which this end has started never is: without this,
            only `observe` sees it.
        log: Gets each message as a line of JSON that says when it was, and who sent it.
            Without it, the environment variable named after the package (`PACKAGE_LOG`) may
            name a file, or `stderr`.
        batches: Whether there are batches. Without them one that comes in is answered with one
            error, and none is sent: some peers know no batches.
        concurrent: The methods of notifications whose handlers nothing waits for: what comes
            after them is handled at once. In which order they end is up to these handlers. A
            method is named as it is on the wire, not as its handler is. Where a name is that of no
            notification which this side handles, no connection is made: its class raises
            `ValueError`. Names that the schema does not know need a handler for what the schema
            does not know.
        report_failures: Whether a connection over standard input and output tells of each
            handler that fails on standard error, with the traceback, unless what it raises is
            for the peer.
        error_details: Whether the peer is told what an unexpected exception of a handler says,
            as `details` in the data of the error.
    """

    max_line: int = 64 * 1024 * 1024
    max_depth: int = MAX_DEPTH
    max_requests: int = 1024
    max_buffered: int = 256 * 1024
    grace: float = 2.0
    observe: Callable[[Any], object] | None = None
    stray_lines: Callable[[str], object] | None = None
    log: Log | None = None
    batches: bool = True
    concurrent: Collection[str] = ()
    report_failures: bool = True
    error_details: bool = False
