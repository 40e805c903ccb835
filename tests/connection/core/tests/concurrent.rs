//! Which names the option `concurrent` takes beside those of the schema.

use std::task::{Context, Waker};

use acp::connection::Options;
use acp::json::Value;
use acp::*;

/// An agent that has handlers for what the schema does not know.
struct Proxy<const ALL: bool>;

macro_rules! proxy {
    ($all:literal, $function:ident) => {
        impl Agent for Proxy<$all> {
            async fn initialize(
                &self,
                _: InitializeRequest,
                _: AgentContext,
            ) -> Result<InitializeResponse> {
                Err(RequestError::internal_error())
            }
            async fn authenticate(
                &self,
                _: AuthenticateRequest,
                _: AgentContext,
            ) -> Result<AuthenticateResponse> {
                Err(RequestError::internal_error())
            }
            async fn new_session(
                &self,
                _: NewSessionRequest,
                _: AgentContext,
            ) -> Result<NewSessionResponse> {
                Err(RequestError::internal_error())
            }
            async fn prompt(&self, _: PromptRequest, _: AgentContext) -> Result<PromptResponse> {
                Err(RequestError::internal_error())
            }
            async fn $function(&self, _: String, _: Value, _: AgentContext) -> Result<()> {
                Ok(())
            }
        }
    };
}
proxy!(false, ext_notification);
proxy!(true, unknown_notification);

#[test]
fn concurrent_takes_names_that_a_handler_of_last_resort_gets() {
    let is_taken = |mut core: AgentSideCore| {
        let mut context = Context::from_waker(Waker::noop());
        core.poll(&mut context).is_pending()
    };
    for (name, extension, unknown) in [("_x", true, true), ("other/x", false, true)] {
        let options = Options::new().concurrent([name]);
        let core = AgentSideCore::with_options(Proxy::<false>, options.clone(), drop);
        assert_eq!(is_taken(core), extension, "{name}");
        let core = AgentSideCore::with_options(Proxy::<true>, options, drop);
        assert_eq!(is_taken(core), unknown, "{name}");
    }
}
