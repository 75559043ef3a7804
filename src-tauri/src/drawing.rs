//! How pages are drawn.

/// Lets WebKit draw by itself where there is no graphics processor. It would imitate one otherwise, and prepare for
/// that longer than it takes to draw a page. What the environment already says counts.
///
/// Must be called before anything starts a thread.
#[cfg(target_os = "linux")]
pub(crate) fn suit_the_machine() {
    if !has_graphics_processor(std::path::Path::new("/dev")) {
        // It can fail for a malformed name only.
        let _set = gtk::glib::setenv("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "1", false);
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
