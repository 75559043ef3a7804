//! A place in the tray (StatusNotifierItem). Desktops without one are told nothing and show nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ksni::menu::{StandardItem, SubMenu};
use ksni::{Handle, Icon, MenuItem, OfflineReason, Status, ToolTip, TrayMethods as _};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio::time::timeout;

use super::{AppIcon, PATIENCE, escaped};
use crate::background::Chosen;
use crate::background::tray_view::{QUIT, TrayProject, TrayView};

/// What the tray shows and does.
#[derive(Clone)]
pub(super) struct Item {
    icon: Vec<Icon>,
    chosen: UnboundedSender<Chosen>,
    is_shown: Arc<AtomicBool>,
    view: TrayView,
}

impl Item {
    pub(super) fn new(
        icon: Option<AppIcon>,
        chosen: UnboundedSender<Chosen>,
        is_shown: Arc<AtomicBool>,
    ) -> Self {
        let icon = icon.iter().filter_map(pixmap).collect();
        Self { icon, chosen, is_shown, view: TrayView { projects: Vec::new() } }
    }

    fn choose(&self, chosen: Chosen) {
        // Nobody listens only while the app is ending.
        let _ending = self.chosen.send(chosen);
    }
}

/// Shows what it is told, until the app ends.
pub(super) async fn work(mut wish: watch::Receiver<Option<TrayView>>, item: Item) {
    let mut shown: Option<Handle<Item>> = None;
    while wish.changed().await.is_ok() {
        let view = wish.borrow_and_update().clone();
        shown = match (view, shown.take().filter(|handle| !handle.is_closed())) {
            (Some(view), Some(handle)) => {
                let updated = timeout(PATIENCE, handle.update(|item| item.view = view)).await;
                updated.is_ok().then_some(handle)
            }
            (Some(view), None) => begin(Item { view, ..item.clone() }).await,
            (None, before) => {
                end(before).await;
                None
            }
        };
        if shown.is_none() {
            item.is_shown.store(false, Ordering::Relaxed);
        }
    }
}

/// The item has no name of its own on the bus, as in other programs: a name is made of the process id, which is not
/// unique where containers share a bus.
async fn begin(item: Item) -> Option<Handle<Item>> {
    item.is_shown.store(true, Ordering::Relaxed);
    let begun = item.disable_dbus_name(true).assume_sni_available(true).spawn();
    timeout(PATIENCE, begun).await.ok()?.ok()
}

async fn end(handle: Option<Handle<Item>>) {
    if let Some(handle) = handle {
        // A tray that does not answer is gone already.
        let _gone = timeout(PATIENCE, handle.shutdown()).await;
    }
}

impl ksni::Tray for Item {
    fn id(&self) -> String {
        "loopwright".into()
    }

    /// With the number of gates, for desktops and screen readers that show or read the title.
    fn title(&self) -> String {
        match self.view.gates() {
            0 => "Loopwright".into(),
            gates => format!("Loopwright ({gates})"),
        }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        self.icon.clone()
    }

    fn status(&self) -> Status {
        if self.view.wants_attention() { Status::NeedsAttention } else { Status::Active }
    }

    fn attention_icon_pixmap(&self) -> Vec<Icon> {
        self.icon.clone()
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip {
            title: self.title(),
            description: escaped(&self.view.tooltip()),
            icon_name: String::new(),
            icon_pixmap: Vec::new(),
        }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        let asks = self.view.projects.iter().find(|project| project.needs_person);
        if let Some(project) = asks.or(self.view.projects.first()) {
            self.choose(Chosen::Open(project.root.clone()));
        }
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let mut items = match self.view.projects.as_slice() {
            [only] => {
                let heading =
                    StandardItem { label: heading(only), enabled: false, ..StandardItem::default() };
                let mut items = vec![heading.into(), MenuItem::Separator];
                items.extend(entries(only));
                items
            }
            several => several.iter().map(submenu).collect(),
        };
        items.push(MenuItem::Separator);
        items.push(entry(QUIT, true, Chosen::Quit));
        items
    }

    fn watcher_online(&self) {
        self.is_shown.store(true, Ordering::Relaxed);
    }

    fn watcher_offline(&self, _reason: OfflineReason) -> bool {
        self.is_shown.store(false, Ordering::Relaxed);
        true
    }
}

fn submenu(project: &TrayProject) -> MenuItem<Item> {
    SubMenu { label: heading(project), submenu: entries(project), ..SubMenu::default() }.into()
}

fn entries(project: &TrayProject) -> Vec<MenuItem<Item>> {
    project.entries().into_iter().map(|it| entry(&it.text, it.enabled, it.chosen)).collect()
}

fn entry(text: &str, enabled: bool, chosen: Chosen) -> MenuItem<Item> {
    let activate = Box::new(move |item: &mut Item| item.choose(chosen.clone()));
    StandardItem { label: text.into(), enabled, activate, ..StandardItem::default() }.into()
}

/// In a menu an underscore marks the letter of a shortcut, and two are one.
fn heading(project: &TrayProject) -> String {
    project.heading().replace('_', "__")
}

/// The picture as the tray takes it: alpha first.
fn pixmap(icon: &AppIcon) -> Option<Icon> {
    let (width, height) = (i32::try_from(icon.width).ok()?, i32::try_from(icon.height).ok()?);
    let data = icon.rgba.chunks_exact(4).flat_map(|pixel| [pixel[3], pixel[0], pixel[1], pixel[2]]).collect();
    Some(Icon { width, height, data })
}
