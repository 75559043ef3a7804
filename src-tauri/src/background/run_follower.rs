//! Follows the newest run of one project, and its open gates, for as long as the app cares about it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_domain::Fault;
use loopwright_engine::run::RunUpdate;
use loopwright_engine::{Host, Project};
use tauri::async_runtime::JoinHandle;
use tokio::sync::mpsc::UnboundedSender;

use super::Message;

/// How long after a project that could not be opened is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Follows until dropped.
#[derive(Debug)]
pub(super) struct Follower(JoinHandle<()>);

impl Follower {
    pub(super) fn start(host: Host, root: PathBuf, messages: UnboundedSender<Message>) -> Self {
        Self(tauri::async_runtime::spawn(async move {
            loop {
                // A project whose state is away for a while is there again later.
                let Err(_away) = follow(&host, &root, &messages).await else { return };
                tokio::time::sleep(AGAIN).await;
            }
        }))
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Tells every state of the newest run and how many gates are open then, until nobody listens.
async fn follow(host: &Host, root: &Path, messages: &UnboundedSender<Message>) -> Result<(), Fault> {
    let project = Project::open(host, root).await?;
    let mut follower = project.events().follow(project.events().last().await?).without_output();
    loop {
        for update in follower.next().await? {
            let RunUpdate::State { state } = update else { continue };
            let gates = project.gates().count_open().await?;
            if messages.send(Message::Changed { root: root.to_owned(), state, gates }).is_err() {
                return Ok(());
            }
        }
    }
}
