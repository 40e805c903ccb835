"""Lines that cannot be read, and what they would have said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .message import NULL
from .skim import Skimmer

if TYPE_CHECKING:
    from .calls import Calls


class Unread:
    """A line that cannot be read, as far as it has come.

    Attributes:
        answered: The calls that it answers.
    """

    def __init__(self, calls: Calls) -> None:
        """Look among these for those that it answers."""
        self._calls = calls
        self._skimmer = Skimmer()
        self.answered: dict[bytes, None] = {}
        # Whether a message is a call.
        self._has_calls = False
        # How many messages there are, and what is known of the first if it is no response.
        self._messages = 0
        self._id: bytes | None = None
        self._method: str | None = None

    def read(self, data: bytes) -> None:
        """Read on."""
        self._skimmer.read(data)
        self._take()

    def end(self) -> None:
        """Take note that there is no more.

        An array that is cut off answers all calls of a batch of which it answers one: a batch is
        answered by one array.
        """
        is_whole = self._skimmer.end()
        self._take()
        if self._skimmer.is_batch and not is_whole:
            self.answered.update(dict.fromkeys(self._calls.sent_with(self.answered)))

    def _take(self) -> None:
        for message in self._skimmer.take():
            self._has_calls = self._has_calls or message.is_call
            if message.is_response:
                call = self._calls.known(message.id or NULL)
                if call is not None:
                    self.answered[call] = None
            elif self._messages == 0:
                self._id, self._method = message.id, message.method
            self._messages += 1

    @property
    def levels(self) -> int:
        """The most levels that were open at once."""
        return self._skimmer.levels

    @property
    def is_refused(self) -> bool:
        """Whether somebody may wait for an answer to it."""
        return not self.answered or self._has_calls

    def _is_single(self) -> bool:
        return self._messages == 1 and not self._skimmer.is_batch

    @property
    def id(self) -> bytes:
        """The id as JSON, if there is one call and its id is known, else `null`."""
        return (self._id if self._is_single() else None) or NULL

    @property
    def method(self) -> str | None:
        """The method, if there is one call and its method is known."""
        return self._method if self._is_single() else None
