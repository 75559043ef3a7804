//! Beginning, looking at, changing and throwing away wizards.

use std::path::{Path, PathBuf};

use loopwright_config::trust;
use loopwright_domain::wizard::{
    FormShape, StartDocument, Wizard, WizardEdit, WizardId, WizardPhase, WizardScope, WizardStatus,
};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_plan::spec::{read_document_text, template_in};
use serde_json::Value;

use super::answer::{self, Evidence};
use super::folder::{Held, WizardFolder};
use super::view::{WizardSummary, WizardView};
use super::{NewWizard, Wizards, prompt, survey};
use crate::ids::{random, unix_millis};

impl Wizards<'_> {
    /// Begins a wizard. Nothing is written into the project's folder.
    ///
    /// # Errors
    /// A document cannot be read, there is no such template, or the data folder cannot be written.
    pub fn create(&self, new: &NewWizard) -> Result<WizardView, Fault> {
        let folder = absolute(&new.folder)?;
        let scope = new.scope.unwrap_or(WizardScope::Project);
        let mut wizard =
            Wizard::new(self.new_id()?, folder.display().to_string(), scope, self.host.timestamp());
        if let Some(template) = &new.template {
            wizard.template = template_in(&folder, template)?.name;
        }
        wizard.agent.clone_from(&new.agent);
        wizard.caps = new.caps.unwrap_or_default();
        wizard.edit(&WizardEdit::SetIdea { idea: new.idea.clone() })?;
        if let Some(name) = new.name.as_deref().filter(|name| !name.trim().is_empty()) {
            let phase = WizardPhase::Vision;
            let value = loopwright_domain::wizard::FieldValue::Text(name.to_owned());
            wizard.edit(&WizardEdit::SetField { phase, path: "project_name".into(), value })?;
        }
        if new.from_code {
            wizard.input.survey = Some(survey::survey(&folder)?);
        }
        let texts = read_documents(&new.documents)?;
        let mut held = self.begin(wizard)?;
        keep_documents(&mut held, texts)?;
        self.saved(held)
    }

    /// All wizards, the one that was saved last first. One that cannot be read is left out.
    ///
    /// # Errors
    /// The data folder cannot be read.
    pub fn list(&self) -> Result<Vec<WizardSummary>, Fault> {
        let read = self.ids()?.into_iter().filter_map(|id| self.read(&id).ok());
        let mut all: Vec<WizardSummary> = read.map(|wizard| WizardSummary::of(&wizard)).collect();
        all.sort_by(|one, two| two.updated_at.cmp(&one.updated_at));
        Ok(all)
    }

    /// The wizards of a folder that are not applied yet, the one that was saved last first.
    ///
    /// # Errors
    /// The data folder cannot be read.
    pub fn open_in(&self, folder: &Path) -> Result<Vec<WizardSummary>, Fault> {
        let folder = absolute(folder)?.display().to_string();
        let mut all = self.list()?;
        all.retain(|one| one.folder == folder && one.status != WizardStatus::Applied);
        Ok(all)
    }

    /// A wizard as it stands.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn show(&self, id: &WizardId) -> Result<WizardView, Fault> {
        let folder = self.folder(id)?;
        self.view(self.read(id)?, &folder)
    }

    /// Does what a person asks for, and saves it.
    ///
    /// `seen` is the revision that the person saw; none does not look.
    ///
    /// # Errors
    /// It cannot be done, or somebody else changed the wizard meanwhile; then nothing has changed.
    pub fn edit(&self, id: &WizardId, edit: &WizardEdit, seen: Option<u32>) -> Result<WizardView, Fault> {
        trust::require_person("change a wizard")?;
        let mut held = self.hold(id)?;
        if seen.is_some_and(|seen| seen != held.wizard.revision) {
            return Err(Fault::new(ErrorCode::WizardChanged, "the wizard was changed elsewhere meanwhile")
                .hint("Look at it again, then repeat your change."));
        }
        if let WizardEdit::SetTemplate { template } = edit {
            template_in(Path::new(&held.wizard.folder), template)?;
        }
        held.wizard.edit(edit)?;
        if let WizardEdit::Accept { .. } | WizardEdit::LookAt { .. } = edit {
            self.prepare_checks(&mut held.wizard);
            self.prepare_roles(&mut held.wizard);
        }
        self.saved(held)
    }

    /// Fills in a phase by hand, in the form in which [`form_json`] shows it: fields that are given, and whole lists.
    ///
    /// # Errors
    /// Something in it does not fit, and is named; then nothing has changed.
    pub fn fill_in(&self, id: &WizardId, phase: WizardPhase, given: &Value) -> Result<WizardView, Fault> {
        trust::require_person("change a wizard")?;
        let invalid = |message: String| {
            let hint = "docs/wizard.md lists what each phase holds.";
            Fault::new(ErrorCode::UsageInvalid, format!("{}: {message}", phase.label())).hint(hint)
        };
        let shape = FormShape::of(phase);
        let names: Vec<&str> = shape.names().collect();
        let unknown =
            given.as_object().and_then(|given| given.keys().find(|key| !names.contains(&key.as_str())));
        if let Some(unknown) = unknown {
            return Err(invalid(format!("there is no \"{unknown}\" here, only {}", names.join(", "))));
        }
        let no_file = |_: &str| false;
        let evidence = Evidence { words: "", documents: &[], has_file: &no_file, surveyed: false };
        let read = answer::read(shape, given, None, true, &evidence).map_err(invalid)?;
        let mut held = self.hold(id)?;
        if held.wizard.status != WizardStatus::Open {
            return Err(Fault::new(ErrorCode::UsageInvalid, "its plan is in the project already"));
        }
        held.wizard.filled_in(phase, read.form);
        self.saved(held)
    }

    /// Adds documents to start from: files of Markdown, text, Word or PDF. They are read, never written.
    ///
    /// # Errors
    /// One cannot be read; then none is added.
    pub fn add_documents(&self, id: &WizardId, paths: &[PathBuf]) -> Result<WizardView, Fault> {
        let texts = read_documents(paths)?;
        let mut held = self.hold(id)?;
        keep_documents(&mut held, texts)?;
        self.saved(held)
    }

    /// Surveys the code in the folder, or forgets the survey.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn survey_code(&self, id: &WizardId, wanted: bool) -> Result<WizardView, Fault> {
        let mut held = self.hold(id)?;
        held.wizard.input.survey = match wanted {
            true => Some(survey::survey(Path::new(&held.wizard.folder))?),
            false => None,
        };
        self.saved(held)
    }

    /// Throws a wizard away. What it has written into a project stays.
    ///
    /// # Errors
    /// There is none, or it cannot be deleted.
    pub fn discard(&self, id: &WizardId) -> Result<(), Fault> {
        trust::require_person("discard a wizard")?;
        self.delete(id)
    }

    /// Saves a wizard that was changed, and shows it.
    pub(super) fn saved(&self, mut held: Held) -> Result<WizardView, Fault> {
        held.save(self.host.timestamp())?;
        let (wizard, folder) = (held.wizard.clone(), held.folder.clone());
        drop(held);
        self.view(wizard, &folder)
    }

    fn view(&self, wizard: Wizard, folder: &WizardFolder) -> Result<WizardView, Fault> {
        let prompt = match wizard.current {
            WizardPhase::Launch => String::new(),
            phase => prompt::of_phase(&wizard, folder, phase)?,
        };
        Ok(WizardView::of(wizard, prompt))
    }

    fn new_id(&self) -> Result<WizardId, Fault> {
        let random: [u8; 3] = random()?;
        let random: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(WizardId(format!("{:x}-{random}", unix_millis(self.host))))
    }
}

