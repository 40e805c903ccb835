"""What is open on a connection, as its messages tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rpc.message import NOTHING
from .asked import Asked
from .endpoint import is_request, is_response, singles

if TYPE_CHECKING:
    from collections.abc import Awaitable, Collection

    from ..rpc import Receiver
    from ..rpc.message import Message
    from .lines import LineTransport


class Watch:
    """A transport that knows which calls its connection made, and which sessions are open."""

    def __init__(self, transport: LineTransport) -> None:
        """Watch what passes a transport of lines."""
        self._transport = transport
        self._receiver: Receiver | None = None
        self._sessions: dict[str, None] = {}
        self._calls: dict[bytes, Asked] = {}

    @property
    def sessions(self) -> list[str]:
        """The sessions that are open, in the order in which they were opened."""
        return list(self._sessions)

    @property
    def calls(self) -> list[str]:
        """The methods of calls that wait or were lost, in the order in which they were made."""
        return [asked.method for asked in self._calls.values()]

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        self._receiver = receiver
        self._transport.start(self)

    def pause(self) -> None:
        """Give nothing more for now."""
        self._transport.pause()

    def resume(self) -> None:
        """Go on."""
        self._transport.resume()

    def stop(self) -> None:
        """Give nothing more."""
        self._transport.stop()

    def write(self, data: bytes, /) -> Awaitable[None] | None:
        """Write lines."""
        endpoint = self._transport.endpoint
        for line in data.split(b"\n")[:-1]:
            for _, message in singles(line):
                if message is not None and is_request(message):
                    session = endpoint.session_of(message.params)
                    asked = Asked(endpoint, str(message.method), session)
                    self._calls[bytes(message.id)] = asked
        return self._transport.write(data)

    async def close(self) -> None:
        """Say that nothing more goes out."""
        await self._transport.close()

    def receive(self, data: bytes, /) -> None:
        """Take a line."""
        for _, message in singles(data):
            if message is not None and is_response(message):
                self._answered(message)
        if self._receiver is not None:
            self._receiver.receive(data)

    def _answered(self, message: Message) -> None:
        asked = self._calls.pop(bytes(message.id), None)
        if asked is None or message.error is not NOTHING:
            return
        opened = asked.opened(message)
        if opened is not None:
            self._sessions[opened] = None
        elif asked.closes and asked.session is not None:
            self._sessions.pop(asked.session, None)

    def end(self, failure: BaseException | None, /) -> None:
        """Learn that nothing more comes."""
        if self._receiver is not None:
            self._receiver.end(failure)

    def fail(self, calls: Collection[bytes], error: Exception, /) -> None:
        """Learn that calls get no answer."""
        for call in calls:
            if call not in self._transport.lost:
                self._calls.pop(call, None)
        if self._receiver is not None:
            self._receiver.fail(calls, error)

    async def wait_idle(self) -> None:
        """Wait until no request is being handled."""
        if self._receiver is not None:
            await self._receiver.wait_idle()
