"""Calls whose results come in pieces."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from msgspec import Raw, Struct
from msgspec.json import decode

from . import rpc
from .codec import ENCODER
from .errors import CallError
from .join import ABSENT, JoinError, is_same, join
from .rpc.link import Link
from .rpc.message import REFUSALS
from .rpc.method import Coder
from .support import DecodeError

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")

P = TypeVar("P")
R = TypeVar("R")

_NOTHING: Final = Raw(b"null")


class Stream(Struct, frozen=True, kw_only=True):
    """Where the pieces of a result come from.

    Attributes:
        notification: The notification that brings them.
        params: The codec of its params.
        token: Where in the params of the call the token goes.
        marked_by: The property of the notification with the token.
        delta: The property of the notification with the piece.
        result: The property of the result that the pieces make up.
    """

    notification: str
    params: Coder[Any]
    token: tuple[str, ...]
    marked_by: str
    delta: str
    result: str


class StreamedMethod(rpc.RequestMethod[P, R]):
    """A method whose result comes in pieces.

    Attributes:
        stream: Where they come from.
    """

    __slots__ = ("stream",)

    def __init__(
        self,
        name: str,
        handler: str,
        params: Coder[P],
        result: Coder[R],
        stream: Stream,
        *,
        result_type: type[R] | None = None,
        is_empty: bool = False,
    ) -> None:
        """Describe a method whose result comes in pieces."""
        super().__init__(
            name,
            handler,
            params,
            result,
            result_type=result_type,
            is_empty=is_empty,
        )
        self.stream = stream


class Streamed(Struct, Generic[R], frozen=True):
    """What came of a call whose result came in pieces.

    Attributes:
        result: The answer. It is what counts.
        joined: What the pieces make up, as JSON; `ABSENT` if there were none.
        differs: Whether there were pieces, and they make up something else.
        error: Why a piece could not be joined, if one could not.
    """

    result: R
    joined: Any
    differs: bool
    error: JoinError | None


class StreamedCall(Generic[R]):
    """A call whose result comes in pieces.

    `async for` gives each piece as it comes, as JSON, once, to whoever asks first. It ends with
    the call, and raises what the call raises. Pieces wait until they are asked for.

    The call goes on by itself, whether anyone waits for it or not. `aclose`, the end of an
    `async with`, or the cancellation of whoever waits for it gives it up: it is cancelled then
    like any other.

    Attributes:
        token: What marks the pieces of this call.
    """

    __slots__ = ("_answer", "_pieces", "token")

    def __init__(
        self,
        token: str,
        pieces: _Pieces,
        answer: asyncio.Task[tuple[R, Any]],
    ) -> None:
        """Wait for an answer and its pieces. Connections make these."""
        self.token = token
        self._pieces = pieces
        self._answer = answer

    @property
    def output(self) -> Any:
        """The pieces that came so far, joined; `ABSENT` before the first."""
        return self._pieces.output

    def __aiter__(self) -> Self:
        """Give the pieces that nobody has asked for yet."""
        return self

    async def __anext__(self) -> Any:
        """Wait for the next piece."""
        pieces = self._pieces
        while not pieces.waiting:
            if self._answer.done():
                if not self._answer.cancelled():
                    self._answer.result()
                raise StopAsyncIteration
            pieces.news.clear()
            try:
                await pieces.news.wait()
            except asyncio.CancelledError:
                await self.aclose()
                raise
        return pieces.waiting.popleft()

    async def finish(self) -> Streamed[R]:
        """Wait for the answer, past all pieces, and compare the two.

        Raises:
            RequestError: The peer answered with an error.
            CallError: The call failed otherwise, or was given up.
        """
        try:
            await asyncio.wait((self._answer,))
        except asyncio.CancelledError:
            await self.aclose()
            raise
        if self._answer.cancelled():
            message = "the call was given up"
            raise CallError(message)
        result, whole = self._answer.result()
        joined, error = self._pieces.output, self._pieces.error
        differs = error is not None or (
            joined is not ABSENT and not is_same(joined, whole)
        )
        return Streamed(result, joined, differs, error)

    async def aclose(self) -> None:
        """Give the call up, if it is not answered yet."""
        self._answer.cancel()
        await asyncio.wait((self._answer,))

    async def __aenter__(self) -> Self:
        """Give the call, which has begun already."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give the call up, if it is not answered yet."""
        await self.aclose()

    def __repr__(self) -> str:
        """Name the call's token."""
        return f"<{type(self).__name__} {self.token!r}>"


