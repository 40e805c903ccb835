"""Two protocols in one program, with one runtime."""

from __future__ import annotations

import asyncio
import logging

import acp
import lamp
from acp import rpc
from acp_bindgen_runtime.errors import RequestError
from lamp import Lamp, LampSideConnection, Room, RoomSideConnection


class Desk(Lamp):
    async def switch(
        self, request: lamp.SwitchRequest, context: lamp.LampContext
    ) -> lamp.SwitchResponse:
        if request.on:
            # An error of one protocol is one that the other knows.
            raise acp.RequestError.auth_required()
        return lamp.SwitchResponse(watts=0)


class Study(Room):
    async def broken(self, request: lamp.BrokenNotification, context: lamp.RoomContext) -> None:
        raise OSError(request.lamp)


class Helper(acp.Agent):
    async def initialize(
        self, request: acp.InitializeRequest, context: acp.AgentContext
    ) -> acp.InitializeResponse:
        return acp.InitializeResponse(protocol_version=context.protocol_version)

    async def authenticate(
        self, request: acp.AuthenticateRequest, context: acp.AgentContext
    ) -> None:
        return None

    async def new_session(
        self, request: acp.NewSessionRequest, context: acp.AgentContext
    ) -> acp.NewSessionResponse:
        raise lamp.RequestError.method_not_found("session/new")

    async def prompt(
        self, request: acp.PromptRequest, context: acp.AgentContext
    ) -> acp.PromptResponse:
        return acp.PromptResponse(stop_reason=acp.StopReason.END_TURN)


class Editor(acp.Client):
    async def session_update(
        self, request: acp.SessionNotification, context: acp.ClientContext
    ) -> None:
        return None

    async def request_permission(
        self, request: acp.RequestPermissionRequest, context: acp.ClientContext
    ) -> acp.RequestPermissionResponse:
        raise acp.RequestError.auth_required()


async def lamps() -> None:
    near, far = rpc.pair()
    async with LampSideConnection(Desk(), far), RoomSideConnection(Study(), near) as room:
        assert (await room.switch("desk", on=False)).watts == 0
        try:
            await room.switch("desk")
        except lamp.RequestError as error:
            assert error.code == -32000
        else:
            raise AssertionError


async def agents() -> None:
    near, far = rpc.pair()
    options = lamp.ConnectionOptions(max_requests=4)
    async with (
        acp.AgentSideConnection(Helper(), far),
        acp.ClientSideConnection(Editor(), near, options) as agent,
    ):
        answer = await agent.initialize(acp.PROTOCOL_VERSION)
        assert answer.protocol_version == acp.PROTOCOL_VERSION
        try:
            await agent.new_session(cwd="/", mcp_servers=[])
        except RequestError as error:
            assert isinstance(error, acp.RequestError)
            assert str(error) == "session/new: Method not found (-32601)"
        else:
            raise AssertionError


class Kept(logging.Handler):
    """Keeps the names of the loggers that say something."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        self.names.add(record.name)


async def broken_lamps() -> None:
    near, far = rpc.pair()
    async with LampSideConnection(Desk(), far) as room, RoomSideConnection(Study(), near):
        await room.broken("desk")
        await asyncio.sleep(0.1)


def each_has_a_logger() -> None:
    kept = Kept()
    for name in ("acp", "lamp"):
        logging.getLogger(name).setLevel(logging.DEBUG)
        logging.getLogger(name).addHandler(kept)
    asyncio.run(broken_lamps())
    assert kept.names == {"lamp"}, kept.names


if __name__ == "__main__":
    assert acp.ConnectionOptions is lamp.ConnectionOptions
    assert acp.CallError is lamp.CallError
    assert acp.DecodeError is lamp.DecodeError
    assert lamp.RequestError is RequestError
    assert issubclass(acp.RequestError, RequestError)
    asyncio.run(lamps())
    asyncio.run(agents())
    each_has_a_logger()
