"""Uses a generated ACP v1 package named `acp` as its users do.

It is run, and it is checked by `mypy --strict` and by `pyright` at its strictest: every
`type: ignore` in it is a mistake that both must see, and would itself be reported if it were not
needed.
"""

from __future__ import annotations

import asyncio
import copy
import pickle
import socket
from collections.abc import Callable

import acp
import msgspec
from acp import (
    UNSET,
    PROTOCOL_VERSION,
    Agent,
    AgentCapabilities,
    AgentContext,
    AgentSideConnection,
    AuthMethodAgent,
    CancelNotification,
    Client,
    ClientCapabilities,
    ClientContext,
    ClientSideConnection,
    ContentBlock,
    ContentBlockText,
    CreateElicitationRequest,
    ErrorCode,
    InitializeRequest,
    InitializeResponse,
    McpServer,
    McpServerStdio,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    RequestError,
    RequestPermissionOutcome,
    RequestPermissionRequest,
    RequestPermissionResponse,
    SessionConfigOption,
    SessionConfigOptionCategory,
    SessionNotification,
    SessionUpdate,
    SessionUpdateAgentMessageChunk,
    StopReason,
    StreamTransport,
    TextContent,
    ToolCallUpdate,
    UnsetType,
    codecs,
    methods,
)


class Echo(Agent):
    async def initialize(
        self, request: InitializeRequest, context: AgentContext
    ) -> InitializeResponse:
        return InitializeResponse(protocol_version=request.protocol_version)

    async def authenticate(
        self, request: acp.AuthenticateRequest, context: AgentContext
    ) -> None:
        return None

    async def new_session(
        self, request: NewSessionRequest, context: AgentContext
    ) -> NewSessionResponse:
        return NewSessionResponse(session_id="s1")

    async def prompt(
        self, request: PromptRequest, context: AgentContext
    ) -> PromptResponse:
        for block in request.prompt:
            await context.client.session_update(
                request.session_id, update=SessionUpdate.agent_message_chunk(block)
            )
        return PromptResponse(stop_reason=StopReason.END_TURN)

    async def cancel(self, request: CancelNotification, context: AgentContext) -> None:
        return None


class Listener(Client):
    def __init__(self) -> None:
        self.heard: list[str] = []

    async def session_update(
        self, request: SessionNotification, context: ClientContext
    ) -> None:
        match request.update:
            case SessionUpdateAgentMessageChunk(content=ContentBlockText(text=text)):
                self.heard.append(text)
            case acp.SessionUpdateToolCall(title=title) if title:
                self.heard.append(title)
            case _:
                pass

    async def request_permission(
        self, request: RequestPermissionRequest, context: ClientContext
    ) -> RequestPermissionResponse:
        return RequestPermissionResponse(outcome=RequestPermissionOutcome.cancelled())


class Silent(Agent):
    """Not all that is required."""

    async def cancel(self, request: CancelNotification, context: AgentContext) -> None:
        return None


def text_of(block: ContentBlock) -> str:
    """Narrowing by class, in both ways that Python has."""
    if isinstance(block, ContentBlockText):
        return block.text
    match block:
        case acp.ContentBlockImage(mime_type=mime_type):
            return mime_type
        case _:
            return "?"


def constructors_belong_to_the_union() -> None:
    block = ContentBlock.text("hi")
    assert isinstance(block, ContentBlock)
    assert isinstance(block, TextContent)
    assert text_of(block) == "hi"
    assert text_of(ContentBlock.image("", mime_type="image/png")) == "image/png"
    # The union's function is no attribute of its values.
    other: ContentBlock = ContentBlock.image("", mime_type="image/png")
    assert not hasattr(other, "text")
    _ = getattr(other, "text", None)
    assert msgspec.json.encode(block) == b'{"type":"text","text":"hi"}'


def a_value_is_made_in_one_expression() -> None:
    call = SessionUpdate.tool_call(
        "t", title="x", kind=acp.ToolKind.READ, status=acp.ToolCallStatus.PENDING
    )
    assert msgspec.json.decode(msgspec.json.encode(call)) == {
        "sessionUpdate": "tool_call",
        "toolCallId": "t",
        "title": "x",
        "kind": "read",
        "status": "pending",
    }
    chunk = SessionUpdate.agent_message_chunk("hi")
    assert chunk == SessionUpdate.agent_message_chunk(ContentBlock.text("hi"))
    request = CreateElicitationRequest.other("v", message="m", meta={"a": 1})
    assert request.meta == {"a": 1}


