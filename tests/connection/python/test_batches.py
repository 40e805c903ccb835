"""Batches: several calls in one message."""

from __future__ import annotations

import asyncio
import unittest

from acp import ConnectionOptions, NotInBatchError, RequestError
from wire import TEXT, Case, agent, client


class Batches(Case):
    """They are answered, refused and cancelled."""

    async def test_batches_are_answered_call_by_call(self) -> None:
        wire, connection = await client()
        sent = asyncio.create_task(
            connection.batch(
                connection.set_session_mode("s", mode_id="a"),
                connection.cancel("s"),
                connection.ext_method("_x", {}),
            )
        )
        batch = await wire.receive()
        self.assertEqual(
            [(it["method"], it.get("id")) for it in batch],
            [("session/set_mode", 0), ("session/cancel", None), ("_x", 1)],
        )
        await wire.raw('[{"id":1,"result":{"x":1}},{"id":0,"result":{}}]')
        mode, nothing, extension = await sent
        self.assertIsNotNone(mode)
        self.assertIsNone(nothing)
        self.assertEqual(extension, {"x": 1})

    async def test_a_batch_that_fails(self) -> None:
        wire, connection = await client()
        one = connection.ext_method("_one", {})
        two = connection.ext_method("_two", {})
        sent = asyncio.create_task(connection.batch(one, two))
        await wire.receive()
        await wire.raw('[{"id":1,"error":{"code":5,"message":"no"}},{"id":0,"result":{}}]')
        with self.assertRaisesRegex(RequestError, "no"):
            await sent
        self.assertEqual(await connection.batch(), ())

    async def test_lifecycle_methods_are_refused_in_batches(self) -> None:
        wire, connection = await client()
        with self.assertRaises(NotInBatchError):
            await connection.batch(
                connection.ext_method("_x", {}), connection.prompt("s", prompt=TEXT)
            )
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_a_connection_may_have_no_batches(self) -> None:
        options = ConnectionOptions(batches=False)
        wire, _ = await agent(options=options)
        await wire.raw('[{"id":1,"method":"_a"},{"method":"_b"}]')
        answer = await wire.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), (None, -32600))
        wire, connection = await client(options=options)
        with self.assertRaises(NotInBatchError):
            await connection.batch(connection.ext_method("_a", {}))
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_an_abandoned_batch_is_cancelled(self) -> None:
        wire, connection = await client()
        one = connection.ext_method("_one", {})
        two = connection.ext_method("_two", {})
        sent = asyncio.create_task(connection.batch(one, two))
        await wire.receive()
        sent.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await sent
        cancelled = [(await wire.receive())["params"]["requestId"] for _ in range(2)]
        self.assertEqual(cancelled, [0, 1])


if __name__ == "__main__":
    unittest.main()
