"""Cookies, which requests and WebSockets of a client have in common."""

from __future__ import annotations

from email.message import Message
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, Any, cast
from urllib.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterable


def cookie_header(jar: CookieJar, url: str) -> dict[str, str]:
    """Give the header that sends the cookies which are for a URL."""
    request = Request(url)  # noqa: S310
    jar.add_cookie_header(request)
    cookies = request.get_header("Cookie")
    return {"Cookie": cookies} if cookies else {}


def keep_cookies(jar: CookieJar, url: str, set_cookies: Iterable[str]) -> None:
    """Keep the cookies that an answer from a URL sets."""
    answer = Message()
    for value in set_cookies:
        answer["Set-Cookie"] = value
    # Of a response, a jar asks for no more.
    jar.extract_cookies(cast("Any", _Answer(answer)), Request(url))  # noqa: S310


class _Answer:
    def __init__(self, headers: Message) -> None:
        self._headers = headers

    def info(self) -> Message:
        return self._headers