def call(link: Link, method: StreamedMethod[P, R], params: P) -> StreamedCall[R]:
    """Call a method whose result comes in pieces."""
    loop = asyncio.get_running_loop()
    streams = link.interceptor
    if not isinstance(streams, _Streams):
        streams = link.interceptor = _Streams(link)
    stream = method.stream
    token, pieces = streams.open(stream)
    marked: rpc.RequestMethod[P, tuple[R, Any]] = rpc.RequestMethod(
        method.name,
        method.handler,
        _Marked(method.params, stream.token, token),
        _Both(method.result, stream.result),
    )
    answer = loop.create_task(rpc.call(link, marked, params))

    def end(answer: asyncio.Task[tuple[R, Any]]) -> None:
        streams.close(token)
        pieces.news.set()
        if not answer.cancelled():
            # Whoever does not ask need not know that it failed.
            answer.exception()

    answer.add_done_callback(end)
    return StreamedCall(token, pieces, answer)


class _Pieces:
    """The pieces of one call, on their way.

    Attributes:
        stream: Where they come from.
        waiting: Those that nobody has asked for yet.
        output: All so far, joined.
        error: Why one could not be joined.
        news: Something came, or the call has ended.
    """

    __slots__ = ("error", "news", "output", "stream", "waiting")

    def __init__(self, stream: Stream) -> None:
        """Begin without any."""
        self.stream = stream
        self.waiting: deque[Any] = deque()
        self.output: Any = ABSENT
        self.error: JoinError | None = None
        self.news = asyncio.Event()

    def take(self, piece: Any) -> None:
        """Join a piece, and let it wait."""
        if self.error is None:
            try:
                self.output = join(self.output, piece)
            except JoinError as error:
                self.error = error
            except (OverflowError, RecursionError) as error:
                self.error = JoinError(str(error))
        self.waiting.append(piece)
        self.news.set()


class _Streams:
    """The calls of a connection whose results come in pieces, by their tokens."""

    __slots__ = ("_calls", "_last", "_link", "_seen")

    def __init__(self, link: Link) -> None:
        """Begin without any."""
        self._link = link
        self._calls: dict[str, _Pieces] = {}
        self._seen: dict[str, set[Stream]] = {}
        self._last = 0

    def open(self, stream: Stream) -> tuple[str, _Pieces]:
        """Register a call under a token that no call of this connection had."""
        self._last += 1
        token = f"stream-{self._last}"
        pieces = self._calls[token] = _Pieces(stream)
        self._seen.setdefault(stream.notification, set()).add(stream)
        return token, pieces

    def close(self, token: str) -> None:
        """Forget a call."""
        del self._calls[token]

    def take(self, method: str, params: Raw, /) -> bool:
        """Take a piece of one of the calls. Says whether it was one, as it should be or not."""
        if not self._calls or method not in self._seen:
            return False
        try:
            members = decode(params, type=dict[str, Any])
        except REFUSALS:
            return False
        for stream in self._seen[method]:
            token = members.get(stream.marked_by)
            pieces = self._calls.get(token) if isinstance(token, str) else None
            if pieces is None or pieces.stream != stream:
                continue
            forgiving = self._link.forgiving(method)
            try:
                stream.params.decode(params, path=("params",), on_dropped=forgiving)
            except DecodeError as error:
                self._link.dropped(method, error)
                return True
            if stream.delta in members:
                pieces.take(members[stream.delta])
            return stream.delta in members
        return False


class _Marked(Generic[P]):
    """The codec of params with a token in them."""

    __slots__ = ("_params", "_path", "_token")

    def __init__(self, params: Coder[P], path: tuple[str, ...], token: str) -> None:
        self._params = params
        self._path = path
        self._token = token

    def decode(
        self,
        data: bytes | Raw,
        /,
        *,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
    ) -> P:
        """Read params."""
        return self._params.decode(data, on_dropped=on_dropped, path=path)

    def checked(self, value: P, /, *, path: Sequence[str | int] = ()) -> bytes:
        """Write params, with the token at its place."""
        written = self._params.checked(value, path=path)
        return _with_token(written, self._path, self._token)


class _Both(Generic[R]):
    """The codec of a result that gives a property of it as it came, too."""

    __slots__ = ("_name", "_result")

    def __init__(self, result: Coder[R], name: str) -> None:
        self._result = result
        self._name = name

    def decode(
        self,
        data: bytes | Raw,
        /,
        *,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
    ) -> tuple[R, Any]:
        """Read a result."""
        result = self._result.decode(data, on_dropped=on_dropped, path=path)
        try:
            members = decode(data, type=dict[str, Raw])
            whole = decode(members[self._name]) if self._name in members else ABSENT
        except REFUSALS:
            whole = ABSENT
        return result, whole

    def checked(
        self, value: tuple[R, Any], /, *, path: Sequence[str | int] = ()
    ) -> bytes:
        """Write a result."""
        return self._result.checked(value[0], path=path)


def _with_token(params: bytes | Raw, path: tuple[str, ...], token: str) -> bytes:
    """Write params again with a token at its place. What is no object there becomes one."""
    if not path:
        return ENCODER.encode(token)
    try:
        members = decode(params, type=dict[str, Raw])
    except REFUSALS:
        members = {}
    inner = members.get(path[0], _NOTHING)
    members[path[0]] = Raw(_with_token(inner, path[1:], token))
    return ENCODER.encode(members)
