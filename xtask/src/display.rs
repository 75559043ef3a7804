//! A place where windows can open: the person's display, or a private one.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::failure::{Context, Failure, Outcome};
use crate::step::Step;

/// Whether a window can be opened here.
pub(crate) fn is_there() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    set("WAYLAND_DISPLAY").is_some() || x11_is_there()
}

fn x11_is_there() -> bool {
    set("DISPLAY").is_some_and(|display| answers(&display))
}

fn set(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// A local display without its socket is left over from a session that has ended.
fn answers(display: &str) -> bool {
    local_number(display).is_none_or(|number| Path::new(&format!("/tmp/.X11-unix/X{number}")).exists())
}

/// The number in `:7` or `:7.0`; nothing for a display on another machine.
fn local_number(display: &str) -> Option<&str> {
    display.strip_prefix(':').and_then(|rest| rest.split('.').next())
}

/// Which display the windows go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    /// The person's own display where there is one that speaks X11, which tests drive.
    OwnIfThere,
    /// Always a private one.
    Private,
}

/// A D-Bus session of its own and, where needed, a display of its own. Both end with this value.
///
/// The session bus is private in any case, so that a running Loopwright is not mistaken for the one under test.
#[derive(Debug)]
pub(crate) struct Desktop {
    servers: Vec<Child>,
    env: Vec<(&'static str, String)>,
}

impl Desktop {
    pub(crate) fn start(screen: Screen) -> Outcome<Self> {
        let mut desktop = Self { servers: Vec::new(), env: Vec::new() };
        if !cfg!(target_os = "linux") {
            return Ok(desktop);
        }
        if screen == Screen::Private || !x11_is_there() {
            let number = desktop.server(Step::new("Xvfb").args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1440x900x24",
                "-nolisten",
                "tcp",
                // It would start anew when the last window closes, and refuse the next program meanwhile.
                "-noreset",
            ]))?;
            desktop.env.push(("DISPLAY", format!(":{number}")));
            desktop.env.push(("GDK_BACKEND", "x11".to_owned()));
        }
        let address =
            desktop.server(Step::new("dbus-daemon").args(["--session", "--nofork", "--print-address=1"]))?;
        desktop.env.push(("DBUS_SESSION_BUS_ADDRESS", address));
        Ok(desktop)
    }

    /// What programs need in their environment to open windows here.
    pub(crate) fn env(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.env.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// Starts a server that prints one line, its address, once it is ready.
    fn server(&mut self, step: Step) -> Outcome<String> {
        let mut child = step.spawn(|command: &mut Command| {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        })?;
        let stdout = child.stdout.take();
        self.servers.push(child);
        let mut line = String::new();
        let stdout = stdout.ok_or_else(|| Failure::new("a server's output is not connected"))?;
        BufReader::new(stdout).read_line(&mut line).context(format!("cannot read from `{}`", step.line()))?;
        match line.trim() {
            "" => Err(Failure::new(format!("`{}` did not start.", step.line()))),
            address => Ok(address.to_owned()),
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for server in self.servers.iter_mut().rev() {
            // A server that has ended by itself is as good as one ended here.
            let _ended = server.kill().and_then(|()| server.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_displays_have_a_socket_to_look_for() {
        assert_eq!(local_number(":7"), Some("7"));
        assert_eq!(local_number(":7.0"), Some("7"));
        assert_eq!(local_number("localhost:10.0"), None);
        assert!(!answers(":60321"));
        assert!(answers("localhost:10.0"));
    }
}
