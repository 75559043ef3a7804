//! For tests only: a way to fail, or to stop and be killed, at any step of a write.
//!
//! In a build that is not a test, [`Faults`] is empty and a step always succeeds.

#[cfg(not(test))]
pub(crate) use inert::Faults;
#[cfg(test)]
pub(crate) use live::Faults;

#[cfg(not(test))]
mod inert {
    use crate::error::StoreProblem;

    /// No faults.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Faults {}

    impl Faults {
        pub(crate) const fn step(&self) -> Result<(), StoreProblem> {
            Ok(())
        }
    }
}

#[cfg(test)]
mod live {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::error::StoreProblem;

    /// What happens when the chosen step is reached.
    #[derive(Clone, Copy, Debug, Default)]
    enum Effect {
        #[default]
        Nothing,
        Fail,
        StopForever,
    }

    /// Counts steps and does something at one of them. Clones share the count.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct Faults {
        effect: Effect,
        at_step: usize,
        seen: Arc<AtomicUsize>,
    }

    impl Faults {
        /// Fails at the step of this number, counted from 1.
        pub(crate) fn failing_at(step: usize) -> Self {
            Self { effect: Effect::Fail, at_step: step, seen: Arc::default() }
        }

        /// Says so on standard output at this step and then waits to be killed.
        pub(crate) fn stopping_at(step: usize) -> Self {
            Self { effect: Effect::StopForever, at_step: step, seen: Arc::default() }
        }

        /// How many steps there have been.
        pub(crate) fn steps_seen(&self) -> usize {
            self.seen.load(Ordering::SeqCst)
        }

        pub(crate) fn step(&self) -> Result<(), StoreProblem> {
            let number = self.seen.fetch_add(1, Ordering::SeqCst) + 1;
            match self.effect {
                Effect::Fail if number == self.at_step => {
                    Err(StoreProblem::Failed(format!("injected at step {number}")))
                }
                Effect::StopForever if number == self.at_step => {
                    println!("\nstopped at step {number}");
                    loop {
                        std::thread::park();
                    }
                }
                _ => Ok(()),
            }
        }
    }
}
