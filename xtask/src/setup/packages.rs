//! Which system packages each need takes, by package manager.

use super::system::Manager;

/// What a person wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Build and run the CLI.
    Build,
    /// Build and run the desktop app.
    Window,
    /// Run every test.
    Test,
    /// Try a package in a clean root.
    CleanRoot,
}

/// One package and how to see that it is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) need: Need,
    /// Any of these on PATH is as good as the package. Libraries have none: the package database is asked.
    pub(super) programs: &'static [&'static str],
}

const fn library(need: Need, name: &'static str) -> Package {
    Package { name, need, programs: &[] }
}

const fn program(need: Need, name: &'static str, programs: &'static [&'static str]) -> Package {
    Package { name, need, programs }
}

/// Any of these runs the UI's journeys: by name, or where it usually is on macOS and Windows.
pub(super) const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
];

const APT: &[Package] = &[
    program(Need::Build, "git", &["git"]),
    library(Need::Build, "build-essential"),
    program(Need::Build, "pkg-config", &["pkg-config"]),
    library(Need::Window, "libwebkit2gtk-4.1-dev"),
    library(Need::Window, "libgtk-3-dev"),
    program(Need::Test, "bubblewrap", &["bwrap"]),
    program(Need::Test, "xvfb", &["Xvfb"]),
    program(Need::Test, "dbus", &["dbus-daemon"]),
    program(Need::Test, "webkit2gtk-driver", &["WebKitWebDriver"]),
    library(Need::Test, "fonts-dejavu-core"),
    program(Need::Test, "chromium", BROWSERS),
    program(Need::CleanRoot, "debootstrap", &["debootstrap"]),
];

const DNF: &[Package] = &[
    program(Need::Build, "git-core", &["git"]),
    program(Need::Build, "gcc", &["gcc"]),
    program(Need::Build, "pkgconf-pkg-config", &["pkg-config"]),
    library(Need::Window, "webkit2gtk4.1-devel"),
    library(Need::Window, "gtk3-devel"),
    program(Need::Window, "nodejs", &["node"]),
    program(Need::Window, "nodejs-npm", &["npm"]),
    program(Need::Test, "bubblewrap", &["bwrap"]),
    program(Need::Test, "xorg-x11-server-Xvfb", &["Xvfb"]),
    program(Need::Test, "dbus-daemon", &["dbus-daemon"]),
    // The package that holds the driver differs between releases; dnf finds it by its file.
    program(Need::Test, "/usr/bin/WebKitWebDriver", &["WebKitWebDriver"]),
    library(Need::Test, "dejavu-sans-fonts"),
    program(Need::Test, "chromium", BROWSERS),
];

const PACMAN: &[Package] = &[
    program(Need::Build, "git", &["git"]),
    program(Need::Build, "gcc", &["gcc"]),
    program(Need::Build, "pkgconf", &["pkg-config"]),
    library(Need::Window, "webkit2gtk-4.1"),
    library(Need::Window, "gtk3"),
    program(Need::Window, "nodejs", &["node"]),
    program(Need::Window, "npm", &["npm"]),
    program(Need::Test, "bubblewrap", &["bwrap"]),
    program(Need::Test, "xorg-server-xvfb", &["Xvfb"]),
    program(Need::Test, "dbus", &["dbus-daemon"]),
    program(Need::Test, "webkitgtk-6.0", &["WebKitWebDriver"]),
    library(Need::Test, "ttf-dejavu"),
    program(Need::Test, "chromium", BROWSERS),
];

const BREW: &[Package] = &[
    program(Need::Build, "git", &["git"]),
    program(Need::Window, "node", &["node"]),
    program(Need::Test, "chromium", BROWSERS),
];

/// What `needs` take with this package manager.
pub(super) fn wanted(manager: Manager, needs: &[Need]) -> Vec<Package> {
    let all = match manager {
        Manager::Apt | Manager::UbuntuApt => APT,
        Manager::Dnf => DNF,
        Manager::Pacman => PACMAN,
        Manager::Brew => BREW,
    };
    all.iter().filter(|package| needs.contains(&package.need)).map(|package| package.on(manager)).collect()
}

impl Package {
    /// The package under the name this manager knows it by.
    fn on(self, manager: Manager) -> Self {
        match (manager, self.name) {
            (Manager::UbuntuApt, "chromium") => Self { name: "chromium-browser", ..self },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(manager: Manager, needs: &[Need]) -> Vec<&'static str> {
        wanted(manager, needs).iter().map(|package| package.name).collect()
    }

    #[test]
    fn the_cli_alone_needs_no_window_packages() {
        assert_eq!(names(Manager::Apt, &[Need::Build]), ["git", "build-essential", "pkg-config"]);
    }

    #[test]
    fn ubuntu_has_a_name_of_its_own_for_the_browser() {
        assert!(names(Manager::UbuntuApt, &[Need::Test]).contains(&"chromium-browser"));
    }

    #[test]
    fn every_manager_knows_what_tests_need() {
        for manager in [Manager::Apt, Manager::Dnf, Manager::Pacman, Manager::Brew] {
            assert!(names(manager, &[Need::Test]).contains(&"chromium"), "{manager:?}");
        }
        for linux in [Manager::Apt, Manager::Dnf, Manager::Pacman] {
            assert!(names(linux, &[Need::Test]).contains(&"bubblewrap"), "{linux:?}");
        }
    }
}
