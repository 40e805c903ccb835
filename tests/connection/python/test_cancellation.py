"""Cancellation: of calls and of handlers."""

from __future__ import annotations

import asyncio
import json
import unittest
from contextlib import suppress
from typing import Any

from acp import ConnectionOptions, PromptResponse, StopReason, rpc
from wire import DONE, PROMPT, TEXT, Case, Plain, agent, client, settled


class Cancellation(Case):
    """Both ways, as tasks are cancelled."""

    async def test_a_cancelled_call_is_cancelled_at_the_other_end(self) -> None:
        wire, connection = await client()
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        call.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await call
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 0}}
        self.assertEqual(await wire.receive(), cancel)
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(connection.prompt("s", prompt=TEXT), 0.01)
        self.assertEqual((await wire.receive())["id"], 1)
        self.assertEqual((await wire.receive())["params"], {"requestId": 1})
        # Too late.
        await wire.send({"id": 0, "result": DONE})
        following = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        self.assertEqual((await wire.receive())["id"], 2)
        await wire.send({"id": 2, "result": DONE})
        self.assertEqual((await following).stop_reason, StopReason.END_TURN)

    async def test_a_cancelled_handler_answers_so(self) -> None:
        ended: list[str] = []

        class Waiting(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.append(f"{context.request_id} {context.is_cancelled}")
                raise AssertionError

        wire, _ = await agent(Waiting())
        params = json.dumps(PROMPT)
        await wire.raw(f'{{"method":"session/prompt","params":{params},"id":9007199254740993}}')
        # As floating point numbers they are the same.
        await wire.raw('{"method":"$/cancel_request","params":{"requestId":9007199254740992}}')
        await wire.send({"id": "x", "method": "_x"})
        self.assertEqual((await wire.receive())["id"], "x")
        await wire.raw('{"method":"$/cancel_request","params":{"requestId":9007199254740993}}')
        self.assertEqual((await wire.receive())["error"]["code"], -32800)
        self.assertEqual(ended, ["9007199254740993 True"])

    async def test_a_request_cancelled_with_its_line_is_answered(self) -> None:
        class Waiting(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                await asyncio.Event().wait()

        wire, _ = await agent(Waiting())
        await wire.send(
            {"id": "\u00e9", "method": "_x"},
            {"method": "$/cancel_request", "params": {"requestId": "\u00e9"}},
        )
        answer = await wire.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), ("\u00e9", -32800))

    async def test_a_handler_has_its_say(self) -> None:
        class Stubborn(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
                return PromptResponse(stop_reason=StopReason.CANCELLED)

        wire, _ = await agent(Stubborn())
        await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
        await wire.send({"id": "x", "method": "_x"})
        await wire.receive()
        await wire.send({"method": "$/cancel_request", "params": {"requestId": 1}})
        self.assertEqual((await wire.receive())["result"], {"stopReason": "cancelled"})

    async def test_what_cancels_a_turn_is_not_ignored(self) -> None:
        seen: list[Any] = []
        wire, _ = await agent(options=ConnectionOptions(observe=seen.append))
        await wire.send({"method": "session/cancel", "params": {"sessionId": "s"}})
        await wire.send({"method": "_note"})
        await settled()
        self.assertEqual([type(it) for it in seen], [rpc.Received, rpc.Received, rpc.Ignored])


if __name__ == "__main__":
    unittest.main()
