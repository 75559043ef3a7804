//! `loopwright spec`, and `loopwright task import` and `export`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// Read documents and cut them into sections that tasks can be linked to
    ///
    /// Markdown, plain text (.txt), Word (.docx) and the text of PDF files. Headings make the sections; what stands in
    /// code is no heading. Imported again, a document's sections keep their numbers, and so their tasks. What you wrote or
    /// changed by hand stays, and so does what tasks carry out. The documents themselves are only read.
    Import {
        /// Documents, or folders with documents
        #[arg(required = true, value_name = "FILE")]
        paths: Vec<PathBuf>,
        /// Also replace what you changed by hand in sections of these documents
        #[arg(long)]
        replace: bool,
        /// Only say what would change
        #[arg(long)]
        dry_run: bool,
        /// Do not ask before sections are changed or removed
        #[arg(short, long)]
        yes: bool,
    },
    /// Write the whole spec, with its terms, as one Markdown document
    Export {
        /// Where to write; standard output when left out
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Replace a file that is there; never a document of the spec
        #[arg(long, requires = "out")]
        force: bool,
    },
    /// List the sections, and which documents changed since they were imported
    List,
    /// Print a section and the tasks that carry it out
    Show {
        /// Its id (7 or §7), its dotted number or its heading
        section: String,
    },
    /// List what a section said before, or print one of its earlier texts
    History {
        /// Its id (7 or §7), its dotted number or its heading
        section: String,
        /// Print the text with this number
        #[arg(long, value_name = "NUMBER")]
        show: Option<u32>,
    },
    /// Write a section by hand
    Add {
        /// The heading
        title: String,
        #[command(flatten)]
        text: SectionText,
        /// Put it below this section
        #[arg(long, value_name = "SECTION")]
        under: Option<String>,
    },
    /// Change a section; without a flag in your editor ($VISUAL or $EDITOR)
    Edit {
        /// Its id (7 or §7), its dotted number or its heading
        section: String,
        /// Another heading
        #[arg(long)]
        title: Option<String>,
        #[command(flatten)]
        text: SectionText,
    },
    /// Remove sections, and say which tasks were linked to them
    Remove {
        /// Their ids, dotted numbers or headings
        #[arg(required = true, value_name = "SECTION")]
        sections: Vec<String>,
        /// Remove them also when tasks are linked to them
        #[arg(short, long)]
        yes: bool,
    },
    /// Find sections by their words, best match first
    Search {
        /// Any words
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        limit: u32,
    },
    /// The words of the spec and what they mean
    #[command(subcommand)]
    Term(TermCommand),
    /// Judge the spec and the tasks by rules: a score, and what could be better
    ///
    /// No model is asked. The rules are in docs/spec.md.
    Check {
        /// Exit with 1 when the score is below this
        #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u32).range(0..=100))]
        min_score: Option<u32>,
    },
    /// Write a spec from an idea, a document or code: the first five phases of "loopwright new"
    Wizard(Box<super::WizardArgs>),
    /// The sections that a spec of some kind has
    #[command(subcommand)]
    Templates(TemplateCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum TemplateCommand {
    /// List the templates
    List,
    /// Print a template as Markdown
    Show {
        /// Its name
        name: String,
    },
    /// Make a template of the project's own in .loopwright/templates, to be edited
    New {
        /// Its name
        name: String,
        /// The template to begin with
        #[arg(long, value_name = "TEMPLATE", default_value = "spec")]
        from: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TermCommand {
    /// Say what a word means
    ///
    /// A word means one thing: a name, variant or word to avoid of another term is refused.
    Add {
        /// The word, as it is to be written
        name: String,
        /// What it means
        definition: String,
        /// Another form that may be used, such as a plural or an abbreviation; can be given several times
        #[arg(long = "variant", value_name = "WORD")]
        variants: Vec<String>,
        /// A word that is not to be used for it; can be given several times
        #[arg(long, value_name = "WORD")]
        avoid: Vec<String>,
        /// Replace the term with this name
        #[arg(long)]
        replace: bool,
    },
    /// List the terms
    List,
    /// Find terms by words in their names, variants and definitions, best match first
    Search {
        /// Any words
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        limit: u32,
    },
    /// Remove terms
    Remove {
        /// Their names
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

/// The text of a section.
#[derive(Debug, Args)]
pub(crate) struct SectionText {
    /// The text, as Markdown
    #[arg(long, value_name = "TEXT", conflicts_with = "from")]
    pub(crate) text: Option<String>,
    /// Take the text from this file; "-" reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
}

/// What `task import` takes.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file
    pub(crate) file: PathBuf,
    /// How it is written; found out when left out
    #[arg(long, value_parser = FORMATS)]
    pub(crate) format: Option<String>,
    /// Only the tasks of this tag; for a file without tags, the tag to give its tasks
    #[arg(long, visible_alias = "scud-tag")]
    pub(crate) tag: Option<String>,
    /// Only say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What `task export` takes.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Where to write; standard output when left out
    pub(crate) file: Option<PathBuf>,
    /// How to write; by the file's name when left out, else "loopwright"
    #[arg(long, value_parser = FORMATS)]
    pub(crate) format: Option<String>,
    /// Only the tasks of this tag
    #[arg(long, visible_alias = "scud-tag")]
    pub(crate) tag: Option<String>,
}

/// The formats, as [`loopwright_engine::import::Format`] names them.
const FORMATS: [&str; 6] = ["loopwright", "scud", "scud-map", "scg", "task-master", "markdown"];
