"""An agent that has every method of version 2 of the protocol.

What it does in a turn is what the prompt says: `permission`, `tool`, `long tool`, `file`,
`terminal`, `long terminal`, `slow`; anything else it echoes.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from contextlib import suppress
from time import gmtime, strftime
from uuid import uuid4

from acp import (
    Agent,
    AgentAuthCapabilities,
    AgentCapabilities,
    AgentContext,
    AuthMethod,
    CallError,
    CancelSessionNotification,
    CancelTerminalRequest,
    CancelToolCallRequest,
    ClientPeer,
    CloseSessionRequest,
    ContentBlock,
    ContentBlockText,
    DeleteSessionRequest,
    Error,
    ErrorCode,
    Implementation,
    InitializeRequest,
    InitializeResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    LoginAuthRequest,
    LogoutAuthRequest,
    NewSessionRequest,
    NewSessionResponse,
    PermissionOption,
    PermissionOptionKind,
    PlanEntry,
    PlanEntryPriority,
    PlanEntryStatus,
    PlanUpdateContent,
    PromptAudioCapabilities,
    PromptCapabilities,
    PromptEmbeddedContextCapabilities,
    PromptImageCapabilities,
    PromptRequest,
    PromptResponse,
    ReplayFromOther,
    RequestError,
    RequestPermissionOutcomeOther,
    RequestPermissionOutcomeSelected,
    RequestPermissionSubject,
    ResumeSessionRequest,
    ResumeSessionResponse,
    SessionAdditionalDirectoriesCapabilities,
    SessionCapabilities,
    SessionConfigOption,
    SessionConfigOptionCategory,
    SessionConfigSelectOption,
    SessionDeleteCapabilities,
    SessionInfo,
    SessionUpdate,
    SetSessionConfigOptionRequest,
    SetSessionConfigOptionRequestBoolean,
    SetSessionConfigOptionRequestId,
    SetSessionConfigOptionResponse,
    TerminalCancelCapabilities,
    TerminalCapabilities,
    TerminalExitStatus,
    ToolCallCancelCapabilities,
    ToolCallCapabilities,
    ToolCallContent,
    ToolCallStatus,
    ToolCallUpdate,
    ToolKind,
    run_agent,
)

AUTH_METHOD = "token"
CHOICES = {
    "mode": {"ask": "Ask first", "act": "Act at once"},
    "model": {"small": "Small", "large": "Large"},
}
VERBOSE = "verbose"
PAGE = 50
"""So many sessions are listed at once."""


class Session:
    """What is known of a session, and its work, one turn after the other."""

    def __init__(self, cwd: str, directories: list[str]) -> None:
        """Begin without turns."""
        self.id = uuid4().hex
        self.cwd = cwd
        self.directories = directories
        self.title: str | None = None
        self.updated_at = now()
        self.chosen = {config: next(iter(CHOICES[config])) for config in CHOICES}
        self.is_verbose = False
        self.is_active = True
        self.state: SessionUpdate = SessionUpdate.state_update_idle_none()
        # All that was said and done, as it is replayed.
        self.history: list[SessionUpdate] = []
        # What stops the tools and terminals that can be stopped.
        self.stops: dict[str, asyncio.Event] = {}
        self.turns: set[Turn] = set()
        self.order = asyncio.Lock()

    def info(self) -> SessionInfo:
        """Give what a list has of it."""
        return SessionInfo(
            session_id=self.id,
            cwd=self.cwd,
            additional_directories=self.directories,
            title=self.title,
            updated_at=self.updated_at,
        )

    def options(self) -> list[SessionConfigOption]:
        """Give what the client may choose."""
        options: list[SessionConfigOption] = [
            SessionConfigOption.select(
                config,
                name=config,
                category=SessionConfigOptionCategory(config),
                current_value=self.chosen[config],
                options=[
                    SessionConfigSelectOption(value=value, name=name)
                    for value, name in choices.items()
                ],
            )
            for config, choices in CHOICES.items()
        ]
        verbose = SessionConfigOption.boolean(
            VERBOSE, name=VERBOSE, current_value=self.is_verbose
        )
        return [*options, verbose]

    async def send(self, client: ClientPeer, update: SessionUpdate) -> None:
        """Tell a client, if it is still there."""
        with suppress(CallError):
            await client.update_session(self.id, update=update)

    async def cancel(self) -> None:
        """Cancel all turns, and wait until they have ended."""
        for turn in self.turns:
            turn.cancel()
        if self.turns:
            await asyncio.wait([turn.work for turn in self.turns])

    def stop(self, key: str) -> None:
        """Stop a tool or a terminal."""
        if key not in self.stops:
            raise invalid("id")
        self.stops[key].set()


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


class Full(Agent):
    """All that an agent can do."""

    def __init__(self) -> None:
        """Begin without sessions."""
        self.is_logged_in = True
        self.sessions: dict[str, Session] = {}

    async def initialize(
        self, request: InitializeRequest, context: AgentContext
    ) -> InitializeResponse:
        """Say what it can do."""
        session = SessionCapabilities(
            prompt=PromptCapabilities(
                image=PromptImageCapabilities(),
                audio=PromptAudioCapabilities(),
                embedded_context=PromptEmbeddedContextCapabilities(),
            ),
            delete=SessionDeleteCapabilities(),
            additional_directories=SessionAdditionalDirectoriesCapabilities(),
        )
        auth = AgentAuthCapabilities()
        return InitializeResponse(
            protocol_version=context.protocol_version,
            info=Implementation(name="full", title="Full agent", version="1.0.0"),
            auth_methods=[
                AuthMethod.agent(AUTH_METHOD, name="A token that the agent has")
            ],
            capabilities=AgentCapabilities(session=session, auth=auth),
        )

    async def login_auth(
        self, request: LoginAuthRequest, context: AgentContext
    ) -> None:
        """Take whoever comes."""
        if request.method_id != AUTH_METHOD:
            raise invalid("methodId")
        self.is_logged_in = True

    async def logout_auth(
        self, request: LogoutAuthRequest, context: AgentContext
    ) -> None:
        """Have no more sessions until somebody logs in again."""
        self.is_logged_in = False

    async def new_session(
        self, request: NewSessionRequest, context: AgentContext
    ) -> NewSessionResponse:
        """Begin a session."""
        if not self.is_logged_in:
            raise RequestError.auth_required()
        session = Session(request.cwd, request.additional_directories or [])
        self.sessions[session.id] = session
        options = session.options()
        return NewSessionResponse(session_id=session.id, config_options=options)

    async def list_sessions(
        self, request: ListSessionsRequest, context: AgentContext
    ) -> ListSessionsResponse:
        """List a page of the sessions."""
        cursor = request.cursor or "0"
        if not cursor.isdecimal():
            raise invalid("cursor")
        start = int(cursor)
        end = start + PAGE
        infos = [
            session.info()
            for session in self.sessions.values()
            if not request.cwd or request.cwd == session.cwd
        ]
        next_cursor = str(end) if end < len(infos) else None
        return ListSessionsResponse(sessions=infos[start:end], next_cursor=next_cursor)

    async def resume_session(
        self, request: ResumeSessionRequest, context: AgentContext
    ) -> ResumeSessionResponse:
        """Go on with a session, and tell what has been said in it if that is wanted."""
        session = self.find(request.session_id)
        if request.cwd != session.cwd:
            raise invalid("cwd")
        if isinstance(request.replay_from, ReplayFromOther):
            raise invalid("replayFrom")
        session.directories = request.additional_directories or []
        session.is_active = True
        for update in session.history.copy() if request.replay_from else []:
            await session.send(context.client, update)
        await session.send(context.client, session.state)
        return ResumeSessionResponse(config_options=session.options())

    async def close_session(
        self, request: CloseSessionRequest, context: AgentContext
    ) -> None:
        """Take no more prompts in a session: one that is not there is closed already."""
        if session := self.sessions.get(request.session_id):
            session.is_active = False
            await session.cancel()

    async def delete_session(
        self, request: DeleteSessionRequest, context: AgentContext
    ) -> None:
        """Forget a session: that there is none any more is all that is asked for."""
        if session := self.sessions.pop(request.session_id, None):
            await session.cancel()

    async def prompt(
        self, request: PromptRequest, context: AgentContext
    ) -> PromptResponse:
        """Begin a turn."""
        session = self.find_active(request.session_id)
        match request.prompt:
            case [ContentBlockText(text=text), *_] if session.title is None:
                session.title = text[:80]
        session.updated_at = now()
        turn = Turn(session, context.client, request.prompt)
        return PromptResponse(message_id=turn.message_id)

    async def cancel_session(
        self, request: CancelSessionNotification, context: AgentContext
    ) -> None:
        """Cancel the turns of a session."""
        if session := self.sessions.get(request.session_id):
            await session.cancel()

    async def cancel_tool_call(
        self, request: CancelToolCallRequest, context: AgentContext
    ) -> None:
        """Stop a tool."""
        self.find_active(request.session_id).stop(request.tool_call_id)

    async def cancel_terminal(
        self, request: CancelTerminalRequest, context: AgentContext
    ) -> None:
        """Stop a terminal."""
        self.find_active(request.session_id).stop(request.terminal_id)

    async def set_session_config_option(
        self, request: SetSessionConfigOptionRequest, context: AgentContext
    ) -> SetSessionConfigOptionResponse:
        """Change an option."""
        session, config = self.find_active(request.session_id), request.config_id
        if config not in (*CHOICES, VERBOSE):
            raise invalid("configId")
        match request:
            case SetSessionConfigOptionRequestId(value=value) if value in CHOICES.get(
                config, {}
            ):
                session.chosen[config] = value
            case SetSessionConfigOptionRequestBoolean(value=value) if config == VERBOSE:
                session.is_verbose = value
            case _:
                raise invalid("value")
        return SetSessionConfigOptionResponse(config_options=session.options())

    def find(self, session_id: str) -> Session:
        """Find a session."""
        try:
            return self.sessions[session_id]
        except KeyError:
            raise RequestError.resource_not_found(session_id) from None

    def find_active(self, session_id: str) -> Session:
        """Find a session that is not closed."""
        session = self.find(session_id)
        if not session.is_active:
            raise invalid("sessionId")
        return session


def now() -> str:
    """Give the time."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())


def invalid(detail: str) -> RequestError:
    """Say what is wrong with params."""
    return RequestError.invalid_params(detail=detail)


if __name__ == "__main__":
    asyncio.run(run_agent(Full()))
