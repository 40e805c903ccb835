"""The end of a connection."""

from __future__ import annotations

import asyncio
import unittest
from contextlib import suppress
from typing import Any

from acp import (
    CallError,
    ClientSideConnection,
    ConnectionClosedError,
    ConnectionOptions,
    ContentBlock,
)
from wire import TEXT, Case, Plain, Quiet, agent, client, settled, update


class End(Case):
    """Nothing hangs."""

    async def test_the_end_fails_calls_and_cancels_handlers(self) -> None:
        class Hanging(Quiet):
            async def request_permission(self, request: Any, context: Any) -> Any:
                await asyncio.Event().wait()

        wire, connection = await client(Hanging())
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        params = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": []}
        await wire.send({"id": 1, "method": "session/request_permission", "params": params})
        wire.end()
        with self.assertRaises(ConnectionClosedError):
            await call
        self.assertTrue(connection.is_ended)
        self.assertEqual((await wire.receive())["error"]["code"], -32800)
        self.assertIsNone(await wire.receive())
        await connection.wait_closed()
        with self.assertRaises(ConnectionClosedError):
            await connection.prompt("s", prompt=TEXT)
        with self.assertRaises(ConnectionClosedError):
            await connection.cancel("s")

    async def test_calls_to_a_peer_that_says_nothing_more_fail_though_it_does_not_read(
        self,
    ) -> None:
        wire, connection = await client(options=ConnectionOptions(max_buffered=1000))
        calls: list[asyncio.Task[Any]] = []
        # The first is being written, the second is more than what may wait: the third waits.
        for size in (1 << 20, 2000, 10):
            prompt = connection.prompt("s", prompt=[ContentBlock.text("x" * size)])
            calls.append(asyncio.create_task(prompt))
            await settled()
        wire.end()
        for call in calls:
            with self.assertRaises(ConnectionClosedError):
                await asyncio.wait_for(call, 10)
        with self.assertRaises(ConnectionClosedError):
            await asyncio.wait_for(connection.prompt("s", prompt=TEXT), 10)
        batch = connection.batch(connection.list_sessions())
        with self.assertRaises(ConnectionClosedError):
            await asyncio.wait_for(batch, 10)
        # It would wait until everything is written.
        await wire.close()

    async def test_a_handler_that_will_not_end_is_given_up(self) -> None:
        class Endless(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                for _ in range(2):
                    with suppress(asyncio.CancelledError):
                        await asyncio.Event().wait()
                return {}

        wire, connection = await agent(Endless(), ConnectionOptions(grace=0.05))
        await wire.send({"id": 1, "method": "_x"})
        await settled()
        wire.end()
        self.assertEqual((await wire.receive())["error"]["code"], -32800)
        self.assertIsNone(await wire.receive())
        await connection.wait_closed()

    async def test_closing_says_everything_first(self) -> None:
        wire, connection = await client()
        async with connection:
            await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")
        self.assertIsNone(await wire.receive())

    async def test_handlers_may_close(self) -> None:
        connections: list[ClientSideConnection] = []

        class Closing(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                await connections[0].close()

            async def request_permission(self, request: Any, context: Any) -> Any:
                await connections[0].close()
                return await super().request_permission(request, context)

        params = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": []}
        request = {"id": 1, "method": "session/request_permission", "params": params}
        for message in (update("x"), request):
            wire, connection = await client(Closing())
            connections[:] = [connection]
            await wire.send(message)
            await asyncio.wait_for(connection.wait_closed(), 60)

    async def test_a_peer_that_is_gone_ends_it(self) -> None:
        wire, connection = await client()
        wire.writer.close()
        await wire.writer.wait_closed()
        with suppress(CallError):
            for _ in range(100):
                await connection.cancel("s")
                await asyncio.sleep(0)
        await asyncio.wait_for(connection.wait_closed(), 60)


if __name__ == "__main__":
    unittest.main()
