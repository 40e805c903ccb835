"""An agent that has every method of version 1 of the protocol.

What it does in a turn is what the prompt says: `permission`, `tool`, `file`, `terminal`, `slow`;
anything else it echoes.
"""

from __future__ import annotations

import asyncio
import os.path
from dataclasses import dataclass, field
from typing import NoReturn
from uuid import uuid4

from acp import (
    UNSET,
    Agent,
    AgentAuthCapabilities,
    AgentCapabilities,
    AgentContext,
    AuthenticateRequest,
    AuthMethod,
    CloseSessionRequest,
    ContentBlock,
    ContentBlockText,
    DeleteSessionRequest,
    Implementation,
    InitializeRequest,
    InitializeResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    LoadSessionRequest,
    LoadSessionResponse,
    LogoutCapabilities,
    LogoutRequest,
    NewSessionRequest,
    NewSessionResponse,
    NotSupportedError,
    PermissionOption,
    PermissionOptionKind,
    PlanEntry,
    PlanEntryPriority,
    PlanEntryStatus,
    PromptCapabilities,
    PromptRequest,
    PromptResponse,
    RequestError,
    RequestPermissionOutcomeSelected,
    ResumeSessionRequest,
    ResumeSessionResponse,
    SessionAdditionalDirectoriesCapabilities,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionConfigOption,
    SessionConfigSelectOption,
    SessionDeleteCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionMode,
    SessionModeState,
    SessionResumeCapabilities,
    SessionUpdate,
    SetSessionConfigOptionRequest,
    SetSessionConfigOptionRequestValueId,
    SetSessionConfigOptionResponse,
    SetSessionModeRequest,
    StopReason,
    ToolCallContent,
    ToolCallStatus,
    ToolCallUpdate,
    ToolKind,
    run_agent,
)

AUTH_METHOD = "none"
CONFIG = "model"
MODELS = ("small", "large")
MODES = ("ask", "code")


@dataclass
class Session:
    """What is known of a session."""

    id: str
    cwd: str
    directories: list[str]
    is_open: bool = True
    mode: str = MODES[0]
    model: str = MODELS[0]
    history: list[SessionUpdate] = field(default_factory=list)

    def modes(self) -> SessionModeState:
        """Give the modes, and the current one."""
        modes = [SessionMode(id=mode, name=mode.title()) for mode in MODES]
        return SessionModeState(current_mode_id=self.mode, available_modes=modes)

    def options(self) -> list[SessionConfigOption]:
        """Give the options, and their values."""
        options = [
            SessionConfigSelectOption(value=model, name=model.title())
            for model in MODELS
        ]
        return [
            SessionConfigOption.select(
                CONFIG, name="Model", current_value=self.model, options=options
            )
        ]


