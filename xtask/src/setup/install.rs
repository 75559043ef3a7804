//! Finds missing system packages and installs them.

use std::fs;
use std::io::IsTerminal as _;
use std::thread;
use std::time::{Duration, Instant};

use super::packages::{Need, Package, wanted};
use super::system::{Manager, System};
use crate::failure::{Failure, Outcome};
use crate::programs;
use crate::step::Step;
use crate::workspace::Workspace;

/// How long another package manager on this machine may hold its lock.
const LOCK_PATIENCE: Duration = Duration::from_secs(300);

/// Installs what `needs` lack. Silent when nothing is missing.
pub(super) fn system_packages(workspace: &Workspace, needs: &[Need]) -> Outcome {
    let manager = match System::detect() {
        System::Managed(manager) => manager,
        System::Windows => return Ok(()),
        System::Unknown(name) => return unknown_system(&name, needs),
    };
    let missing = missing(manager, &wanted(manager, needs))?;
    if missing.is_empty() {
        return Ok(());
    }
    let Some(rights) = Rights::of_this_user(manager)? else {
        let command = install_step(&Rights::Plain, manager, &missing).line();
        return Err(Failure::new(format!(
            "Missing: {}. Installing them needs root. Run this as root, then try again:\n  {command}",
            missing.join(" ")
        )));
    };
    eprintln!("Installing what is missing: {}", missing.join(" "));
    install(workspace, manager, &rights, &missing).map_err(|failure| {
        Failure::new(format!("Missing and not installed: {}. {failure}", missing.join(" ")))
    })
}

/// A system we have no package names for can still have everything that is a program.
fn unknown_system(name: &str, needs: &[Need]) -> Outcome {
    let like = if cfg!(target_os = "macos") { Manager::Brew } else { Manager::Apt };
    let absent: Vec<_> = wanted(like, needs)
        .iter()
        .filter(|package| !package.programs.is_empty() && programs::find_any(package.programs).is_none())
        .map(|package| package.programs.join(" or "))
        .collect();
    if absent.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Missing: {}. The package names of {name} are not known here; install these programs and try again \
         (docs/building.md lists the libraries by name).",
        absent.join(", ")
    )))
}

fn missing(manager: Manager, packages: &[Package]) -> Outcome<Vec<&'static str>> {
    let unproven: Vec<_> = packages
        .iter()
        .filter(|package| programs::find_any(package.programs).is_none())
        .map(|package| package.name)
        .collect();
    if unproven.is_empty() {
        return Ok(unproven);
    }
    let installed = installed(manager, &unproven)?;
    Ok(unproven.into_iter().filter(|name| !installed.iter().any(|found| found == name)).collect())
}

/// Which of `names` the package database lists as installed.
fn installed(manager: Manager, names: &[&str]) -> Outcome<Vec<String>> {
    let query = match manager {
        Manager::Apt | Manager::UbuntuApt => Step::new("dpkg-query")
            .args(["--show", "--showformat", "${db:Status-Abbrev}${Package}\n"])
            .args(names),
        Manager::Dnf => Step::new("rpm").args(["--query", "--queryformat", "%{NAME}\n"]).args(names),
        Manager::Pacman => Step::new("pacman").args(["--query", "--quiet"]).args(names),
        Manager::Brew => Step::new("brew").args(["list", "-1"]),
    };
    // Asking for a package that is not there makes these commands fail, while the others are still listed.
    let listed = query.env("LC_ALL", "C").capture()?.stdout;
    Ok(if manager == Manager::Apt {
        dpkg_installed(&listed)
    } else {
        listed.lines().map(str::to_owned).collect()
    })
}

/// Lines such as `ii git`: the first two letters are the wanted and the present state.
fn dpkg_installed(listed: &str) -> Vec<String> {
    listed.lines().filter_map(|line| line.strip_prefix("ii")).map(|name| name.trim().to_owned()).collect()
}

/// How this user may install packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    /// As root, or with a package manager that wants no root.
    Plain,
    Sudo,
    /// Sudo, without anyone there to type a password.
    SudoUnattended,
}

