"""What a client sees of a run whose output comes in pieces."""

from __future__ import annotations

import asyncio
import socket
import unittest
from typing import Any

import sdk
from sdk import ABSENT, CallError, RequestError, StreamedCall
from sdk.rpc import Dropped, Ignored, Received
from sdk.types import RunAgentResponse, RunMeta

Run = StreamedCall[RunAgentResponse]


class Sender(sdk.Server):
    """Sends the deltas of its input, and gives its output."""

    def __init__(self) -> None:
        """Begin without runs."""
        self.seen: list[object] = []

    async def initialize(self, request: Any, context: Any) -> sdk.InitializeResponse:
        """Offer agents."""
        return sdk.InitializeResponse(
            protocol_version="1",
            capabilities=sdk.ServerCapabilities(agents=sdk.AgentsCapability()),
            server_info=sdk.Implementation(name="s", version="1"),
        )

    async def initialized(self, request: Any, context: Any) -> None:
        """Take note of nothing."""

    async def list_agents(self, request: Any, context: Any) -> sdk.ListAgentsResponse:
        """Name none."""
        return sdk.ListAgentsResponse(agents=[])

    async def run_agent(
        self,
        request: sdk.RunAgentRequest,
        context: sdk.ServerContext,
    ) -> RunAgentResponse:
        """Do what the input says."""
        token = request.meta.progress_token if request.meta else None
        self.seen.append(token)
        token = request.input.get("stray", token)
        for delta in request.input["deltas"]:
            await context.client.run_progress(token, delta=delta)
        if request.name == "fail":
            raise RequestError(-32042, "no")
        if request.name == "wait":
            await asyncio.Event().wait()
        return RunAgentResponse(output=request.input["output"])


class Listener(sdk.Client):
    """Keeps what belongs to no run."""

    def __init__(self) -> None:
        """Begin without any."""
        self.told: list[tuple[object, Any]] = []
        self.asks = False
        self.found: list[Any] = []

    async def run_progress(
        self,
        request: sdk.RunProgressNotification,
        context: sdk.ClientContext,
    ) -> None:
        """Keep it, and the first piece of a run of its own, if it is to ask for one."""
        self.told.append((request.progress_token, request.delta))
        if self.asks:
            inner = {"deltas": ["a"], "output": ""}
            async with context.server.run_agent_streamed("wait", input=inner) as run:
                self.found.append(await run.__anext__())


async def transport(end: socket.socket) -> sdk.StreamTransport:
    """Make a transport of a socket."""
    return sdk.StreamTransport(*await asyncio.open_connection(sock=end))


async def pieces(run: Run) -> list[Any]:
    """Give what is left of a run's pieces."""
    return [piece async for piece in run]


