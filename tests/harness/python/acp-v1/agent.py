"""An agent on standard input and output that does what its prompts say."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import defaultdict
from typing import TYPE_CHECKING, Any, cast

import msgspec
from acp import (
    Agent,
    AgentCapabilities,
    AgentContext,
    AuthMethodAgent,
    AuthenticateRequest,
    BranchSessionRequest,
    BranchSessionResponse,
    CallError,
    CancelNotification,
    ClientPeer,
    ContentBlock,
    ContentBlockText,
    InitializeRequest,
    InitializeResponse,
    LoadSessionRequest,
    LoadSessionResponse,
    NewSessionRequest,
    NewSessionResponse,
    PermissionOption,
    PermissionOptionKind,
    PromptRequest,
    PromptResponse,
    RequestError,
    SessionUpdate,
    StopReason,
    ToolCallUpdate,
    run_agent,
)
from acp.rpc import ConnectionOptions

if TYPE_CHECKING:
    from collections.abc import Sequence


class Harness(Agent):
    """The agent."""

    def __init__(self) -> None:
        """Begin without sessions."""
        self.sessions = 0
        self.tasks: set[asyncio.Task[None]] = set()
        # Says that a session's prompts are cancelled.
        self.bells: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def initialize(
        self, request: InitializeRequest, context: AgentContext
    ) -> InitializeResponse:
        """Claim to speak whatever version was asked for: the connection knows better."""
        if getattr(request.client_info, "name", None) == "sleep":
            await asyncio.Event().wait()
        return InitializeResponse(
            protocol_version=request.protocol_version,
            agent_capabilities=AgentCapabilities(load_session=True),
            auth_methods=[AuthMethodAgent(id="none", name="none")],
        )

    async def authenticate(self, request: AuthenticateRequest, context: AgentContext) -> None:
        """Let everyone in."""

    async def new_session(
        self, request: NewSessionRequest, context: AgentContext
    ) -> NewSessionResponse:
        """Open a session."""
        return NewSessionResponse(session_id=await self.begin(request.cwd, context))

    async def branch_session(
        self, request: BranchSessionRequest, context: AgentContext
    ) -> BranchSessionResponse:
        """Open another session."""
        return BranchSessionResponse(session_id=await self.begin(request.cwd, context))

    async def begin(self, folder: str, context: AgentContext) -> str:
        """Make a session; `/early` says something of it first, `/early/refuse` then refuses it."""
        self.sessions += 1
        session = f"s{self.sessions}"
        if folder.startswith("/early"):
            await say(context.client, session, "early")
        if folder.endswith("/refuse"):
            raise RequestError.resource_not_found()
        return session

    async def load_session(
        self, request: LoadSessionRequest, context: AgentContext
    ) -> LoadSessionResponse:
        """Replay as many updates as the folder says, such as `/replay/3`; `/ask` asks first."""
        if request.cwd == "/refuse":
            raise RequestError.resource_not_found()
        if request.cwd == "/ask":
            await ask_permission(context.client, request.session_id)
            return LoadSessionResponse()
        _, _, count = request.cwd.rpartition("/")
        for text in range(int(count)):
            await say(context.client, request.session_id, str(text))
        return LoadSessionResponse()

    async def cancel(self, request: CancelNotification, context: AgentContext) -> None:
        """Wake the prompts that wait for this."""
        self.bells.pop(request.session_id, asyncio.Event()).set()

    async def ext_method(self, method: str, params: Any, context: AgentContext) -> Any:
        """Answer what was said."""
        if method != "_echo":
            raise RequestError.method_not_found(method)
        return {"echoed": params}

    async def unknown_method(self, method: str, params: Any, context: AgentContext) -> Any:
        """Answer what was said to a method that has no name for it."""
        if method != "plain/echo":
            raise RequestError.method_not_found(method)
        return {"echoed": params}

    async def prompt(self, request: PromptRequest, context: AgentContext) -> PromptResponse:
        """Do what the first word says."""
        session, client = request.session_id, context.client
        texts = [block.text for block in request.prompt if isinstance(block, ContentBlockText)]
        word, *counts = (texts[0] if texts else "").split() or [""]
        if word == "updates":
            text = "x" * number(counts, 1, 20)
            for _ in range(number(counts, 0, 1)):
                await say(client, session, text)
        elif word == "later":
            # By a task of its own.
            count = number(counts, 0, 1)
            task = asyncio.create_task(say_numbers(client, session, count))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
        elif word == "fs":
            for _ in range(number(counts, 0, 1)):
                file = await client.read_text_file(session, path="/hello.txt")
                if file.content != "hello":
                    raise RequestError.internal_error()
        elif word == "perm":
            await ask_permission(client, session)
        elif word == "together":
            calls = [outcome(client, at) for at in range(number(counts, 0, 2))]
            outcomes = await client.batch(*calls)
            await say(client, session, msgspec.json.encode(outcomes).decode())
        elif word == "throw":
            raise ValueError("thrown")
        elif word == "throwcode":
            raise RequestError(-32042, "custom", {"x": 1})
        elif word == "panic":
            # What would end any other program.
            sys.exit("panic")
        elif word == "drop":
            return cast("PromptResponse", None)
        elif word == "slow":
            return await self.cancelled(session)
        elif word == "sleep":
            await asyncio.Event().wait()
        elif word == "spoil":
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError as error:
                raise RequestError(-32042, "custom") from error
        elif word == "bad":
            codes = await refusals(client, session)
            await say(client, session, msgspec.json.encode(codes).decode())
        return PromptResponse(stop_reason=StopReason.END_TURN)

    async def cancelled(self, session: str) -> PromptResponse:
        """Wait for `session/cancel`, or the cancellation of the request."""
        try:
            await self.bells[session].wait()
        except asyncio.CancelledError:
            # It has its say.
            pass
        return PromptResponse(stop_reason=StopReason.CANCELLED)


def number(counts: Sequence[str], at: int, otherwise: int) -> int:
    """Give a number of a prompt."""
    return int(counts[at]) if at < len(counts) else otherwise


async def say(client: ClientPeer, session: str, text: str) -> None:
    """Send a text."""
    await client.session_update(
        session, update=SessionUpdate.agent_message_chunk(ContentBlock.text(text))
    )


async def say_numbers(client: ClientPeer, session: str, count: int) -> None:
    """Count."""
    for text in range(count):
        await say(client, session, str(text))


async def ask_permission(client: ClientPeer, session: str) -> None:
    """Ask, and tell what was answered."""
    kinds = PermissionOptionKind
    answer = await client.request_permission(
        session,
        tool_call=ToolCallUpdate(tool_call_id="t1"),
        options=[
            PermissionOption(option_id="yes", name="Yes", kind=kinds.ALLOW_ONCE),
            PermissionOption(option_id="no", name="No", kind=kinds.REJECT_ONCE),
        ],
    )
    await say(client, session, msgspec.json.encode(answer.outcome).decode())


async def outcome(client: ClientPeer, number: int) -> Any:
    """Ask, and give what becomes of that."""
    try:
        return await client.ext_method("_ask", {"number": number})
    except (CallError, RequestError):
        return "failed"


async def refusals(client: ClientPeer, session: str) -> list[int | None]:
    """Give the codes of the errors that calls which are wrong get."""
    codes: list[int | None] = []
    for method in ("no/such_method", "fs/read_text_file", "_no_such_extension"):
        try:
            await client.request(method, {"sessionId": session})
        except RequestError as error:
            codes.append(error.code)
        else:
            codes.append(None)
    return codes


async def main() -> None:
    """Serve standard input and output. Nothing may be left behind."""
    options = ConnectionOptions(report_failures="QUIET" not in os.environ)
    await run_agent(Harness(), options)
    nothing_is_left()


def nothing_is_left() -> None:
    """Exit with an error if tasks or threads go on after a connection."""
    left = [*(asyncio.all_tasks() - {asyncio.current_task()}), *threading.enumerate()[1:]]
    if left:
        sys.exit(f"left behind: {left}")


if __name__ == "__main__":
    asyncio.run(main())
