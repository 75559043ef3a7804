//! Keeps the computer from suspending itself. The session's own power manager is asked first, because it alone can
//! stay awake and still turn the display off; where there is none, logind is told that the machine is not idle.
//! Whatever is held belongs to a connection or a file descriptor, so it ends with the app, however that ends.

use tokio::sync::watch;
use tokio::time::timeout;
use zbus::proxy::MethodFlags;
use zbus::zvariant::OwnedFd;
use zbus::{Connection, Proxy};

use super::PATIENCE;

const APP_ID: &str = "dev.loopwright.desktop";
const APP_NAME: &str = "Loopwright";
const WHY: &str = "A run is working";
/// Of GNOME's session manager: do not suspend. The display is another flag.
const NO_SUSPEND: u32 = 4;

/// What keeps the computer awake for as long as it is there.
enum Held {
    /// The session's power manager, by this connection.
    Session(Connection),
    /// Logind, by this descriptor.
    Logind { _descriptor: OwnedFd },
}

/// Holds or releases as it is told, until the app ends.
pub(super) async fn work(mut wish: watch::Receiver<bool>) {
    let mut held = None;
    while wish.changed().await.is_ok() {
        let awake = *wish.borrow_and_update();
        match (awake, held.take()) {
            (true, None) => held = hold().await,
            (true, before) => held = before,
            (false, before) => release(before).await,
        }
    }
}

/// Asks whoever is there; none when nobody is.
async fn hold() -> Option<Held> {
    let session = async { timeout(PATIENCE, in_session()).await.ok()?.ok() };
    if let Some(connection) = session.await {
        return Some(Held::Session(connection));
    }
    let descriptor = timeout(PATIENCE, at_logind()).await.ok()?.ok()?;
    Some(Held::Logind { _descriptor: descriptor })
}

async fn release(held: Option<Held>) {
    if let Some(Held::Session(connection)) = held {
        // A connection that cannot be closed is closed already.
        let _gone = timeout(PATIENCE, connection.close()).await;
    }
}

async fn in_session() -> zbus::Result<Connection> {
    let connection = Connection::session().await?;
    let gnome = Proxy::new(
        &connection,
        "org.gnome.SessionManager",
        "/org/gnome/SessionManager",
        "org.gnome.SessionManager",
    );
    if ask(gnome.await?, &(APP_ID, 0u32, WHY, NO_SUSPEND)).await.is_err() {
        let others = Proxy::new(
            &connection,
            "org.freedesktop.PowerManagement",
            "/org/freedesktop/PowerManagement/Inhibit",
            "org.freedesktop.PowerManagement.Inhibit",
        );
        ask(others.await?, &(APP_NAME, WHY)).await?;
    }
    Ok(connection)
}

/// Asks a session's service, which answers with a number that is not needed: all ends with the connection.
async fn ask<B>(service: Proxy<'_>, body: &B) -> zbus::Result<()>
where
    B: serde::Serialize + zbus::zvariant::DynamicType,
{
    let answer: Option<u32> =
        service.call_with_flags("Inhibit", MethodFlags::NoAutoStart.into(), body).await?;
    answer.map(drop).ok_or(zbus::Error::InvalidReply)
}

async fn at_logind() -> zbus::Result<OwnedFd> {
    let connection = Connection::system().await?;
    let manager = Proxy::new(
        &connection,
        "org.freedesktop.login1",
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
    );
    let body = ("idle", APP_NAME, WHY, "block");
    let answer = manager.await?.call_with_flags("Inhibit", MethodFlags::NoAutoStart.into(), &body).await?;
    answer.ok_or(zbus::Error::InvalidReply)
}
