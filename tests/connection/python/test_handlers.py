"""Handlers: what they may do, and what they must."""

from __future__ import annotations

import asyncio
import logging
import sys
import unittest
from typing import Any

from acp import (
    Client,
    ConnectionOptions,
    PromptResponse,
    ReadTextFileResponse,
    StopReason,
    rpc,
)
from wire import DONE, PROMPT, Case, Plain, Quiet, agent, client, settled, update


class Handlers(Case):
    """Whatever they do, the connection lives on."""

    async def test_an_inherited_method_is_not_there(self) -> None:
        wire, _ = await agent()
        await wire.send({"id": 1, "method": "session/list", "params": {}})
        self.assertEqual((await wire.receive())["error"]["code"], -32601)

    async def test_required_methods_are_required(self) -> None:
        with self.assertRaises(TypeError):
            Client()  # type: ignore[abstract]

    async def test_wrong_results_are_internal_errors(self) -> None:
        results: list[object] = [None, 5, DONE, ReadTextFileResponse(content="x")]
        errors: list[Any] = []

        class Wrong(Plain):
            async def prompt(self, request: Any, context: Any) -> Any:
                return results.pop()

        options = ConnectionOptions(observe=errors.append)
        wire, _ = await agent(Wrong(), options)
        for number in range(4):
            await wire.send({"id": number, "method": "session/prompt", "params": PROMPT})
            self.assertEqual((await wire.receive())["error"]["code"], -32603)
        failed = [it.error for it in errors if isinstance(it, rpc.Failed)]
        self.assertEqual([type(error) for error in failed], [TypeError] * 4)

    async def test_meta_is_data(self) -> None:
        seen: list[Any] = []

        class Looking(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                seen.append(request.meta)
                return PromptResponse(stop_reason=StopReason.END_TURN)

        wire, _ = await agent(Looking())
        meta = {"self": 1, "context": 2, "session_id": 3}
        await wire.send({"id": 1, "method": "session/prompt", "params": {**PROMPT, "_meta": meta}})
        self.assertEqual((await wire.receive())["result"], DONE)
        self.assertEqual(seen, [meta])

    async def test_failing_notification_handlers_are_logged(self) -> None:
        handled: list[str] = []

        class Failing(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                handled.append(request.update.content.text)
                if handled[-1] == "exit":
                    sys.exit(3)
                if handled[-1] == "cancel":
                    raise asyncio.CancelledError
                raise ValueError(handled[-1])

        wire, connection = await client(Failing())
        texts = ["value", "exit", "value"]
        if sys.version_info >= (3, 11):
            texts.insert(1, "cancel")
        with self.assertLogs("acp", logging.DEBUG) as logs:
            await wire.send(*map(update, texts))
            await settled()
        self.assertEqual(handled, texts)
        self.assertEqual(len(logs.records), len(texts))
        call = asyncio.create_task(connection.ext_method("_x", {}))
        await wire.receive()
        await wire.send({"id": 0, "result": {}})
        await call

    async def test_a_handler_may_use_timeouts(self) -> None:
        handled: list[str] = []

        class Hurried(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                try:
                    await asyncio.wait_for(asyncio.Event().wait(), 0.01)
                except asyncio.TimeoutError:
                    handled.append(request.update.content.text)

        wire, _ = await client(Hurried())
        await wire.send(update("1"), update("2"))
        await asyncio.sleep(0.1)
        self.assertEqual(handled, ["1", "2"])


if __name__ == "__main__":
    unittest.main()
