"""What a client's requests over HTTP are on the wire."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import unittest
from typing import TYPE_CHECKING, Any, cast
from unittest import mock

from acp import ClientSideConnection, ConnectionLostError, connect_agent, remote
from acp.runtime.remote.http_sockets import Sockets
from test_remote_websocket import Quiet

if TYPE_CHECKING:
    from collections.abc import Callable

OPENED = b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}'
SSE = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: open\n\n"


class Pieces(asyncio.Protocol):
    """One connection of a server that answers what opens a connection, and takes all else."""

    def __init__(self, seen: list[Pieces]) -> None:
        """Take note of a connection."""
        seen.append(self)
        self.pieces: list[bytes] = []
        self.reads = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer a piece as if it were a whole request."""
        self.pieces.append(data)
        if data.startswith(b"GET"):
            self.transport.write(SSE)
        elif b'"initialize"' in data:
            head = b"HTTP/1.1 200 OK\r\nacp-connection-id: c1\r\ncontent-length: %d\r\n\r\n"
            self.transport.write(head % len(OPENED) + OPENED)
            if not self.reads:
                self.transport.pause_reading()
        elif data.startswith(b"POST"):
            self.transport.write(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")
        elif data.startswith(b"DELETE"):
            head = b"HTTP/1.1 202 Accepted\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n"
            self.transport.write(head + b"none")


class Requests(unittest.IsolatedAsyncioTestCase):
    """Clients with a server that sees bytes."""

    async def asyncSetUp(self) -> None:
        """Begin without anything open."""
        self.stack = contextlib.AsyncExitStack()
        self.addAsyncCleanup(self.stack.aclose)

    async def serve(self, make: Callable[[], asyncio.Protocol]) -> int:
        """Serve. Gives the port."""
        loop = asyncio.get_running_loop()
        server = await loop.create_server(make, "127.0.0.1", 0)
        self.stack.callback(server.close)
        return int(server.sockets[0].getsockname()[1])

    async def open(self, port: int, **options: Any) -> ClientSideConnection:
        """Open a connection over HTTP/1.1."""
        url = options.pop("url", f"http://127.0.0.1:{port}/acp")
        server = remote.Remote(url, over="http", http1=True, **options)
        return await self.stack.enter_async_context(connect_agent(Quiet(), server))

    async def test_a_message_leaves_in_one_piece(self) -> None:
        def read() -> bytes:
            # It does not wait for the event loop to see what comes.
            with listener.accept()[0] as accepted:
                piece = accepted.recv(1 << 16)
                accepted.sendall(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
                return piece

        listener = self.stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        reading = asyncio.create_task(asyncio.to_thread(read))
        agent = await self.open(listener.getsockname()[1])
        with self.assertRaises(remote.HttpError):
            await agent.initialize(1)
        self.assertIn(b"\r\n\r\n{", await reading)

    async def test_an_end_is_one_whatever_is_answered(self) -> None:
        seen: list[Pieces] = []
        port = await self.serve(lambda: Pieces(seen))
        url = f"http://127.0.0.1:{port}/acp"
        transport = await remote.Remote(url, over="http", http1=True).open()
        agent = ClientSideConnection(Quiet(), transport)
        await agent.initialize(1)
        await transport.close()
        await agent.close()
        self.assertTrue(any(it.startswith(b"DELETE") for one in seen for it in one.pieces))

    async def test_a_name_in_the_url_is_sent_with_all_requests(self) -> None:
        seen: list[Pieces] = []
        port = await self.serve(lambda: Pieces(seen))
        agent = await self.open(port, url=f"http://ann:secret@127.0.0.1:{port}/acp")
        await agent.initialize(1)
        await agent.ext_notification("_note", {})
        await self.stack.aclose()
        pieces = [piece for one in seen for piece in one.pieces]
        kinds = {piece.partition(b" ")[0] for piece in pieces}
        self.assertEqual(kinds, {b"POST", b"GET", b"DELETE"})
        for piece in pieces:
            self.assertIn(b"authorization: basic yw5uonnly3jlda==", piece.lower())

    async def test_a_server_that_reads_nothing_is_lost(self) -> None:
        def make() -> Pieces:
            made = Pieces(seen)
            made.reads = False
            return made

        seen: list[Pieces] = []
        limits = remote.Limits(opening=0.5)
        agent = await self.open(await self.serve(make), limits=limits)
        await agent.initialize(1)
        with self.assertRaisesRegex(ConnectionLostError, "limit `opening`"):
            await asyncio.wait_for(agent.ext_method("_x", {"a": "x" * 20_000_000}), 20)
        for each in seen:
            each.transport.abort()

    async def test_proxies_of_the_environment_are_used(self) -> None:
        seen: list[Pieces] = []
        port = await self.serve(lambda: Pieces(seen))
        proxies = {"http_proxy": f"http://127.0.0.1:{port}", "no_proxy": ""}
        with mock.patch.dict(os.environ, proxies):
            agent = await self.open(port, url="http://agents.example/acp")
            await agent.initialize(1)
        self.assertTrue(seen[0].pieces[0].startswith(b"POST http://agents.example/acp HTTP"))

    async def test_what_is_not_read_is_not_taken_in(self) -> None:
        class Much(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                made.append(cast("asyncio.Transport", transport))
                made[0].write(b"x" * size)

        size = 20_000_000
        made: list[asyncio.Transport] = []
        port = await self.serve(Much)
        reader = await Sockets().connect_tcp("127.0.0.1", port)
        await asyncio.sleep(0.5)
        self.assertGreater(made[0].get_write_buffer_size(), 0)
        taken = 0
        while taken < size:
            piece = await reader.read(1000, timeout=10)
            self.assertLessEqual(len(piece), 1000)
            taken += len(piece)
        made[0].close()
        self.assertEqual(await reader.read(1000, timeout=10), b"")
        await reader.aclose()


if __name__ == "__main__":
    unittest.main()
