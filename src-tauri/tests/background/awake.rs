//! Keeping the machine awake while a run works.

use std::sync::Arc;

use loopwright_testkit::eventually_async;
use zbus::Connection;
use zbus::fdo::DBusProxy;
use zbus::names::BusName;

use crate::desktop::{Logind, PowerManagement, Record, SessionManager, offer, wait_for_release};
use crate::scene::{Scene, block_on_test};

const LOGIND: &str = "/org/freedesktop/login1";

/// Waits for the next request, and gives who made it.
async fn next<T>(record: &Record<T>) -> T {
    eventually_async("somebody keeps awake", async || !record.lock().unwrap().is_empty()).await;
    record.lock().unwrap().remove(0)
}

/// Waits until a client has left the bus, and with it everything it held.
async fn wait_for_leaving(client: &str) {
    let bus = DBusProxy::new(&Connection::session().await.unwrap()).await.unwrap();
    let name = BusName::try_from(client.to_owned()).unwrap();
    eventually_async("it is released", async || !bus.name_has_owner(name.as_ref()).await.unwrap()).await;
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_logind_is_asked_while_a_run_works_and_the_setting_holds_at_once() {
    block_on_test(async {
        let asked = Record::default();
        let _system = offer("org.freedesktop.login1", LOGIND, Logind(Arc::clone(&asked))).await;
        let scene = Scene::open().await;
        let work = scene.start("Steep the tea", "true", &[("loop.max_iterations", "1")]);
        let (what, held) = next(&asked).await;
        assert_eq!(what, "idle block", "neither the display nor a person who suspends is held up");
        scene.set("[app]\nkeep_awake = false\n");
        wait_for_release(held);
        scene.set("[app]\nkeep_awake = true\n");
        let (_, held) = next(&asked).await;
        work.finish().await;
        wait_for_release(held);
        assert!(asked.lock().unwrap().is_empty());
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_the_sessions_own_power_manager_comes_before_logind() {
    block_on_test(async {
        let (gnome, logind) = (Record::default(), Record::default());
        let _system = offer("org.freedesktop.login1", LOGIND, Logind(Arc::clone(&logind))).await;
        let service = SessionManager(Arc::clone(&gnome));
        let _session = offer("org.gnome.SessionManager", "/org/gnome/SessionManager", service).await;
        let scene = Scene::open().await;
        let work = scene.start("Steep the tea", "true", &[("loop.max_iterations", "1")]);
        let client = next(&gnome).await;
        work.finish().await;
        wait_for_leaving(&client).await;
        assert!(logind.lock().unwrap().is_empty());
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_other_desktops_power_managers_are_asked_too() {
    block_on_test(async {
        let asked = Record::default();
        let service = PowerManagement(Arc::clone(&asked));
        let path = "/org/freedesktop/PowerManagement/Inhibit";
        let _session = offer("org.freedesktop.PowerManagement", path, service).await;
        let scene = Scene::open().await;
        let work = scene.start("Steep the tea", "true", &[("loop.max_iterations", "1")]);
        let client = next(&asked).await;
        // The window closes: nobody cares about the run any more.
        scene.background.closed(&scene.root());
        wait_for_leaving(&client).await;
        work.finish().await;
    });
}
