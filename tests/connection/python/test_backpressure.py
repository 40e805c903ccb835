"""Backpressure: a slow side slows the other."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
import unittest
from typing import Any

from acp import ConnectionOptions, ContentBlock, SessionUpdate
from wire import DONE, TEXT, Case, Plain, Quiet, agent, client, settled, update


class Limits(Case):
    """A slow side slows the other, and nothing grows."""

    async def test_a_slow_reader_slows_the_sender(self) -> None:
        wire, connection = await agent()
        text = SessionUpdate.agent_message_chunk(ContentBlock.text("x" * 1000))
        sent = 0

        async def send() -> None:
            nonlocal sent
            for _ in range(20_000):
                await connection.session_update("s", update=text)
                sent += 1

        tracemalloc.start()
        sending = asyncio.create_task(send())
        await settled()
        self.assertLess(sent, 2000)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        self.assertLess(peak, 4 << 20)
        for _ in range(20_000):
            await wire.receive()
        await sending

    async def test_slow_handlers_slow_the_peer(self) -> None:
        gate = asyncio.Event()
        handled = 0

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                nonlocal handled
                await gate.wait()
                handled += 1

        wire, connection = await client(Slow(), ConnectionOptions(max_requests=10))
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        sent = 0
        text = "x" * 1000

        async def send() -> None:
            nonlocal sent
            for _ in range(5000):
                await wire.send(update(text))
                sent += 1
            await wire.send({"id": 0, "result": DONE})

        sending = asyncio.create_task(send())
        await asyncio.sleep(0.1)
        self.assertLess(sent, 2000)
        gate.set()
        await sending
        await call
        self.assertEqual(handled, 5000)

    async def test_requests_at_a_time_are_bounded(self) -> None:
        gate = asyncio.Event()
        running = most = 0

        class Counting(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                nonlocal running, most
                running += 1
                most = max(most, running)
                await gate.wait()
                running -= 1
                return {}

        wire, _ = await agent(Counting(), ConnectionOptions(max_requests=3))
        await wire.send(*[{"id": number, "method": "_x"} for number in range(20)])
        await settled()
        self.assertEqual(running, 3)
        gate.set()
        ids = {(await wire.receive())["id"] for _ in range(20)}
        self.assertEqual(ids, set(range(20)))
        self.assertEqual(most, 3)
        # Those of one batch, too, which are answered together.
        await wire.raw(json.dumps([{"id": it, "method": "_x"} for it in range(20)]))
        self.assertEqual(len(await wire.receive()), 20)
        self.assertEqual(most, 3)

    async def test_requests_that_wait_are_as_many_as_they_are(self) -> None:
        wire, _ = await agent(options=ConnectionOptions(max_requests=2))
        sending = asyncio.create_task(
            wire.send(*[{"id": it, "method": "_x"} for it in range(5000)])
        )
        ids = [(await wire.receive())["id"] for _ in range(5000)]
        self.assertEqual(ids, list(range(5000)))
        await sending


if __name__ == "__main__":
    unittest.main()
