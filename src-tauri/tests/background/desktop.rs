//! A desktop that listens: its services on the bus write down what they are told.

use std::collections::HashMap;
use std::io::{PipeReader, Read as _};
use std::sync::{Arc, Mutex};

use zbus::message::Header;
use zbus::object_server::Interface;
use zbus::zvariant::{OwnedFd, OwnedValue};
use zbus::{Connection, interface};

/// A message as the desktop was asked to show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) summary: String,
    pub(crate) body: String,
    pub(crate) actions: Vec<String>,
    pub(crate) urgency: u8,
}

pub(crate) type Record<T> = Arc<Mutex<Vec<T>>>;

const NOTIFICATIONS: &str = "/org/freedesktop/Notifications";

struct Notifications {
    capabilities: Vec<String>,
    shown: Record<Shown>,
}

#[interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    fn get_capabilities(&self) -> Vec<String> {
        self.capabilities.clone()
    }

    #[expect(clippy::too_many_arguments, reason = "as the specification has it")]
    fn notify(
        &self,
        app_name: &str,
        _replaces: u32,
        icon: &str,
        summary: String,
        body: String,
        actions: Vec<String>,
        hints: HashMap<String, OwnedValue>,
        _expires: i32,
    ) -> u32 {
        assert_eq!((app_name, icon), ("Loopwright", "loopwright-app"));
        let urgency = u8::try_from(&hints["urgency"]).unwrap();
        let mut shown = self.shown.lock().unwrap();
        shown.push(Shown { summary, body, actions, urgency });
        u32::try_from(shown.len()).unwrap()
    }
}

/// The service for messages.
pub(crate) struct Messages {
    connection: Connection,
    pub(crate) shown: Record<Shown>,
}

impl Messages {
    pub(crate) async fn listen(capabilities: &[&str]) -> Self {
        let shown = Record::default();
        let capabilities = capabilities.iter().map(|it| (*it).to_owned()).collect();
        let service = Notifications { capabilities, shown: Arc::clone(&shown) };
        let connection = offer("org.freedesktop.Notifications", NOTIFICATIONS, service).await;
        Self { connection, shown }
    }

    /// Clicks the message with this place among those shown, counted from 1.
    pub(crate) async fn click(&self, place: u32) {
        let body = (place, "default");
        let sent = self.connection.emit_signal(
            None::<&str>,
            NOTIFICATIONS,
            "org.freedesktop.Notifications",
            "ActionInvoked",
            &body,
        );
        sent.await.unwrap();
    }
}

/// Offers a service on the bus. Whoever sees its name can call it.
pub(crate) async fn offer(name: &str, path: &str, service: impl Interface) -> Connection {
    assert!(crate::is_private());
    let connection = Connection::session().await.unwrap();
    connection.object_server().at(path, service).await.unwrap();
    connection.request_name(name).await.unwrap();
    connection
}

/// Who keeps the machine awake, as the session's power manager sees it: senders of requests.
pub(crate) struct SessionManager(pub(crate) Record<String>);

#[interface(name = "org.gnome.SessionManager")]
impl SessionManager {
    fn inhibit(
        &self,
        #[zbus(header)] header: Header<'_>,
        app: &str,
        _window: u32,
        why: &str,
        flags: u32,
    ) -> u32 {
        assert_eq!((app, why, flags), ("dev.loopwright.desktop", "A run is working", 4));
        self.0.lock().unwrap().push(header.sender().unwrap().to_string());
        1
    }
}

/// The power manager of other desktops.
pub(crate) struct PowerManagement(pub(crate) Record<String>);

#[interface(name = "org.freedesktop.PowerManagement.Inhibit")]
impl PowerManagement {
    fn inhibit(&self, #[zbus(header)] header: Header<'_>, app: &str, why: &str) -> u32 {
        assert_eq!((app, why), ("Loopwright", "A run is working"));
        self.0.lock().unwrap().push(header.sender().unwrap().to_string());
        1
    }
}

/// Logind: each request gets a descriptor, and what it wants is written down.
pub(crate) struct Logind(pub(crate) Record<(String, PipeReader)>);

#[interface(name = "org.freedesktop.login1.Manager")]
impl Logind {
    fn inhibit(&self, what: &str, who: &str, why: &str, mode: &str) -> OwnedFd {
        assert_eq!((who, why), ("Loopwright", "A run is working"));
        let (reader, writer) = std::io::pipe().unwrap();
        self.0.lock().unwrap().push((format!("{what} {mode}"), reader));
        OwnedFd::from(std::os::fd::OwnedFd::from(writer))
    }
}

/// Waits until whoever holds the other end lets go.
pub(crate) fn wait_for_release(mut held: PipeReader) {
    let (done, waited) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(held.read(&mut [0]).unwrap()));
    assert_eq!(waited.recv_timeout(crate::scene::PATIENCE).unwrap(), 0);
}
