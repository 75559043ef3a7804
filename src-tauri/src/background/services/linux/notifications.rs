//! Messages through the desktop's own service (Desktop Notifications Specification).

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::timeout;
use zbus::zvariant::Value;
use zbus::{Connection, Error, proxy};

use super::{PATIENCE, escaped};
use crate::background::Chosen;
use crate::background::notification::{Notification, Urgency};

const APP_NAME: &str = "Loopwright";
/// The names under which the package installs the app's icon and its entry in the menu of programs.
const ICON: &str = "loopwright-app";
const DESKTOP_ENTRY: &str = "Loopwright";
/// What a click on the message itself is called.
const CLICKED: &str = "default";
/// How a service says that it has no such method.
const UNKNOWN: &[&str] =
    &["org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface"];
/// How often a service is asked what it can, and how long to wait in between.
const ASKED_AT_MOST: u32 = 10;
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(200);
/// How many messages can still be clicked.
const REMEMBERED: usize = 32;

#[proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications",
    gen_blocking = false
)]
trait Notifications {
    fn get_capabilities(&self) -> zbus::Result<Vec<String>>;

    #[expect(clippy::too_many_arguments, reason = "as the specification has it")]
    fn notify(
        &self,
        app_name: &str,
        replaces: u32,
        icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Value<'_>>,
        expires: i32,
    ) -> zbus::Result<u32>;

    #[zbus(signal)]
    fn action_invoked(&self, id: u32, action: String) -> zbus::Result<()>;
}

/// The connection to the service.
struct Link {
    service: NotificationsProxy<'static>,
    clicks: ActionInvokedStream,
    /// Whether the service reads markup in the body.
    markup: bool,
    /// Which message is about which project, the newest last.
    shown: VecDeque<(u32, PathBuf)>,
}

/// Shows what it is given, until the app ends.
pub(super) async fn work(
    mut told: UnboundedReceiver<(PathBuf, Notification)>,
    chosen: UnboundedSender<Chosen>,
) {
    let mut link = None;
    loop {
        tokio::select! {
            message = told.recv() => {
                let Some((project, notice)) = message else { return };
                link = timeout(PATIENCE, show(link, project, &notice)).await.ok().flatten();
            }
            project = clicked(link.as_mut()) => match project {
                // Nobody listens only while the app is ending.
                Some(project) => drop(chosen.send(Chosen::Open(project))),
                None => link = None,
            },
        }
    }
}

/// Shows one message. Without a service it is lost, and the next one finds out whether there is one by then.
async fn show(link: Option<Link>, project: PathBuf, notice: &Notification) -> Option<Link> {
    let mut link = match link {
        Some(link) => link,
        None => Link::open().await.ok()?,
    };
    let id = link.send(notice).await.ok()?;
    link.shown.truncate(REMEMBERED);
    link.shown.push_front((id, project));
    Some(link)
}

/// The project whose message was clicked; none when the connection is gone. Waits for ever without one.
async fn clicked(link: Option<&mut Link>) -> Option<PathBuf> {
    let Some(link) = link else { return std::future::pending().await };
    loop {
        let signal = link.clicks.next().await?;
        let Ok(click) = signal.args() else { continue };
        let project = link.shown.iter().find(|(id, _)| *id == click.id).map(|(_, project)| project.clone());
        if let (Some(project), CLICKED) = (project, click.action.as_str()) {
            return Some(project);
        }
    }
}

/// Whether the service reads markup in the body. Nothing is sent before that is known: a service that starts or is
/// replaced is asked again. One that does not know the question is taken for one that reads markup: better ugly than
/// clickable.
async fn reads_markup(service: &NotificationsProxy<'_>) -> zbus::Result<bool> {
    let mut asked = 1;
    loop {
        match service.get_capabilities().await {
            Ok(can) => return Ok(can.iter().any(|it| it == "body-markup")),
            Err(Error::MethodError(name, ..)) if UNKNOWN.contains(&name.as_str()) => return Ok(true),
            Err(_) if asked < ASKED_AT_MOST => asked += 1,
            Err(error) => return Err(error),
        }
        tokio::time::sleep(ASKED_AGAIN_AFTER).await;
    }
}

impl Link {
    async fn open() -> zbus::Result<Self> {
        let connection = Connection::session().await?;
        let service = NotificationsProxy::new(&connection).await?;
        let clicks = service.receive_action_invoked().await?;
        let markup = reads_markup(&service).await?;
        Ok(Self { service, clicks, markup, shown: VecDeque::new() })
    }

    async fn send(&self, notice: &Notification) -> zbus::Result<u32> {
        let body = if self.markup { escaped(&notice.body) } else { notice.body.clone() };
        let urgency: u8 = match notice.urgency {
            Urgency::Normal => 1,
            Urgency::Critical => 2,
        };
        let hints =
            HashMap::from([("urgency", Value::from(urgency)), ("desktop-entry", Value::from(DESKTOP_ENTRY))]);
        let actions = [CLICKED, "Show the run"];
        self.service.notify(APP_NAME, 0, ICON, &notice.title, &body, &actions, hints, -1).await
    }
}
