"""Connections over WebSockets."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import Any

from acp import (
    Client,
    ClientCapabilities,
    ConnectionLostError,
    ContentBlock,
    FileSystemCapabilities,
    ReadTextFileResponse,
    connect_agent,
    remote,
)
from serving import CONNECTION, INITIALIZE, Remote, Served, settled
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request as Asked
from websockets.http11 import Response as Answered

CAN_READ = ClientCapabilities(fs=FileSystemCapabilities(read_text_file=True))
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
UPGRADED = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n\r\n"
)


class Quiet(Client):
    """A client that keeps what it is told."""

    def __init__(self) -> None:
        """Begin without updates."""
        self.texts: list[str] = []

    async def session_update(self, request: Any, context: Any) -> None:
        """Keep an update."""
        self.texts.append(request.update.content.text)

    async def request_permission(self, request: Any, context: Any) -> Any:
        """Answer nothing."""
        raise NotImplementedError

    async def read_text_file(self, request: Any, context: Any) -> ReadTextFileResponse:
        """Read the only file."""
        return ReadTextFileResponse(content="file")


class WebSockets(Remote):
    """Servers and clients."""

    async def socket(self, served: Served, **options: Any) -> ClientConnection:
        opening = connect(served.url.replace("http", "ws"), **options)
        return await self.stack.enter_async_context(opening)

    async def ended(self, socket: ClientConnection) -> tuple[list[Any], int | None]:
        """Give what still comes, and the code by which it is closed."""
        messages: list[Any] = []
        try:
            while True:
                messages.append(json.loads(await asyncio.wait_for(socket.recv(), 30)))
        except ConnectionClosed as closed:
            return messages, closed.rcvd.code if closed.rcvd else None

    async def test_a_conversation_comes_to_its_end(self) -> None:
        served = await self.serve()
        server = remote.Remote(served.url, over="websocket")
        client = Quiet()
        async with connect_agent(client, server) as agent:
            await agent.initialize(1, client_capabilities=CAN_READ)
            session = await agent.new_session("/early", mcp_servers=[])
            await agent.prompt(session.session_id, prompt=[ContentBlock.text("read")])
        self.assertEqual(client.texts, ["early", "file"])
        opening = served.agents[0].opening
        assert opening is not None
        self.assertEqual(opening.path, "/acp")
        connection = served.agents[0].connection
        assert connection is not None
        reason = await connection.wait_closed()
        self.assertIsInstance(reason, ConnectionLostError)

    async def test_the_upgrade_tells_the_connection(self) -> None:
        served = await self.serve()
        first, second = await self.socket(served), await self.socket(served)
        assert first.response is not None
        assert second.response is not None
        ids = {it.response.headers[CONNECTION] for it in (first, second) if it.response}
        self.assertEqual(len(ids), 2)
        self.assertGreaterEqual(min(map(len, ids)), 22)

    async def test_the_first_message_opens_the_connection(self) -> None:
        served = await self.serve()
        for first, name in [
            ('{"jsonrpc":"2.0","id":"a","method":"session/new"}', "a"),
            ('{"jsonrpc":"2.0","method":"initialize"}', None),
            ("[]", None),
            ("{", None),
        ]:
            socket = await self.socket(served)
            await socket.send(b"ignored")
            await socket.send(first)
            (message,), code = await self.ended(socket)
            self.assertEqual((message["id"], message["error"]["code"]), (name, -32600))
            self.assertEqual(code, 1002)
        self.assertEqual(served.agents, [])

    async def test_a_message_with_line_breaks_is_one(self) -> None:
        served = await self.serve()
        socket = await self.socket(served)
        await socket.send(json.dumps({"jsonrpc": "2.0", **INITIALIZE}, indent=2))
        self.assertEqual(json.loads(await socket.recv())["id"], 0)
        for broken in ['{"a":1}\n{"a":2}', '{"jsonrpc":"2.0","id":1,"method":"a\nb"}']:
            await socket.send(broken)
            self.assertEqual(json.loads(await socket.recv())["error"]["code"], -32700)

    async def test_a_message_over_the_limit_closes_the_socket(self) -> None:
        served = await self.serve(limits={"body": 1000})
        socket = await self.socket(served)
        await socket.send(json.dumps({"jsonrpc": "2.0", **INITIALIZE}))
        await socket.recv()
        await socket.send("x" * 1001)
        self.assertEqual(await self.ended(socket), ([], 1009))

    async def test_a_socket_that_opens_nothing_is_closed(self) -> None:
        served = await self.serve(limits={"opening": 0.1})
        self.assertEqual(await self.ended(await self.socket(served)), ([], 1002))

    async def test_too_many_connections_are_refused(self) -> None:
        served = await self.serve(limits={"connections": 1})
        await self.socket(served)
        with self.assertRaises(InvalidStatus) as refused:
            await self.socket(served)
        self.assertEqual(refused.exception.response.status_code, 503)
        self.assertIn(b"`connections`", bytes(refused.exception.response.body or b""))

    async def test_a_foreign_page_is_refused(self) -> None:
        served = await self.serve(origins=["https://good.example"])
        with self.assertRaises(InvalidStatus) as refused:
            await self.socket(served, origin="https://bad.example")
        self.assertEqual(refused.exception.response.status_code, 403)
        await self.socket(served, origin="https://good.example")
        await self.socket(served, origin=served.url[: -len("/acp")])

    async def test_calls_fail_with_code_and_reason_when_the_socket_is_closed(self) -> None:
        async def close(socket: ServerConnection) -> None:
            await socket.recv()
            await socket.close(4001, "because")

        fake = await self.stack.enter_async_context(serve(close, "127.0.0.1", 0))
        port = next(iter(fake.sockets)).getsockname()[1]
        server = remote.Remote(f"ws://127.0.0.1:{port}/acp", over="websocket")
        async with connect_agent(Quiet(), server) as agent:
            with self.assertRaisesRegex(ConnectionLostError, "4001.*because"):
                await agent.initialize(1)
            self.assertRegex(str(await agent.wait_closed()), "4001.*because")

    async def test_cookies_are_kept_for_the_next_upgrade(self) -> None:
        def look(_: ServerConnection, request: Asked) -> None:
            seen.append(request.headers.get("Cookie"))

        def answer(_: ServerConnection, __: Asked, response: Answered) -> None:
            response.headers["Set-Cookie"] = "route=a; Path=/acp"

        async def wait(socket: ServerConnection) -> None:
            await socket.wait_closed()

        seen: list[str | None] = []
        serving = serve(wait, "127.0.0.1", 0, process_request=look, process_response=answer)
        fake = await self.stack.enter_async_context(serving)
        port = next(iter(fake.sockets)).getsockname()[1]
        server = remote.Remote(f"ws://127.0.0.1:{port}/acp", over="websocket")
        for _ in range(2):
            async with connect_agent(Quiet(), server):
                pass
        self.assertEqual(seen, [None, "route=a"])

    async def test_a_dead_server_is_noticed(self) -> None:
        async def sleep(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = await reader.readuntil(b"\r\n\r\n")
            key = next(it[19:] for it in head.split(b"\r\n") if it[:18] == b"Sec-WebSocket-Key:")
            accept = base64.b64encode(hashlib.sha1(key + GUID).digest())  # noqa: S324
            writer.write(UPGRADED % accept)
            while await reader.read(1024):
                pass
            writer.close()

        dead = await asyncio.start_server(sleep, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{dead.sockets[0].getsockname()[1]}/acp"
        limits = remote.Limits(ping=0.1)
        server = remote.Remote(url, over="websocket", limits=limits)
        async with connect_agent(Quiet(), server) as agent:
            with self.assertRaisesRegex(ConnectionLostError, "ping"):
                await agent.initialize(1)
        dead.close()
        await dead.wait_closed()

    async def test_draining_waits_for_what_is_asked(self) -> None:
        served = await self.serve()
        server = remote.Remote(served.url, over="websocket")
        async with connect_agent(Quiet(), server) as agent:
            await agent.initialize(1)
            prompt = asyncio.create_task(agent.prompt("s1", prompt=[ContentBlock.text("sleep")]))
            await settled(lambda: served.agents[0].handled)
            await served.app.drain(10)
            await prompt
            self.assertRegex(str(await agent.wait_closed()), "1001.*the server ends")
        with self.assertRaises(remote.HttpError) as refused:
            async with connect_agent(Quiet(), server):
                pass
        self.assertEqual(refused.exception.status, 503)

    async def test_handlers_are_cancelled_when_the_client_leaves(self) -> None:
        served = await self.serve()
        server = remote.Remote(served.url, over="websocket")
        async with connect_agent(Quiet(), server) as agent:
            await agent.initialize(1)
            prompt = asyncio.create_task(agent.prompt("s1", prompt=[ContentBlock.text("wait")]))
            await settled(lambda: served.agents[0].handled)
        await settled(lambda: served.agents[0].cancelled)
        with self.assertRaises(Exception):
            await prompt

    async def test_who_cannot_be_reached_is_said(self) -> None:
        server = remote.Remote("http://127.0.0.1:1", over="websocket")
        with self.assertRaises(ConnectionLostError):
            async with connect_agent(Quiet(), server):
                pass

    async def test_authentication_is_judged_before_the_upgrade(self) -> None:
        def authenticate(request: remote.Request) -> str:
            if request.header("Authorization") != "Bearer secret":
                raise remote.RefusedError(401, "who are you?")
            return "me"

        served = await self.serve(authenticate=authenticate)
        with self.assertRaises(remote.HttpError) as refused:
            async with connect_agent(Quiet(), served.url):
                pass
        self.assertEqual(refused.exception.status, 401)
        self.assertEqual(refused.exception.message, "who are you?")
        headers = {"Authorization": "Bearer secret"}
        async with connect_agent(Quiet(), remote.Remote(served.url, headers=headers)) as agent:
            await agent.initialize(1)
        opening = served.agents[0].opening
        self.assertEqual(opening and opening.identity, "me")
        self.assertNotIn("secret", repr(opening))
