//! `cargo xtask bundle`: the installers and the CLI archive, in `dist/`.

mod archive;
mod clean_root;
mod licences;

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::fingerprint::files_below;
use crate::setup::{self, Need};
use crate::workspace::{Profile, Workspace, executable};
use crate::{backtrace, cargo, linkage, ui};

/// Programs that ship beside the app, and in the CLI archive.
const SIDE_PROGRAMS: &[&str] = &["loopwright", "loopwright-rehearsal"];
/// Shells with the file name their completion script has to have.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "loopwright.bash"),
    ("zsh", "_loopwright"),
    ("fish", "loopwright.fish"),
    ("powershell", "loopwright.ps1"),
];
/// The folder of the manual pages.
const MANUAL: &str = "man";
const THIRD_PARTY: &str = "THIRD-PARTY.txt";
const OWN_LICENCES: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE"];

/// Installer formats by the bundler's names, and whether to try the result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options<'words> {
    formats: Vec<&'words str>,
    verify: bool,
}

impl<'words> Options<'words> {
    /// Reads `[FORMAT…] [--verify]`; nothing when another option is given. Without a format: this system's own.
    pub(crate) fn parse(words: &[&'words str]) -> Option<Self> {
        let (options, mut formats): (Vec<&str>, Vec<&str>) =
            words.iter().partition(|word| word.starts_with('-'));
        if options.iter().any(|option| *option != "--verify") {
            return None;
        }
        if formats.is_empty() {
            formats = if cfg!(windows) {
                vec!["msi"]
            } else if cfg!(target_os = "macos") {
                vec!["app", "dmg"]
            } else {
                vec!["deb"]
            };
        }
        Some(Self { formats, verify: !options.is_empty() })
    }
}

/// Builds everything for release, makes the packages and names them.
pub(crate) fn run(workspace: &Workspace, options: &Options<'_>) -> Outcome {
    setup::ensure(workspace, &[Need::Build, Need::Window])?;
    ui::build(workspace)?;
    cargo::build_headless(workspace, Profile::Release)?;
    cargo::build_release_app(workspace)?;
    let triple = workspace.host_triple()?;
    stage(workspace, &triple)?;
    bundler(workspace, &options.formats)?;
    if workspace.dry_run {
        return Ok(());
    }
    let mut made = collect_installers(workspace)?;
    made.push(archive::make(workspace, &triple)?);
    for file in &made {
        println!("{} ({:.1} MB)", file.display(), size_in_megabytes(file));
    }
    if options.verify {
        clean_root::verify(workspace, &made)?;
    }
    Ok(())
}

/// Where files wait for the bundler, which finds them through `src-tauri/bundle.conf.json`.
fn staging(workspace: &Workspace) -> PathBuf {
    workspace.root.join("src-tauri").join("binaries")
}

/// Where finished packages go.
fn dist(workspace: &Workspace) -> PathBuf {
    workspace.root.join("dist")
}

/// Puts the side programs (with the triple in their names, as the bundler wants it), completions, manual
/// pages and licences into the staging folder.
fn stage(workspace: &Workspace, triple: &str) -> Outcome {
    if workspace.dry_run {
        return Ok(());
    }
    let staging = staging(workspace);
    fs::create_dir_all(staging.join("completions")).context("cannot create the staging folder")?;
    for name in SIDE_PROGRAMS {
        let program = workspace.built(Profile::Release, name);
        linkage::require_base_only(&program)?;
        backtrace::require(&program)?;
        copy(&program, &staging.join(executable(&format!("{name}-{triple}"))))?;
    }
    let cli = workspace.built(Profile::Release, "loopwright");
    for (shell, file) in COMPLETIONS {
        let script = workspace.step(&cli).args(["completions", shell]).capture_success()?;
        write(&staging.join("completions").join(file), &script)?;
    }
    workspace.step(&cli).arg("man").arg(staging.join(MANUAL)).run()?;
    write(&staging.join(THIRD_PARTY), &licences::third_party(workspace, triple)?)
}

/// Runs Tauri's bundler over what cargo has built.
fn bundler(workspace: &Workspace, formats: &[&str]) -> Outcome {
    let tauri = workspace.ui().join("node_modules").join("@tauri-apps").join("cli").join("tauri.js");
    workspace
        .step("node")
        .arg(tauri)
        .args(["bundle", "--ci", "--config", "src-tauri/bundle.conf.json", "--bundles", &formats.join(",")])
        .run()
}

/// Copies this version's installers from cargo's target folder to `dist/`.
fn collect_installers(workspace: &Workspace) -> Outcome<Vec<PathBuf>> {
    let output = workspace.target.join("release").join("bundle");
    let is_installer = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let suffix =
            [".deb", ".rpm", ".AppImage", ".dmg", ".msi", ".exe"].iter().any(|end| name.ends_with(end));
        suffix && name.contains(crate::workspace::VERSION)
    };
    let found: Vec<_> = files_below(&output, &[])?.into_iter().filter(is_installer).collect();
    if found.is_empty() {
        return Err(Failure::new(format!("The bundler left no installer in {}.", output.display())));
    }
    found
        .iter()
        .map(|file| {
            let kept = dist(workspace).join(file.file_name().unwrap_or_default());
            copy(file, &kept).map(|()| kept)
        })
        .collect()
}

fn copy(from: &Path, to: &Path) -> Outcome {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).context(format!("cannot create {}", folder.display()))?;
    }
    fs::copy(from, to).context(format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

fn write(file: &Path, text: &str) -> Outcome {
    fs::write(file, text).context(format!("cannot write {}", file.display()))
}

fn size_in_megabytes(file: &Path) -> f64 {
    fs::metadata(file).map(|metadata| metadata.len() as f64 / 1_000_000.0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_for_linux_depends_on_no_library_for_trays() {
        // Tauri's bundler takes the features of `tauri` from all dependencies of the package, also those for other systems.
        let manifest = include_str!("../../../Cargo.toml");
        let (_, package) = manifest.split_once("[package]").unwrap_or_default();
        let mut tauri = package.lines().filter(|line| line.starts_with("tauri = ")).peekable();
        assert!(tauri.peek().is_some(), "Tauri is a dependency");
        assert!(!tauri.any(|line| line.contains("tray-icon")));
    }

    #[test]
    fn formats_and_verify_are_told_apart() {
        let named = Options::parse(&["deb", "appimage", "--verify"]);
        assert_eq!(named, Some(Options { formats: vec!["deb", "appimage"], verify: true }));
        assert!(Options::parse(&[]).is_some_and(|options| !options.formats.is_empty() && !options.verify));
        assert_eq!(Options::parse(&["--quick"]), None);
    }
}
