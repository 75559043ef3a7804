//! Installs the package into a clean root and runs what it brings: nothing of this machine can help it there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::start_to_first_paint;
use crate::display::{Desktop, Screen};
use crate::failure::{Context, Failure, Outcome};
use crate::scratch::Scratch;
use crate::setup::{self, Need};
use crate::stages::duration;
use crate::step::Step;
use crate::workspace::{VERSION, Workspace};

/// Installs the .deb among `packages` into a fresh minimal system and runs the CLI, the sample and the app there.
pub(super) fn verify(workspace: &Workspace, packages: &[PathBuf]) -> Outcome {
    let is_deb = |file: &&PathBuf| file.extension().is_some_and(|extension| extension == "deb");
    let deb = packages
        .iter()
        .find(is_deb)
        .ok_or_else(|| Failure::new("Only a .deb can be tried in a clean root."))?;
    if Step::new("id").arg("-u").capture()?.stdout.trim() != "0" {
        return Err(Failure::new("A clean root can be made by root only. Run `bundle --verify` as root."));
    }
    setup::ensure(workspace, &[Need::Test, Need::CleanRoot])?;
    let root = CleanRoot::make(deb)?;
    root.expect("loopwright", &["--version"], VERSION)?;
    root.expect("loopwright", &["demo", "/tmp/sample"], "")?;
    root.expect("loopwright", &["-C", "/tmp/sample", "status"], "")?;
    root.expect("loopwright-rehearsal", &["--version"], VERSION)?;
    let painted = root.paint_first_window()?;
    println!("In a clean root: installs, the CLI runs, and the app paints after {}.", duration(painted));
    Ok(())
}

/// A minimal system in a temporary folder.
struct CleanRoot(Scratch);

impl CleanRoot {
    fn make(deb: &Path) -> Outcome<Self> {
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
        fs::copy(deb, root.path().join("tmp/loopwright.deb")).context("cannot copy the package")?;
        root.step("apt-get").arg("update").run()?;
        root.step("apt-get")
            .args(["install", "--yes", "--no-install-recommends", "/tmp/loopwright.deb"])
            .run()?;
        Ok(root)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, text: &str) -> Outcome {
        fs::write(self.path().join(file), text).context(format!("cannot write {file} in the clean root"))
    }

    /// A command inside the root, with nothing of this machine's environment that could help it.
    fn step(&self, program: &str) -> Step {
        Step::new("chroot")
            .arg(self.path())
            .args(["/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"])
            .args(["DEBIAN_FRONTEND=noninteractive", program])
    }

    fn expect(&self, program: &str, args: &[&str], text: &str) -> Outcome {
        let step = self.step(program).args(args);
        let said = step.capture_success()?;
        if said.contains(text) {
            return Ok(());
        }
        Err(Failure::new(format!("`{}` does not say {text:?} but {said:?}.", step.line())))
    }

    /// Starts the installed app on a display outside the root and waits for its first paint.
    fn paint_first_window(&self) -> Outcome<std::time::Duration> {
        let desktop = Desktop::start(Screen::Private)?;
        let shared_memory = self.path().join("dev/shm");
        fs::create_dir_all(shared_memory).context("cannot prepare the clean root")?;
        let app = Step::new("chroot")
            .arg(self.path())
            .arg("loopwright-app")
            .envs(desktop.env())
            .env("HOME", "/root");
        start_to_first_paint(&app, self.path())
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
