//! The X screen itself: native windows and real keys, where WebDriver cannot reach.

use std::time::Duration;

use loopwright_testkit::eventually;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, GetGeometryReply,
    InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// Long enough for a window to take in what happened.
const A_MOMENT: Duration = Duration::from_millis(60);
const APP: &str = "loopwright-app";

pub(crate) const TAB: u32 = 0xff09;
pub(crate) const ENTER: u32 = 0xff0d;
pub(crate) const ESCAPE: u32 = 0xff1b;
const SHIFT: u32 = 0xffe1;
pub(crate) const CONTROL: u32 = 0xffe3;

/// The screen the app's windows are on.
pub(crate) struct Screen {
    connection: RustConnection,
    root: Window,
}

impl Screen {
    pub(crate) fn open() -> Self {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    /// Waits for a native dialog of the app.
    pub(crate) fn dialog(&self) -> Window {
        eventually("a native dialog", || self.windows(true).first().copied())
    }

    /// Waits until the app shows no native dialog.
    pub(crate) fn no_dialog(&self) {
        eventually("no native dialog", || self.windows(true).is_empty().then_some(()));
    }

    /// Waits for the app's window.
    pub(crate) fn window(&self) -> Window {
        eventually("a window", || self.windows(false).first().copied())
    }

    /// Waits until no window of the app can be seen.
    pub(crate) fn no_window(&self) {
        eventually("no window", || self.windows(false).is_empty().then_some(()));
    }

    /// Asks a window to close, as its title bar does.
    pub(crate) fn ask_to_close(&self, window: Window) {
        let data = [self.atom("WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, self.atom("WM_PROTOCOLS"), data);
        self.connection.send_event(false, window, EventMask::NO_EVENT, message).unwrap().check().unwrap();
    }

    pub(crate) fn size(&self, window: Window) -> (u16, u16) {
        let shape: GetGeometryReply = self.connection.get_geometry(window).unwrap().reply().unwrap();
        (shape.width, shape.height)
    }

    pub(crate) fn resize(&self, window: Window, (width, height): (u16, u16)) {
        let size = ConfigureWindowAux::new().width(u32::from(width)).height(u32::from(height));
        self.connection.configure_window(window, &size).unwrap().check().unwrap();
        eventually("the new size", || (self.size(window) == (width, height)).then_some(()));
    }

    /// Strikes a key in a window while others are held.
    pub(crate) fn strike(&self, window: Window, held: &[u32], key: u32) {
        self.focus(window);
        self.key(held, key);
    }

    /// Types plain text into a window.
    pub(crate) fn type_text(&self, window: Window, text: &str) {
        self.focus(window);
        text.chars().for_each(|letter| self.key(&[], u32::from(letter)));
    }

    /// Strikes Enter until a dialog is gone: the first may only accept a completion.
    pub(crate) fn accept(&self, dialog: Window) {
        eventually("the dialog's end", || {
            if self.windows(true).contains(&dialog) {
                self.strike(dialog, &[], ENTER);
                std::thread::sleep(A_MOMENT * 5);
            }
            (!self.windows(true).contains(&dialog)).then_some(())
        });
    }

    pub(crate) fn focus(&self, window: Window) {
        let focus = self.connection.set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME).unwrap();
        focus.check().unwrap();
        // The window has to hear of its focus before it hears of keys.
        std::thread::sleep(A_MOMENT);
    }

    fn key(&self, held: &[u32], key: u32) {
        let (code, shifted) = self.key_code(key);
        let shift = if shifted { Some(self.key_code(SHIFT).0) } else { None };
        let held: Vec<u8> = held.iter().map(|key| self.key_code(*key).0).chain(shift).collect();
        let all = held.iter().copied().chain([code]);
        all.clone().for_each(|code| self.fake(KEY_PRESS_EVENT, code));
        all.rev().for_each(|code| self.fake(KEY_RELEASE_EVENT, code));
        std::thread::sleep(A_MOMENT);
    }

    fn fake(&self, kind: u8, code: u8) {
        self.connection.xtest_fake_input(kind, code, 0, self.root, 0, 0, 0).unwrap().check().unwrap();
    }

    /// The key that has this symbol on it, and whether it takes shift.
    fn key_code(&self, symbol: u32) -> (u8, bool) {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let mapping = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let columns = usize::from(mapping.keysyms_per_keycode);
        let found =
            mapping.keysyms.iter().enumerate().find(|(index, key)| index % columns < 2 && **key == symbol);
        let (index, _) = found.unwrap_or_else(|| panic!("no key has the symbol {symbol:#x}"));
        (first + u8::try_from(index / columns).unwrap(), index % columns == 1)
    }

    /// The app's windows that can be seen: its dialogs, or all others.
    fn windows(&self, dialogs: bool) -> Vec<Window> {
        let mut found = Vec::new();
        self.collect(self.root, &mut found);
        found.into_iter().filter(|window| self.is_dialog(*window) == dialogs).collect()
    }

    fn collect(&self, parent: Window, found: &mut Vec<Window>) {
        // Windows come and go while they are looked at.
        let Ok(tree) = self.connection.query_tree(parent).unwrap().reply() else { return };
        for window in tree.children {
            if self.is_of_the_app(window) {
                found.push(window);
            } else {
                self.collect(window, found);
            }
        }
    }

    fn is_of_the_app(&self, window: Window) -> bool {
        let class = self.property(window, AtomEnum::WM_CLASS, AtomEnum::STRING);
        let attributes = self.connection.get_window_attributes(window).unwrap().reply();
        let seen = attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE);
        seen && String::from_utf8_lossy(&class).to_lowercase().contains(APP)
    }

    fn is_dialog(&self, window: Window) -> bool {
        let kind = self.property(window, self.atom("_NET_WM_WINDOW_TYPE"), AtomEnum::ATOM);
        kind.starts_with(&self.atom("_NET_WM_WINDOW_TYPE_DIALOG").to_ne_bytes())
    }

    fn atom(&self, name: &str) -> Atom {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn property(&self, window: Window, name: impl Into<Atom>, kind: AtomEnum) -> Vec<u8> {
        let reply = self.connection.get_property(false, window, name, kind, 0, 64).unwrap().reply();
        reply.map(|reply| reply.value).unwrap_or_default()
    }
}
