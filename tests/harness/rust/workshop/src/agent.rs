//! A server on standard input and output, which does what the first block of a run says; or, with
//! `SIDE=relay`, a relay.

use acp::*;

struct Harness;

impl Server for Harness {
    async fn hello(&self, request: HelloRequest, _: ServerContext) -> Result<HelloResponse> {
        // What it says of the version is for the connection to correct.
        let response = HelloResponse::new(9);
        Ok(match request.name.as_deref() {
            Some("picture") => response.welcome(Block::picture("p")),
            Some("boast") => response.abilities(Abilities::new().files(AbilitiesFiles::new().read(true))),
            _ => response.abilities(Abilities::new().pictures(true)),
        })
    }

    async fn ping(&self, _: PingRequest, _: ServerContext) -> Result<PingResponse> {
        Ok(PingResponse::new())
    }

    async fn run(&self, request: RunRequest, context: ServerContext) -> Result<RunResponse> {
        let done = RunResponse::new("done");
        let word = request.blocks.first().and_then(Block::as_plain);
        Ok(match word.map(|block| block.text.as_str()) {
            Some("sleep") => return asleep(&context).await,
            Some("version") => done.note(context.protocol_version().to_string()),
            Some("picture") => done.note(Block::picture("p")),
            Some("confirm") => {
                let answer = context.client().confirm(ConfirmRequest::new(request.job)).await?;
                RunResponse::new(if answer.yes { "yes" } else { "no" })
            }
            _ => done,
        })
    }

    async fn wait(&self, _: WaitRequest, context: ServerContext) -> Result<WaitResponse> {
        asleep(&context).await
    }

    async fn drop(&self, _: DropRequest, _: ServerContext) -> Result<DropResponse> {
        Ok(DropResponse::new())
    }

    async fn save(&self, _: SaveRequest, _: ServerContext) -> Result<()> {
        Ok(())
    }
}

impl Relay for Harness {
    async fn start_relay(
        &self,
        request: StartRelayRequest,
        _: RelayContext,
    ) -> Result<StartRelayResponse> {
        Ok(StartRelayResponse::new(request.to))
    }
}

/// Waits until the request is cancelled.
async fn asleep<T>(context: &ServerContext) -> Result<T> {
    context.cancelled().await;
    Err(RequestError::request_cancelled())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    if std::env::var("SIDE").is_ok_and(|side| side == "relay") {
        RelaySideConnection::stdio(Harness).await
    } else {
        ServerSideConnection::stdio(Harness).await
    }
}
