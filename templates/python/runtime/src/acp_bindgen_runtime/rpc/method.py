"""What generated code says of the methods of a side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType, MethodType
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from msgspec import Raw
from msgspec.json import decode

from ..codec import ENCODER
from ..errors import RequestError
from ..support import DecodeError, check_same
from .message import REFUSALS
from .rules import Rules

T = TypeVar("T")
P = TypeVar("P")
R = TypeVar("R")


class Coder(Protocol[T]):
    """What is needed of the codec of params or of a result."""

    def decode(
        self,
        data: bytes | Raw,
        /,
        *,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
    ) -> T:
        """Read a value."""
        ...

    def checked(self, value: T, /, *, path: Sequence[str | int] = ()) -> bytes:
        """Write a value that the peer reads as it is."""
        ...


class RawCoder:
    """Any JSON, as it is."""

    def decode(
        self,
        data: bytes | Raw,
        /,
        *,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
    ) -> Any:
        """Parse JSON."""
        try:
            return decode(data)
        except REFUSALS:
            raise DecodeError("JSON", "something else", path) from None

    def checked(self, value: object, /, *, path: Sequence[str | int] = ()) -> bytes:
        """Write any value that can be JSON."""
        text = ENCODER.encode(value)
        # So a number is written that JSON does not have.
        if b"null" in text:
            check_same(value, decode(text), path)
        return text


RAW: Final = RawCoder()


class NullCoder:
    """A result that is only `null`."""

    def decode(
        self,
        data: bytes | Raw,
        /,
        *,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
    ) -> None:
        """Read it."""
        if bytes(data) != b"null":
            raise DecodeError("null", "something else", path)

    def checked(self, _: object, /, *, path: Sequence[str | int] = ()) -> bytes:
        """Write it."""
        return b"null"


NONE: Final = NullCoder()


class Method(Generic[P]):
    """A method, and what it takes to call and to handle it.

    Attributes:
        name: Its name on the wire.
        handler: Its name in the class of who handles it.
        params: The codec of its params.
        part: Which of the method's payloads a call of it has.
    """

    __slots__ = ("handler", "head", "name", "params")

    part: ClassVar = "notification"

    def __init__(self, name: str, handler: str, params: Coder[P]) -> None:
        """Describe a method."""
        self.name = name
        self.handler = handler
        self.params = params
        self.head = b'"method":' + ENCODER.encode(name)

    def __repr__(self) -> str:
        """Name the method."""
        return f"<{type(self).__name__} {self.name!r}>"


class RequestMethod(Method[P], Generic[P, R]):
    """A method that is answered.

    Attributes:
        result: The codec of its result.
        result_type: The class of its result, where that is one.
        is_empty: The result need not say anything, so that a handler may return `None`.
    """

    __slots__ = ("is_empty", "result", "result_type")

    part: ClassVar = "params"

    def __init__(
        self,
        name: str,
        handler: str,
        params: Coder[P],
        result: Coder[R],
        *,
        result_type: type[R] | None = None,
        is_empty: bool = False,
    ) -> None:
        """Describe a method that is answered."""
        super().__init__(name, handler, params)
        self.result = result
        self.result_type = result_type
        self.is_empty = is_empty

    def named(self, name: str) -> RequestMethod[P, R]:
        """Give this method under another name."""
        return RequestMethod(name, self.handler, self.params, self.result)


class NotificationMethod(Method[P]):
    """A method that is not answered."""

    __slots__ = ()

    def named(self, name: str) -> NotificationMethod[P]:
        """Give this method under another name."""
        return NotificationMethod(name, self.handler, self.params)


UNKNOWN_METHOD: Final[RequestMethod[Any, Any]] = RequestMethod(
    "", "unknown_method", RAW, RAW
)
UNKNOWN_NOTIFICATION: Final[NotificationMethod[Any]] = NotificationMethod(
    "", "unknown_notification", RAW
)
"""What handles messages that nothing else is for."""


class Side:
    """What a side handles: methods by their wire names, and those of extensions."""

    __slots__ = (
        "base",
        "ext_method",
        "ext_notification",
        "notifications",
        "package",
        "request_error",
        "requests",
        "rules",
    )

    def __init__(
        self,
        base: type[object],
        methods: type[object],
        rules: Rules,
        request_error: type[RequestError],
        package: str,
        *,
        ext_method: RequestMethod[Any, Any] | None = None,
        ext_notification: NotificationMethod[Any] | None = None,
    ) -> None:
        """Describe a side.

        Args:
            base: The class that handlers subclass.
            methods: A class whose attributes are the methods.
            rules: What the protocol says.
            request_error: The class of the errors that calls are answered with.
            package: The generated package: its logger, and its variable `PACKAGE_LOG`.
            ext_method: What handles requests whose methods begin with `_`.
            ext_notification: What handles notifications whose methods begin with `_`.
        """
        self.base = base
        self.rules = rules
        self.request_error = request_error
        self.package = package
        self.requests: dict[str, RequestMethod[Any, Any]] = {}
        self.notifications: dict[str, NotificationMethod[Any]] = {}
        for method in vars(methods).values():
            if isinstance(method, RequestMethod):
                self.requests[method.name] = method
            elif isinstance(method, NotificationMethod):
                self.notifications[method.name] = method
        self.ext_method = ext_method
        self.ext_notification = ext_notification

    def is_handler(self, handler: object) -> bool:
        """Whether something handles messages, and is no function that makes what does."""
        if isinstance(handler, self.base):
            return True
        if isinstance(handler, (type, FunctionType, MethodType, partial)):
            return False
        methods = (*self.requests.values(), *self.notifications.values())
        return any(hasattr(handler, method.handler) for method in methods)

    def handler_of(
        self, handler: object, method: Method[Any] | None
    ) -> Callable[..., Any] | None:
        """Give what handles a method, if anything does: what is only inherited does not."""
        if method is None:
            return None
        found: Any = getattr(handler, method.handler, None)
        inherited = getattr(self.base, method.handler, None)
        is_own = (
            found is not None and getattr(found, "__func__", found) is not inherited
        )
        return found if is_own else None
