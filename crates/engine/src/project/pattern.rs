//! Patterns of failures: the built-in ones, and what a person adds, promotes and removes.

use loopwright_config::{FILE_LIMIT, PROJECT_FILE, pattern_edit, text_file};
use loopwright_domain::{
    Diagnosis, ErrorCode, Event, FailurePattern, Fault, NextAction, Origin, PatternStatus, PatternSuggestion,
    UNKNOWN_PATTERN, UserPattern, is_pattern_name, suggest_patterns,
};
use loopwright_memory::{OwnPatterns, PATTERNS, Pattern, classify_with};
use serde::{Deserialize, Serialize};

use crate::project::ProjectFailures;

/// As many of the newest failures without a pattern as suggestions are made from.
const LOOKED_AT: u32 = 100;

/// A pattern after a change, and what that came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct NamedPattern {
    /// The pattern.
    #[serde(flatten)]
    pub pattern: FailurePattern,
    /// How many failures that had no pattern have this one now.
    pub named: u32,
}

/// Every built-in pattern, by category.
#[must_use]
pub fn built_in_patterns() -> Vec<FailurePattern> {
    PATTERNS.iter().map(described).collect()
}

/// The built-in pattern of this name.
#[must_use]
pub fn built_in_pattern(name: &str) -> Option<FailurePattern> {
    loopwright_memory::pattern(name).map(described)
}

fn described(pattern: &Pattern) -> FailurePattern {
    FailurePattern {
        name: pattern.name.to_owned(),
        category: pattern.category,
        about: pattern.about.to_owned(),
        status: PatternStatus::BuiltIn,
        regex: None,
    }
}

