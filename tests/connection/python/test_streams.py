"""Connections over any pair of byte streams."""

from __future__ import annotations

import asyncio
import json
import unittest

from acp import AgentSideConnection, ClientSideConnection, StreamTransport
from wire import Case, Plain, Quiet, pair


class Streams(Case):
    """Any pair of byte streams."""

    async def test_streams_of_any_make(self) -> None:
        class Pieces:
            """Gives a byte at a time, and keeps what is written."""

            def __init__(self) -> None:
                self.input = b'{"id":1,"method":"initialize","params":{"protocolVersion":1}}'
                self.output = b""
                self.is_closed = False

            async def read(self, n: int = -1, /) -> bytes:
                piece, self.input = self.input[:1], self.input[1:]
                return piece

            def write(self, data: bytes, /) -> None:
                self.output += data

            async def drain(self) -> None:
                await asyncio.sleep(0)

            def close(self) -> None:
                self.is_closed = True

            async def wait_closed(self) -> None:
                pass

        pieces = Pieces()
        connection = AgentSideConnection(Plain(), StreamTransport(pieces, pieces))
        await connection.wait_closed()
        self.assertEqual(json.loads(pieces.output)["result"]["protocolVersion"], 1)
        self.assertTrue(pieces.is_closed)

    async def test_the_handler_may_be_made_of_the_connection(self) -> None:
        _, transport = await pair()
        made: list[object] = []

        def make(connection: ClientSideConnection) -> Quiet:
            made.append(connection)
            return Quiet()

        async with ClientSideConnection(make, transport) as connection:
            self.assertEqual(made, [connection])


if __name__ == "__main__":
    unittest.main()
