"""What the other end is told of from its start to its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from acp import CallError
from wire import Case, agent, settled

if TYPE_CHECKING:
    from wire import Wire


async def told(wire: Wire) -> dict[str, Any]:
    """Give what is told next."""
    message = await wire.receive()
    assert message["params"]["sessionId"] == "s"
    update: dict[str, Any] = message["params"]["update"]
    return update


def changed(status: str, **more: str) -> dict[str, Any]:
    """Give the change that says how far it has come."""
    return {"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": status, **more}


OPENED = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Run", "status": "in_progress"}


class Progress(Case):
    """An item begins, changes, and ends once."""

    async def test_it_ends_with_its_block(self) -> None:
        wire, connection = await agent()
        async with connection.tool_call_progress("s", tool_call_id="t", title="Run") as call:
            await call.update(title="Walk")
        self.assertEqual(await told(wire), OPENED)
        change = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "Walk"}
        self.assertEqual(await told(wire), change)
        self.assertEqual(await told(wire), changed("completed"))

    async def test_the_first_end_counts(self) -> None:
        wire, connection = await agent()
        progress = connection.tool_call_progress(
            "s", tool_call_id="t", title="Run", status="pending"
        )
        async with progress as call:
            await call.fail(title="Fell")
            await call.complete()
            await call.update(title="Late")
            await call.cancel()
        self.assertEqual(await told(wire), {**OPENED, "status": "pending"})
        self.assertEqual(await told(wire), changed("failed", title="Fell"))
        await connection.ext_notification("_next", {})
        self.assertEqual((await wire.receive())["method"], "_next")

    async def test_an_exception_has_it_fail(self) -> None:
        wire, connection = await agent()
        with self.assertRaises(KeyError):
            async with connection.tool_call_progress("s", tool_call_id="t", title="Run"):
                raise KeyError
        self.assertEqual(await told(wire), OPENED)
        self.assertEqual(await told(wire), changed("failed"))

    async def test_a_cancellation_ends_it(self) -> None:
        wire, connection = await agent()

        async def work() -> None:
            async with connection.tool_call_progress("s", tool_call_id="t", title="Run"):
                await asyncio.sleep(60)

        task = asyncio.create_task(work())
        self.assertEqual(await told(wire), OPENED)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual(await told(wire), changed("failed"))

    async def test_an_exception_goes_on_without_a_connection(self) -> None:
        _, connection = await agent()
        with self.assertRaises(KeyError):
            async with connection.tool_call_progress("s", tool_call_id="t", title="Run"):
                await connection.close()
                raise KeyError
        with self.assertRaises(CallError):
            async with connection.tool_call_progress("s", tool_call_id="t", title="Run"):
                self.fail("it cannot begin")
        await settled()
