"""Uses what makes a generated ACP v1 package easy: it runs, and type checkers judge it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from types import MappingProxyType
from typing import Any, get_type_hints
from unittest.mock import AsyncMock

import msgspec
from acp import (
    UNSET,
    Agent,
    AgentSideConnection,
    AuthCapabilities,
    AuthMethod,
    AuthMethodTerminal,
    CallError,
    Client,
    ClientCapabilities,
    ClientSideConnection,
    ContentBlock,
    ContentBlockAudio,
    ContentBlockImage,
    ContentBlockResource,
    ContentBlockResourceLink,
    ContentBlockText,
    CreateElicitationRequest,
    CreateElicitationResponse,
    DecodeError,
    ElicitationAcceptAction,
    ElicitationContentValue,
    ElicitationSchema,
    InitializeResponse,
    PromptRequest,
    PromptResponse,
    RequestError,
    SessionNotification,
    SessionUpdateToolCall,
    StopReason,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    ToolKind,
    codecs,
    given,
    rpc,
)
from typing_extensions import assert_never


def name_of(block: ContentBlock) -> str:
    """Leave no variant out: a type checker knows."""
    match block.variant:
        case ContentBlockText(text=text):
            return text
        case ContentBlockImage() | ContentBlockAudio() as media:
            return media.mime_type
        case ContentBlockResourceLink(uri=uri):
            return uri
        case ContentBlockResource():
            return "resource"
        case _ as never:
            assert_never(never)


def variants_are_all_known() -> None:
    assert name_of(ContentBlock.text("hi")) == "hi"
    assert name_of(ContentBlock.image("", mime_type="image/png")) == "image/png"


def tags_can_be_read() -> None:
    block = ContentBlock.text("hi").variant
    assert block.type == "text"
    if block.type == "text":
        assert block.text == "hi"
    assert ContentBlockImage.type == "image"
    other = CreateElicitationRequest.other("voice", message="m")
    assert other.mode == other.tag == "voice"
    assert b"type" in msgspec.json.encode(block)


def constructors_take_what_is_on_the_wire() -> None:
    response = PromptResponse(stop_reason="end_turn")
    reason: StopReason = response.stop_reason
    assert reason == StopReason.END_TURN
    assert response == PromptResponse(stop_reason=StopReason.END_TURN)
    encoded = codecs.PromptResponseCodec.encode(response)
    assert encoded == b'{"stopReason":"end_turn"}'
    texts = [ContentBlock.text("a"), ContentBlock.text("b")]
    for several in (texts, tuple(texts)):
        request = PromptRequest(session_id="s", prompt=several)
        prompt: list[ContentBlock] = request.prompt
        assert len(prompt) == 2
        encoded = codecs.PromptRequestCodec.encode(request)
        assert codecs.PromptRequestCodec.decode(encoded).prompt == texts
    # A variant takes what its payload does, and attributes with defaults need not be given.
    variant = SessionUpdateToolCall(tool_call_id="t", title="T", kind="read", locations=())
    assert variant.kind == ToolKind.READ
    assert ToolCall(tool_call_id="t", title="T", status="pending").kind is UNSET
    assert InitializeResponse(protocol_version=1).auth_methods == []


def any_mapping_stands_for_a_dictionary() -> None:
    # A `dict` is invariant to type checkers: this one is no `dict[str, ElicitationContentValue]`.
    words: dict[str, str] = {"colour": "red"}
    codec = codecs.CreateElicitationResponseCodec
    for given_words in (words, MappingProxyType(words)):
        made = CreateElicitationResponse.accept(content=given_words)
        content: dict[str, ElicitationContentValue] | None = given(made.content)
        assert content == words
        assert type(content) is dict
        assert codec.encode(made) == b'{"action":"accept","content":{"colour":"red"}}'
        kept = ElicitationAcceptAction(content=given_words)
        assert codecs.ElicitationAcceptActionCodec.checked(kept) == b'{"content":{"colour":"red"}}'
    assert CreateElicitationResponse.accept(content=None).content is None
    assert CreateElicitationResponse.accept().content is UNSET
    assert ElicitationSchema().properties == {}
    _ = ElicitationAcceptAction(content={"colour": object()})  # type: ignore[dict-item]


def any_sequence_is_written() -> None:
    codec = codecs.PromptRequestCodec
    request = PromptRequest(session_id="s", prompt=deque([ContentBlock.text("a")]))
    assert codec.checked(request) == codec.encode(
        PromptRequest(session_id="s", prompt=[ContentBlock.text("a")])
    )
    assert codec.dump(request)["prompt"] == [{"type": "text", "text": "a"}]
    payload: Any = TextContent(text="x")
    for wrong in (PromptRequest(session_id="s", prompt=deque([payload])), request):
        wrong.meta = {"a": float("nan")}
        try:
            codec.checked(wrong)
        except DecodeError:
            continue
        raise AssertionError(wrong)
    nothing: Any = PromptRequest(session_id="s", prompt=[], meta={"a": object()})
    try:
        codec.encode(nothing)
    except NotImplementedError as error:
        assert str(error) == "object is no part of a message"
    else:
        raise AssertionError("an object of Python was written")


def wrong_words_are_seen_by_type_checkers() -> None:
    def mistakes(reason: str) -> list[PromptResponse]:
        return [
            PromptResponse(stop_reason="done"),  # type: ignore[arg-type]
            PromptResponse(stop_reason=reason),  # type: ignore[arg-type]
        ]

    for mistake in mistakes("done"):
        try:
            codecs.PromptResponseCodec.checked(mistake)
        except DecodeError:
            continue
        raise AssertionError(mistake)
    _ = PromptRequest(session_id="s", prompt=[1])  # type: ignore[list-item]
    _ = ToolCall(tool_call_id="t", title="T", kind="end_turn")  # type: ignore[arg-type]


def errors_tell_what_is_wrong() -> None:
    place = {"path": "params.cwd", "expected": "a string", "found": "a number"}
    for error, text in [
        (RequestError.method_not_found("x/y"), "Method not found: x/y (-32601)"),
        (RequestError(-32601, "No x/y", {"method": "x/y"}), "No x/y (-32601)"),
        (RequestError(-32601, "No", ["x/y"]), "No (-32601)"),
        (
            RequestError.invalid_params(place),
            "Invalid params: params.cwd: expected a string, found a number (-32602)",
        ),
        (
            RequestError.invalid_params({**place, "path": ""}),
            "Invalid params: expected a string, found a number (-32602)",
        ),
        (RequestError.invalid_params({**place, "path": 1}), "Invalid params (-32602)"),
        (RequestError(1, "no", {**place, "method": "x/y"}), "no (1)"),
        (
            RequestError.resource_not_found("file:///a"),
            "Resource not found: file:///a (-32002)",
        ),
        (RequestError(-32002, "No a", {"uri": "a"}), "No a (-32002)"),
        (RequestError(-32002, "No", {"uri": 1, "path": "a"}), "No (-32002)"),
        (RequestError.resource_not_found(), "Resource not found (-32002)"),
    ]:
        assert str(error) == text, error
        assert error.to_dict()["message"] == error.message


def what_is_absent_is_none_if_asked() -> None:
    update = ToolCallUpdate(tool_call_id="t", title=None)
    title: str | None = given(update.title)
    assert title is None
    assert update.kind is UNSET
    assert given(update.kind) is None
    assert f"{given(update.kind)}" == "None"
    assert given(ToolCallUpdate(tool_call_id="t", title="x").title) == "x"
    dumped = codecs.ToolCallUpdateCodec.dump(update)
    assert json.dumps(dumped) == '{"toolCallId": "t", "title": null}'


def types_are_there_at_run_time() -> None:
    assert get_type_hints(PromptRequest)["prompt"]
    assert get_type_hints(AgentSideConnection.create_terminal)["command"] is str
    assert get_type_hints(Agent.prompt)["request"] is PromptRequest


def schemas_can_be_exported() -> None:
    assert "$ref" in msgspec.json.schema(SessionNotification)
    for codec in vars(codecs).values():
        if isinstance(codec, type(codecs.PromptRequestCodec)):
            assert codec.json_schema() is not None
    assert "ContentBlockText" in json.dumps(codecs.ContentBlockCodec.json_schema())


class Misleading(Client):
    async def session_update(self, request: Any, context: Any) -> None:
        raise AssertionError

    async def request_permission(self, request: Any, context: Any) -> Any:
        raise AssertionError


def payloads_without_tags_are_not_sent() -> None:
    async def talk() -> None:
        agent: Any = AsyncMock(spec=Agent)
        method = AuthMethodTerminal(id="a", name="A")
        answer: Any = InitializeResponse(
            protocol_version=1,
            auth_methods=[method],  # type: ignore[list-item]
        )
        agent.initialize.return_value = answer
        agent.prompt.return_value = PromptResponse(stop_reason=StopReason.END_TURN)
        near, far = rpc.pair()
        async with (
            AgentSideConnection(agent, far),
            ClientSideConnection(Misleading(), near) as peer,
        ):
            try:
                await peer.initialize(1)
            except RequestError as error:
                assert error.code == -32603
            else:
                raise AssertionError("what has no tag was sent")
            answer.auth_methods = [AuthMethod.terminal("a", name="A")]
            capabilities = ClientCapabilities(auth=AuthCapabilities(terminal=True))
            allowed = await peer.initialize(1, client_capabilities=capabilities)
            assert allowed.auth_methods == answer.auth_methods
            assert (await peer.prompt("s", prompt=["hi"])).stop_reason == "end_turn"
            payload: Any = TextContent(text="x")
            try:
                await peer.prompt("s", prompt=[payload])
            except CallError as error:
                assert "params.prompt[0].type" in str(error), error
            else:
                raise AssertionError("what has no tag was sent")

    asyncio.run(talk())


def handlers_need_no_base_class() -> None:
    class Plain:
        async def prompt(self, request: PromptRequest, context: object) -> PromptResponse:
            return PromptResponse(stop_reason=StopReason.END_TURN)

    async def talk() -> None:
        near, far = rpc.pair()
        handler: Any = Plain()
        async with (
            AgentSideConnection(handler, far),
            ClientSideConnection(Misleading(), near) as peer,
        ):
            response = await peer.prompt("s", prompt=("hi",))
            assert response.stop_reason is StopReason.END_TURN

    asyncio.run(talk())


CHECKS = [
    variants_are_all_known,
    tags_can_be_read,
    constructors_take_what_is_on_the_wire,
    any_mapping_stands_for_a_dictionary,
    any_sequence_is_written,
    wrong_words_are_seen_by_type_checkers,
    errors_tell_what_is_wrong,
    what_is_absent_is_none_if_asked,
    types_are_there_at_run_time,
    schemas_can_be_exported,
    payloads_without_tags_are_not_sent,
    handlers_need_no_base_class,
]

if __name__ == "__main__":
    for check in CHECKS:
        check()
    print(f"{len(CHECKS)} checks")
