//! One step of a run: it goes on, ends the run, or meets a fault.

use std::ops::ControlFlow;

use loopwright_domain::Fault;

use crate::dispatch::dispatcher::RunEnd;

/// What a step came to: the run goes on with a value, or ends. A fault is neither: whoever drives the run says how it
/// ends by it.
pub(crate) type StepResult<T = ()> = Result<ControlFlow<RunEnd, T>, Fault>;

/// The step after which the run goes on.
pub(crate) const GO_ON: StepResult = Ok(ControlFlow::Continue(()));

/// Ends the run here.
pub(crate) fn end<T>(end: impl Into<RunEnd>) -> StepResult<T> {
    Ok(ControlFlow::Break(end.into()))
}

/// The value that a step goes on with; returns from the function with the end of the run otherwise.
macro_rules! proceed {
    ($step:expr) => {
        match $step {
            std::ops::ControlFlow::Continue(value) => value,
            std::ops::ControlFlow::Break(end) => return Ok(std::ops::ControlFlow::Break(end)),
        }
    };
}

pub(crate) use proceed;
