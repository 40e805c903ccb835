"""Ends in one program, limits, and calls that are begun."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
import unittest
from collections.abc import AsyncGenerator
from typing import Any

from acp import (
    AgentSideConnection,
    ClientSideConnection,
    ConnectionOptions,
    ContentBlock,
    MalformedResponseError,
    PromptResponse,
    RequestError,
    SessionUpdate,
    StopReason,
    TooLongError,
    rpc,
)
from wire import DONE, PROMPT, Case, Plain, Quiet, agent, client, settled, update


class Ends(Case):
    """Both ends in one program."""

    async def test_two_ends_talk_in_memory(self) -> None:
        near, far = rpc.pair()
        async with AgentSideConnection(Plain(), far), ClientSideConnection(Quiet(), near) as peer:
            self.assertEqual((await peer.initialize(1)).protocol_version, 1)
            self.assertEqual((await peer.prompt("s", prompt=["hi"])).stop_reason, "end_turn")

    async def test_the_end_of_one_is_that_of_the_other(self) -> None:
        near, far = rpc.pair()
        served = AgentSideConnection(Plain(), far)
        async with ClientSideConnection(Quiet(), near) as peer:
            await peer.initialize(1)
        self.assertIsNone(await asyncio.wait_for(served.wait_closed(), 60))

    async def test_a_slow_end_slows_the_other(self) -> None:
        gate = asyncio.Event()
        handled = sent = 0

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                nonlocal handled
                await gate.wait()
                handled += 1

        near, far = rpc.pair()
        text = SessionUpdate.agent_message_chunk(ContentBlock.text("x" * 1000))

        async def send() -> None:
            nonlocal sent
            for _ in range(10_000):
                await served.session_update("s", update=text)
                sent += 1

        options = ConnectionOptions(max_requests=10)
        async with (
            ClientSideConnection(Slow(), near, options),
            AgentSideConnection(Plain(), far) as served,
        ):
            tracemalloc.start()
            sending = asyncio.create_task(send())
            await settled()
            self.assertLess(sent, 2000)
            self.assertLess(tracemalloc.get_traced_memory()[1], 4 << 20)
            tracemalloc.stop()
            gate.set()
            await sending
            while handled < 10_000:
                await settled()

    async def test_messages_in_place_of_bytes(self) -> None:
        ours: asyncio.Queue[rpc.AnyMessage | None] = asyncio.Queue(1)
        theirs: asyncio.Queue[rpc.AnyMessage | None] = asyncio.Queue(1)

        async def incoming(
            queue: asyncio.Queue[rpc.AnyMessage | None],
        ) -> AsyncGenerator[rpc.AnyMessage, None]:
            while (message := await queue.get()) is not None:
                yield message

        near = rpc.MessageTransport(incoming(ours), theirs.put, lambda: theirs.put(None))
        far = rpc.MessageTransport(incoming(theirs), ours.put, lambda: ours.put(None))
        served = AgentSideConnection(Plain(), far)
        async with ClientSideConnection(Quiet(), near) as peer:
            self.assertEqual((await peer.initialize(1)).protocol_version, 1)
            with self.assertRaisesRegex(RequestError, "not found"):
                await peer.batch(peer.set_session_mode("s", mode_id="m"), peer.cancel("s"))
        self.assertIsNone(await asyncio.wait_for(served.wait_closed(), 60))


class Limits(Case):
    """No call hangs."""

    async def test_what_is_too_long_is_not_sent(self) -> None:
        wire, connection = await client(options=ConnectionOptions(max_line=200))
        with self.assertRaisesRegex(TooLongError, "over the limit of 200"):
            await connection.ext_method("_x", {"text": "x" * 200})
        with self.assertRaisesRegex(TooLongError, "over the limit of 200"):
            await connection.ext_notification("_x", {"text": "x" * 200})
        calls = [connection.ext_method("_x", {"text": "x" * 100}) for _ in range(2)]
        with self.assertRaisesRegex(TooLongError, "over the limit of 200"):
            await connection.batch(*calls)
        self.assertEqual(len(connection._link.calls), 0)
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_an_answer_that_is_too_long_is_an_error(self) -> None:
        class Long(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                if method == "_raise":
                    raise RequestError(-32000, "x" * params["length"])
                return {"text": "x" * params["length"]}

        seen: list[Any] = []
        options = ConnectionOptions(max_line=300, observe=seen.append)
        wire, _ = await agent(Long(), options)
        await wire.send({"id": 1, "method": "_x", "params": {"length": 300}})
        answer = await wire.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), (1, -32603))
        await wire.send({"id": 1, "method": "_raise", "params": {"length": 300}})
        answer = await wire.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), (1, -32603))
        failed = [(it.method, str(it.error)) for it in seen if isinstance(it, rpc.Failed)]
        text = "an answer over the limit of 300 bytes"
        self.assertEqual(failed, [("_x", text), ("_raise", text)])
        lengths = {1: 150, 2: 10, 3: 60}
        batch = [
            {"id": number, "method": "_x", "params": {"length": length}}
            for number, length in lengths.items()
        ]
        await wire.raw(json.dumps(batch))
        line = (await asyncio.wait_for(wire.reader.readline(), 60)).rstrip()
        self.assertLessEqual(len(line), 300)
        errors = [it["id"] for it in json.loads(line) if "error" in it]
        self.assertEqual(errors, [1])

    async def test_a_request_that_is_too_long_is_answered_by_its_id(self) -> None:
        wire, _ = await agent(options=ConnectionOptions(max_line=200))
        long = "x" * 300
        heads: list[tuple[str, object]] = [
            ('{"jsonrpc":"2.0","id":7,"method":"_x","params":{"id":1,"t":"', 7),
            ('{"id":"a\\"b","params":["', 'a"b'),
            ('{"params":{"id":1},"a":[{"id":2}],"id":9007199254740993,"t":"', 9007199254740993),
            ('{"method":"_x","params":{"id":1,"t":"', None),
            ('[{"id":3,"method":"_x","params":{"t":"', None),
            ('{"id":{"id":1},"t":"', None),
            ('{"id":bad,"t":"', None),
            ('{"id":5,"result":{"t":"', None),
        ]
        for head, expected in heads:
            await wire.raw(f"{head}{long}")
            answer = await wire.receive()
            self.assertEqual((answer["id"], answer["error"]["code"]), (expected, -32600))

    async def test_an_answer_that_is_too_long_fails_its_call(self) -> None:
        wire, connection = await client(options=ConnectionOptions(max_line=200))
        call = asyncio.create_task(connection.ext_method("_x", {}))
        await wire.receive()
        await wire.send({"id": 0, "result": {"text": "x" * 300}})
        with self.assertRaisesRegex(MalformedResponseError, "it is longer than 200 bytes"):
            await call

    async def test_an_error_without_an_id_is_for_no_call(self) -> None:
        wire, connection = await client()
        single = asyncio.create_task(connection.ext_method("_single", {}))
        await wire.receive()
        batch = asyncio.create_task(
            connection.batch(connection.ext_method("_a", {}), connection.ext_method("_b", {}))
        )
        await wire.receive()
        error = {"code": -32600, "message": "no batches"}
        await wire.send({"id": None, "error": error}, {"error": error})
        await wire.send(*({"id": number, "result": {"id": number}} for number in range(3)))
        self.assertEqual(await single, {"id": 0})
        self.assertEqual(await batch, ({"id": 1}, {"id": 2}))


class Begun(Case):
    """Calls that are begun, and cancelled so that the peer has its say."""

    async def test_cancelling_can_wait_for_the_answer(self) -> None:
        wire, connection = await client()
        async with rpc.Call(connection.prompt("s", prompt=["hi"])) as call:
            await wire.receive()
            cancelling = asyncio.create_task(call.cancel())
            self.assertEqual((await wire.receive())["params"], {"requestId": 0})
            self.assertFalse(call.is_done)
            await wire.send(update("last words"), {"id": 0, "result": {"stopReason": "cancelled"}})
            self.assertIs((await cancelling).stop_reason, StopReason.CANCELLED)
        self.assertIs((await call).stop_reason, StopReason.CANCELLED)
        self.assertIs((await call.cancel()).stop_reason, StopReason.CANCELLED)

    async def test_a_timeout_leaves_the_call_to_its_owner(self) -> None:
        wire, connection = await client()
        async with rpc.Call(connection.prompt("s", prompt=["hi"])) as call:
            await wire.receive()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(call, 0.01)
            cancelling = asyncio.create_task(call.cancel())
            self.assertEqual((await wire.receive())["params"], {"requestId": 0})
            await wire.send({"id": 0, "error": {"code": -32800, "message": "cancelled"}})
            with self.assertRaisesRegex(RequestError, "cancelled"):
                await cancelling

    async def test_the_end_of_a_block_cancels(self) -> None:
        wire, connection = await client()
        async with rpc.Call(connection.prompt("s", prompt=["hi"])):
            await wire.receive()
        self.assertEqual((await wire.receive())["params"], {"requestId": 0})

    async def test_what_was_not_sent_is_not(self) -> None:
        wire, connection = await client()
        call = rpc.Call(connection.prompt("s", prompt=["hi"]))
        with self.assertRaises(asyncio.CancelledError):
            await call.cancel()
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_a_timeout_cancels_a_call(self) -> None:
        wire, connection = await client()
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(connection.prompt("s", prompt=["hi"]), 0.01)
        await wire.receive()
        self.assertEqual((await wire.receive())["params"], {"requestId": 0})


class Concurrent(Case):
    """Handlers that nothing waits for."""

    async def test_what_comes_after_does_not_wait(self) -> None:
        gate = asyncio.Event()
        handled: list[str] = []

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                text = request.update.content.text
                if text == "slow":
                    await gate.wait()
                handled.append(text)
                if text == "bad":
                    raise ValueError(text)

        seen: list[Any] = []
        options = ConnectionOptions(concurrent=["session/update"], observe=seen.append)
        wire, connection = await client(Slow(), options)
        call = asyncio.create_task(connection.prompt("s", prompt=["hi"]))
        await wire.receive()
        await wire.send(*map(update, ("slow", "quick", "bad")), {"id": 0, "result": DONE})
        self.assertEqual(await call, PromptResponse(stop_reason=StopReason.END_TURN))
        await settled()
        self.assertEqual(handled, ["quick", "bad"])
        self.assertEqual(sum(isinstance(it, rpc.Failed) for it in seen), 1)
        gate.set()
        await settled()
        self.assertEqual(handled, ["quick", "bad", "slow"])

    async def connect(self, handler: Quiet, *concurrent: str) -> None:
        near, _ = rpc.pair()
        options = ConnectionOptions(concurrent=concurrent)
        async with ClientSideConnection(handler, near, options):
            await settled()

    async def test_a_wrong_name_is_told_when_a_connection_is_made(self) -> None:
        names = ("session/updates", "session_update", "session/cancel", "fs/read_text_file", "_x")
        for name in names:
            with self.assertRaises(ValueError) as raised:
                await self.connect(Quiet(), "session/update", name)
            self.assertEqual(
                str(raised.exception),
                f'"{name}" in concurrent is no notification that this side handles: it handles '
                "session/update, elicitation/complete, "
                "and others only by a handler of last resort",
            )

    async def test_names_that_a_handler_of_last_resort_gets_are_taken(self) -> None:
        class Extended(Quiet):
            async def ext_notification(self, method: Any, params: Any, context: Any) -> None:
                pass

        class Proxy(Quiet):
            async def unknown_notification(self, method: Any, params: Any, context: Any) -> None:
                pass

        await self.connect(Extended(), "_x")
        await self.connect(Proxy(), "_x", "other/x")
        with self.assertRaises(ValueError):
            await self.connect(Extended(), "other/x")

    async def test_the_end_ends_them(self) -> None:
        ended: list[str] = []

        class Endless(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.append("x")

        options = ConnectionOptions(concurrent=["session/update"], grace=0.05)
        wire, connection = await client(Endless(), options)
        await wire.send(update("x"), {"method": "session/update", "params": PROMPT})
        await settled()
        await connection.close()
        self.assertEqual(ended, ["x"])


if __name__ == "__main__":
    unittest.main()
