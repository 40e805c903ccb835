"""Typed calls of catalogue entries, at a server in the same program."""

from __future__ import annotations

import asyncio
import socket

import sdk
from sdk.catalogue import Catalogue


class Agents(sdk.Server):
    """Answers some of the calls."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, object]] = []

    async def initialize(self, request, context):
        info = sdk.Implementation(name="s", version="1")
        capabilities = sdk.ServerCapabilities(agents=sdk.AgentsCapability())
        return sdk.InitializeResponse(
            protocol_version="1", capabilities=capabilities, server_info=info
        )

    async def initialized(self, request, context):
        pass

    async def list_agents(self, request, context):
        return sdk.ListAgentsResponse(agents=[])

    async def run_agent(self, request, context):
        self.seen.append((request.name, request.input))
        match request.name:
            case "shout":
                return sdk.RunAgentResponse(output=request.input.upper())
            case "translate":
                output = {"text": "salve", "used": [{"position": 3}]}
                return sdk.RunAgentResponse(output=output)
            case "rate":
                return sdk.RunAgentResponse(output="good" if request.input else 5)
        raise sdk.RequestError(-32042, "no")


async def main() -> None:
    near, far = socket.socketpair()
    server = Agents()
    there = sdk.StreamTransport(*await asyncio.open_connection(sock=far))
    here = sdk.StreamTransport(*await asyncio.open_connection(sock=near))
    async with (
        sdk.ServerSideConnection(server, there),
        sdk.ClientSideConnection(sdk.Client(), here) as client,
    ):
        info = sdk.Implementation(name="c", version="1")
        await client.initialize("1", capabilities=sdk.ClientCapabilities(), client_info=info)
        agents = Catalogue(client)
        assert await agents.shout("hey") == "HEY"
        value = sdk.TranslateInput(
            text="x",
            to=sdk.TranslateInputLanguage.LA,
            glossary=[sdk.TranslateInputTerm(from_="a", to="b")],
        )
        output = await agents.translate(value)
        assert isinstance(output, sdk.TranslateOutput)
        assert (output.text, output.used[0].position) == ("salve", 3)
        assert await agents.rate(True) is sdk.RateOutput.GOOD
        try:
            await agents.rate(False)
            raise AssertionError("it is no rating")
        except sdk.DecodeError:
            pass
        try:
            await agents.sort_all([1])
            raise AssertionError("nothing sorts")
        except sdk.RequestError as error:
            assert error.code == -32042
    given = {"text": "x", "to": "la", "glossary": [{"from": "a", "to": "b"}]}
    assert server.seen == [
        ("shout", "hey"),
        ("translate", given),
        ("rate", True),
        ("rate", False),
        ("sort-all", [1]),
    ], server.seen


asyncio.run(main())
