"""What generated codecs promise beyond the wire corpus.

It is run on two packages, `acp` (ACP v1) and `shapes` (`tests/wire/shapes.schema.json`), and it
is checked by `mypy --strict`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, TypeVar

import acp
import msgspec
import shapes
from acp import UNSET, Codec, DecodeError
from acp.codecs import (
    ContentBlockCodec,
    CostCodec,
    CreateElicitationRequestCodec,
    EmbeddedResourceResourceCodec,
    ErrorCodeCodec,
    InitializeRequestCodec,
    LogoutRequestCodec,
    McpServerCodec,
    NewSessionRequestCodec,
    SessionConfigOptionCategoryCodec,
    SessionNotificationCodec,
    StopReasonCodec,
    TextContentCodec,
    ToolCallUpdateCodec,
    UsageUpdateCodec,
)

T = TypeVar("T")

BROKEN = {
    "sessionId": "s",
    "update": {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": ["secret"]},
    },
}


def error_of(decode: Callable[..., object], value: object, **options: Any) -> DecodeError:
    try:
        decoded = decode(value, **options)
    except DecodeError as error:
        return error
    raise AssertionError(f"{decoded} was accepted")


def errors_of(codec: Codec[T], value: object, **options: Any) -> DecodeError:
    """The error of a value that is refused in both ways, for the same reason."""
    parsed = error_of(codec.convert, value, **options)
    text = error_of(codec.decode, json.dumps(value), **options)
    assert (parsed.path, parsed.expected, parsed.found) == (
        text.path,
        text.expected,
        text.found,
    )
    return text


def an_error_has_its_place_and_no_value() -> None:
    error = errors_of(SessionNotificationCodec, BROKEN)
    assert error.path == "update.content.text"
    assert error.steps == ("update", "content", "text")
    assert error.expected == "a string"
    assert error.found == "an array"
    assert str(error) == "update.content.text: expected a string, found an array"
    assert "secret" not in repr(error)
    assert isinstance(error, ValueError)
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None


def an_error_can_be_copied() -> None:
    error = errors_of(SessionNotificationCodec, BROKEN)
    again = copy.copy(error)
    assert (again.path, again.expected, again.found) == (error.path, "a string", "an array")


def the_place_may_be_further_in() -> None:
    error = errors_of(TextContentCodec, {}, path=("params", "prompt", 2))
    assert error.path == "params.prompt[2].text"
    assert str(error) == "params.prompt[2].text: expected a required property, found nothing"


def known_values_are_listed_and_the_one_found_is_not() -> None:
    tag = errors_of(ContentBlockCodec, {"type": "secret"})
    assert tag.path == "type"
    assert tag.expected.startswith('one of "text", "image"')
    assert tag.found == "another string"
    value = errors_of(StopReasonCodec, "secret")
    assert value.expected.startswith('one of "end_turn", ')
    assert "secret" not in str(value)


def what_is_forgiven_is_seen_once_the_value_is_right() -> None:
    def chunk(text: object) -> dict[str, Any]:
        return {"type": "content", "content": {"type": "text", "text": text}}

    value = {
        "sessionId": "s",
        "update": {
            "sessionUpdate": "tool_call",
            "toolCallId": "t",
            "title": "T",
            "status": "lost",
            "content": [chunk(1), chunk("x"), chunk("y") | {"_meta": 5}],
        },
    }
    paths = ["update.content[0].content.text", "update.content[2]._meta", "update.status"]
    seen: list[DecodeError] = []
    SessionNotificationCodec.decode(json.dumps(value), on_dropped=seen.append)
    assert sorted(drop.path for drop in seen) == paths
    assert {drop.found for drop in seen} == {"a number", "another string"}
    seen.clear()
    SessionNotificationCodec.convert(value, on_dropped=seen.append, path=["params"])
    assert sorted(drop.path for drop in seen) == [f"params.{path}" for path in paths]
    # Nothing is said of a value that is refused.
    seen.clear()
    errors_of(SessionNotificationCodec, value | {"sessionId": 5}, on_dropped=seen.append)
    assert seen == []
    # Strict mode forgives nothing.
    error = errors_of(SessionNotificationCodec, value, strict=True, on_dropped=seen.append)
    assert error.path in paths
    assert seen == []


def what_was_forgiven_in_a_variant_that_does_not_fit_is_not_seen() -> None:
    seen: list[DecodeError] = []
    for body in ({"text": "t"}, {"blob": "b"}):
        value = {"uri": "u", "_meta": 7, **body}
        EmbeddedResourceResourceCodec.convert(value, on_dropped=seen.append)
    assert [drop.path for drop in seen] == ["_meta", "_meta"]


def many_broken_items_are_dropped_one_by_one() -> None:
    seen: list[shapes.DecodeError] = []
    value = {"items": ["mauve"] * 20_000}
    decoded = shapes.codecs.LenientCodec.convert(value, on_dropped=seen.append)
    assert decoded.items == []
    assert len(seen) == 20_000
    assert seen[-1].path == "items[19999]"


def only_wire_names_are_names() -> None:
    error = errors_of(NewSessionRequestCodec, {"cwd": "/", "mcp_servers": []})
    assert error.path == "mcpServers"
    update: dict[str, Any] = {"session_update": "plan", "entries": []}
    message = {"sessionId": "s", "update": update}
    assert errors_of(SessionNotificationCodec, message).path == "update.sessionUpdate"


def absent_null_and_value_are_three_things() -> None:
    for title, state in ((None, None), ("", ""), ("x", "x")):
        decoded = ToolCallUpdateCodec.convert({"toolCallId": "t", "title": title})
        assert decoded.title == state
        assert json.loads(ToolCallUpdateCodec.encode(decoded)) == {
            "toolCallId": "t",
            "title": title,
        }
    absent = ToolCallUpdateCodec.decode('{"toolCallId": "t"}')
    assert absent.title is UNSET
    assert ToolCallUpdateCodec.encode(absent) == b'{"toolCallId":"t"}'


def defaults_are_filled_in_and_fresh() -> None:
    for decode in (InitializeRequestCodec.decode, InitializeRequestCodec.convert):
        message: Any = {"protocolVersion": 1}
        if decode == InitializeRequestCodec.decode:
            message = json.dumps(message)
        first, second = decode(message), decode(message)
        assert first == second
        assert first.client_capabilities is not second.client_capabilities
        first.client_capabilities.fs.read_text_file = True
        assert not second.client_capabilities.fs.read_text_file
    one, two = (shapes.codecs.DefaultsCodec.convert({}) for _ in range(2))
    one.list_.append(4)
    assert two.list_ == [3, 1, 2]


def the_value_given_stays_as_it_was() -> None:
    request = {"mode": "voice", "message": "m", "sessionId": "s", "deep": {"list": [1]}}
    before = copy.deepcopy(request)
    decoded = CreateElicitationRequestCodec.convert(request)
    assert isinstance(decoded, acp.CreateElicitationRequestOther)
    decoded.raw["more"] = 1
    assert request == before


def open_values_come_back_as_they_came() -> None:
    category = SessionConfigOptionCategoryCodec.decode('"_mine"')
    assert category == "_mine"
    assert not category.is_known
    assert SessionConfigOptionCategoryCodec.encode(category) == b'"_mine"'
    assert ErrorCodeCodec.encode(ErrorCodeCodec.convert(7.0)) == b"7"
    assert ErrorCodeCodec.convert(-32700) is acp.ErrorCode.PARSE_ERROR
    message = b'{"mode":"voice","sessionId":"s","x":[null],"message":"m"}'
    request = CreateElicitationRequestCodec.decode(message)
    assert isinstance(request, acp.CreateElicitationRequestOther)
    assert (request.tag, request.message) == ("voice", "m")
    assert request.raw == {"mode": "voice", "sessionId": "s", "x": [None]}
    assert json.loads(CreateElicitationRequestCodec.encode(request)) == json.loads(message)
    # The attribute counts, not what stands beside it.
    request.message = "n"
    request.raw["message"] = "o"
    assert json.loads(CreateElicitationRequestCodec.encode(request))["message"] == "n"


def an_untagged_variant_is_its_payload() -> None:
    value: dict[str, Any] = {"name": "n", "command": "c", "args": [], "env": []}
    server = McpServerCodec.convert(value)
    assert isinstance(server, acp.McpServerStdio)
    assert json.loads(McpServerCodec.encode(server)) == value
    http: dict[str, Any] = {"type": "http", "url": "u", "name": "n", "headers": []}
    both = NewSessionRequestCodec.convert({"cwd": "/", "mcpServers": [value, http]})
    assert [type(each) for each in both.mcp_servers] == [acp.McpServerStdio, acp.HttpMcpServer]


def names_that_msgspec_cannot_write_are_written() -> None:
    value = {"__proto__": "p", "class": "c", 'a"\\\n': "x", "größe": "1", "1": "2"}
    decoded = shapes.codecs.HostileFieldsCodec.decode(json.dumps(value))
    assert json.loads(shapes.codecs.HostileFieldsCodec.encode(decoded)) == value


def nothing_is_coerced() -> None:
    parsed: list[object] = ["1", True, None, [1], {}]
    for amount in parsed:
        assert errors_of(CostCodec, {"amount": amount, "currency": "EUR"}).path == "amount"
    unlike_json: list[object] = [float("nan"), float("inf"), 10**400, 1j, b"1", object()]
    for amount in unlike_json:
        error = error_of(CostCodec.convert, {"amount": amount, "currency": "EUR"})
        assert error.path == "amount"
    for used in (1.5, "1", True, -1, 2**64, 1e300):
        assert errors_of(UsageUpdateCodec, {"used": used, "size": 0}).path == "used"
    usage = UsageUpdateCodec.decode(b'{"used": 18446744073709551615, "size": 1e2}')
    assert (usage.used, usage.size) == (2**64 - 1, 100)
    assert UsageUpdateCodec.encode(usage) == b'{"used":18446744073709551615,"size":100}'


def what_is_not_json_is_refused() -> None:
    for text in (
        b"",
        b"{",
        b'{"text": "x"} x',
        b'{"text": "x", "_meta": {"x": NaN}}',
        b'{"text": "x", "_meta": {"x": -Infinity}}',
        b'{"text": "\xff"}',
        b'{"text": "\xed\xa0\x80"}',
        b'\xef\xbb\xbf{"text": "x"}',
        b'{"text": "x", "_meta": {"x": 01}}',
        rb'{"text": "x", "_meta": {"x": "\ud800"}}',
        rb'{"text": "x", "other": 1e400, "_meta": "\udc00"}',
        b'{"text": "x", "other": "\xed\xa0\x80"}',
        '{"text": "\ud800"}',
    ):
        error = error_of(TextContentCodec.decode, text)
        assert error.expected == "JSON", error
        assert error.path == ""


def what_python_cannot_hold_is_refused_where_it_is() -> None:
    huge = b"1" * 10_000
    for text in (huge, b"1e400", b"-1e400"):
        error = error_of(TextContentCodec.decode, b'{"text": %b}' % text)
        assert error.path == "text"
        error = error_of(UsageUpdateCodec.decode, b'{"used": %b, "size": 0}' % text)
        assert (error.path, error.expected) == ("used", "a number from 0 to 18446744073709551615")
        meta = b'{"text":"x","_meta":{"a":[%b]}}' % text
        error = error_of(TextContentCodec.decode, meta, strict=True)
        assert error.path == "_meta.a[0]"
        # There, it is forgiven, and nobody looks at what has no name.
        for message in (meta, b'{"text":"x","other":{"a":[%b]},"annotations":5}' % text):
            decoded = TextContentCodec.decode(message)
            assert TextContentCodec.encode(decoded) == b'{"text":"x"}'
    # A number that is only large comes back as it came.
    large = b'{"text":"x","_meta":{"x":%b}}' % (b"1" * 400)
    assert TextContentCodec.encode(TextContentCodec.decode(large)) == large


def what_cannot_be_written_is_refused() -> None:
    surrogate = "\ud800"
    assert error_of(TextContentCodec.convert, {"text": surrogate}).found.startswith("half a")
    unwritable: list[tuple[str, object]] = [
        ("_meta", {surrogate: 1}),
        ("_meta", {"x": [float("nan")]}),
        ("_meta", {"x": {"y": {1}}}),
        ("_meta", {"x": b"y"}),
    ]
    for name, member in unwritable:
        value = {"text": "x", name: member}
        assert error_of(TextContentCodec.convert, value, strict=True).path.startswith(name)
        # What is wrong in a field that forgives is dropped.
        assert TextContentCodec.encode(TextContentCodec.convert(value)) == b'{"text":"x"}'
    error = error_of(
        CreateElicitationRequestCodec.convert,
        {"mode": "m", "message": "", "sessionId": "s", "x": {1}},
    )
    assert error.path == "x"


def what_is_nested_too_deeply_is_refused() -> None:
    deep = b'{"value":1,"left":' * 100_000 + b"null" + b"}" * 100_000
    tree: dict[str, Any] = {"value": 1}
    for _ in range(100_000):
        tree = {"value": 1, "left": tree}
    attempts: list[tuple[Callable[..., object], object]] = [
        (shapes.codecs.TreeCodec.decode, deep),
        (shapes.codecs.TreeCodec.convert, tree),
        (LogoutRequestCodec.decode, b'{"_meta":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    ]
    for decode, value in attempts:
        try:
            decode(value)
        except (DecodeError, shapes.DecodeError) as error:
            assert error.found == "deeper nesting", error
        else:
            raise AssertionError("it was accepted")


def a_codec_takes_what_holds_bytes() -> None:
    text = b'{"text":"x"}'
    for data in (text, bytearray(text), memoryview(text), text.decode(), msgspec.Raw(text)):
        assert TextContentCodec.decode(data) == acp.TextContent(text="x")
    assert repr(TextContentCodec) == "Codec('TextContent')"
    assert LogoutRequestCodec.encode(acp.LogoutRequest()) == b"{}"


CHECKS = [
    an_error_has_its_place_and_no_value,
    an_error_can_be_copied,
    the_place_may_be_further_in,
    known_values_are_listed_and_the_one_found_is_not,
    what_is_forgiven_is_seen_once_the_value_is_right,
    what_was_forgiven_in_a_variant_that_does_not_fit_is_not_seen,
    many_broken_items_are_dropped_one_by_one,
    only_wire_names_are_names,
    absent_null_and_value_are_three_things,
    defaults_are_filled_in_and_fresh,
    the_value_given_stays_as_it_was,
    open_values_come_back_as_they_came,
    an_untagged_variant_is_its_payload,
    names_that_msgspec_cannot_write_are_written,
    nothing_is_coerced,
    what_is_not_json_is_refused,
    what_python_cannot_hold_is_refused_where_it_is,
    what_cannot_be_written_is_refused,
    what_is_nested_too_deeply_is_refused,
    a_codec_takes_what_holds_bytes,
]

if __name__ == "__main__":
    for check in CHECKS:
        check()
    print(f"{len(CHECKS)} checks")
