"""An agent built with the official Python SDK, on its standard streams."""

import asyncio
import json

import acp
from acp.schema import (
    AgentMessageChunk,
    AuthMethodAgent,
    PermissionOption,
    TextContentBlock,
    ToolCallUpdate,
)


class OfficialAgent(acp.Agent):
    def __init__(self):
        self.cancelled = asyncio.Event()

    def on_connect(self, conn):
        self.client = conn

    async def initialize(self, protocol_version, **_):
        methods = [AuthMethodAgent(id="none", name="None")]
        return acp.InitializeResponse(protocol_version=1, auth_methods=methods)

    async def authenticate(self, method_id, **_):
        return acp.AuthenticateResponse()

    async def new_session(self, cwd, **_):
        return acp.NewSessionResponse(session_id="s1")

    async def cancel(self, session_id, **_):
        self.cancelled.set()

    async def prompt(self, session_id, prompt, **_):
        word, *numbers = prompt[0].text.split()
        count = int(numbers[0]) if numbers else 0
        length = int(numbers[1]) if len(numbers) > 1 else 1
        if word == "updates":
            for _ in range(count):
                await self.says("x" * length)
        elif word == "fs":
            for _ in range(count):
                file = await self.client.read_text_file(session_id=session_id, path="/hello")
                assert file.content == "hello"
        elif word == "perm":
            await self.ask_permission(session_id)
        elif word == "throwcode":
            raise acp.RequestError(-32042, "custom", {"x": 1})
        elif word == "slow":
            await self.cancelled.wait()
            return acp.PromptResponse(stop_reason="cancelled")
        return acp.PromptResponse(stop_reason="end_turn")

    async def says(self, text):
        content = TextContentBlock(type="text", text=text)
        update = AgentMessageChunk(session_update="agent_message_chunk", content=content)
        await self.client.session_update(session_id="s1", update=update)

    async def ask_permission(self, session_id):
        answer = await self.client.request_permission(
            session_id=session_id,
            tool_call=ToolCallUpdate(tool_call_id="call", title="Something"),
            options=[
                PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
                PermissionOption(option_id="no", name="No", kind="reject_once"),
            ],
        )
        await self.says(json.dumps(answer.outcome.model_dump(by_alias=True, exclude_none=True)))


if __name__ == "__main__":
    asyncio.run(acp.run_agent(OfficialAgent()))
