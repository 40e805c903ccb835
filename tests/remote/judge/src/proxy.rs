//! What is between a client and an agent, and can be cut off.

use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::Agent;

/// A port that leads to an agent.
pub struct Proxy {
    /// The URL of the agent's endpoint by this way.
    pub url: String,
    tasks: Arc<Mutex<JoinSet<()>>>,
}

impl Proxy {
    /// Leads to an agent. What is cut off is reset, or else closed.
    pub async fn to(agent: &Agent, is_abrupt: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let address = listener.local_addr().expect("it has an address").to_string();
        let url = agent.url.replacen(&agent.address, &address, 1);
        let target = agent.address.clone();
        let tasks = Arc::<Mutex<JoinSet<()>>>::default();
        let ours = Arc::clone(&tasks);
        let listening = async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut far = TcpStream::connect(&target).await.expect("the agent listens");
                if is_abrupt {
                    reset_at_end(&far);
                }
                let passing = async move {
                    tokio::io::copy_bidirectional(&mut near, &mut far).await.ok();
                };
                ours.lock().expect("nobody panics with it").spawn(passing);
            }
        };
        tasks.lock().expect("nobody panics with it").spawn(listening);
        Self { url, tasks }
    }

    /// Cuts off every connection, and lets no more through.
    pub fn cut(&self) {
        self.tasks.lock().expect("nobody panics with it").abort_all();
    }
}

/// Has a connection be reset once it is dropped.
pub(crate) fn reset_at_end(stream: &TcpStream) {
    let socket = socket2::SockRef::from(stream);
    socket.set_linger(Some(std::time::Duration::ZERO)).expect("it is a socket");
}
