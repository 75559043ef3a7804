//! What a page that follows is told: state, events without gaps, output; and again what it missed.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use loopwright_app::runs::{Following, follow};
use loopwright_domain::EventSeq;
use loopwright_engine::{Host, Project};
use loopwright_testkit::eventually;
use serde_json::{Value, json};
use tauri::ipc::{Channel, InvokeResponseBody};

use crate::scene::Scene;

/// A page that follows, with everything it was told.
pub(crate) struct Page {
    pub(crate) told: Arc<Mutex<Vec<(Instant, Value)>>>,
    _following: Following,
}

impl Page {
    /// Follows a scene's project from a place in history on.
    pub(crate) fn after(scene: &Scene, seq: u64) -> Self {
        let folder = scene.app.folder();
        let host = Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default());
        let project = tauri::async_runtime::block_on(Project::open(&host, &scene.root)).unwrap();
        let told: Arc<Mutex<Vec<(Instant, Value)>>> = Arc::default();
        let taken = Arc::clone(&told);
        let channel = Channel::new(move |body: InvokeResponseBody| {
            let updates: Vec<Value> = body.deserialize().unwrap();
            taken.lock().unwrap().extend(updates.into_iter().map(|update| (Instant::now(), update)));
            Ok(())
        });
        Self { told, _following: follow(&project, EventSeq(seq), channel) }
    }

    fn of_kind(&self, kind: &str) -> Vec<Value> {
        let told = self.told.lock().unwrap();
        told.iter().map(|(_, update)| update.clone()).filter(|update| update["kind"] == kind).collect()
    }

    /// The places in history of all events it was told.
    fn seqs(&self) -> Vec<u64> {
        let events =
            self.of_kind("events").into_iter().flat_map(|batch| batch["events"].as_array().unwrap().clone());
        events.map(|event| event["seq"].as_u64().unwrap()).collect()
    }

    pub(crate) fn newest_status(&self) -> String {
        let newest = self.of_kind("state").pop().unwrap_or_default();
        newest["state"]["run"]["status"].as_str().unwrap_or_default().to_owned()
    }
}

#[test]
fn a_page_is_told_state_events_and_output_and_catches_up_after_a_reload() {
    let scene = Scene::new();
    let page = Page::after(&scene, 0);
    scene.at_work();
    eventually("output", || {
        page.of_kind("output").iter().any(|output| output.to_string().contains("working on it"))
    });
    assert_eq!(page.newest_status(), "running");
    let last = *page.seqs().last().unwrap();
    drop(page);
    scene.go();
    eventually("the run ends", || !scene.is_live() && scene.lines("started") == 2);
    let again = Page::after(&scene, last);
    eventually("it catches up", || again.newest_status() != "" && !again.seqs().is_empty());
    let seqs = again.seqs();
    assert_eq!(seqs[0], last + 1, "nothing is missed and nothing told twice");
    assert!(seqs.windows(2).all(|pair| pair[1] == pair[0] + 1), "{seqs:?}");
    assert_ne!(again.newest_status(), "running");
}

#[test]
fn a_window_follows_through_one_channel_at_a_time() {
    let scene = Scene::new();
    for channel in ["__CHANNEL__:1", "__CHANNEL__:2"] {
        let answer = scene.call("follow", json!({ "after": 0, "channel": channel })).unwrap();
        assert_eq!(answer, Value::Null);
    }
}
