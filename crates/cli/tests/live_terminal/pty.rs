//! A program on a real pseudo terminal, with a screen that understands what it draws.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use loopwright_testkit::{Sandbox, eventually};
use nix::pty::{Winsize, openpty};

const ROWS: u16 = 30;
const SCROLLBACK: usize = 10_000;

/// A program that believes a person sits before it.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    drawn: Arc<Mutex<Vec<u8>>>,
    /// The program's side, for changes of its size.
    side: Option<OwnedFd>,
    reader: Option<JoinHandle<()>>,
    columns: u16,
}

impl Terminal {
    /// Starts a program on a terminal of so many columns.
    pub(crate) fn start(sandbox: &Sandbox, command: &Command, columns: u16) -> Self {
        let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(Some(&size), None).unwrap();
        // "setsid --ctty" makes the terminal the program's own, as a shell does.
        let mut started = sandbox.command("setsid");
        started.args(["--ctty", "--wait"]).arg(command.get_program()).args(command.get_args()).env_clear();
        started.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(folder) = command.get_current_dir() {
            started.current_dir(folder);
        }
        started.env("TERM", "xterm-256color").env_remove("NO_COLOR").env_remove("CI");
        let side = |end: &OwnedFd| end.try_clone().unwrap();
        let own_side = side(&pty.slave);
        started.stdin(side(&pty.slave)).stdout(side(&pty.slave)).stderr(pty.slave);
        let child = started.spawn().unwrap();
        drop(started);
        let keyboard = File::from(side(&pty.master));
        let drawn = Arc::new(Mutex::new(Vec::new()));
        let (mut screen, kept) = (File::from(pty.master), Arc::clone(&drawn));
        let reader = std::thread::spawn(move || {
            let mut chunk = [0; 64 * 1024];
            // A terminal whose last program is gone reads as an error on Linux.
            while let Ok(count @ 1..) = screen.read(&mut chunk) {
                kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&chunk[..count]);
            }
        });
        Self { child, keyboard, drawn, side: Some(own_side), reader: Some(reader), columns }
    }

    /// Types text.
    pub(crate) fn type_in(&mut self, text: &str) {
        self.keyboard.write_all(text.as_bytes()).unwrap();
    }

    /// Gives the terminal another width, as a person does who drags its window. What was drawn before is forgotten.
    pub(crate) fn resize(&mut self, sandbox: &Sandbox, columns: u16) {
        let side = self.side.as_ref().unwrap().try_clone().unwrap();
        let mut stty = sandbox.command("stty");
        assert!(stty.args(["cols", &columns.to_string()]).stdin(side).status().unwrap().success());
        self.columns = columns;
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Everything that was sent to the terminal so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The screen and all that scrolled out of it, as a person would see it by scrolling back.
    pub(crate) fn lines(&self) -> Vec<String> {
        rendered(&self.bytes(), self.columns)
    }

    /// Waits until a text was on the screen at some time, with everything drawn over or not.
    pub(crate) fn wait_for(&self, text: &str) {
        eventually(text, || self.lines().iter().any(|line| line.contains(text)));
    }

    /// Waits for the end. Gives the exit code and what is on the terminal then.
    pub(crate) fn finish(mut self) -> (i32, Vec<String>) {
        let status = self.child.wait().unwrap();
        // The reader sees the end when no side is open any more.
        self.side = None;
        self.reader.take().unwrap().join().unwrap();
        (status.code().unwrap_or(-1), self.lines())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn nonzero(size: u16) -> NonZero<u16> {
    NonZero::new(size).unwrap()
}

/// What a terminal of so many columns shows after these bytes, scrollback first.
fn rendered(bytes: &[u8], columns: u16) -> Vec<String> {
    let mut parser = vt100::Parser::new(nonzero(ROWS), nonzero(columns), SCROLLBACK);
    parser.process(bytes);
    let mut lines = Vec::new();
    parser.screen_mut().set_scrollback(usize::MAX);
    let mut left = parser.screen().scrollback();
    while left > 0 {
        parser.screen_mut().set_scrollback(left);
        lines.extend(parser.screen().rows(0, columns).next());
        left -= 1;
    }
    parser.screen_mut().set_scrollback(0);
    lines.extend(parser.screen().rows(0, columns));
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines
}
