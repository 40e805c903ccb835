"""The exchange of a round trip with nothing but the libraries that connections in Python stand on.

They are `websockets` and `hypercorn`, or `httpx` and `hypercorn`. What they take is not for a
connection to save.

    python exchange.py websocket|http COUNT [URL]

Without a URL it is the server, and prints one. With one it is the client, and prints the seconds
that so many exchanges take, and those of a processor.
"""

import asyncio
import json
import socket
import sys
import time

REQUEST = (
    b'{"jsonrpc":"2.0","id":12,"method":"session/prompt","params":'
    b'{"sessionId":"s-1","prompt":[{"type":"text","text":"updates 0"}]}}'
)
ANSWER = b'{"jsonrpc":"2.0","id":12,"result":{"stopReason":"end_turn"}}'


async def app(scope, receive, send):
    """Answer each message: on its socket, or on the stream of events."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            json.loads(event["text"])
            await send({"type": "websocket.send", "text": ANSWER.decode()})
    elif scope["type"] == "http" and scope["method"] == "GET":
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while True:
            await scope["state"]["events"].get()
            event = b"data: " + ANSWER + b"\n\n"
            await send({"type": "http.response.body", "body": event, "more_body": True})
    elif scope["type"] == "http":
        body = b""
        more = True
        while more:
            event = await receive()
            body += event["body"]
            more = event["more_body"]
        json.loads(body)
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 202, "headers": headers})
        await send({"type": "http.response.body"})
        await scope["state"]["events"].put(None)
    elif scope["type"] == "lifespan":
        scope["state"]["events"] = asyncio.Queue()
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


async def serve():
    from hypercorn.asyncio import serve as run
    from hypercorn.config import Config

    config = Config()
    listener = socket.create_server(("127.0.0.1", 0))
    config.bind = [f"fd://{listener.fileno()}"]
    config.loglevel = "ERROR"
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
    done = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await run(app, config, shutdown_trigger=lambda: done)


async def exchange_messages(url, count):
    from websockets.asyncio.client import connect

    async with connect(url.replace("http", "ws", 1), compression=None) as messages:
        start = time.perf_counter()
        for _ in range(count):
            await messages.send(REQUEST.decode())
            json.loads(await messages.recv())
        return time.perf_counter() - start


async def exchange_events(url, count):
    import httpx

    async with (
        httpx.AsyncClient() as client,
        client.stream("GET", url, timeout=None) as stream,
    ):
        events = stream.aiter_raw()
        start = time.perf_counter()
        for _ in range(count):
            headers = {"content-type": "application/json"}
            await client.post(url, content=REQUEST, headers=headers)
            json.loads((await anext(events))[len("data: ") :])
        return time.perf_counter() - start


if __name__ == "__main__":
    transport, count, *rest = sys.argv[1:]
    if not rest:
        asyncio.run(serve())
    else:
        exchange = exchange_messages if transport == "websocket" else exchange_events
        before = time.process_time()
        seconds = asyncio.run(exchange(rest[0], int(count)))
        print(json.dumps({"seconds": seconds, "processor": time.process_time() - before}))
