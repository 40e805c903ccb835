"""What is sent to the peer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from math import isfinite
from typing import Any, Final, TypeVar, overload

from msgspec import Raw, Struct
from msgspec.json import decode

from ..errors import CallError, RequestError, TooLongError
from ..support import DecodeError
from .link import BATCH, Batch, Link, malformed
from .message import NOTHING, NULL, REFUSALS, UNREAD, Message
from .method import RAW, Coder, Method, NotificationMethod, RequestMethod
from .started import STARTED

P = TypeVar("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")


class Peer:
    """The other end of a connection."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        """Call over a connection. Connections make peers, programs need not."""
        self._link = link

    @overload
    async def request(self, method: RequestMethod[P, R], params: P) -> R: ...
    @overload
    async def request(self, method: str, params: object = None) -> Any: ...
    async def request(
        self, method: RequestMethod[Any, Any] | str, params: Any = None
    ) -> Any:
        """Call a method, with its params as one value.

        Args:
            method: The method, or its name on the wire. Of a name, nothing is checked.
            params: The params; for a name, anything that is JSON.

        Raises:
            RequestError: The peer answered with an error.
            CallError: The call failed otherwise.
        """
        if isinstance(method, str):
            method = RequestMethod(method, "", RAW, RAW)
        return await call(self._link, method, params)

    @overload
    async def notify(self, method: NotificationMethod[P], params: P) -> None: ...
    @overload
    async def notify(self, method: str, params: object = None) -> None: ...
    async def notify(
        self, method: NotificationMethod[Any] | str, params: Any = None
    ) -> None:
        """Send a notification, with its params as one value.

        Args:
            method: The method, or its name on the wire. Of a name, nothing is checked.
            params: The params; for a name, anything that is JSON.

        Raises:
            CallError: It could not be sent.
        """
        if isinstance(method, str):
            method = NotificationMethod(method, "", RAW)
        await notify(self._link, method, params)

    @overload
    async def batch(self, first: Coroutine[Any, Any, A], /) -> tuple[A]: ...
    @overload
    async def batch(
        self, first: Coroutine[Any, Any, A], second: Coroutine[Any, Any, B], /
    ) -> tuple[A, B]: ...
    @overload
    async def batch(
        self,
        first: Coroutine[Any, Any, A],
        second: Coroutine[Any, Any, B],
        third: Coroutine[Any, Any, C],
        /,
    ) -> tuple[A, B, C]: ...
    @overload
    async def batch(self, /, *calls: Coroutine[Any, Any, A]) -> tuple[A, ...]: ...
    async def batch(self, /, *calls: Coroutine[Any, Any, Any]) -> tuple[Any, ...]:
        """Send what calls and notifications of this peer say as one message.

        `first, second = await peer.batch(peer.one(…), peer.two(…))`

        Nothing is sent if one of them is refused. The results are given in the order of the
        calls. If one fails, what it raised is raised once all are answered.

        Raises:
            NotInBatchError: A method that changes what the connection is.
        """
        return await send_batch(self._link, calls)


async def call(link: Link, method: RequestMethod[P, R], params: P) -> R:
    """Call a method."""
    batch = _batch(link)
    started = STARTED.get()
    link.check(method, batch)
    encoded = _encode(method, params)
    link.agreement.check_params(method, encoded)
    text = _members(method, encoded)
    if batch is None:
        while not link.outbox.has_space() and not link.is_ended:
            await link.outbox.space()
            link.check(method, batch)
    call_id, pending = link.open(method.name)
    message = b'{"jsonrpc":"2.0","id":%b,%b}' % (call_id, text)
    try:
        link.fits(message)
        if batch is None:
            if started is not None:
                started.call = link, call_id
            link.send(message, is_call=True)
            link.sent(method, encoded)
        else:
            batch.calls.append(call_id)
            batch.add(message, method, encoded)
        answer = await pending.answer
    except asyncio.CancelledError:
        link.abandon(call_id, is_sent=batch is None or batch.is_sent)
        if pending.answer.done() and not pending.answer.cancelled():
            # It failed, and nobody is left to tell.
            pending.answer.exception()
        raise
    except TooLongError:
        link.calls.forget(call_id)
        raise
    return _result(link, method, answer)


async def notify(link: Link, method: Method[P], params: P) -> None:
    """Send a notification."""
    batch = _batch(link)
    link.check(method, batch)
    encoded = _encode(method, params)
    link.agreement.check_params(method, encoded)
    message = b'{"jsonrpc":"2.0",%b}' % _members(method, encoded)
    link.fits(message)
    if batch is not None:
        batch.add(message, method, encoded)
        return
    outbox = link.outbox
    while not outbox.has_space():
        await outbox.space()
    link.send(message)
    link.sent(method, encoded)


async def send_batch(
    link: Link, calls: tuple[Coroutine[Any, Any, Any], ...]
) -> tuple[Any, ...]:
    """Send what coroutines call as one message."""
    batch = Batch(link)
    token = BATCH.set(batch)
    tasks = [asyncio.ensure_future(call) for call in calls]
    BATCH.reset(token)
    try:
        # Each comes as far as its call.
        await asyncio.sleep(0)
        refused = [
            task.exception() for task in tasks if task.done() and not task.cancelled()
        ]
        for error in filter(None, refused):
            raise error
        # If there are calls in it, it waits no longer than an answer can come.
        while not link.outbox.has_space() and not (batch.calls and link.is_ended):
            await link.outbox.space()
        message = b"[%b]" % b",".join(batch.entries)
        link.fits(message)
        batch.is_sent = True
        if batch.entries:
            link.calls.together(batch.calls)
            link.send(message)
            for method, params in batch.methods:
                link.sent(method, params)
        if tasks:
            await asyncio.wait(tasks)
        return tuple([task.result() for task in tasks])
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _batch(link: Link) -> Batch | None:
    """Give the batch that is being filled for this connection."""
    batch = BATCH.get()
    return (
        batch
        if batch is not None and batch.link is link and not batch.is_sent
        else None
    )


def _encode(method: Method[P], params: P) -> bytes | None:
    """Write params, if there are any."""
    if params is None:
        return None
    try:
        return method.params.checked(params, path=("params",))
    except DecodeError as error:
        message = f"the params of {method.name} are not sent: {error}"
        raise CallError(message) from error
    except Exception as error:
        message = f"the params of {method.name} cannot be written: {error}"
        raise CallError(message) from error


def _members(method: Method[Any], params: bytes | None) -> bytes:
    """Write the members of a message that say what is called."""
    return method.head if params is None else method.head + b',"params":' + params


def _result(link: Link, method: RequestMethod[Any, R], message: Message) -> R:
    """Give what a response says."""
    if message.error is not NOTHING:
        raise _answered(link, method, message)
    try:
        forgiving = link.forgiving(method.name)
        return decode_result(method.result, message.result, forgiving)
    except DecodeError as error:
        raise malformed(error) from error


def decode_result(
    codec: Coder[R], result: Raw, forgiving: Callable[[DecodeError], object]
) -> R:
    """Read a result.

    Where it need not have any member, `null` and nothing at all stand for it; and where it is
    only `null`, `{}` does.
    """
    text = NULL if result is NOTHING else bytes(result)
    try:
        return codec.decode(text, path=("result",), on_dropped=forgiving)
    except DecodeError as error:
        if text not in (NULL, b"{}"):
            raise
        try:
            return codec.decode(b"{}" if text == NULL else NULL, path=("result",))
        except DecodeError:
            raise error from None


class _Error(Struct):
    """The members of an error object. Of those of one name the last one counts."""

    code: Raw = NOTHING
    message: Raw = NOTHING
    data: Raw = NOTHING


_INT32 = 1 << 31


def _answered(link: Link, method: Method[Any], message: Message) -> Exception:
    """Give the error that the peer answered with."""
    if message.error is UNREAD:
        return malformed(bytes(message.result).decode())
    if message.result is not NOTHING:
        return malformed("both a result and an error")
    try:
        error = decode(message.error, type=_Error)
    except REFUSALS:
        return malformed(f"error: expected an object, found {_kind(message.error)}")
    answered = _given(error, link.request_error)
    if isinstance(answered, str):
        return malformed(answered)
    answered.call = method.name
    return answered


def _given(error: _Error, kind: type[RequestError]) -> RequestError | str:
    """Give the error that a response holds, or say what is wrong with it."""
    code, wrong = _code(error.code)
    if code is None:
        return f"error.code: {wrong}"
    if _kind(error.message) != "a string":
        return f"error.message: {_mismatch('a string', error.message)}"
    text = decode(error.message, type=str)
    try:
        data = None if error.data is NOTHING else decode(error.data)
    except REFUSALS:
        wrong = "expected a number of 64 bits, found a number out of range"
        return f"error.data: {wrong}"
    return kind(code, text, data)


def _code(spelled: Raw) -> tuple[int | None, str]:
    """Read the code of an error. If it is none, say what is wrong."""
    if _kind(spelled) != "a number":
        return None, _mismatch("an integer", spelled)
    number = float(bytes(spelled))
    if isfinite(number) and not number.is_integer():
        return None, "expected an integer, found a fraction"
    if not -_INT32 <= number < _INT32:
        bounds = f"from {-_INT32} to {_INT32 - 1}"
        return None, f"expected a number {bounds}, found a number out of range"
    return int(number), ""


_KINDS: Final = {
    b"n": "null",
    b"t": "a boolean",
    b"f": "a boolean",
    b'"': "a string",
    b"[": "an array",
    b"{": "an object",
    b"": "nothing",
}


def _kind(spelled: Raw) -> str:
    """Say what kind of JSON this is."""
    return _KINDS.get(bytes(spelled).lstrip()[:1], "a number")


def _mismatch(expected: str, spelled: Raw) -> str:
    found = _kind(spelled)
    if found == "nothing":
        expected = "a required property"
    return f"expected {expected}, found {found}"