impl Rights {
    fn of_this_user(manager: Manager) -> Outcome<Option<Self>> {
        if manager == Manager::Brew || Step::new("id").arg("-u").capture()?.stdout.trim() == "0" {
            return Ok(Some(Self::Plain));
        }
        if programs::find("sudo").is_none() {
            return Ok(None);
        }
        if std::io::stdin().is_terminal() {
            return Ok(Some(Self::Sudo));
        }
        let unattended = Step::new("sudo").args(["-n", "true"]).capture()?.status.success();
        Ok(unattended.then_some(Self::SudoUnattended))
    }

    fn step(self, program: &str) -> Step {
        match self {
            Self::Plain => Step::new(program),
            Self::Sudo => Step::new("sudo").arg(program),
            Self::SudoUnattended => Step::new("sudo").args(["-n", program]),
        }
    }
}

fn install_step(rights: &Rights, manager: Manager, names: &[&str]) -> Step {
    match manager {
        Manager::Apt | Manager::UbuntuApt => {
            let timeout = format!("DPkg::Lock::Timeout={}", LOCK_PATIENCE.as_secs());
            let options =
                ["-o", &timeout, "-o", "Acquire::Retries=3", "install", "--yes", "--no-install-recommends"];
            rights.step("apt-get").args(options).args(names)
        }
        Manager::Dnf => rights.step("dnf").args(["install", "--assumeyes"]).args(names),
        Manager::Pacman => rights.step("pacman").args(["--sync", "--needed", "--noconfirm"]).args(names),
        Manager::Brew => rights.step("brew").arg("install").args(names),
    }
}

fn install(workspace: &Workspace, manager: Manager, rights: &Rights, names: &[&str]) -> Outcome {
    let step = install_step(rights, manager, names)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .dry_run(workspace.dry_run);
    if !is_apt(manager) {
        return step.run();
    }
    if apt_has_lists() && step.run().is_ok() {
        return Ok(());
    }
    // No package lists, or lists so old that the mirror no longer has what they name.
    apt_update(rights, workspace.dry_run)?;
    step.run()
}

fn is_apt(manager: Manager) -> bool {
    matches!(manager, Manager::Apt | Manager::UbuntuApt)
}

fn apt_has_lists() -> bool {
    fs::read_dir("/var/lib/apt/lists").is_ok_and(|mut entries| {
        entries
            .any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().contains("_Packages")))
    })
}

/// `apt-get update` has no option to wait for its lock, so it is tried again while another holds it.
fn apt_update(rights: &Rights, dry_run: bool) -> Outcome {
    let step = rights.step("apt-get").args(["-o", "Acquire::Retries=3", "update"]).env("LC_ALL", "C");
    if step.clone().dry_run(dry_run).announce() {
        return Ok(());
    }
    let started = Instant::now();
    loop {
        let captured = step.capture()?;
        if captured.status.success() {
            return Ok(());
        }
        let locked = captured.stderr.contains("Could not get lock");
        if !locked || started.elapsed() > LOCK_PATIENCE {
            return Err(Failure::new(format!("`{}` failed: {}", step.line(), captured.stderr.trim_end())));
        }
        thread::sleep(Duration::from_secs(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fully_installed_debian_packages_count() {
        let listed = "ii git\nrc xvfb\niU dbus\nii libgtk-3-dev\n";
        assert_eq!(dpkg_installed(listed), ["git", "libgtk-3-dev"]);
    }

    #[test]
    fn install_commands_are_what_a_person_would_type() {
        let line = |manager| install_step(&Rights::Sudo, manager, &["a", "b"]).line();
        assert_eq!(line(Manager::Dnf), "sudo dnf install --assumeyes a b");
        assert_eq!(line(Manager::Pacman), "sudo pacman --sync --needed --noconfirm a b");
        assert!(line(Manager::Apt).starts_with("sudo apt-get -o DPkg::Lock::Timeout=300"));
        assert!(line(Manager::Apt).ends_with("install --yes --no-install-recommends a b"));
    }

    #[test]
    fn a_program_on_the_path_stands_for_its_package() {
        let cargo = Package { name: "no-such-package", need: Need::Build, programs: &["cargo"] };
        assert!(missing(Manager::Apt, &[cargo]).unwrap().is_empty());
    }
}