class Runs(unittest.IsolatedAsyncioTestCase):
    """A client and a server."""

    async def asyncSetUp(self) -> None:
        """Connect the two."""
        near, far = socket.socketpair()
        self.sender = Sender()
        self.listener = Listener()
        self.server = sdk.ServerSideConnection(self.sender, await transport(far))
        self.observed: list[object] = []
        self.client = sdk.ClientSideConnection(
            self.listener,
            await transport(near),
            sdk.ConnectionOptions(observe=self.observed.append),
        )
        await self.client.initialize(
            "1",
            capabilities=sdk.ClientCapabilities(),
            client_info=sdk.Implementation(name="c", version="1"),
        )

    async def asyncTearDown(self) -> None:
        """Close both ends."""
        await self.client.close()
        await self.server.close()

    def run_of(self, deltas: list[Any], output: Any = "", name: str = "a") -> Run:
        """Run an agent that sends these."""
        value = {"deltas": deltas, "output": output}
        return self.client.run_agent_streamed(name, input=value)

    async def test_pieces_come_as_they_are_and_make_up_the_output(self) -> None:
        deltas = [["he"], ["llo", "th"], [None], ["ere"], [None, "general"]]
        output = ["hello", "there", "general"]
        run = self.run_of(deltas, output)
        self.assertIs(run.output, ABSENT)
        self.assertEqual(await pieces(run), deltas)
        self.assertEqual(run.output, output)
        finished = await run.finish()
        self.assertEqual(finished.result, RunAgentResponse(output=output))
        self.assertEqual(finished.joined, output)
        self.assertFalse(finished.differs)
        self.assertIsNone(finished.error)
        self.assertEqual(self.sender.seen, [run.token])

    async def test_the_output_so_far_grows_while_pieces_come(self) -> None:
        run = self.run_of(["a", "b", "c"], name="wait")
        outputs = []
        async for piece in run:
            outputs.append(run.output)
            if piece == "c":
                break
        self.assertEqual(len(outputs), 3)
        for count, output in enumerate(outputs, 1):
            self.assertTrue("abc".startswith(output) and len(output) >= count, outputs)
        await run.aclose()

    async def test_pieces_wait_until_they_are_asked_for(self) -> None:
        run = self.run_of(["a", "b"], "ab")
        finished = await run.finish()
        self.assertEqual((finished.joined, finished.differs), ("ab", False))
        self.assertEqual(await pieces(run), ["a", "b"])
        self.assertEqual(await pieces(run), [])
        self.assertEqual(await run.finish(), finished)

    async def test_an_output_that_differs_is_reported_and_counts(self) -> None:
        for deltas, output, joined in ((["a", "b"], "abc", "ab"), ([1], True, 1)):
            finished = await self.run_of(deltas, output).finish()
            self.assertEqual(finished.result.output, output)
            self.assertEqual((finished.joined, finished.differs), (joined, True))
            self.assertIsNone(finished.error)

    async def test_pieces_that_cannot_be_joined_are_still_given(self) -> None:
        run = self.run_of(["a", 1, "b"], "a")
        self.assertEqual(await pieces(run), ["a", 1, "b"])
        finished = await run.finish()
        self.assertEqual((finished.joined, finished.differs), ("a", True))
        self.assertIsInstance(finished.error, sdk.JoinError)

    async def test_without_pieces_there_is_nothing_to_compare(self) -> None:
        finished = await self.run_of([], {"whole": True}).finish()
        self.assertIs(finished.joined, ABSENT)
        self.assertFalse(finished.differs)

    async def test_a_null_is_a_piece(self) -> None:
        finished = await self.run_of([None], None).finish()
        self.assertEqual((finished.joined, finished.differs), (None, False))
        finished = await self.run_of([None], 1).finish()
        self.assertEqual((finished.joined, finished.differs), (None, True))

    async def test_runs_at_the_same_time_keep_apart(self) -> None:
        runs = [self.run_of([letter, letter], 2 * letter) for letter in "xyz"]
        finished = await asyncio.gather(*(run.finish() for run in runs))
        self.assertEqual([each.joined for each in finished], ["xx", "yy", "zz"])
        self.assertEqual(len({run.token for run in runs}), 3)

    async def test_a_failure_ends_the_pieces_and_fails_the_run(self) -> None:
        run = self.run_of(["a"], name="fail")
        self.assertEqual(await anext(run), "a")
        for end in (pieces(run), run.finish()):
            with self.assertRaises(RequestError) as raised:
                await end
            self.assertEqual(raised.exception.code, -32042)

    async def test_a_connection_that_ends_fails_the_run(self) -> None:
        run = self.run_of(["a"], name="wait")
        self.assertEqual(await anext(run), "a")
        await self.client.close()
        with self.assertRaises(sdk.ConnectionClosedError):
            await pieces(run)
        with self.assertRaises(sdk.ConnectionClosedError):
            await run.finish()

    async def test_a_run_can_be_given_up(self) -> None:
        async with self.run_of(["a", "b"], name="wait") as run:
            self.assertEqual(await anext(run), "a")
            self.assertEqual(await anext(run), "b")
        self.assertEqual(await pieces(run), [])
        with self.assertRaises(CallError):
            await run.finish()
        self.assertEqual((await self.client.list_agents()).agents, [])

    async def test_a_cancelled_wait_gives_the_run_up(self) -> None:
        for wait in (pieces, Run.finish):
            run = self.run_of(["a"], name="wait")
            self.assertEqual(await anext(run), "a")
            task = asyncio.ensure_future(wait(run))
            await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            with self.assertRaises(CallError):
                await run.finish()

    async def test_what_belongs_to_no_run_goes_to_the_handler(self) -> None:
        params = {"deltas": [1, 2], "output": 3, "stray": "mine"}
        finished = await self.client.run_agent_streamed("a", input=params).finish()
        self.assertIs(finished.joined, ABSENT)
        self.assertEqual(self.listener.told, [("mine", 1), ("mine", 2)])

    async def test_pieces_wait_for_no_handler(self) -> None:
        self.listener.asks = True
        params = {"deltas": [1], "output": 2, "stray": "mine"}
        await self.client.run_agent_streamed("a", input=params).finish()
        self.assertEqual(self.listener.found, ["a"])

    async def test_what_comes_after_a_run_goes_to_the_handler(self) -> None:
        run = self.run_of(["a"], "a")
        await run.finish()
        await self.server.run_progress(run.token, delta="b")
        await self.client.list_agents()
        await self.server.close()
        self.assertEqual(self.listener.told, [(run.token, "b")])
        self.assertEqual(run.output, "a")

    async def test_a_piece_without_a_delta_is_dropped(self) -> None:
        run = self.run_of(["a"], "", name="wait")
        self.assertEqual(await anext(run), "a")
        name = "notifications/agents/run/progress"
        await self.server.notify(name, {"progressToken": run.token})
        await self.server.run_progress(run.token, delta="b")
        self.assertEqual(await anext(run), "b")
        self.assertEqual(run.output, "ab")
        await self.client.list_agents()
        reason = "expected a required property, found nothing"
        self.assertIn(Dropped(name, "params.delta", reason), self.observed)
        await run.aclose()

    async def test_what_nothing_handles_is_ignored_whatever_it_says(self) -> None:
        near, far = socket.socketpair()
        observed: list[object] = []
        client = sdk.ClientSideConnection(
            sdk.Client(),
            await transport(near),
            sdk.ConnectionOptions(observe=observed.append),
        )
        method = "notifications/agents/run/progress"
        for params in ("5", '{"delta":"x"}', '{"progressToken":"t","delta":1e400}'):
            far.sendall(f'{{"method":"{method}","params":{params}}}\n'.encode())
        far.close()
        await client.wait_closed()
        await client.close()
        seen = [it for it in observed if not isinstance(it, Received)]
        self.assertEqual(seen, [Ignored(method)] * 3)

    async def test_the_callers_params_stay_as_they_are(self) -> None:
        meta = RunMeta(progress_token=7)
        value = {"deltas": ["a"], "output": "a"}
        run = self.client.run_agent_streamed("a", input=value, meta=meta)
        self.assertEqual((await run.finish()).joined, "a")
        self.assertEqual(meta, RunMeta(progress_token=7))
        self.assertEqual(self.sender.seen, [run.token])


if __name__ == "__main__":
    unittest.main()
