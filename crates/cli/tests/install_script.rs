//! `install.sh` against a release on a local file server: what it installs, and what it refuses.
#![cfg(any(target_os = "linux", target_os = "macos"))]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use common::loopwright;
use loopwright_testkit::{Output, Sandbox};

const NAME: &str = "loopwright-cli-0.1.0";

/// A folder as a server of files shows it.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // Whoever asked may have gone away.
            let _unheard = answer(stream, &folder);
        }
    });
    address
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let name = request.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    match fs::read(folder.join(name)) {
        Ok(body) => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
            stream.write_all(&body)
        }
        Err(_) => {
            stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
    }
}

struct Release {
    sandbox: Sandbox,
    folder: PathBuf,
    archive: String,
}

impl Release {
    /// A release with an archive for this machine, laid out as `cargo xtask bundle` lays it out.
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let folder = sandbox.root().join("release");
        let triple = match std::env::consts::OS {
            "macos" => format!("{}-apple-darwin", std::env::consts::ARCH),
            _ => format!("{}-unknown-linux-gnu", std::env::consts::ARCH),
        };
        let name = format!("{NAME}-{triple}");
        let packed = folder.join(&name);
        fs::create_dir_all(packed.join("completions")).unwrap();
        for program in ["loopwright", "loopwright-rehearsal"] {
            // A debug build is too large to be packed and unpacked for each test.
            fs::write(packed.join(program), "#!/bin/sh\necho loopwright 0.1.0\n").unwrap();
        }
        for (shell, file) in
            [("bash", "loopwright.bash"), ("zsh", "_loopwright"), ("fish", "loopwright.fish")]
        {
            let script = loopwright(&sandbox, &["completions", shell]).stdout;
            fs::write(packed.join("completions").join(file), script).unwrap();
        }
        let manual = packed.join("man").display().to_string();
        assert_eq!(loopwright(&sandbox, &["man", &manual]).code, 0);
        let release = Self { sandbox, folder, archive: format!("{name}.tar.gz") };
        release.shell(&format!(
            "tar -czf {0}.tar.gz {0} && rm -r {0} && sum={1}; $sum {0}.tar.gz > SHA256SUMS",
            name, "$(command -v sha256sum || echo shasum -a 256)"
        ));
        release
    }

    fn shell(&self, script: &str) {
        let mut command = self.sandbox.command("sh");
        let output = self.sandbox.run(command.args(["-c", script]).current_dir(&self.folder));
        assert_eq!(output.code, 0, "{script}: {output:?}");
    }

    fn prefix(&self) -> PathBuf {
        self.sandbox.root().join("prefix")
    }

    fn install(&self) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../install.sh");
        let mut command = self.sandbox.command("sh");
        command.arg(script).env("LOOPWRIGHT_RELEASE_URL", serve(self.folder.clone()));
        self.sandbox.run(command.env("LOOPWRIGHT_PREFIX", self.prefix()))
    }
}

#[test]
fn a_release_is_installed_with_manual_pages_and_completions() {
    let release = Release::new();
    let output = release.install();
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("Installed loopwright 0.1.0 in"), "{output:?}");
    let program = release.prefix().join("bin/loopwright");
    let version = release.sandbox.run(release.sandbox.command(&program).arg("--version"));
    assert_eq!(version.stdout, "loopwright 0.1.0\n");
    for file in [
        "bin/loopwright-rehearsal",
        "share/man/man1/loopwright.1",
        "share/man/man1/loopwright-task-add.1",
        "share/bash-completion/completions/loopwright",
        "share/zsh/site-functions/_loopwright",
        "share/fish/vendor_completions.d/loopwright.fish",
    ] {
        assert!(release.prefix().join(file).is_file(), "{file}");
    }
    assert_eq!(release.install().code, 0, "again, over what is there");
}

#[test]
fn an_archive_that_was_changed_is_refused() {
    let release = Release::new();
    release.shell(&format!("echo more >> {}", release.archive));
    let output = release.install();
    assert!(output.code != 0 && output.stderr.contains("checksum"), "{output:?}");
    assert!(!release.prefix().exists(), "nothing was installed");
}

#[test]
fn a_release_without_an_archive_for_this_machine_says_so() {
    let release = Release::new();
    fs::write(
        release.folder.join("SHA256SUMS"),
        "00  loopwright-cli-0.1.0-riscv64-unknown-linux-gnu.tar.gz\n",
    )
    .unwrap();
    let output = release.install();
    assert!(output.code != 0 && output.stderr.contains("no archive for"), "{output:?}");
    fs::remove_file(release.folder.join("SHA256SUMS")).unwrap();
    let output = release.install();
    assert!(output.code != 0 && output.stderr.contains("cannot fetch"), "{output:?}");
    assert!(!release.prefix().exists(), "nothing was installed");
}
