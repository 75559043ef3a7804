//! Where wizards are kept: a folder each, in the user's data folder. A wizard is one file that is written whole or not at
//! all; the texts of its documents and the answers of agents lie beside it.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;

use loopwright_config::text_file::{self, io_fault};
use loopwright_domain::digest::short_name;
use loopwright_domain::wizard::{PhaseState, WIZARD_VERSION, Wizard, WizardId};
use loopwright_domain::{ErrorCode, Fault, NextAction};

use super::Wizards;
use crate::crash;

/// A larger file is no wizard.
const FILE_LIMIT: u64 = 64 * 1024 * 1024;
/// A document's text may be this large.
const TEXT_LIMIT: u64 = 64 * 1024 * 1024;
const FILE: &str = "wizard.json";

/// A wizard that this process may change: nobody else does meanwhile.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) wizard: Wizard,
    pub(super) folder: WizardFolder,
    _lock: File,
}

/// The folder of one wizard.
#[derive(Clone, Debug)]
pub(super) struct WizardFolder(PathBuf);

impl Wizards<'_> {
    fn root(&self) -> PathBuf {
        self.host.data_dir.join("wizards")
    }

    /// The ids of all wizards.
    pub(super) fn ids(&self) -> Result<Vec<WizardId>, Fault> {
        let root = self.root();
        let entries = match fs::read_dir(&root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io_fault("read", &root, &error)),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut ids: Vec<WizardId> = names.filter(|name| is_id(name)).map(WizardId).collect();
        ids.retain(|id| root.join(&id.0).join(FILE).is_file());
        ids.sort();
        Ok(ids)
    }

    pub(super) fn folder(&self, id: &WizardId) -> Result<WizardFolder, Fault> {
        let folder = self.root().join(&id.0);
        if !is_id(&id.0) || !folder.join(FILE).is_file() {
            return Err(Fault::new(ErrorCode::WizardNotFound, format!("there is no wizard \"{id}\""))
                .next(NextAction::ListWizards, "See them"));
        }
        Ok(WizardFolder(folder))
    }

    /// Reads a wizard, without a claim to change it.
    pub(super) fn read(&self, id: &WizardId) -> Result<Wizard, Fault> {
        self.folder(id)?.read()
    }

    /// Takes a wizard to change it.
    pub(super) fn hold(&self, id: &WizardId) -> Result<Held, Fault> {
        let folder = self.folder(id)?;
        let lock = folder.lock()?;
        let wizard = folder.read()?;
        Ok(Held { wizard, folder, _lock: lock })
    }

    /// Makes the folder of a new wizard and saves it for the first time.
    pub(super) fn begin(&self, wizard: Wizard) -> Result<Held, Fault> {
        let path = self.root().join(&wizard.id.0);
        text_file::make_private(&path).map_err(|error| io_fault("make", &path, &error))?;
        let folder = WizardFolder(path);
        let lock = folder.lock()?;
        Ok(Held { wizard, folder, _lock: lock })
    }

    /// Deletes a wizard with all that is kept beside it.
    pub(super) fn delete(&self, id: &WizardId) -> Result<(), Fault> {
        let held = self.hold(id)?;
        let path = &held.folder.0;
        // The file goes first: a folder without it is no wizard.
        fs::remove_file(path.join(FILE)).map_err(|error| io_fault("remove", path, &error))?;
        fs::remove_dir_all(path).map_err(|error| io_fault("remove", path, &error))
    }
}

impl Held {
    /// Saves it. When this returns, it survives a crash.
    pub(super) fn save(&mut self, at: String) -> Result<(), Fault> {
        self.wizard.revision = self.wizard.revision.saturating_add(1);
        self.wizard.updated_at = at;
        let text = serde_json::to_string_pretty(&self.wizard)
            .map_err(|error| Fault::caused(ErrorCode::Internal, "a wizard cannot be written", &error))?;
        crash::point("wizard.saving");
        text_file::write(&self.folder.0.join(FILE), &text)?;
        crash::point("wizard.saved");
        Ok(())
    }
}

impl WizardFolder {
    fn read(&self) -> Result<Wizard, Fault> {
        let path = self.0.join(FILE);
        let text = text_file::read(&path, FILE_LIMIT)?.unwrap_or_default();
        let mut wizard: Wizard = serde_json::from_str(&text).map_err(|error| {
            Fault::caused(
                ErrorCode::IoFailed,
                format_args!("{} cannot be understood", path.display()),
                &error,
            )
            .hint("It is left as it is. Discard the wizard, or put an older copy of the file back.")
        })?;
        if wizard.version > WIZARD_VERSION {
            return Err(Fault::new(ErrorCode::StoreNewerSchema, "the wizard was made by a newer Loopwright")
                .hint("Update Loopwright."));
        }
        // Where nobody works on it, what says so was cut off.
        if wizard.phases.values().any(|record| record.state == PhaseState::Working)
            && self.claim_work().is_ok()
        {
            wizard.complete();
        }
        Ok(wizard)
    }

    /// Waits until nobody else changes the wizard. Changes are short; what takes long is done without this lock.
    fn lock(&self) -> Result<File, Fault> {
        let path = self.0.join("lock");
        let file = text_file::private_file(&path).map_err(|error| io_fault("open", &path, &error))?;
        file.lock().map_err(|error| io_fault("lock", &path, &error))?;
        Ok(file)
    }

    /// Claims the agent's work on the wizard, for as long as the file is held.
    pub(super) fn claim_work(&self) -> Result<File, Fault> {
        let path = self.0.join("working");
        let file = text_file::private_file(&path).map_err(|error| io_fault("open", &path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                Err(Fault::new(ErrorCode::WizardLocked, "an agent works on this wizard already")
                    .hint("Wait for it, or stop it."))
            }
            Err(TryLockError::Error(error)) => Err(io_fault("lock", &path, &error)),
        }
    }

    /// Keeps the text of a document, and returns the name it is kept by.
    pub(super) fn keep_text(&self, text: &str) -> Result<String, Fault> {
        let digest = short_name(text.as_bytes());
        text_file::write(&self.document(&digest), text)?;
        Ok(digest)
    }

    /// The text of a document.
    pub(super) fn text(&self, digest: &str) -> Result<String, Fault> {
        let path = self.document(digest);
        text_file::read(&path, TEXT_LIMIT)?.ok_or_else(|| {
            Fault::new(ErrorCode::IoFailed, format!("{} is gone", path.display()))
                .hint("Remove the document from the wizard and add it again.")
        })
    }

    fn document(&self, digest: &str) -> PathBuf {
        self.0.join("documents").join(format!("{digest}.txt"))
    }

    /// Keeps what an agent answered, word for word, and returns its file.
    pub(super) fn keep_answer(&self, name: &str, text: &str) -> Result<PathBuf, Fault> {
        let path = self.0.join("answers").join(format!("{name}.txt"));
        text_file::write(&path, text)?;
        Ok(path)
    }
}

fn is_id(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 80
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
