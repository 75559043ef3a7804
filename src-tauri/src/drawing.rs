//! How pages are drawn.

/// What WebKit is told where there is no graphics processor.
///
/// It would imitate one otherwise, and prepare for that longer than it takes to draw a page. It would also keep parts of
/// the page as layers and put them together anew, the whole window, whenever a word of it changes; without layers it
/// draws what has changed and nothing else.
#[cfg(target_os = "linux")]
const BY_ITSELF: [&str; 2] = ["WEBKIT_SKIA_ENABLE_CPU_RENDERING", "WEBKIT_DISABLE_COMPOSITING_MODE"];

/// Lets WebKit draw by itself where there is no graphics processor. What the environment already says counts.
///
/// Must be called before anything starts a thread.
#[cfg(target_os = "linux")]
pub(crate) fn suit_the_machine() {
    if !has_graphics_processor(std::path::Path::new("/dev")) {
        for name in BY_ITSELF {
            // It can fail for a malformed name only.
            let _set = gtk::glib::setenv(name, "1", false);
        }
    }
}

/// Whether the kernel offers a device to draw with: a render node, or the ones of NVIDIA's driver and of WSL.
#[cfg(target_os = "linux")]
fn has_graphics_processor(devices: &std::path::Path) -> bool {
    let mut direct = std::fs::read_dir(devices.join("dri")).into_iter().flatten().flatten();
    direct.any(|entry| entry.file_name().as_encoded_bytes().starts_with(b"renderD"))
        || ["nvidiactl", "dxg"].iter().any(|name| devices.join(name).exists())
}

/// Other systems know best themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn suit_the_machine() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_device_to_draw_with_is_a_render_node_or_a_drivers_own() {
        for (device, found) in [
            ("dri/renderD128", true),
            ("nvidiactl", true),
            ("dxg", true),
            ("dri/card0", false),
            ("null", false),
        ] {
            let devices = tempfile::tempdir().unwrap();
            let device = devices.path().join(device);
            std::fs::create_dir_all(device.parent().unwrap()).unwrap();
            std::fs::write(&device, "").unwrap();
            assert_eq!(has_graphics_processor(devices.path()), found, "{}", device.display());
        }
    }
}
