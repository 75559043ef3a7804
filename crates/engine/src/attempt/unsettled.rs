//! How far an unsettled iteration has come, read from its row: by the process that ran its agent, or by the next one
//! when that process ended.

use loopwright_domain::{Iteration, Outcome, Phase};

use crate::attempt::phases::GatedAttempt;

/// An iteration whose agent has ended and that is not settled, by what is to be done with it next.
#[derive(Debug)]
pub(crate) enum UnsettledIteration {
    /// Its outcome is known: it was judged, or a limit or an outage stopped its agent. What follows is carried out.
    Judged(Iteration, Outcome),
    /// A person is asked about it.
    AtGate(GatedAttempt),
    /// It passed, and its commit may have been made.
    Committing(Iteration),
    /// Its agent has ended or could not be started: its checks are still to be run, or to be run again.
    Ended(Iteration),
}

impl From<Iteration> for UnsettledIteration {
    fn from(iteration: Iteration) -> Self {
        match (iteration.outcome, iteration.phase) {
            (Some(outcome), _) => Self::Judged(iteration, outcome),
            (None, Phase::AwaitingApproval) => Self::AtGate(GatedAttempt { iteration }),
            (None, Phase::Committing) => Self::Committing(iteration),
            (None, _) => Self::Ended(iteration),
        }
    }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{IterationId, RunId};

    use super::*;

    fn iteration(phase: Phase, outcome: Option<Outcome>) -> UnsettledIteration {
        let ids = (IterationId::from_parts(1, [1; 10]), RunId::from_parts(1, [2; 10]));
        let planned = Iteration::planned(ids.0, ids.1, 0, 1, String::new());
        Iteration { phase, outcome, ..planned }.into()
    }

    #[test]
    fn a_known_outcome_wins_over_the_phase() {
        for phase in [Phase::AgentDone, Phase::Checking, Phase::AwaitingApproval, Phase::Committing] {
            let judged = iteration(phase, Some(Outcome::Interrupted));
            assert!(matches!(judged, UnsettledIteration::Judged(_, Outcome::Interrupted)), "{judged:?}");
        }
    }

    #[test]
    fn without_an_outcome_the_phase_says_what_is_next() {
        assert!(matches!(iteration(Phase::AwaitingApproval, None), UnsettledIteration::AtGate(_)));
        assert!(matches!(iteration(Phase::Committing, None), UnsettledIteration::Committing(_)));
        for phase in [Phase::AgentDone, Phase::Checking] {
            assert!(matches!(iteration(phase, None), UnsettledIteration::Ended(_)));
        }
    }
}
