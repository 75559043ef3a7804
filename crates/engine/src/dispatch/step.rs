//! One step of a run: it goes on, ends the run, or meets a fault.

use std::future::Future;
use std::ops::ControlFlow;
use std::pin::Pin;

use loopwright_domain::Fault;

use crate::dispatch::dispatcher::RunEnd;

/// What a step came to: the run goes on with a value, or ends. A fault is neither: whoever drives the run says how it
/// ends by it.
pub(crate) type StepResult<T = ()> = Result<ControlFlow<RunEnd, T>, Fault>;

/// A step that is long. It is boxed where it is made, so that those who wait for it neither hold it nor move it: a build
/// without optimisation copies each future several times on the stack of whoever waits.
pub(crate) type StepFuture<'a, T = ()> = Pin<Box<dyn Future<Output = StepResult<T>> + Send + 'a>>;

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
