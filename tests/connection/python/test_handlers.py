"""Handlers: what they may do, and what they must."""

from __future__ import annotations

import asyncio
import logging
import sys
import unittest
from collections.abc import Generator
from functools import partial
from typing import Any
from unittest.mock import AsyncMock, MagicMock

from acp import (
    CallError,
    Client,
    ConnectionOptions,
    PromptResponse,
    ReadTextFileResponse,
    RequestError,
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

    async def test_whatever_is_raised_is_answered(self) -> None:
        class Speechless(Exception):
            def __str__(self) -> str:
                raise ValueError

        class Unsaid(CallError):
            __str__ = Speechless.__str__

        wrong: Any = "no number"
        nothing: Any = None
        errors: list[tuple[BaseException, str]] = [
            (Speechless(), "Speechless"),
            (Unsaid(), "Unsaid"),
            (RequestError(wrong, "x"), "x (no number)"),
            (RequestError(1 << 31, "x"), "x (2147483648)"),
            (RequestError(1, nothing), "None (1)"),
            (SystemExit(3), "3"),
            (GeneratorExit(), ""),
        ]

        class Faulty(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                raise errors[0][0]

        wire, _ = await agent(Faulty(), ConnectionOptions(error_details=True))
        while errors:
            await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
            answered = (await wire.receive())["error"]
            self.assertEqual(answered["code"], -32603)
            error, words = errors.pop(0)
            self.assertEqual(answered["data"], {"details": words}, type(error))

    async def test_an_error_says_which_call_it_answers(self) -> None:
        wire, connection = await client(Quiet())
        call = asyncio.create_task(connection.request("_a", {}))
        await wire.receive()
        refused = RequestError.method_not_found("_a")
        await wire.send({"id": 0, "error": refused.to_dict()})
        with self.assertRaises(RequestError) as raised:
            await call
        error = raised.exception
        self.assertEqual((refused.call, error.call), (None, "_a"))
        self.assertEqual(str(refused), "Method not found: _a (-32601)")
        self.assertEqual(str(error), "_a: Method not found (-32601)")
        self.assertEqual(error.to_dict(), refused.to_dict())

    def test_data_of_a_method_that_is_not_found(self) -> None:
        error = RequestError.method_not_found("a", {"b": 1}, detail="never")
        said = {"code": -32601, "message": "Method not found: never", "data": {"b": 1}}
        self.assertEqual(error.to_dict(), said)

    async def test_a_handler_without_async_is_named(self) -> None:
        gave: list[Any] = [None, PromptResponse(stop_reason=StopReason.END_TURN)]

        class Plainly(Plain):
            def prompt(self, request: Any, context: Any) -> Any:
                return gave.pop()

            def cancel(self, request: Any, context: Any) -> Any:
                return 5

        errors: list[Any] = []
        options = ConnectionOptions(observe=errors.append, error_details=True)
        wire, _ = await agent(Plainly(), options)
        message = "Plainly.prompt gave a {}: write it as `async def`"
        for kind in ("PromptResponse", "NoneType"):
            await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
            details = (await wire.receive())["error"]["data"]["details"]
            self.assertEqual(details, message.format(kind))
        await wire.send({"method": "session/cancel", "params": {"sessionId": "s"}})
        await settled()
        said = [str(it.error) for it in errors if isinstance(it, rpc.Failed)]
        wrong = "Plainly.cancel gave a int: write it as `async def`"
        self.assertEqual(said[1:], [message.format("NoneType"), wrong])

    async def test_whatever_can_be_awaited_is(self) -> None:
        answer = PromptResponse(stop_reason=StopReason.END_TURN)
        cancelled = AsyncMock()

        class Later:
            def __await__(self) -> Generator[Any, None, PromptResponse]:
                yield from asyncio.sleep(0).__await__()
                return answer

        async def prompt(more: int, request: Any, context: Any) -> PromptResponse:
            return answer

        def ready(request: Any, context: Any) -> asyncio.Future[PromptResponse]:
            future = asyncio.get_running_loop().create_future()
            future.set_result(answer)
            return future

        for handle in (
            AsyncMock(return_value=answer),
            partial(prompt, 1),
            ready,
            lambda *_: prompt(1, *_),
            lambda *_: Later(),
            MagicMock(side_effect=lambda *_: Later()),
        ):
            plain: Any = Plain()
            plain.prompt = handle
            plain.cancel = cancelled
            wire, _ = await agent(plain)
            await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
            self.assertEqual((await wire.receive())["result"], DONE)
            await wire.send({"method": "session/cancel", "params": {"sessionId": "s"}})
            await settled()
            cancelled.assert_awaited_once()
            cancelled.reset_mock()

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
