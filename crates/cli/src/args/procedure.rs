//! `loopwright procedure`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum ProcedureCommand {
    /// List the procedures: those built in, and the project's own
    List,
    /// Print a procedure's prompt, and where each phase comes from
    Show {
        /// Its name, for example "build"
        name: String,
    },
    /// Begin a procedure of the project's own in .loopwright/procedures/
    ///
    /// With the name of a built-in procedure, the file changes that one for this project, phase by phase.
    New {
        /// Its name, for example "tidy-docs"
        name: String,
        /// Begin with a copy of this built-in procedure
        #[arg(long, value_name = "BUILTIN")]
        from: Option<String>,
    },
}
