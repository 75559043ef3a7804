//! The terms of a project's spec.

use loopwright_domain::{Fault, Origin, Term, TermId};
use loopwright_store::PutTerm;

use crate::plan::Plan;

/// A term as a person writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewTerm {
    /// The word, as it is to be written.
    pub name: String,
    /// What it means.
    pub definition: String,
    /// Other forms that may be used.
    pub variants: Vec<String>,
    /// Words that are not to be used for it.
    pub avoid: Vec<String>,
    /// Whether it takes the place of the term with its name.
    pub replace: bool,
}

impl Plan<'_> {
    /// Every term, by name.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn terms(&self) -> Result<Vec<Term>, Fault> {
        Ok(self.store().terms().await?)
    }

    /// The terms that have some words in their names or definitions, best first. Any text may be asked for.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn search_terms(&self, text: &str, limit: u32) -> Result<Vec<Term>, Fault> {
        Ok(self.store().search_terms(text, limit).await?)
    }

    /// Adds a term, or replaces the one with its name.
    ///
    /// # Errors
    /// It cannot be as it is, one of its words belongs to another term, or an agent asks.
    pub async fn put_term(&self, new: NewTerm, origin: Origin) -> Result<Term, Fault> {
        self.require_person("change the spec")?;
        let NewTerm { name, definition, variants, avoid, replace } = new;
        let term = Term { id: TermId(0), name, definition, variants, avoid };
        let at = self.host().timestamp();
        Ok(self.store().put_term(PutTerm { at: &at, term: &term, replace, origin }).await?)
    }

    /// Removes terms by their names: all or none.
    ///
    /// # Errors
    /// One of them is not there, or an agent asks. Then nothing has changed.
    pub async fn remove_terms(&self, names: &[String], origin: Origin) -> Result<Vec<Term>, Fault> {
        self.require_person("change the spec")?;
        Ok(self.store().remove_terms(&self.host().timestamp(), names, origin).await?)
    }
}
