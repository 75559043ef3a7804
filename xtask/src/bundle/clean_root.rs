//! Installs the package into a clean root and runs what it brings: nothing of this machine can help it there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::bench::{READY_FILE, start_until};
use crate::display::{Desktop, Screen};
use crate::failure::{Context, Failure, Outcome};
use crate::scratch::Scratch;
use crate::setup::{self, Need};
use crate::stages::duration;
use crate::step::Step;
use crate::strays::Marker;
use crate::workspace::{VERSION, Workspace};

/// Enters the root (`$0`) with what every running system has, in mounts that end with the command. Where mounting is
/// not permitted the command still runs and shows by itself what it lacks.
const ENTER: &str = r#"
mkdir -p "$0/dev/shm" "$0/tmp/.X11-unix"
mount -t proc proc "$0/proc" || :
mount -t tmpfs tmpfs "$0/dev/shm" || :
[ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix "$0/tmp/.X11-unix" || :
exec chroot "$0" /usr/bin/env -i "$@"
"#;

/// Tries the CLI archive and the .deb among `packages` in a fresh minimal system: the CLI, the sample and the app.
pub(super) fn verify(workspace: &Workspace, packages: &[PathBuf]) -> Outcome {
    let ending = |end: &str| packages.iter().find(|file| file.to_string_lossy().ends_with(end));
    let (Some(deb), Some(archive)) = (ending(".deb"), ending(".tar.gz")) else {
        return Err(Failure::new(
            "Only a .deb can be tried in a clean root. Run `cargo xtask bundle deb --verify`.",
        ));
    };
    if Step::new("id").arg("-u").capture()?.stdout.trim() != "0" {
        return Err(Failure::new("A clean root can be made by root only. Run `bundle --verify` as root."));
    }
    setup::ensure(workspace, &[Need::Test, Need::CleanRoot])?;
    let root = CleanRoot::make()?;
    root.try_archive(archive)?;
    root.install(deb)?;
    root.expect("loopwright", &["--version"], VERSION)?;
    root.expect("loopwright", &["demo", "/tmp/sample"], "")?;
    root.expect("loopwright", &["-C", "/tmp/sample", "status"], "")?;
    root.expect("loopwright-rehearsal", &["--version"], VERSION)?;
    let took = root.show_first_window()?;
    println!(
        "In a clean root: the archive and the package install, the CLI runs, the app is ready after {}.",
        duration(took)
    );
    Ok(())
}

/// A minimal system in a temporary folder.
struct CleanRoot(Scratch);

impl CleanRoot {
    fn make() -> Outcome<Self> {
        let root = Self(Scratch::new("clean-root")?);
        let sources = own_sources()?;
        let (site, suite) =
            sources.first().ok_or_else(|| Failure::new("apt knows no package sources here."))?;
        Step::new("debootstrap")
            .args(["--variant=minbase", "--include=ca-certificates", suite])
            .arg(root.path())
            .arg(site)
            .run()?;
        root.write("etc/apt/sources.list", &sources_list(&sources))?;
        // Services have nothing to do in here.
        root.write("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n")?;
        Step::new("chmod").arg("755").arg(root.path().join("usr/sbin/policy-rc.d")).run()?;
        // Nor is there anything to lose in a crash.
        root.write("etc/dpkg/dpkg.cfg.d/unsafe-io", "force-unsafe-io\n")?;
        Ok(root)
    }

    /// Unpacks the CLI archive and runs it where nothing but the minimal system is installed.
    fn try_archive(&self, archive: &Path) -> Outcome {
        let opt = self.path().join("opt");
        Step::new("tar")
            .arg("-xzf")
            .arg(archive)
            .arg("-C")
            .arg(opt)
            .args(["--strip-components", "1"])
            .run()?;
        self.expect("/opt/loopwright", &["--version"], VERSION)
    }

    fn install(&self, deb: &Path) -> Outcome {
        fs::copy(deb, self.path().join("tmp/loopwright.deb")).context("cannot copy the package")?;
        self.step("apt-get").arg("update").run()?;
        self.step("apt-get")
            .args(["install", "--yes", "--no-install-recommends", "/tmp/loopwright.deb"])
            .run()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, text: &str) -> Outcome {
        fs::write(self.path().join(file), text).context(format!("cannot write {file} in the clean root"))
    }

    /// A command inside the root, with nothing of this machine's environment that could help it.
    fn step(&self, program: &str) -> Step {
        self.step_with(&[], program)
    }

    fn step_with(&self, env: &[(&str, &str)], program: &str) -> Step {
        Step::new("unshare")
            .args(["--mount", "sh", "-c", ENTER])
            .arg(self.path())
            .args([
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME=/root",
                "LANG=C.UTF-8",
                "DEBIAN_FRONTEND=noninteractive",
            ])
            .args(env.iter().map(|(name, value)| format!("{name}={value}")))
            .arg(program)
    }

    fn expect(&self, program: &str, args: &[&str], text: &str) -> Outcome {
        let step = self.step(program).args(args);
        let said = step.capture_success()?;
        if said.contains(text) {
            return Ok(());
        }
        Err(Failure::new(format!("`{}` does not say {text:?} but {said:?}.", step.line())))
    }

    /// Starts the installed app on a display outside the root and waits until one can work with it.
    fn show_first_window(&self) -> Outcome<Duration> {
        let desktop = Desktop::start(Screen::Private)?;
        let marker = Marker::new();
        let mut env: Vec<_> = desktop.env().filter(|(name, _)| *name != "DBUS_SESSION_BUS_ADDRESS").collect();
        env.push((marker.variable(), marker.value()));
        env.push((READY_FILE, "/tmp/ready"));
        let app = self.step_with(&env, "loopwright-app");
        start_until(&app, [&self.path().join("tmp/ready")], &marker).map(|[took]| took)
    }
}

/// Site and suite of this system's own package sources, as apt itself reads its settings.
fn own_sources() -> Outcome<Vec<(String, String)>> {
    let release = fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?;
    let codename =
        release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME=")).unwrap_or_default();
    let listed = Step::new("apt-get")
        .args(["indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages"])
        .capture_success()?;
    Ok(sources_of(&listed, codename))
}

/// The sources of one release: its own suite first, then its updates.
fn sources_of(listed: &str, codename: &str) -> Vec<(String, String)> {
    let mut sources: Vec<(String, String)> = Vec::new();
    for line in listed.lines() {
        let Some((site, suite)) = line.split_once(' ') else { continue };
        let source = (site.to_owned(), suite.to_owned());
        if suite.starts_with(codename) && !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources.sort_by_key(|(_, suite)| suite != codename);
    sources
}

fn sources_list(sources: &[(String, String)]) -> String {
    sources.iter().map(|(site, suite)| format!("deb {site} {suite} main\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_suite_comes_first_and_strangers_are_left_out() {
        let listed = "http://m/security bookworm-security\nhttp://m/debian bookworm\nhttp://m/debian bookworm\nhttps://node nodistro\n";
        let sources = sources_of(listed, "bookworm");
        assert_eq!(
            sources_list(&sources),
            "deb http://m/debian bookworm main\ndeb http://m/security bookworm-security main\n"
        );
    }
}
