//! Turns: each does what its prompt says.

use std::sync::Arc;

use acp::*;

use crate::session::{Session, new_id};
use crate::signal::Signal;

/// One turn: what happens in it is told to the client, and kept.
pub(crate) struct Turn {
    pub(crate) session: Arc<Session>,
    pub(crate) client: ClientPeer,
    pub(crate) stop: Signal,
    pub(crate) answer: MessageId,
}

impl Turn {
    pub(crate) async fn run(&self, message: MessageId, content: Vec<ContentBlock>) -> Result<()> {
        self.tell(UserMessage::new(message).content(content.clone())).await?;
        self.enter(StateUpdate::running()).await?;
        let reason = match self.act(content).await {
            Ok(()) => IdleStateUpdateStopReason::EndTurn,
            Err(_) if self.stop.is_set() => IdleStateUpdateStopReason::Cancelled,
            Err(RequestError { code, message, .. }) => {
                ErrorStopReason::new().error(Error::new(code, message)).into()
            }
        };
        self.enter(StateUpdate::idle(reason)).await
    }

    fn check_stopped(&self) -> Result<()> {
        if self.stop.is_set() { Err(RequestError::request_cancelled()) } else { Ok(()) }
    }

    /// Does what a prompt says.
    async fn act(&self, content: Vec<ContentBlock>) -> Result<()> {
        self.check_stopped()?;
        match first_text(&content).unwrap_or_default() {
            "permission" => self.permission().await,
            "tool" => self.tool().await,
            "long tool" => self.long_tool().await,
            "file" => self.say("version 2 has no files of the client").await,
            "terminal" => self.terminal().await,
            "long terminal" => self.long_terminal().await,
            "slow" => self.stopped(&new_id("wait")).await,
            _ => {
                for block in content {
                    self.check_stopped()?;
                    self.say(block).await?;
                }
                Ok(())
            }
        }
    }

    async fn permission(&self) -> Result<()> {
        let call = ToolCallUpdate::new(new_id("call")).title("Do it");
        let options = [
            PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
            PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
        ];
        let request = RequestPermissionRequest::new(&self.session.id, "Do it?", options)
            .subject(RequestPermissionSubject::tool_call(call));
        self.enter(StateUpdate::requires_action()).await?;
        // When the turn is stopped, so is the call.
        let answer = tokio::select! {
            biased;
            () = self.stop.wait() => return self.check_stopped(),
            answer = self.client.request_permission(request) => answer?,
        };
        self.enter(StateUpdate::running()).await?;
        let outcome = match answer.outcome {
            RequestPermissionOutcome::Selected(it) => format!("selected {}", it.option_id),
            RequestPermissionOutcome::Other(other) => other.tag().to_owned(),
            _ => "cancelled".to_owned(),
        };
        self.say(format!("permission: {outcome}")).await
    }

    async fn tool(&self) -> Result<()> {
        let id = new_id("call");
        let begun = ToolCallUpdate::new(&*id).title("Think").kind(ToolKind::Think);
        self.tell(begun.status(ToolCallStatus::InProgress)).await?;
        let content = [ToolCallContent::content("It is thought.")];
        let done = ToolCallUpdate::new(id).status(ToolCallStatus::Completed);
        self.tell(done.content(content)).await?;
        let entry = PlanEntry::new("Think", PlanEntryPriority::Medium, PlanEntryStatus::Completed);
        self.tell(SessionUpdate::plan_update(PlanUpdateContent::items("plan", [entry]))).await
    }

    /// A tool that ends when it is stopped.
    async fn long_tool(&self) -> Result<()> {
        let id = new_id("call");
        let can = ToolCallCapabilities::new().cancel(ToolCallCancelCapabilities::new());
        let begun = ToolCallUpdate::new(&*id).title("Wait").status(ToolCallStatus::InProgress);
        self.tell(begun.capabilities(can)).await?;
        let stopped = self.stopped(&id).await;
        let mut done = ToolCallUpdate::new(id).status(ToolCallStatus::Cancelled);
        done.capabilities = Patch::Null;
        self.tell(done).await?;
        stopped
    }

    async fn terminal(&self) -> Result<()> {
        let id = new_id("terminal");
        self.tell(TerminalUpdate::new(&*id).command("echo").cwd(&self.session.cwd)).await?;
        // "hi", and the end of its line, in base64.
        self.tell(TerminalOutputChunk::new(&*id, "aGkK")).await?;
        let status = TerminalExitStatus::new().exit_code(0);
        self.tell(TerminalUpdate::new(id).exit_status(status)).await
    }

    /// A terminal whose process ends when it is stopped.
    async fn long_terminal(&self) -> Result<()> {
        let id = new_id("terminal");
        let can = TerminalCapabilities::new().cancel(TerminalCancelCapabilities::new());
        let begun = TerminalUpdate::new(&*id).command("wait").cwd(&self.session.cwd);
        self.tell(begun.capabilities(can)).await?;
        let stopped = self.stopped(&id).await;
        let status = TerminalExitStatus::new().signal("SIGTERM");
        let mut done = TerminalUpdate::new(id).exit_status(status);
        done.capabilities = Patch::Null;
        self.tell(done).await?;
        stopped
    }

    /// Ends when what has this id is stopped; fails if the turn is.
    async fn stopped(&self, id: &str) -> Result<()> {
        let stop = Signal::default();
        self.session.now().stops.insert(id.to_owned(), stop.clone());
        let stopped = tokio::select! {
            biased;
            () = self.stop.wait() => self.check_stopped(),
            () = stop.wait() => Ok(()),
        };
        self.session.now().stops.remove(id);
        stopped
    }

    async fn say(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.tell(SessionUpdate::agent_message_chunk(&self.answer, content)).await
    }

    async fn tell(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        let update = update.into();
        self.session.now().history.push(update.clone());
        let notification = UpdateSessionNotification::new(&self.session.id, update);
        Ok(self.client.update_session(notification).await?)
    }

    async fn enter(&self, state: StateUpdate) -> Result<()> {
        self.session.now().state = Some(state);
        self.session.tell_state(&self.client).await
    }
}

pub(crate) fn first_text(content: &[ContentBlock]) -> Option<&str> {
    match content.first() {
        Some(ContentBlock::Text(text)) => Some(&text.text),
        _ => None,
    }
}
