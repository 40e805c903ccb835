"""A client built with the official Python SDK, of an agent at a URL.

The arguments are the URL, `http` or `websocket`, and for an agent that speaks no HTTP/2 also
`{"http1": true}`.
"""

import asyncio
import json
import sys

import acp
import httpx2
from acp.http import create_http_stream
from acp.ws import create_websocket_stream
from client import OfficialClient, converse


async def connect(url, transport, options="{}"):
    if transport == "websocket":
        return await create_websocket_stream(url.replace("http", "ws", 1))
    http1 = json.loads(options).get("http1", False)
    client = httpx2.AsyncClient(http1=http1, http2=not http1, timeout=None)
    return create_http_stream(url, client=client)


async def main():
    transport = await connect(*sys.argv[1:])
    client = OfficialClient()
    agent = acp.connect_to_agent(client, transport)
    await converse(client, agent)
    await agent.close()


asyncio.run(main())
