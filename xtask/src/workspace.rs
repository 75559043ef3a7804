//! Where this checkout, its build output and its helper files are.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::step::Step;

/// Version of every crate of the workspace.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The checkout to work on.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    /// Folder of the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
    /// Print commands instead of running them.
    pub(crate) dry_run: bool,
}

impl Workspace {
    /// Finds the checkout. The target folder is where this very program was built (`<target>/<profile>/xtask`),
    /// so `CARGO_TARGET_DIR` and cargo's config are honoured without reading either. Cargo names the checkout when it
    /// starts us: several may share a target folder, and then this program may have been built from another one.
    pub(crate) fn locate(dry_run: bool) -> Outcome<Self> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = manifest_dir.parent().ok_or_else(|| Failure::new("xtask has no parent folder"))?;
        if !root.join("Cargo.toml").is_file() {
            return Err(Failure::new(format!(
                "{} is gone. Run `cargo xtask` inside the checkout it belongs to.",
                root.display()
            )));
        }
        let program = env::current_exe().context("cannot tell where xtask is")?;
        let target = target_of(&program).ok_or_else(|| {
            Failure::new("xtask does not run from a target folder. Start it with `cargo xtask`.")
        })?;
        Ok(Self { root: root.to_path_buf(), target, dry_run })
    }

    /// Folder of the UI's package.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// A program that cargo built, by its name without the system's suffix.
    pub(crate) fn built(&self, profile: Profile, name: &str) -> PathBuf {
        self.target.join(profile.folder()).join(executable(name))
    }

    /// A command that runs in the checkout's root.
    pub(crate) fn step(&self, program: impl AsRef<Path>) -> Step {
        Step::new(program.as_ref()).dir(&self.root).dry_run(self.dry_run)
    }

    /// The compiler's target triple for this machine.
    pub(crate) fn host_triple(&self) -> Outcome<String> {
        let report = Step::new("rustc").arg("-vV").dir(&self.root).capture()?;
        host_line(&report.stdout)
            .map(str::to_owned)
            .ok_or_else(|| Failure::new("`rustc -vV` does not name a host. Is the Rust toolchain complete?"))
    }
}

/// The cargo profile a program was built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    Release,
}

impl Profile {
    fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }
}

/// File name of a program on this system.
pub(crate) fn executable(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}

fn target_of(program: &Path) -> Option<PathBuf> {
    program.parent().and_then(Path::parent).map(Path::to_path_buf)
}

fn host_line(report: &str) -> Option<&str> {
    report.lines().find_map(|line| line.strip_prefix("host: ")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_folder_is_two_levels_above_the_program() {
        let program = Path::new("cache").join("target").join("debug").join("xtask");
        assert_eq!(target_of(&program), Some(Path::new("cache").join("target")));
    }

    #[test]
    fn host_is_read_from_the_compilers_report() {
        let report =
            "rustc 1.95.0 (abc 2026-03-21)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
        assert_eq!(host_line(report), Some("x86_64-unknown-linux-gnu"));
        assert_eq!(host_line("rustc 1.95.0"), None);
    }
}