def updates_make_up_a_state() -> None:
    state = acp.SessionUpdateState()
    kinds = acp.ToolKind
    assert state.tool_calls == {}
    assert state.plan is None
    assert state.apply(SessionUpdate.tool_call("a", title="A", kind=kinds.READ))
    assert state.apply(SessionUpdate.tool_call("b", title="B"))
    # What is absent stays, `null` clears, a value replaces.
    change = SessionUpdate.tool_call_update("a", title="A2", kind=None)
    assert state.apply(change)
    assert not state.apply(change)
    assert list(state.tool_calls) == ["a", "b"]
    call = state.tool_calls["a"]
    assert isinstance(call, acp.ToolCall)
    assert (call.title, call.kind) == ("A2", UNSET)
    # What is not complete yet is nothing.
    assert not state.apply(SessionUpdate.tool_call_update("c", kind=kinds.READ))
    assert state.apply(SessionUpdate.tool_call_update("c", title="C"))
    assert state.apply(SessionUpdate.tool_call("a", title="A3"))
    assert state.tool_calls["a"] == acp.ToolCall(tool_call_id="a", title="A3")
    assert list(state.tool_calls) == ["a", "b", "c"]
    assert state.apply(SessionUpdate.plan([]))
    assert state.plan == acp.Plan(entries=[])
    assert not state.apply(SessionUpdate.agent_message_chunk("hi"))
    # What an item has just one of can be asked for by itself.
    assert state.plan_entries == []
    assert state.current_mode_id is None
    assert state.apply(SessionUpdate.current_mode_update("ask"))
    assert state.current_mode_id == "ask"
    # A cancelled turn leaves no call at work. The plan stays.
    assert state.turn_cancelled()
    assert {call.status for call in state.tool_calls.values()} == {"failed"}
    assert state.plan_entries == []
    assert not state.turn_cancelled()


def mistakes_are_seen_by_type_checkers() -> None:
    def mistakes(block: ContentBlock) -> list[Callable[[], object]]:
        return [
            lambda: PromptResponse(stop_reason="end_turn").missing,  # type: ignore
            lambda: PromptResponse(),  # type: ignore[call-arg]
            lambda: block.text,  # type: ignore[attr-defined]
            lambda: Silent(),  # type: ignore[abstract]
            lambda: ContentBlock.text(),  # type: ignore[call-arg]
            lambda: ContentBlock.txt("hi"),  # type: ignore[attr-defined]
            lambda: ContentBlock.image("", "image/png"),  # type: ignore
        ]

    for mistake in mistakes(ContentBlock.image("", mime_type="image/png")):
        try:
            mistake()
        except (AttributeError, TypeError):
            continue
        raise AssertionError("a mistake is none")


def an_agent_and_a_client_talk() -> None:
    async def talk() -> list[str]:
        near, far = socket.socketpair()
        listener = Listener()
        ours = StreamTransport(*await asyncio.open_connection(sock=near))
        theirs = StreamTransport(*await asyncio.open_connection(sock=far))
        async with (
            AgentSideConnection(Echo(), theirs),
            ClientSideConnection(listener, ours) as agent,
        ):
            response = await agent.initialize(PROTOCOL_VERSION)
            assert response.protocol_version == PROTOCOL_VERSION
            assert response.agent_info is UNSET
            session = await agent.new_session("/", mcp_servers=[])
            ended = await agent.prompt(
                session.session_id,
                prompt=["a", ContentBlock.text("b")],
            )
            assert ended.stop_reason is StopReason.END_TURN
            try:
                await agent.request("session/load", {"sessionId": "s"})
            except RequestError as error:
                assert error.code in (ErrorCode.METHOD_NOT_FOUND, ErrorCode.INVALID_PARAMS)
            else:
                raise AssertionError("an optional method answered")
        return listener.heard

    assert asyncio.run(talk()) == ["a", "b"]


def the_tag_may_stand_anywhere() -> None:
    message = b'{"update":{"content":{"text":"x","type":"text"},"messageId":null,'
    message += b'"sessionUpdate":"agent_message_chunk"},"sessionId":"s"}'
    decoded = msgspec.json.decode(message, type=SessionNotification)
    assert isinstance(decoded.update, SessionUpdateAgentMessageChunk)
    assert decoded.update.message_id is None
    assert decoded.update.meta is UNSET


def optional_methods_are_not_empty_successes() -> None:
    assert methods.LOAD_SESSION in methods.OPTIONAL_AGENT_METHODS
    assert methods.PROMPT not in methods.OPTIONAL_AGENT_METHODS


def all_names_can_be_found() -> None:
    assert {*acp.__all__} <= {*dir(acp)}
    assert acp.run_agent is acp.run_agent


