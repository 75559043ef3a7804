//! Hands what happens in a project on to its page.

use loopwright_domain::{EventSeq, Fault};
use loopwright_engine::Project;
use loopwright_engine::run::{FollowWaker, RunUpdate};
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Channel;

/// A page's following. It ends when this is dropped.
#[derive(Debug)]
pub struct Following {
    task: JoinHandle<()>,
    waker: FollowWaker,
}

impl Following {
    /// Says that something may have changed.
    pub(crate) fn wake(&self) {
        self.waker.wake();
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Sends to a channel what happens in a project from a place in history on, until nobody takes it.
pub fn follow(project: &Project, after: EventSeq, channel: Channel<Vec<RunUpdate>>) -> Following {
    let mut follower = project.events().follow(after);
    let waker = follower.waker();
    let task = tauri::async_runtime::spawn(async move {
        let mut told: Option<Fault> = None;
        loop {
            match follower.next().await {
                Ok(updates) => {
                    told = None;
                    if channel.send(updates).is_err() {
                        return;
                    }
                }
                // The follower tries again by itself; trouble that lasts is told once.
                Err(fault) if told.as_ref() != Some(&fault) => {
                    eprintln!("loopwright-app: following the project: {fault}");
                    told = Some(fault);
                }
                Err(_) => {}
            }
        }
    });
    Following { task, waker }
}
