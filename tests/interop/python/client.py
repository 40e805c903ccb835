"""A client built with the official Python SDK, of an agent on its standard streams.

The arguments are the agent's command.
"""

import asyncio
import json
import os
import sys

import acp
from acp.schema import (
    AllowedOutcome,
    ClientCapabilities,
    FileSystemCapabilities,
    TextContentBlock,
)


class OfficialClient(acp.Client):
    def __init__(self):
        self.updates = 0
        self.said = ""

    def on_connect(self, conn):
        pass

    async def session_update(self, session_id, update, **_):
        self.updates += 1
        self.said = update.content.text

    async def request_permission(self, session_id, tool_call, options, **_):
        outcome = AllowedOutcome(outcome="selected", option_id=options[0].option_id)
        return acp.RequestPermissionResponse(outcome=outcome)

    async def read_text_file(self, session_id, path, **_):
        return acp.ReadTextFileResponse(content="hello")

    async def step(self, name, call):
        self.updates, self.said = 0, ""
        try:
            result = await call
            # Over HTTP an answer may be had before the updates before it are handled.
            await asyncio.sleep(0)
            outcome = {"result": result.model_dump(mode="json", by_alias=True, exclude_none=True)}
        except acp.RequestError as error:
            outcome = {"error": {"code": error.code, "message": str(error), "data": error.data}}
        line = {"step": name, **outcome, "updates": self.updates, "said": self.said}
        print(json.dumps(line), flush=True)


async def converse(client, agent):
    """Talks with an agent: PROMPTS is a JSON list of texts. Prints a JSON line a step, but for
    ROUND_TRIPS: the number of prompts before the others."""
    files = FileSystemCapabilities(read_text_file=True)
    capabilities = ClientCapabilities(fs=files)
    initialized = agent.initialize(protocol_version=1, client_capabilities=capabilities)
    await client.step("initialize", initialized)
    await client.step("authenticate", agent.authenticate(method_id="none"))
    await client.step("session/new", agent.new_session(cwd=os.getcwd(), mcp_servers=[]))
    for _ in range(int(os.environ.get("ROUND_TRIPS", "0"))):
        blocks = [TextContentBlock(type="text", text="updates 0")]
        await agent.prompt(session_id="s1", prompt=blocks)
    for text in json.loads(os.environ["PROMPTS"]):
        blocks = [TextContentBlock(type="text", text=text)]
        prompt = agent.prompt(session_id="s1", prompt=blocks)
        prompting = asyncio.create_task(client.step("session/prompt", prompt))
        if text == "slow":
            await asyncio.sleep(0)
            await agent.cancel(session_id="s1")
        await prompting


async def main():
    client = OfficialClient()
    async with acp.spawn_agent_process(client, *sys.argv[1:]) as (agent, _):
        await converse(client, agent)


if __name__ == "__main__":
    asyncio.run(main())
