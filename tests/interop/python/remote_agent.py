"""An agent built with the official Python SDK, on a free port, over HTTP and WebSocket.

Prints `{"url": …}`; ends with its input. With the option `http1` it is uvicorn that serves it, as it
serves ours then; else hypercorn, which has HTTP/2.
"""

import asyncio
import json
import socket
import sys

from acp.http.asgi import create_asgi_app
from agent import OfficialAgent


async def serve_one(app, listener):
    import uvicorn

    config = uvicorn.Config(app, http="h11", ws="websockets-sansio", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    await asyncio.to_thread(sys.stdin.read)
    server.should_exit = server.force_exit = True
    await serving


async def serve_two(app, listener):
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.loglevel = "WARNING"
    ended = asyncio.to_thread(sys.stdin.read)
    await serve(app, config, shutdown_trigger=lambda: ended)


async def main():
    options = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/acp"
    print(json.dumps({"url": url}), flush=True)
    serve = serve_one if options.get("http1") else serve_two
    await serve(create_asgi_app(lambda _: OfficialAgent()), listener)


asyncio.run(main())