impl ProjectFailures<'_> {
    /// Every pattern: the built-in ones by category, then a person's own by name.
    #[must_use]
    pub fn known_patterns(&self) -> Vec<FailurePattern> {
        let own = self.project.config().patterns.into_values();
        let own = own.filter(|pattern| loopwright_memory::pattern(&pattern.name).is_none());
        built_in_patterns().into_iter().chain(own.map(FailurePattern::from)).collect()
    }

    /// The pattern of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn known_pattern(&self, name: &str) -> Result<FailurePattern, Fault> {
        let found = self.known_patterns().into_iter().find(|pattern| pattern.name == name);
        found.ok_or_else(|| {
            Fault::new(ErrorCode::PatternNotFound, format!("there is no pattern \"{name}\""))
                .next(NextAction::ListPatterns, "See them all")
        })
    }

    /// What a saved output says, by the built-in patterns and a person's own.
    #[must_use]
    pub fn diagnose(&self, stdout: &str, stderr: &str) -> Diagnosis {
        classify_with(stdout, stderr, &OwnPatterns::compile(self.project.config().patterns.values()))
    }

    /// The failure pattern that a text names, by its name or by an error message that it quotes.
    pub(crate) fn pattern_in(&self, text: &str) -> Option<String> {
        let known = self.known_patterns();
        let named = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .find_map(|word| known.iter().find(|it| it.name == word && word.contains('_')));
        let quoted = || Some(self.diagnose(text, "").pattern).filter(|it| it != UNKNOWN_PATTERN);
        named.map(|pattern| pattern.name.clone()).or_else(quoted)
    }

    /// What failures without a pattern have in common: words that at least three of the newest share.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn suggested_patterns(&self) -> Result<Vec<PatternSuggestion>, Fault> {
        let failures = self.list(Some(UNKNOWN_PATTERN), None, LOOKED_AT).await?;
        let causes: Vec<String> = failures.into_iter().map(|failure| failure.diagnosis.cause).collect();
        let known = self.known_patterns();
        let mut suggestions = suggest_patterns(&causes);
        suggestions.retain(|one| known.iter().all(|pattern| pattern.name != one.name));
        Ok(suggestions)
    }

    /// Adds a pattern of a person's own to the project's file. One that is confirmed or trusted from the start names
    /// the failures it fits that have no pattern.
    ///
    /// # Errors
    /// There is one of that name, its name or expression is not right, an agent asks, or the file cannot be written.
    pub async fn add_pattern(&self, pattern: &UserPattern, origin: Origin) -> Result<NamedPattern, Fault> {
        let pattern = UserPattern {
            name: pattern.name.trim().to_owned(),
            about: pattern.about.split_whitespace().collect::<Vec<_>>().join(" "),
            ..pattern.clone()
        };
        if !is_pattern_name(&pattern.name) {
            let message = format!("\"{}\" is no name for a pattern", pattern.name);
            return Err(Fault::new(ErrorCode::UsageInvalid, message)
                .hint("Use small letters, digits and \"_\", such as time_zone_mismatch."));
        }
        if self.known_pattern(&pattern.name).is_ok() {
            let message = format!("there is a pattern \"{}\" already", pattern.name);
            return Err(
                Fault::new(ErrorCode::UsageInvalid, message).next(NextAction::ListPatterns, "See them all")
            );
        }
        self.save_pattern(pattern, origin).await
    }

    /// Takes a pattern one step further: from suggested to confirmed, from confirmed to trusted. Failures it fits that
    /// have no pattern get this one.
    ///
    /// # Errors
    /// There is none of that name, it is built in or trusted already, an agent asks, or the file cannot be written.
    pub async fn promote_pattern(&self, name: &str, origin: Origin) -> Result<NamedPattern, Fault> {
        let found = self.known_pattern(name)?;
        let own = self.project.config().patterns.remove(name);
        let Some((own, status)) = own.zip(found.status.next()) else {
            let message = match found.status {
                PatternStatus::BuiltIn => format!("\"{name}\" is built in"),
                _ => format!("\"{name}\" is trusted already"),
            };
            return Err(Fault::new(ErrorCode::UsageInvalid, message));
        };
        self.save_pattern(UserPattern { status, ..own }, origin).await
    }

    /// Takes a pattern of a person's own out of the project's file. Failures that have it keep its name.
    ///
    /// # Errors
    /// The project has none of that name, an agent asks, or the file cannot be written.
    pub async fn remove_pattern(&self, name: &str, origin: Origin) -> Result<(), Fault> {
        let found = self.known_pattern(name)?;
        let text = self.config_text()?;
        let changed = pattern_edit::remove(PROJECT_FILE, &text, name)?;
        if changed == text {
            let message = match found.status {
                PatternStatus::BuiltIn => format!("\"{name}\" is built in"),
                _ => format!("\"{name}\" is in your own settings, not in this project's"),
            };
            return Err(Fault::new(ErrorCode::UsageInvalid, message));
        }
        self.write(name, None, &changed, origin).await
    }

    async fn save_pattern(&self, pattern: UserPattern, origin: Origin) -> Result<NamedPattern, Fault> {
        let changed = pattern_edit::set(PROJECT_FILE, &self.config_text()?, &pattern)?;
        let told = format!("{} ({})", pattern.regex, pattern.status);
        self.write(&pattern.name, Some(told), &changed, origin).await?;
        let named = self.name_failures(&pattern).await?;
        Ok(NamedPattern { pattern: FailurePattern::from(pattern), named })
    }

    /// Gives the failures that have no pattern and fit this one its name.
    async fn name_failures(&self, pattern: &UserPattern) -> Result<u32, Fault> {
        let own = OwnPatterns::compile([pattern]);
        let renamed = |diagnosis: &Diagnosis| {
            let found = classify_with(&diagnosis.excerpt, &diagnosis.cause, &own);
            let place = diagnosis.file.clone().map(|file| (file, diagnosis.line));
            let (cause, excerpt) = (diagnosis.cause.clone(), diagnosis.excerpt.clone());
            (found.pattern == pattern.name)
                .then(|| Diagnosis::new(&found.pattern, found.category, cause, place, excerpt))
        };
        let nameless = self.list(Some(UNKNOWN_PATTERN), None, u32::MAX).await?;
        let found: Vec<(u32, Diagnosis)> =
            nameless.iter().filter_map(|failure| Some((failure.id, renamed(&failure.diagnosis)?))).collect();
        Ok(self.project.store().name_failures(&found).await?)
    }

    async fn write(
        &self,
        name: &str,
        value: Option<String>,
        text: &str,
        origin: Origin,
    ) -> Result<(), Fault> {
        self.project.require_person("change patterns")?;
        text_file::write(&self.project.layout().config_file(), text)?;
        let event = Event::ConfigChanged { key: format!("patterns.{name}"), value, origin };
        self.project.store().append(&self.project.host().timestamp(), &event).await?;
        Ok(())
    }

    fn config_text(&self) -> Result<String, Fault> {
        Ok(text_file::read(&self.project.layout().config_file(), FILE_LIMIT)?.unwrap_or_default())
    }
}
