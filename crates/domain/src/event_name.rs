//! What events are called, and which of them are steps of a run.

use crate::event::Event;
use crate::ids::IterationId;
use crate::run::Run;

impl Event {
    /// Where a run stands now.
    #[must_use]
    pub fn status_of(run: &Run, message: String) -> Self {
        Self::RunStatusChanged {
            run: run.id,
            status: run.status,
            reason: run.reason,
            code: run.code,
            message,
        }
    }

    /// Whether it is a step inside an iteration: many, and told by the iteration's end.
    #[must_use]
    pub const fn is_step(&self) -> bool {
        matches!(
            self,
            Self::IterationStarted { .. }
                | Self::IterationPhase { .. }
                | Self::AgentEnded { .. }
                | Self::CheckEnded { .. }
                | Self::FailureRecorded { .. }
                | Self::MemoryIncluded { .. }
                | Self::FilesCommitted { .. }
                | Self::FilesPutBack { .. }
        )
    }

    /// The same with iterations counted from 1, as people and programs outside of Loopwright count them.
    #[must_use]
    pub fn counted_from_one(mut self) -> Self {
        if let Self::IterationStarted { number, .. }
        | Self::IterationSettled { number, .. }
        | Self::RunResumed { iteration: number, .. } = &mut self
        {
            *number = number.saturating_add(1);
        }
        self
    }

    /// The iteration it belongs to.
    #[must_use]
    pub const fn iteration(&self) -> Option<IterationId> {
        match self {
            Self::GateOpened { iteration, .. }
            | Self::MemoryIncluded { iteration, .. }
            | Self::SolutionRecorded { iteration, .. }
            | Self::FailureRecorded { iteration, .. }
            | Self::IterationStarted { iteration, .. }
            | Self::IterationPhase { iteration, .. }
            | Self::AgentEnded { iteration, .. }
            | Self::CheckEnded { iteration, .. }
            | Self::IterationSettled { iteration, .. }
            | Self::FilesPutBack { iteration, .. } => Some(*iteration),
            Self::TaskStatusChanged { iteration, .. }
            | Self::LearningRecorded { iteration, .. }
            | Self::SolutionChanged { iteration, .. }
            | Self::RunWarning { iteration, .. }
            | Self::FilesCommitted { iteration, .. } => *iteration,
            _ => None,
        }
    }

    /// The dotted name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ProjectCreated { .. } => "project.created",
            Self::ProjectTrusted { .. } => "project.trusted",
            Self::ConfigChanged { .. } => "config.changed",
            Self::StoreRecovered { .. } => "store.recovered",
            Self::TaskAdded { .. } => "task.added",
            Self::TaskEdited { .. } => "task.edited",
            Self::TaskStatusChanged { .. } => "task.status",
            Self::TaskRemoved { .. } => "task.removed",
            Self::TasksImported { .. } => "task.imported",
            Self::WaveFinished { .. } => "wave.finished",
            Self::GateOpened { .. } => "gate.opened",
            Self::GateDecided { .. } => "gate.decided",
            Self::LearningRecorded { .. } => "learning.recorded",
            Self::LearningChanged { .. } => "learning.changed",
            Self::MemoryIncluded { .. } => "memory.included",
            Self::SolutionRecorded { .. } => "solution.recorded",
            Self::SolutionChanged { .. } => "solution.changed",
            Self::FailureRecorded { .. } => "failure.recorded",
            Self::SpecChanged { .. } => "spec.changed",
            Self::PlanApplied { .. } => "plan.applied",
            Self::RunStarted { .. } => "run.started",
            Self::RunBaseline { .. } => "run.baseline",
            Self::RunResumed { .. } => "run.resumed",
            Self::RunStatusChanged { .. } => "run.status",
            Self::RunWarning { .. } => "run.warning",
            Self::IterationStarted { .. } => "iteration.started",
            Self::IterationPhase { .. } => "iteration.phase",
            Self::AgentEnded { .. } => "agent.ended",
            Self::CheckEnded { .. } => "check.ended",
            Self::IterationSettled { .. } => "iteration.settled",
            Self::FilesCommitted { .. } => "files.committed",
            Self::FilesPutBack { .. } => "files.put_back",
            Self::TreeRestored { .. } => "tree.restored",
            Self::ControlRequested { .. } => "control.requested",
        }
    }
}
