"""Turns: each does what its prompt says."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import TYPE_CHECKING
from uuid import uuid4

from acp import (
    ClientPeer,
    ContentBlock,
    ContentBlockText,
    Error,
    ErrorCode,
    PermissionOption,
    PermissionOptionKind,
    PlanEntry,
    PlanEntryPriority,
    PlanEntryStatus,
    PlanUpdateContent,
    RequestError,
    RequestPermissionOutcomeOther,
    RequestPermissionOutcomeSelected,
    RequestPermissionSubject,
    SessionUpdate,
    TerminalCancelCapabilities,
    TerminalCapabilities,
    TerminalExitStatus,
    ToolCallCancelCapabilities,
    ToolCallCapabilities,
    ToolCallContent,
    ToolCallStatus,
    ToolCallUpdate,
    ToolKind,
)

if TYPE_CHECKING:
    from session import Session


class Turn:
    """One turn: what happens in it is told to the client, and kept."""

    def __init__(
        self, session: Session, client: ClientPeer, content: list[ContentBlock]
    ) -> None:
        """Begin after the turns before it."""
        self.session = session
        self.client = client
        self.content = content
        self.message_id = uuid4().hex
        self.answer_id = uuid4().hex
        self.is_cancelled = False
        self.acting: asyncio.Task[None] | None = None
        self.work = asyncio.create_task(self.run())
        session.turns.add(self)
        self.work.add_done_callback(lambda _: session.turns.discard(self))

    def cancel(self) -> None:
        """End it soon."""
        if self.acting and not self.is_cancelled:
            self.acting.cancel()
        self.is_cancelled = True

    async def run(self) -> None:
        """Go from the user's message to the idle state."""
        said = SessionUpdate.user_message(self.message_id, content=self.content)
        async with self.session.order:
            await self.tell(said)
            await self.enter(SessionUpdate.state_update_running())
            await self.enter(await self.end())

    async def end(self) -> SessionUpdate:
        """Tell how it ends: it has been cancelled, or has failed, or all is done."""
        if self.is_cancelled:
            return SessionUpdate.state_update_idle_cancelled()
        self.acting = asyncio.create_task(self.act())
        try:
            await self.acting
        except (asyncio.CancelledError, Exception) as failure:
            if self.is_cancelled:
                return SessionUpdate.state_update_idle_cancelled()
            if isinstance(failure, asyncio.CancelledError):
                raise
            known = RequestError.internal_error()
            if isinstance(failure, RequestError):
                known = failure
            error = Error(code=ErrorCode(known.code), message=known.message)
            return SessionUpdate.state_update_idle_error(error=error)
        return SessionUpdate.state_update_idle_end_turn()

    async def act(self) -> None:
        """Do what the prompt says."""
        match self.content:
            case [ContentBlockText(text="permission"), *_]:
                await self.permission()
            case [ContentBlockText(text="tool"), *_]:
                await self.tool()
            case [ContentBlockText(text="long tool"), *_]:
                await self.long_tool()
            case [ContentBlockText(text="file"), *_]:
                await self.say("version 2 has no files of the client")
            case [ContentBlockText(text="terminal"), *_]:
                await self.terminal()
            case [ContentBlockText(text="long terminal"), *_]:
                await self.long_terminal()
            case [ContentBlockText(text="slow"), *_]:
                await asyncio.Event().wait()
            case blocks:
                for block in blocks:
                    await self.say(block)

    async def permission(self) -> None:
        """Ask for permission, and say what came of it."""
        call = ToolCallUpdate(tool_call_id=uuid4().hex, title="Do it")
        allow, reject = (
            PermissionOptionKind.ALLOW_ONCE,
            PermissionOptionKind.REJECT_ONCE,
        )
        yes = PermissionOption(option_id="yes", name="Yes", kind=allow)
        no = PermissionOption(option_id="no", name="No", kind=reject)
        await self.enter(SessionUpdate.state_update_requires_action())
        response = await self.client.request_permission(
            self.session.id,
            title="Do it?",
            subject=RequestPermissionSubject.tool_call(call),
            options=[yes, no],
        )
        await self.enter(SessionUpdate.state_update_running())
        match response.outcome:
            case RequestPermissionOutcomeSelected(option_id=option):
                await self.say(f"permission: selected {option}")
            case RequestPermissionOutcomeOther(tag=tag):
                await self.say(f"permission: {tag}")
            case _:
                await self.say("permission: cancelled")

    async def tool(self) -> None:
        """Call a tool, and show the plan."""
        call = uuid4().hex
        begun = SessionUpdate.tool_call_update(
            call,
            title="Think",
            kind=ToolKind.THINK,
            status=ToolCallStatus.IN_PROGRESS,
        )
        await self.tell(begun)
        done = SessionUpdate.tool_call_update(
            call,
            status=ToolCallStatus.COMPLETED,
            content=[ToolCallContent.content("It is thought.")],
        )
        await self.tell(done)
        entry = PlanEntry(
            content="Think",
            priority=PlanEntryPriority.MEDIUM,
            status=PlanEntryStatus.COMPLETED,
        )
        plan = PlanUpdateContent.items("plan", entries=[entry])
        await self.tell(SessionUpdate.plan_update(plan))

    async def long_tool(self) -> None:
        """Call a tool that ends when it is stopped."""
        call = uuid4().hex
        begun = SessionUpdate.tool_call_update(
            call,
            title="Wait",
            status=ToolCallStatus.IN_PROGRESS,
            capabilities=ToolCallCapabilities(cancel=ToolCallCancelCapabilities()),
        )
        done = SessionUpdate.tool_call_update(
            call, status=ToolCallStatus.CANCELLED, capabilities=None
        )
        await self.until_stopped(call, begun, done)

    async def terminal(self) -> None:
        """Show a terminal whose process has ended."""
        key, cwd = uuid4().hex, self.session.cwd
        await self.tell(SessionUpdate.terminal_update(key, command="echo", cwd=cwd))
        data = b64encode(b"hi\n").decode()
        await self.tell(SessionUpdate.terminal_output_chunk(key, data=data))
        status = TerminalExitStatus(exit_code=0)
        await self.tell(SessionUpdate.terminal_update(key, exit_status=status))

    async def long_terminal(self) -> None:
        """Show a terminal whose process ends when it is stopped."""
        key = uuid4().hex
        begun = SessionUpdate.terminal_update(
            key,
            command="wait",
            cwd=self.session.cwd,
            capabilities=TerminalCapabilities(cancel=TerminalCancelCapabilities()),
        )
        status = TerminalExitStatus(signal="SIGTERM")
        done = SessionUpdate.terminal_update(key, exit_status=status, capabilities=None)
        await self.until_stopped(key, begun, done)

    async def until_stopped(
        self, key: str, begun: SessionUpdate, done: SessionUpdate
    ) -> None:
        """Wait until what has this key is stopped, or the turn is."""
        self.session.stops[key] = stop = asyncio.Event()
        try:
            await self.tell(begun)
            await stop.wait()
        finally:
            del self.session.stops[key]
            await self.tell(done)

    async def say(self, content: ContentBlock | str) -> None:
        """Say something to the user."""
        chunk = SessionUpdate.agent_message_chunk(self.answer_id, content=content)
        await self.tell(chunk)

    async def tell(self, update: SessionUpdate) -> None:
        """Tell the client, and keep it for whoever resumes the session."""
        self.session.history.append(update)
        await self.session.send(self.client, update)

    async def enter(self, state: SessionUpdate) -> None:
        """Change the state."""
        self.session.state = state
        await self.session.send(self.client, state)