/// The form of a phase as JSON: values alone, items with their ids; tasks and sections that are referred to by their names.
#[must_use]
pub fn form_json(wizard: &Wizard, phase: WizardPhase) -> Value {
    answer::shown(FormShape::of(phase), wizard.form(phase), &prompt::names(wizard))
}

/// JSON as people write it: with comments, trailing commas and the like.
///
/// # Errors
/// It cannot be read; the message names the line.
pub fn read_json(text: &str) -> Result<Value, Fault> {
    loopwright_agents::lenient_json::read(text).map_err(|problem| {
        Fault::new(ErrorCode::UsageInvalid, format!("it is not JSON that can be read: {problem}"))
    })
}

fn absolute(folder: &Path) -> Result<PathBuf, Fault> {
    let shown = folder.display();
    let path = std::path::absolute(folder).map_err(|error| {
        Fault::caused(ErrorCode::ProjectBadFolder, format_args!("\"{shown}\" is no folder"), &error)
    })?;
    if path.exists() && !path.is_dir() {
        return Err(Fault::new(ErrorCode::ProjectBadFolder, format!("{shown} is not a folder")));
    }
    Ok(dunce::canonicalize(&path).unwrap_or(path))
}

fn read_documents(paths: &[PathBuf]) -> Result<Vec<(String, String)>, Fault> {
    let name = |path: &PathBuf| {
        path.file_name()
            .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    paths.iter().map(|path| Ok((name(path), read_document_text(path)?))).collect()
}

/// Keeps the texts of documents. One with the name of another takes its place.
fn keep_documents(held: &mut Held, texts: Vec<(String, String)>) -> Result<(), Fault> {
    for (name, text) in texts {
        let digest = held.folder.keep_text(&text)?;
        let words = u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX);
        let documents = &mut held.wizard.input.documents;
        documents.retain(|one| one.name != name);
        documents.push(StartDocument { name, digest, words });
    }
    Ok(())
}
