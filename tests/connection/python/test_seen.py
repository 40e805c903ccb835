"""What is seen of a connection: by observers, in logs, and by peers."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any
from unittest.mock import patch

from acp import Agent, ConnectionOptions, PromptResponse, RequestError, SessionUpdate, rpc
from wire import DONE, PROMPT, Case, Plain, Quiet, agent, client, settled, update


class Failing(Plain):
    """Raises what is no error for the peer."""

    async def prompt(self, request: Any, context: Any) -> PromptResponse:
        """Fail."""
        raise ValueError("secret")


class Mute(Plain):
    """Handles no cancellation."""

    cancel = Agent.cancel


class Trouble(Case):
    """What goes wrong is seen."""

    async def test_everything_is_observed_and_long_lines_are_skipped(self) -> None:
        class Failing(Plain):
            async def cancel(self, request: Any, context: Any) -> None:
                raise ValueError

        seen: list[Any] = []
        options = ConnectionOptions(max_line=150, observe=seen.append)
        wire, connection = await agent(Failing(), options)
        for length in (150, 148):
            await wire.raw(json.dumps("x" * length))
            self.assertEqual((await wire.receive())["error"]["code"], -32600)
        await wire.send({"method": "foo"}, {"id": 5, "result": 1})
        await settled()
        await wire.send({"method": "session/cancel", "params": {"sessionId": "s"}})
        await settled()
        await connection.session_update("s", update=SessionUpdate.current_mode_update("m"))
        self.assertEqual(
            [type(it) for it in seen],
            [
                rpc.Dropped,
                rpc.Sent,
                rpc.Received,
                rpc.Dropped,
                rpc.Sent,
                rpc.Received,
                rpc.Received,
                rpc.Ignored,
                rpc.Unexpected,
                rpc.Received,
                rpc.Failed,
                rpc.Sent,
            ],
        )

    async def test_cancellations_that_nothing_handles_are_read(self) -> None:
        seen: list[Any] = []
        wire, _ = await agent(Mute(), ConnectionOptions(observe=seen.append))
        for params in ({"sessionId": "s"}, {"sessionId": 7}, {}):
            await wire.send({"method": "session/cancel", "params": params})
        await settled()
        dropped = [it for it in seen if not isinstance(it, rpc.Received)]
        self.assertEqual(
            [(it.method, it.path) for it in dropped],
            [("session/cancel", "params.sessionId")] * 2,
        )
        self.assertEqual(dropped[0].reason, "expected a string, found a number")

    async def test_undecodable_notifications_are_seen(self) -> None:
        seen: list[Any] = []
        wire, _ = await client(Quiet(), ConnectionOptions(observe=seen.append))
        with self.assertLogs("acp", logging.DEBUG) as logs:
            await wire.send({"method": "session/update", "params": {"sessionId": 5}})
            await settled()
            await wire.raw("not JSON")
            await wire.receive()
        dropped = [it for it in seen if isinstance(it, rpc.Dropped)]
        place, junk = dropped
        self.assertEqual((place.method, place.path), ("session/update", "params.sessionId"))
        self.assertEqual(place.reason, "expected a string, found a number")
        self.assertEqual(junk, rpc.Dropped(None, "", "it is not JSON: not JSON"))
        self.assertIn("session/update is dropped: params.sessionId", logs.output[0])

    async def test_forgiven_values_are_seen(self) -> None:
        seen: list[Any] = []
        wire, connection = await client(Quiet(), ConnectionOptions(observe=seen.append))
        call = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "x", "kind": 5}
        with self.assertLogs("acp", logging.DEBUG) as logs:
            params = {"sessionId": "s", "update": call}
            await wire.send({"method": "session/update", "params": params})
            new = asyncio.create_task(connection.new_session("/", mcp_servers=[]))
            await wire.receive()
            await wire.send({"id": 0, "result": {"sessionId": "s", "modes": 7}})
            self.assertEqual((await new).session_id, "s")
        forgiven = [it for it in seen if isinstance(it, rpc.Forgiven)]
        self.assertEqual(
            [(it.method, it.path) for it in forgiven],
            [("session/update", "params.update.kind"), ("session/new", "result.modes")],
        )
        self.assertEqual(forgiven[1].reason, "expected an object, found a number")
        self.assertEqual(len(logs.records), 2)

    async def test_an_observer_that_raises_is_logged(self) -> None:
        def observe(observed: Any) -> None:
            raise RuntimeError(type(observed).__name__)

        wire, connection = await client(Quiet(), ConnectionOptions(observe=observe))
        with self.assertLogs("acp", logging.ERROR) as logs:
            call = asyncio.create_task(connection.ext_method("_x", {}))
            await wire.receive()
            await wire.send(update("x"), {"id": 0, "result": {"x": 1}})
            self.assertEqual(await call, {"x": 1})
        self.assertGreaterEqual(len(logs.records), 3)

    async def test_nothing_is_printed_unless_asked(self) -> None:
        printed = io.StringIO()
        with redirect_stderr(printed):
            wire, _ = await agent(Failing())
            await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
            error = (await wire.receive())["error"]
        self.assertEqual(error, {"code": -32603, "message": "Internal error"})
        self.assertEqual(printed.getvalue(), "")

    async def test_details_of_errors_are_told_if_asked(self) -> None:
        wire, _ = await agent(Failing(), ConnectionOptions(error_details=True))
        await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
        error = (await wire.receive())["error"]
        self.assertEqual(error["data"], {"details": "secret"})
        self.assertEqual(error["code"], RequestError.internal_error().code)


class Logs(Case):
    """All messages, as lines of JSON."""

    async def converse(self, options: ConnectionOptions | None = None) -> None:
        wire, connection = await client(Quiet(), options)
        call = asyncio.create_task(connection.prompt("s", prompt=["hi"]))
        await wire.receive()
        await wire.raw("oops")
        await wire.send({"id": 0, "result": DONE})
        await call
        await settled()
        await connection.close()

    def judge(self, lines: list[str]) -> None:
        records = [json.loads(line) for line in lines]
        self.assertEqual(
            [(it["from"], it["to"]) for it in records],
            [
                ("client", "agent"),
                ("agent", "client"),
                ("client", "agent"),
                ("agent", "client"),
            ],
        )
        self.assertEqual(records[0]["message"]["method"], "session/prompt")
        self.assertEqual(records[1]["message"], "oops")
        self.assertEqual(records[2]["message"]["error"]["code"], -32700)
        self.assertEqual(records[3]["message"]["result"], DONE)
        time = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"
        self.assertRegex(records[0]["time"], time)

    async def test_the_environment_names_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            with patch.dict(os.environ, {"ACP_LOG": str(path)}):
                await self.converse()
                await self.converse()
            lines = path.read_text().splitlines()
        self.judge(lines[:4])
        self.judge(lines[4:])

    async def test_the_environment_says_standard_error(self) -> None:
        printed = io.StringIO()
        with patch.dict(os.environ, {"ACP_LOG": "stderr"}), redirect_stderr(printed):
            await self.converse()
        self.judge(printed.getvalue().splitlines())

    async def test_a_function_or_a_writer_gets_lines(self) -> None:
        lines: list[str] = []
        await self.converse(ConnectionOptions(log=lines.append))
        self.judge(lines)
        written = io.StringIO()
        await self.converse(ConnectionOptions(log=written))
        self.judge(written.getvalue().splitlines())

    async def test_a_log_that_fails_ends_nothing(self) -> None:
        def fail(line: str) -> None:
            raise OSError(len(line))

        with self.assertLogs("acp", logging.ERROR) as logs:
            await self.converse(ConnectionOptions(log=fail))
        self.assertEqual(len(logs.records), 1)

    async def test_a_file_that_cannot_be_written_is_told_in_a_line(self) -> None:
        path = "/no/such/folder/log.jsonl"
        printed = io.StringIO()
        with patch.dict(os.environ, {"ACP_LOG": path}), redirect_stderr(printed):
            await self.converse()
            await self.converse(ConnectionOptions(log=Path(path)))
            if Path("/dev/full").exists():
                await self.converse(ConnectionOptions(log="/dev/full"))
        lines = printed.getvalue().splitlines()
        self.assertEqual(
            lines[:2],
            [f"{whose}: {path}: No such file or directory" for whose in ("ACP_LOG", "log")],
        )
        self.assertIn(lines[2:], ([], ["log: /dev/full: No space left on device"]))


if __name__ == "__main__":
    unittest.main()
