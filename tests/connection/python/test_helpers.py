"""Functions beside a call: what is chosen, and files where the client has none."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acp import MalformedResponseError, PermissionOption, RequestError, ToolCallUpdate
from wire import Case, agent

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from acp import AgentSideConnection
    from wire import Wire

OPTIONS = [
    PermissionOption(option_id="y", name="Yes", kind="allow_once"),
    PermissionOption(option_id="a", name="Always", kind="allow_always"),
    PermissionOption(option_id="n", name="No", kind="reject_once"),
]


async def answered(wire: Wire, call: Coroutine[Any, Any, Any], **answer: Any) -> Any:
    """Answer a call, and give what it results in."""
    task = asyncio.create_task(call)
    await wire.send({"id": (await wire.receive())["id"], **answer})
    return await task


async def told(capabilities: dict[str, Any]) -> tuple[Wire, AgentSideConnection]:
    """Give an agent whose client has said what it can do."""
    wire, connection = await agent()
    params = {"protocolVersion": 1, "clientCapabilities": capabilities}
    await wire.send({"id": 0, "method": "initialize", "params": params})
    await wire.receive()
    return wire, connection


class Choices(Case):
    """An option is chosen of those that are offered."""

    async def chosen(self, outcome: dict[str, Any]) -> tuple[Any, bool]:
        """Give the option, and whether it means yes."""
        wire, connection = await agent()
        call = ToolCallUpdate(tool_call_id="t")
        result = {"outcome": outcome}
        choose = connection.choose_permission("s", tool_call=call, options=OPTIONS)
        option = await answered(wire, choose, result=result)
        ask = connection.ask_permission("s", tool_call=call, options=OPTIONS)
        return option, await answered(wire, ask, result=result)

    async def test_what_is_chosen_is_given(self) -> None:
        yes, always, no = OPTIONS
        for option, means in ((yes, True), (always, True), (no, False)):
            outcome = {"outcome": "selected", "optionId": option.option_id}
            self.assertEqual(await self.chosen(outcome), (option, means))
        self.assertEqual(await self.chosen({"outcome": "cancelled"}), (None, False))

    async def test_what_was_not_offered_is_malformed(self) -> None:
        with self.assertRaisesRegex(MalformedResponseError, "`x` was not offered"):
            await self.chosen({"outcome": "selected", "optionId": "x"})


class Files(Case):
    """A file is read and written at the client, or here."""

    def setUp(self) -> None:
        """Make a file."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "file"
        self.path.write_bytes(b"one\r\ntwo\nthr\xc3\xa9e")

    async def test_the_client_is_asked(self) -> None:
        wire, connection = await told({"fs": {"readTextFile": True, "writeTextFile": True}})
        read = connection.read_file("s", path=str(self.path))
        self.assertEqual(await answered(wire, read, result={"content": "unsaved"}), "unsaved")
        write = connection.write_file("s", path=str(self.path), content="new")
        self.assertIsNone(await answered(wire, write, result={}))
        self.assertTrue(self.path.read_bytes().startswith(b"one"))
        refused = connection.read_file("s", path=str(self.path))
        with self.assertRaises(RequestError):
            await answered(wire, refused, error={"code": -32603, "message": "No"})

    async def test_the_disk_is_used_where_the_client_has_no_files(self) -> None:
        _, connection = await told({})
        path = str(self.path)
        self.assertEqual(await connection.read_file("s", path=path), "one\r\ntwo\nthrée")
        self.assertEqual(await connection.read_file("s", path=path, line=2), "two\nthrée")
        self.assertEqual(await connection.read_file("s", path=path, line=2, limit=1), "two\n")
        self.assertEqual(await connection.read_file("s", path=path, limit=1), "one\r\n")
        self.assertEqual(await connection.read_file("s", path=path, line=9), "")
        await connection.write_file("s", path=path, content="a\r\nb\n")
        self.assertEqual(self.path.read_bytes(), b"a\r\nb\n")
        with self.assertRaises(FileNotFoundError):
            await connection.read_file("s", path=f"{path}-gone")
        self.path.write_bytes(b"\xff")
        with self.assertRaises(UnicodeDecodeError):
            await connection.read_file("s", path=path)

    async def test_a_client_without_the_method_has_no_files(self) -> None:
        wire, connection = await told({"fs": {"readTextFile": True}})
        error = {"code": -32601, "message": "Method not found"}
        read = connection.read_file("s", path=str(self.path), limit=1)
        self.assertEqual(await answered(wire, read, error=error), "one\r\n")
