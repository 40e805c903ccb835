"""An agent that has every method of version 2 of the protocol.

What it does in a turn is what the prompt says: `permission`, `tool`, `long tool`, `file`,
`terminal`, `long terminal`, `slow`; anything else it echoes.
"""

from __future__ import annotations

import asyncio

from acp import (
    Agent,
    AgentAuthCapabilities,
    AgentCapabilities,
    AgentContext,
    AuthMethod,
    CancelSessionNotification,
    CancelTerminalRequest,
    CancelToolCallRequest,
    CloseSessionRequest,
    ContentBlockText,
    DeleteSessionRequest,
    Implementation,
    InitializeRequest,
    InitializeResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    LoginAuthRequest,
    LogoutAuthRequest,
    NewSessionRequest,
    NewSessionResponse,
    PromptAudioCapabilities,
    PromptCapabilities,
    PromptEmbeddedContextCapabilities,
    PromptImageCapabilities,
    PromptRequest,
    PromptResponse,
    ReplayFromOther,
    RequestError,
    ResumeSessionRequest,
    ResumeSessionResponse,
    SessionAdditionalDirectoriesCapabilities,
    SessionCapabilities,
    SessionDeleteCapabilities,
    SetSessionConfigOptionRequest,
    SetSessionConfigOptionRequestBoolean,
    SetSessionConfigOptionRequestId,
    SetSessionConfigOptionResponse,
    run_agent,
)
from session import CHOICES, VERBOSE, Session, invalid, now
from turn import Turn

AUTH_METHOD = "token"
PAGE = 50
"""So many sessions are listed at once."""


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


if __name__ == "__main__":
    asyncio.run(run_agent(Full()))