class Turn:
    """A prompt that is being worked on."""

    def __init__(self, session: Session, context: AgentContext) -> None:
        """Take what it is about."""
        self.session = session
        self.client = context.client

    async def send(self, update: SessionUpdate) -> None:
        """Tell the client, and keep it for whoever loads the session."""
        self.session.history.append(update)
        await self.client.session_update(self.session.id, update=update)

    async def say(self, content: ContentBlock | str) -> None:
        """Say something to the user."""
        await self.send(SessionUpdate.agent_message_chunk(content))

    async def permission(self) -> None:
        """Ask for permission, and say what came of it."""
        kinds = {
            "allow": PermissionOptionKind.ALLOW_ONCE,
            "reject": PermissionOptionKind.REJECT_ONCE,
        }
        options = [
            PermissionOption(option_id=option, name=option.title(), kind=kind)
            for option, kind in kinds.items()
        ]
        call = uuid4().hex
        await self.send(SessionUpdate.tool_call(call, title="Do it"))
        response = await self.client.request_permission(
            self.session.id,
            tool_call=ToolCallUpdate(tool_call_id=call),
            options=options,
        )
        chosen = "cancelled"
        if isinstance(response.outcome, RequestPermissionOutcomeSelected):
            chosen = response.outcome.option_id
        status = (
            ToolCallStatus.COMPLETED if chosen == "allow" else ToolCallStatus.FAILED
        )
        await self.send(SessionUpdate.tool_call_update(call, status=status))
        await self.say(chosen)

    async def tool(self) -> None:
        """Call a tool, and show the plan."""
        call = uuid4().hex
        begun = SessionUpdate.tool_call(
            call,
            title="Think",
            kind=ToolKind.THINK,
            status=ToolCallStatus.IN_PROGRESS,
        )
        await self.send(begun)
        ended = SessionUpdate.tool_call_update(
            call,
            status=ToolCallStatus.COMPLETED,
            content=[ToolCallContent.content("thought")],
        )
        await self.send(ended)
        entry = PlanEntry(
            content="Think",
            priority=PlanEntryPriority.HIGH,
            status=PlanEntryStatus.COMPLETED,
        )
        await self.send(SessionUpdate.plan([entry]))

    async def file(self) -> None:
        """Read a file of the client's."""
        path = os.path.join(self.session.cwd, "file.txt")
        try:
            file = await self.client.read_text_file(self.session.id, path=path)
        except NotSupportedError:
            await self.say("cannot read files")
        else:
            await self.say(file.content)

    async def terminal(self) -> None:
        """Run a command at the client's."""
        try:
            opened = await self.client.create_terminal(
                self.session.id, command="echo", args=["hello"], cwd=self.session.cwd
            )
        except NotSupportedError:
            await self.say("cannot run commands")
            return
        async with opened as terminal:
            shown = SessionUpdate.tool_call(
                uuid4().hex,
                title="echo hello",
                kind=ToolKind.EXECUTE,
                content=[ToolCallContent.terminal(terminal.terminal_id)],
            )
            await self.send(shown)
            await terminal.wait_for_exit()
            output = (await terminal.current_output()).output
        await self.say(output)

    async def slow(self) -> None:
        """Wait until the turn is cancelled."""
        await asyncio.Event().wait()


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
        capabilities = AgentCapabilities(
            load_session=True,
            prompt_capabilities=PromptCapabilities(
                image=True, audio=True, embedded_context=True
            ),
            session_capabilities=SessionCapabilities(
                list_=SessionListCapabilities(),
                delete=SessionDeleteCapabilities(),
                resume=SessionResumeCapabilities(),
                close=SessionCloseCapabilities(),
                additional_directories=SessionAdditionalDirectoriesCapabilities(),
            ),
            auth=AgentAuthCapabilities(logout=LogoutCapabilities()),
        )
        return InitializeResponse(
            protocol_version=context.protocol_version,
            agent_info=Implementation(name="full", title="Full", version="1.0.0"),
            agent_capabilities=capabilities,
            auth_methods=[AuthMethod.agent(AUTH_METHOD, name="Nothing to be done")],
        )

    async def authenticate(
        self, request: AuthenticateRequest, context: AgentContext
    ) -> None:
        """Take whoever comes."""
        if request.method_id != AUTH_METHOD:
            invalid("there is no such method")
        self.is_logged_in = True

    async def logout(self, request: LogoutRequest, context: AgentContext) -> None:
        """Have no more sessions until somebody authenticates again."""
        self.is_logged_in = False

    async def new_session(
        self, request: NewSessionRequest, context: AgentContext
    ) -> NewSessionResponse:
        """Begin a session."""
        self.check_login()
        check_absolute(request.cwd)
        directories = request.additional_directories or []
        session = Session(uuid4().hex, request.cwd, directories)
        self.sessions[session.id] = session
        return NewSessionResponse(
            session_id=session.id,
            modes=session.modes(),
            config_options=session.options(),
        )

    async def load_session(
        self, request: LoadSessionRequest, context: AgentContext
    ) -> LoadSessionResponse:
        """Go on with a session, and tell what has been said in it."""
        session = self.reopen(request)
        for update in session.history:
            await context.client.session_update(session.id, update=update)
        modes, options = session.modes(), session.options()
        return LoadSessionResponse(modes=modes, config_options=options)

    async def resume_session(
        self, request: ResumeSessionRequest, context: AgentContext
    ) -> ResumeSessionResponse:
        """Go on with a session."""
        session = self.reopen(request)
        modes, options = session.modes(), session.options()
        return ResumeSessionResponse(modes=modes, config_options=options)

    async def list_sessions(
        self, request: ListSessionsRequest, context: AgentContext
    ) -> ListSessionsResponse:
        """List all sessions on one page."""
        if request.cursor:
            invalid("there is no such page")
        sessions = [
            SessionInfo(
                session_id=session.id,
                cwd=session.cwd,
                additional_directories=session.directories or UNSET,
            )
            for session in self.sessions.values()
            if not request.cwd or request.cwd == session.cwd
        ]
        return ListSessionsResponse(sessions=sessions)

    async def close_session(
        self, request: CloseSessionRequest, context: AgentContext
    ) -> None:
        """Take no more prompts in a session; its turn is cancelled by the connection."""
        self.find(request.session_id).is_open = False

    async def delete_session(
        self, request: DeleteSessionRequest, context: AgentContext
    ) -> None:
        """Forget a session."""
        self.sessions.pop(request.session_id, None)

    async def set_session_mode(
        self, request: SetSessionModeRequest, context: AgentContext
    ) -> None:
        """Change the mode."""
        session = self.find(request.session_id)
        if request.mode_id not in MODES:
            invalid("there is no such mode")
        session.mode = request.mode_id

    async def set_session_config_option(
        self, request: SetSessionConfigOptionRequest, context: AgentContext
    ) -> SetSessionConfigOptionResponse:
        """Change an option."""
        session = self.find(request.session_id)
        match request:
            case SetSessionConfigOptionRequestValueId(
                config_id=config, value=value
            ) if config == CONFIG and value in MODELS:
                session.model = value
            case _:
                invalid("there is no such option or value")
        return SetSessionConfigOptionResponse(config_options=session.options())

    async def prompt(
        self, request: PromptRequest, context: AgentContext
    ) -> PromptResponse:
        """Do what the prompt says."""
        session = self.find(request.session_id)
        if not session.is_open:
            raise RequestError.resource_not_found()
        for block in request.prompt:
            session.history.append(SessionUpdate.user_message_chunk(block))
        turn = Turn(session, context)
        match request.prompt:
            case [ContentBlockText(text="permission")]:
                await turn.permission()
            case [ContentBlockText(text="tool")]:
                await turn.tool()
            case [ContentBlockText(text="file")]:
                await turn.file()
            case [ContentBlockText(text="terminal")]:
                await turn.terminal()
            case [ContentBlockText(text="slow")]:
                await turn.slow()
            case blocks:
                for block in blocks:
                    await turn.say(block)
        return PromptResponse(stop_reason=StopReason.END_TURN)

    def reopen(self, request: LoadSessionRequest | ResumeSessionRequest) -> Session:
        """Find a session to go on with."""
        self.check_login()
        check_absolute(request.cwd)
        session = self.find(request.session_id)
        session.cwd = request.cwd
        session.directories = request.additional_directories or []
        session.is_open = True
        return session

    def find(self, session_id: str) -> Session:
        """Find a session."""
        try:
            return self.sessions[session_id]
        except KeyError:
            raise RequestError.resource_not_found() from None

    def check_login(self) -> None:
        """Have somebody authenticate first."""
        if not self.is_logged_in:
            raise RequestError.auth_required()


def check_absolute(path: str) -> None:
    """Refuse a relative path."""
    if not os.path.isabs(path):
        invalid("the path is not absolute")


def invalid(detail: str) -> NoReturn:
    """Refuse params."""
    raise RequestError.invalid_params(detail=detail)


if __name__ == "__main__":
    asyncio.run(run_agent(Full()))
