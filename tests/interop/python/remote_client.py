"""A client built with the official Python SDK, of an agent at a URL.

The arguments are the URL, and `http` or `websocket`.
"""

import asyncio
import sys

import acp
from acp.http import create_http_stream
from acp.ws import create_websocket_stream
from client import OfficialClient, converse


class InOrder:
    """Sends a message once the one before has arrived: over HTTP they could overtake each other."""

    def __init__(self, transport):
        self.receive = transport.receive
        self.close = transport.close
        self.transport = transport
        self.turn = asyncio.Lock()

    async def send(self, message):
        async with self.turn:
            await self.transport.send(message)


async def connect(url, transport):
    if transport == "websocket":
        return await create_websocket_stream(url.replace("http", "ws", 1))
    return InOrder(create_http_stream(url))


async def main():
    transport = await connect(*sys.argv[1:3])
    client = OfficialClient()
    agent = acp.connect_to_agent(client, transport)
    await converse(client, agent)
    await agent.close()


asyncio.run(main())
