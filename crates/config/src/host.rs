//! What the engine is told about the machine it runs on. The engine itself reads no environment, no home
//! folder and no clock: the CLI and the app hand it a [`Host`].

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use etcetera::AppStrategy;
use jiff::Timestamp;
use loopwright_domain::{ErrorCode, Fault};
use loopwright_process::{find_program, find_program_outside, search_path_outside};
use loopwright_vcs::{Git, VcsError};

use crate::layout::Layout;
use crate::schema::VARIABLE_PREFIX;

/// Where the login shell looks for programs: asked at most once for a host and all its copies.
#[derive(Clone, Debug, Default)]
pub struct LoginPath(Arc<OnceLock<Option<OsString>>>);

impl LoginPath {
    /// The path, when the shell was asked and told it.
    #[must_use]
    pub fn get(&self) -> Option<&OsString> {
        self.0.get().and_then(Option::as_ref)
    }

    /// Whether the shell was asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.get().is_some()
    }

    /// Keeps what the shell told; the first answer holds.
    pub fn set(&self, path: Option<OsString>) {
        let _ = self.0.set(path);
    }
}

/// The machine and the caller, as plain data.
#[derive(Clone, Debug)]
pub struct Host {
    /// Where the user's own settings are.
    pub config_dir: PathBuf,
    /// Where Loopwright keeps what belongs to the user and to no project.
    pub data_dir: PathBuf,
    /// Where to look for programs.
    pub search_path: OsString,
    /// The folder whose programs are never taken for the machine's own, though the search path may name them: the
    /// project that is worked in. Checks are the project's, and may be there.
    pub project: Option<PathBuf>,
    /// Where the login shell looks for programs, once it was asked.
    pub login_path: LoginPath,
    /// The folder this program is in, where its companions are.
    pub program_dir: Option<PathBuf>,
    /// The whole environment. Programs that Loopwright starts get only what is on an allow-list, and what they need
    /// by name.
    pub environment: BTreeMap<OsString, OsString>,
    /// Where short-lived files go.
    pub temp_dir: PathBuf,
    /// All `LOOPWRIGHT_*` variables.
    pub variables: BTreeMap<String, String>,
    /// `key=value` pairs from the command line.
    pub flags: Vec<(String, String)>,
    /// The clock.
    pub now: fn() -> Timestamp,
}

impl Host {
    /// The host of the running process: for the CLI and the app, never for library code.
    ///
    /// # Errors
    /// The user has no home folder and no folders were named by variables.
    pub fn of_this_process() -> Result<Self, Fault> {
        let environment: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        let variables: BTreeMap<String, String> = environment
            .iter()
            .filter_map(|(name, value)| {
                let name = name.to_str().filter(|name| name.starts_with(VARIABLE_PREFIX))?;
                Some((name.to_owned(), value.to_string_lossy().into_owned()))
            })
            .collect();
        let named = |name: &str| variables.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let strategy = etcetera::choose_app_strategy(etcetera::AppStrategyArgs {
            top_level_domain: "dev".into(),
            author: "Loopwright".into(),
            app_name: "loopwright".into(),
        });
        let folder = |name: &str, standard: Option<PathBuf>| {
            named(name).or(standard).ok_or_else(|| {
                Fault::new(ErrorCode::IoFailed, "the home folder is not known")
                    .hint(format!("Set HOME, or set {name} to a folder."))
            })
        };
        let program_dir = std::env::current_exe()
            .ok()
            .and_then(|program| dunce::canonicalize(program).ok())
            .and_then(|program| program.parent().map(Path::to_path_buf));
        Ok(Self {
            config_dir: folder("LOOPWRIGHT_CONFIG_DIR", strategy.as_ref().ok().map(AppStrategy::config_dir))?,
            data_dir: folder("LOOPWRIGHT_DATA_DIR", strategy.as_ref().ok().map(AppStrategy::data_dir))?,
            search_path: std::env::var_os("PATH").unwrap_or_default(),
            project: None,
            login_path: LoginPath::default(),
            program_dir,
            environment,
            temp_dir: std::env::temp_dir(),
            variables,
            flags: Vec::new(),
            now: Timestamp::now,
        })
    }

    /// The user's configuration file, whether or not it exists.
    #[must_use]
    pub fn user_config_file(&self) -> PathBuf {
        self.config_dir.join("config.toml")
    }

