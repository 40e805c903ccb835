"""An agent built with the official Python SDK, on a free port, over HTTP and WebSocket.

Prints `{"url": …}`; ends with its input.
"""

import asyncio
import json
import socket
import sys

from acp.http.asgi import create_asgi_app
from agent import OfficialAgent
from hypercorn.asyncio import serve
from hypercorn.config import Config


async def main():
    listener = socket.create_server(("127.0.0.1", 0))
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.loglevel = "WARNING"
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/acp"
    print(json.dumps({"url": url}), flush=True)
    ended = asyncio.to_thread(sys.stdin.read)
    await serve(create_asgi_app(lambda _: OfficialAgent()), config, shutdown_trigger=lambda: ended)


asyncio.run(main())
