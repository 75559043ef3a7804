//! Which package manager this system has.

use std::fs;

use crate::programs;

/// A package manager whose packages are known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manager {
    Apt,
    /// Apt with Ubuntu's package names.
    UbuntuApt,
    Dnf,
    Pacman,
    Brew,
}

/// What kind of system this is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum System {
    Managed(Manager),
    /// Windows brings WebView2; Rust and Node are a person's choice there.
    Windows,
    /// Anything else, by the name it gives itself.
    Unknown(String),
}

impl System {
    pub(super) fn detect() -> Self {
        if cfg!(windows) {
            return Self::Windows;
        }
        if cfg!(target_os = "macos") {
            return if programs::find("brew").is_some() {
                Self::Managed(Manager::Brew)
            } else {
                Self::Unknown("macOS without Homebrew".to_owned())
            };
        }
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        Self::of_release(&release)
    }

    /// Reads an `os-release` file: the system's own id first, then what it says it is like.
    fn of_release(release: &str) -> Self {
        let value = |key: &str| {
            let line = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            line.map(|text| text.trim_matches('"')).unwrap_or_default().to_owned()
        };
        let ids = format!("{} {}", value("ID"), value("ID_LIKE"));
        for id in ids.split_whitespace() {
            match id {
                "debian" => return Self::Managed(Manager::Apt),
                "ubuntu" => return Self::Managed(Manager::UbuntuApt),
                "fedora" => return Self::Managed(Manager::Dnf),
                "arch" => return Self::Managed(Manager::Pacman),
                _ => {}
            }
        }
        let name = value("PRETTY_NAME");
        Self::Unknown(if name.is_empty() { "this system".to_owned() } else { name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(release: &str) -> System {
        System::of_release(release)
    }

    #[test]
    fn systems_are_told_by_their_id() {
        assert_eq!(of("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"), System::Managed(Manager::Apt));
        assert_eq!(of("ID=fedora\nVERSION_ID=42\n"), System::Managed(Manager::Dnf));
        assert_eq!(of("ID=arch\n"), System::Managed(Manager::Pacman));
    }

    #[test]
    fn relatives_are_told_by_what_they_are_like() {
        assert_eq!(of("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), System::Managed(Manager::UbuntuApt));
        assert_eq!(of("ID=\"manjaro\"\nID_LIKE=arch\n"), System::Managed(Manager::Pacman));
    }

    #[test]
    fn strangers_keep_their_name() {
        assert_eq!(of("ID=void\nPRETTY_NAME=\"Void Linux\"\n"), System::Unknown("Void Linux".to_owned()));
        assert_eq!(of(""), System::Unknown("this system".to_owned()));
    }
}
