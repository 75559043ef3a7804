//! The parts of a project's interface, one for each thing that is worked with. Each only borrows the project; its methods
//! stand in the module that does the work.

use super::Project;

macro_rules! facets {
    ($($(#[$about:meta])* $method:ident -> $facet:ident;)+) => {
        $(
            $(#[$about])*
            #[derive(Debug, Clone, Copy)]
            pub struct $facet<'p> {
                pub(crate) project: &'p Project,
            }
        )+

        impl Project {
            $(
                $(#[$about])*
                #[must_use]
                pub fn $method(&self) -> $facet<'_> {
                    $facet { project: self }
                }
            )+
        }
    };
}

facets! {
    /// Runs: prepare, start, resume and steer them, list them, see how one stands.
    runs -> ProjectRuns;
    /// Iterations of runs: their records, files, checkpoints and what they changed.
    iterations -> ProjectIterations;
    /// What agents and checks printed: pages, entries, search.
    output -> ProjectOutput;
    /// Gates: the inbox, decisions, comments, and reverting reviewed work.
    gates -> ProjectGates;
    /// Tasks: read, write, order, import and export them, work on one by hand.
    tasks -> ProjectTasks;
    /// Sections of the spec: read, search, write and import them.
    spec -> ProjectSpec;
    /// Checks: run and configure them, see how they have been going.
    checks -> ProjectChecks;
    /// Failures: what made attempts fail, and how often each pattern was met.
    failures -> ProjectFailures;
    /// Memory: solutions, learnings, what goes into prompts, figures and health.
    memory -> ProjectMemory;
    /// Putting the work tree back to a checkpoint, and undoing that.
    restore -> ProjectRestore;
    /// The history of events, and following it.
    events -> ProjectEvents;
}
