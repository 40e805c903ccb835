"""The order in which messages are handled, and what waits for what."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

from acp import ClientSideConnection, ReadTextFileResponse
from wire import DONE, TEXT, Case, Plain, Quiet, agent, client, settled, update


class Order(Case):
    """Messages are handled in the order they came in."""

    async def test_a_response_waits_for_the_updates_before_it(self) -> None:
        handled: list[object] = []

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                await settled()
                handled.append(request.update)

        wire, connection = await client(Slow())

        async def counted() -> int:
            await connection.prompt("s", prompt=TEXT)
            return len(handled)

        calls = [asyncio.create_task(counted()) for _ in range(2)]
        await wire.receive()
        await wire.receive()
        await wire.send(update("1"), update("2"), {"id": 0, "result": DONE})
        await wire.send(update("3"), {"id": 1, "result": DONE})
        self.assertEqual(await asyncio.gather(*calls), [2, 3])

    async def test_a_call_made_meanwhile_waits_for_the_new_updates_only(self) -> None:
        handled: list[str] = []
        gate = asyncio.Event()

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                name = request.update.content.text
                if name == "old":
                    await gate.wait()
                await settled()
                handled.append(name)

        wire, connection = await client(Slow())
        await wire.send(update("old"))
        await settled()
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        await wire.send(update("a"), update("b"), {"id": 0, "result": DONE})
        await call
        self.assertEqual(handled, ["a", "b"])
        gate.set()
        await settled()
        await settled()
        self.assertEqual(handled, ["a", "b", "old"])
        await wire.send(update("c"))
        await settled()
        await settled()
        self.assertEqual(handled, ["a", "b", "old", "c"])

    async def test_the_handler_of_a_notification_may_call_the_peer(self) -> None:
        for by_context in (True, False):
            for later in (True, False):
                with self.subTest(by_context=by_context, later=later):
                    await self.call_from_handler(by_context=by_context, later=later)

    async def call_from_handler(self, *, by_context: bool, later: bool) -> None:
        handled: list[object] = []
        connections: list[ClientSideConnection] = []

        class Asking(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                if later:
                    await settled()
                peer = context.agent if by_context else connections[0]
                # In a task of its own, as `wait_for` makes them.
                handled.append(await asyncio.wait_for(peer.ext_method("_ask", {}), 60))

            async def read_text_file(self, request: Any, context: Any) -> ReadTextFileResponse:
                return ReadTextFileResponse(content="hello")

        wire, connection = await client(Asking())
        connections.append(connection)
        await wire.send(update("1"), update("2"))
        for number in (0, 1):
            self.assertEqual((await wire.receive())["method"], "_ask")
            # The peer may need something before it answers.
            params = {"sessionId": "s", "path": "/"}
            await wire.send({"id": 7, "method": "fs/read_text_file", "params": params})
            self.assertEqual((await wire.receive())["result"], {"content": "hello"})
            await wire.send({"id": number, "result": {"id": number}})
        await settled()
        self.assertEqual(handled, [{"id": 0}, {"id": 1}])
        await connection.close()

    async def test_requests_run_concurrently_and_start_in_order(self) -> None:
        first = asyncio.Event()
        started: list[str] = []

        class Waiting(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                started.append(method)
                if method == "_1":
                    await first.wait()
                return {"method": method}

        wire, _ = await agent(Waiting())
        await wire.send({"id": 1, "method": "_1"}, {"id": 2, "method": "_2"})
        self.assertEqual((await wire.receive())["id"], 2)
        first.set()
        self.assertEqual((await wire.receive())["id"], 1)
        self.assertEqual(started, ["_1", "_2"])


if __name__ == "__main__":
    unittest.main()