    /// Now, as written into the journal: RFC 3339 in UTC.
    #[must_use]
    pub fn timestamp(&self) -> String {
        (self.now)().to_string()
    }

    /// The home folder that a variable names, else the user's own.
    #[must_use]
    pub fn home_named(&self, variable: &str) -> Option<&Path> {
        let folder = |name: &str| self.environment.get(OsStr::new(name)).map(Path::new);
        [variable, "HOME"].into_iter().filter_map(folder).find(|path| path.is_absolute())
    }

    /// The host as a folder sees it, which may be in a project or not yet: programs in there are not taken for the
    /// machine's own.
    #[must_use]
    pub fn around(self, folder: &Path) -> Self {
        match Layout::find(folder).or_else(|_| Layout::of(folder)) {
            Ok(layout) => self.around_project(&layout),
            Err(_) => self,
        }
    }

    /// The host as a project sees it: programs in its folder, or in the work tree that it is a part of, are not taken
    /// for the machine's own. A home folder has the person's own programs, even where it is under version control.
    #[must_use]
    pub fn around_project(mut self, layout: &Layout) -> Self {
        let root = layout.repository.as_ref().map_or(&layout.root, |repository| &repository.work_tree);
        let home = |name: &str| dunce::canonicalize(self.environment.get(OsStr::new(name))?).ok();
        let homes = ["HOME", "USERPROFILE"].into_iter().filter_map(home);
        let holds_home = homes.into_iter().any(|home| home.starts_with(root));
        self.project = (!holds_home).then(|| root.clone());
        self
    }

    /// Finds a program: a companion beside this one first when it is one of ours, then on the search path, but not in
    /// the project.
    #[must_use]
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        self.companion(name).or_else(|| self.find_program_on(name, &self.search_path))
    }

    /// Finds a program for the project's own commands: anywhere on the search path.
    #[must_use]
    pub fn find_program_of_project(&self, name: &str) -> Option<PathBuf> {
        self.companion(name).or_else(|| find_program(name, &self.search_path))
    }

    /// Finds a program on some search path, but not in the project.
    #[must_use]
    pub fn find_program_on(&self, name: &str, path: &OsStr) -> Option<PathBuf> {
        find_program_outside(name, path, self.project.as_deref())
    }

    fn companion(&self, name: &str) -> Option<PathBuf> {
        let folder = name.starts_with("loopwright").then_some(self.program_dir.as_ref()).flatten()?;
        find_program(name, folder.as_os_str())
    }

    /// The git of this machine.
    ///
    /// # Errors
    /// There is none.
    pub fn git(&self) -> Result<Git, VcsError> {
        Git::locate_outside(&self.search_path, self.project.as_deref())
    }

    /// A search path without the project's folders and without relative ones, for programs that look up others.
    #[must_use]
    pub fn without_project(&self, path: &OsStr) -> OsString {
        search_path_outside(path, self.project.as_deref())
    }

    /// The search path for a program that was found elsewhere: the user's own, then the login shell's, then the
    /// program's own folder, where its interpreter often is.
    #[must_use]
    pub fn search_path_for(&self, program: &Path) -> OsString {
        let mut folders: Vec<PathBuf> = Vec::new();
        let login = self.login_path.get().cloned().unwrap_or_default();
        let own = std::env::split_paths(&self.search_path).collect::<Vec<_>>();
        let login = std::env::split_paths(&login).collect::<Vec<_>>();
        for folder in own.into_iter().chain(login).chain(program.parent().map(Path::to_path_buf)) {
            if !folder.as_os_str().is_empty() && !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        std::env::join_paths(folders).unwrap_or_else(|_| self.search_path.clone())
    }

    /// A host whose folders all lie in one place, for embedding and for tests: it never touches the user's
    /// own files. Agents have no sandbox unless `variables` or `flags` ask for one.
    #[must_use]
    pub fn in_folder(folder: &Path, search_path: OsString) -> Self {
        Self {
            config_dir: folder.join("config"),
            data_dir: folder.join("data"),
            search_path,
            project: None,
            login_path: LoginPath::default(),
            program_dir: None,
            environment: BTreeMap::new(),
            temp_dir: folder.join("tmp"),
            variables: BTreeMap::from([("LOOPWRIGHT_SANDBOX".to_owned(), "off".to_owned())]),
            flags: Vec::new(),
            now: Timestamp::now,
        }
    }
}
