"""From messages to handlers."""

from __future__ import annotations

import asyncio
import sys
from inspect import isawaitable
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Final

from ..errors import CallError, RequestError
from ..support import DecodeError
from .message import NOTHING, NULL
from .method import UNKNOWN_METHOD, UNKNOWN_NOTIFICATION
from .observed import Ignored
from .running import failure, known, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from msgspec import Raw

    from .context import Context
    from .link import Link
    from .message import Message
    from .method import Coder, Method, RequestMethod, Side
    from .running import Running

HARD: Final = (KeyboardInterrupt,)
"""What ends the program, wherever it is raised."""


class Service:
    """Hands messages to the handlers of a side."""

    __slots__ = (
        "_context",
        "_ext_method",
        "_ext_notification",
        "_link",
        "_loop",
        "_notifications",
        "_requests",
        "_side",
        "_unknown_method",
        "_unknown_notification",
    )

    def __init__(
        self, link: Link, side: Side, handler: object, context: type[Context]
    ) -> None:
        """Look up what the handler handles."""
        self._link = link
        self._context = context
        self._side = side
        self._loop = asyncio.get_running_loop()
        self._requests = {
            name: (method, handle)
            for name, method in side.requests.items()
            if (handle := side.handler_of(handler, method)) is not None
        }
        self._notifications = {
            name: (method, handle)
            for name, method in side.notifications.items()
            if (handle := side.handler_of(handler, method)) is not None
        }
        _check_concurrent(link, side, handler)
        link.agreement.handled = {**self._requests, **self._notifications}
        self._ext_method = (side.ext_method, side.handler_of(handler, side.ext_method))
        self._ext_notification = (
            side.ext_notification,
            side.handler_of(handler, side.ext_notification),
        )
        self._unknown_method = (
            UNKNOWN_METHOD,
            side.handler_of(handler, UNKNOWN_METHOD),
        )
        self._unknown_notification = (
            UNKNOWN_NOTIFICATION,
            side.handler_of(handler, UNKNOWN_NOTIFICATION),
        )

    def request(self, running: Running) -> None:
        """Begin to handle a request."""
        link = self._link
        name = running.method
        link.agreement.learn(name, running.params)
        link.start(running)
        found = self._requests.get(name)
        method, handle = found or (None, None)
        if found is None and name.startswith("_"):
            method, handle = self._ext_method
        if handle is None and name not in self._side.requests:
            method, handle = self._unknown_method
        if method is None or handle is None:
            link.respond(running, failure(RequestError.method_not_found(name)))
            return
        names = () if found else (name,)
        handling = self._handle(running, method, handle, names)
        running.task = _start(self._loop, handling)

    async def _handle(
        self,
        running: Running,
        method: RequestMethod[Any, Any],
        handle: Callable[..., Coroutine[Any, Any, Any]],
        names: tuple[str, ...],
    ) -> None:
        link = self._link
        running.is_started = True
        if running.is_cancelled:
            self._loop.call_soon(running.interrupt)
        try:
            forgiving = link.forgiving(running.method)
            try:
                params = decode_params(method.params, running.params, forgiving)
            except RequestError as error:
                # There is no handler that ended by being cancelled.
                link.respond(running, failure(error))
                return
            handling = handle(*names, params, self._context(link, running))
            if handling.__class__ is not CoroutineType:
                _check_awaitable(method, handle, handling)
            member = self._result(running, method, await handling)
        except BaseException as error:
            # Whatever a cancelled handler raises, it ended by that.
            if running.result is not None:
                member = b'"result":' + running.result
            else:
                member = failure(self._answer(running, running.method, error))
            if isinstance(error, HARD):
                raise
        link.respond(running, member)

    def _result(
        self, running: Running, method: RequestMethod[Any, Any], result: Any
    ) -> bytes:
        """Write the member of a response that has what a handler gave."""
        encoded = _encode_result(method, result)
        try:
            return b'"result":' + self._link.agreement.checked_result(method, encoded)
        except CallError as error:
            if running.is_cancelled:
                raise
            # The peer is told, but it is this end that has to do something.
            self._link.report(running.method, error)
            code = RequestError.internal_error().code
            return failure(RequestError(code, words_of(error)))

    def _answer(
        self, running: Running, name: str, error: BaseException
    ) -> RequestError:
        # Handlers are cancelled at the end of input, even if they end before that reaches them.
        is_cancelled = running.is_cancelled or self._link.is_ended
        if is_cancelled or isinstance(error, asyncio.CancelledError):
            return RequestError.request_cancelled()
        answer = known(error)
        # What a call of its own was answered with says nothing of this one.
        if answer is None or answer.call is not None:
            self._link.report(name, error)
        if answer is None:
            is_told = self._link.options.error_details
            answer = RequestError.internal_error(
                {"details": words_of(error)} if is_told else None
            )
        return answer

    def notification(self, message: Message) -> Coroutine[Any, Any, None] | None:
        """Call what handles a notification. Gives what to wait for."""
        link = self._link
        name = str(message.method)
        found = self._notifications.get(name)
        method, handle = found or (None, None)
        if found is None and name.startswith("_"):
            method, handle = self._ext_notification
        if handle is None and name not in self._side.notifications:
            method, handle = self._unknown_notification
        if method is None or handle is None:
            if name not in link.requests.cancelling:
                link.observe(Ignored(name))
            elif name in self._side.notifications:
                self._read(self._side.notifications[name], message)
            return None
        read = self._read(method, message)
        if read is None:
            return None
        context = self._context(link, None)
        try:
            handling: Coroutine[Any, Any, None] | None = (
                handle(*read, context) if found else handle(name, *read, context)
            )
            # One without `async` that gives nothing is done.
            if handling is not None and handling.__class__ is not CoroutineType:
                _check_awaitable(method, handle, handling)
        except Exception as error:  # noqa: BLE001
            link.report(name, error)
            return None
        return handling

    def _read(self, method: Method[Any], message: Message) -> tuple[Any] | None:
        """Read the params of a notification. What has others is dropped."""
        name = str(message.method)
        forgiving = self._link.forgiving(name)
        try:
            return (read_params(method.params, message.params, forgiving),)
        except DecodeError as error:
            self._link.dropped(name, error)
            return None


