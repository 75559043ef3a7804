//! The place in the tray of runs without a window.

use std::collections::HashMap;

use loopwright_testkit::eventually_async;
use zbus::fdo::DBusProxy;
use zbus::names::BusName;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, Proxy, interface};

use crate::desktop::{Record, offer};
use crate::scene::{Scene, block_on_test};

/// The desktop's list of what is in the tray.
struct Watcher(Record<String>);

#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: String) {
        self.0.lock().unwrap().push(service);
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

async fn watcher() -> (Connection, Record<String>) {
    let registered = Record::default();
    let service = Watcher(Record::clone(&registered));
    (offer("org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher", service).await, registered)
}

/// An item of a menu: its number, its properties and what is below it.
type Layout = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

/// What the tray shows, as a desktop asks for it.
struct Shown {
    connection: Connection,
    item: String,
}

impl Shown {
    async fn of(registered: &Record<String>) -> Self {
        eventually_async("an item comes", async || !registered.lock().unwrap().is_empty()).await;
        let item = registered.lock().unwrap().remove(0);
        Self { connection: Connection::session().await.unwrap(), item }
    }

    async fn tooltip(&self) -> String {
        let item = Proxy::new(
            &self.connection,
            self.item.as_str(),
            "/StatusNotifierItem",
            "org.kde.StatusNotifierItem",
        );
        type ToolTip = (String, Vec<(i32, i32, Vec<u8>)>, String, String);
        let tooltip: ToolTip =
            item.await.unwrap().get_property::<OwnedValue>("ToolTip").await.unwrap().try_into().unwrap();
        tooltip.3
    }

    async fn menu(&self) -> Proxy<'_> {
        Proxy::new(&self.connection, self.item.as_str(), "/MenuBar", "com.canonical.dbusmenu").await.unwrap()
    }

    /// The entries of the menu: number, text, and whether they can be chosen.
    async fn entries(&self) -> Vec<(i32, String, bool)> {
        let (_, root): (u32, Layout) =
            self.menu().await.call("GetLayout", &(0, -1, Vec::<String>::new())).await.unwrap();
        let entry = |child: OwnedValue| {
            let (number, properties, _) = Layout::try_from(child).unwrap();
            let text = properties.get("label").map(|label| <&str>::try_from(label).unwrap().to_owned());
            let enabled = properties.get("enabled").is_none_or(|enabled| bool::try_from(enabled).unwrap());
            Some((number, text?, enabled))
        };
        root.2.into_iter().filter_map(entry).collect()
    }

    async fn choose(&self, text: &str) {
        let entries = self.entries().await;
        let (number, ..) = entries.iter().find(|(_, label, _)| label == text).unwrap();
        let event = (*number, "clicked", Value::from(0), 0u32);
        self.menu().await.call::<_, _, ()>("Event", &event).await.unwrap();
    }

    async fn is_there(&self) -> bool {
        let bus = DBusProxy::new(&self.connection).await.unwrap();
        bus.name_has_owner(BusName::try_from(self.item.as_str()).unwrap()).await.unwrap()
    }
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_a_run_without_a_window_is_in_the_tray_and_can_be_steered_there() {
    block_on_test(async {
        let ((_desktop, registered), scene) = (watcher().await, Scene::open().await);
        let work = scene.start("Steep the tea", "true", &[("loop.max_iterations", "1")]);
        scene.sees(true).await;
        assert!(registered.lock().unwrap().is_empty(), "a run with a window needs no tray");
        scene.background.background(&scene.root());
        assert!(scene.background.stays());
        scene.background.closed(&scene.root());
        let shown = Shown::of(&registered).await;
        eventually_async("it says how far the run is", async || {
            shown.tooltip().await == "Tea: iteration 1/1 · running"
        })
        .await;
        let texts: Vec<(String, bool)> =
            shown.entries().await.into_iter().map(|(_, text, on)| (text, on)).collect();
        let expected = [
            ("Tea: iteration 1/1 · running", false),
            ("Open", true),
            ("Pause after this iteration", true),
            ("Cancel…", true),
            ("Quit Loopwright", true),
        ];
        assert_eq!(texts, expected.map(|(text, on)| (text.to_owned(), on)));
        for text in ["Open", "Pause after this iteration", "Cancel…", "Quit Loopwright"] {
            shown.choose(text).await;
        }
        let asked = async || scene.windows.asked() == ["show tea", "pause tea", "cancel tea", "quit true"];
        eventually_async("all of it is done", asked).await;

        work.finish().await;
        eventually_async("it says how the run ended", async || {
            shown.tooltip().await == "Tea: iteration 1/1 · stopped"
        })
        .await;
        assert!(shown.entries().await.iter().any(|(_, text, on)| text == "Cancel…" && !on));
        scene.background.opened(&scene.root(), "Tea");
        assert!(!scene.background.stays());
        eventually_async("the tray is empty", async || !shown.is_there().await).await;
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_a_tray_that_comes_later_is_used() {
    block_on_test(async {
        let scene = Scene::open().await;
        scene.background.background(&scene.root());
        // Nobody listens yet, and nothing waits for it.
        scene.start("Steep the tea", "true", &[("loop.max_iterations", "1")]).finish().await;
        let (_desktop, registered) = watcher().await;
        let shown = Shown::of(&registered).await;
        eventually_async("it is told", async || shown.tooltip().await.starts_with("Tea: ")).await;
    });
}

#[test]
#[ignore = "needs to be without a bus"]
fn without_a_bus_runs_go_on_as_ever() {
    block_on_test(async {
        let scene = Scene::open().await;
        let work = scene.start("Steep the tea", "echo '<promise>COMPLETE</promise>'", &[]);
        scene.sees(true).await;
        scene.background.background(&scene.root());
        work.finish().await;
        scene.sees(false).await;
        scene.background.opened(&scene.root(), "Tea");
        assert!(scene.windows.asked().is_empty());
    });
}