def absent_null_and_value_are_three_things() -> None:
    for message, title in [("{}", UNSET), ('{"title":null}', None), ('{"title":""}', "")]:
        full = f'{{"toolCallId":"t",{message[1:]}'.replace(",}", "}")
        decoded = msgspec.json.decode(full, type=ToolCallUpdate)
        assert decoded.title == title
        assert msgspec.json.encode(decoded).decode() == full
    update = ToolCallUpdate(tool_call_id="t", title=None, status=UNSET)
    title_or_none: str | UnsetType | None = update.title
    assert not title_or_none
    assert (update.name or "none") == "none"
    if update.kind:
        kind: acp.ToolKind = update.kind
        raise AssertionError(kind)


def defaults_are_fresh_and_written() -> None:
    first = codecs.InitializeRequestCodec.decode(b'{"protocolVersion":1}')
    second = InitializeRequest(protocol_version=1)
    assert first == second
    assert first.client_capabilities == ClientCapabilities()
    assert first.client_capabilities is not second.client_capabilities
    first.client_capabilities.fs.read_text_file = True
    assert not second.client_capabilities.fs.read_text_file
    encoded = msgspec.json.decode(codecs.InitializeRequestCodec.encode(second))
    assert encoded == {
        "protocolVersion": 1,
        "clientCapabilities": {
            "fs": {"readTextFile": False, "writeTextFile": False},
            "terminal": False,
            "auth": {"terminal": False},
        },
    }


def what_drafts_say_is_kept() -> None:
    text = b'{"fork":{},"list":{}}'
    able = codecs.SessionCapabilitiesCodec.decode(text)
    assert able.additional == {"fork": {}}
    assert codecs.AgentCapabilitiesCodec.decode(
        b'{"sessionCapabilities":%b}' % text
    ) == AgentCapabilities(session_capabilities=able)
    method = codecs.AuthMethodCodec.decode(b'{"id":"k","name":"Key","type":"env_var"}')
    assert isinstance(method, AuthMethodAgent)
    assert method.additional == {"type": "env_var"}
    assert not AuthMethodAgent(id="k", name="Key").additional


def open_enums_keep_what_they_do_not_know() -> None:
    unknown = SessionConfigOptionCategory("_mine")
    assert unknown == "_mine"
    assert not unknown.is_known
    assert SessionConfigOptionCategory.MODEL.is_known
    assert str(unknown) == f"{unknown}" == "_mine"
    assert pickle.loads(pickle.dumps(unknown)) == unknown == copy.deepcopy(unknown)
    assert msgspec.json.decode(b'"_mine"', type=SessionConfigOptionCategory) == unknown
    assert msgspec.json.encode([unknown]) == b'["_mine"]'
    assert ErrorCode(-32700) is ErrorCode.PARSE_ERROR
    assert ErrorCode(7) == 7
    for outside in (2**31, -(2**31) - 1, True, "7"):
        try:
            ErrorCode(outside)
        except ValueError:
            continue
        raise AssertionError(f"{outside!r} is no code")


def closed_enums_reject_the_rest() -> None:
    for message in (b'"other"', b"1", b"null"):
        try:
            msgspec.json.decode(message, type=StopReason)
        except msgspec.ValidationError:
            continue
        raise AssertionError(message)


def open_variants_keep_the_object() -> None:
    request = CreateElicitationRequest.other("voice", {"sessionId": "s"}, message="m")
    assert request.message == "m"
    assert request.tag == "voice"
    assert request.raw == {"mode": "voice", "sessionId": "s"}
    again = CreateElicitationRequest.other("voice", {"sessionId": "s"}, message="m")
    assert request == again
    assert request != CreateElicitationRequest.other("voice", message="m")
    assert "CreateElicitationRequestOther" in repr(request)


def shared_fields_need_no_narrowing() -> None:
    option: SessionConfigOption = SessionConfigOption.boolean(
        "id", name="Name", current_value=True
    )
    assert option.id == "id"
    assert option.name == "Name"


def an_untagged_variant_is_its_payload() -> None:
    server: McpServer = McpServer.stdio("n", command="/bin/n", args=[], env=[])
    assert isinstance(server, McpServerStdio)
    assert isinstance(McpServer.http("n", url="http://localhost", headers=[]), McpServer)


CHECKS = [
    constructors_belong_to_the_union,
    a_value_is_made_in_one_expression,
    updates_make_up_a_state,
    mistakes_are_seen_by_type_checkers,
    an_agent_and_a_client_talk,
    the_tag_may_stand_anywhere,
    optional_methods_are_not_empty_successes,
    all_names_can_be_found,
    absent_null_and_value_are_three_things,
    defaults_are_fresh_and_written,
    what_drafts_say_is_kept,
    open_enums_keep_what_they_do_not_know,
    closed_enums_reject_the_rest,
    open_variants_keep_the_object,
    shared_fields_need_no_narrowing,
    an_untagged_variant_is_its_payload,
]

if __name__ == "__main__":
    for check in CHECKS:
        check()
    print(f"{len(CHECKS)} checks")