def _check_concurrent(link: Link, side: Side, handler: object) -> None:
    """Raise that `concurrent` names what a side does not handle, if it does."""
    for name in link.options.concurrent:
        others = (UNKNOWN_NOTIFICATION, side.ext_notification)
        if name in side.notifications or any(
            side.handler_of(handler, other) is not None
            for other in others[: 1 + name.startswith("_")]
        ):
            continue
        known = ", ".join(side.notifications) or "none"
        raise ValueError(
            f'"{name}" in concurrent is no notification that this side handles: '
            f"it handles {known}, and others only by a handler of last resort"
        )


def read_params(
    codec: Coder[Any], params: Raw, forgiving: Callable[[DecodeError], object]
) -> Any:
    """Read params. Absent ones are those without any member.

    Raises:
        DecodeError: They are not those of the method.
    """
    if params is not NOTHING:
        return codec.decode(params, path=("params",), on_dropped=forgiving)
    return _without_params(codec)


def decode_params(
    codec: Coder[Any], params: Raw, forgiving: Callable[[DecodeError], object]
) -> Any:
    """Read the params of a request.

    Raises:
        RequestError: They are not those of the method. Its data tell the place.
    """
    try:
        return read_params(codec, params, forgiving)
    except DecodeError as error:
        data = {"path": error.path, "expected": error.expected, "found": error.found}
        raise RequestError.invalid_params(data) from None


def _check_awaitable(
    method: Method[Any], handle: Callable[..., object], given: object
) -> None:
    """Raise that a handler gave what cannot be waited for, if it did."""
    if isawaitable(given):
        return
    name = getattr(handle, "__qualname__", method.handler).rpartition("<locals>.")[2]
    kind = type(given).__name__
    raise TypeError(f"{name} gave a {kind}: write it as `async def`")


def _without_params(codec: Coder[Any]) -> Any:
    try:
        return codec.decode(b"{}", path=("params",))
    except DecodeError as error:
        try:
            return codec.decode(NULL, path=("params",))
        except DecodeError:
            raise error from None


def _encode_result(method: RequestMethod[Any, Any], result: Any) -> bytes:
    """Write a result.

    Raises:
        TypeError: It is none of the method.
    """
    if result is None and method.is_empty:
        return b"{}"
    expected = method.result_type
    if expected is not None and not isinstance(result, expected):
        message = f"expected {expected.__name__}, not {type(result).__name__}"
        raise TypeError(message)
    return method.result.checked(result, path=("result",))


if sys.version_info >= (3, 12):

    def _start(
        loop: asyncio.AbstractEventLoop, handling: Coroutine[Any, Any, None]
    ) -> asyncio.Task[None]:
        """Begin a task, whose first steps are taken here."""
        return asyncio.Task(handling, loop=loop, eager_start=True)

else:

    def _start(
        loop: asyncio.AbstractEventLoop, handling: Coroutine[Any, Any, None]
    ) -> asyncio.Task[None]:
        """Begin a task."""
        return loop.create_task(handling)
