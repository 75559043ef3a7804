//! Ids of runs and iterations, and words that nobody can guess.

use loopwright_config::Host;
use loopwright_domain::{ErrorCode, Fault, IterationId, RunId};

/// Fresh random bytes from the system's generator.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(no_randomness)?;
    Ok(bytes)
}

/// Without randomness nothing starts: an agent that can guess its nonce could forge a signal.
pub(crate) fn no_randomness(error: getrandom::Error) -> Fault {
    Fault::caused(ErrorCode::IoFailed, "the system gives no random bytes", &error)
}

pub(crate) fn unix_millis(host: &Host) -> u64 {
    u64::try_from((host.now)().as_millisecond()).unwrap_or(0)
}

pub(crate) fn new_run_id(host: &Host) -> Result<RunId, Fault> {
    Ok(RunId::from_parts(unix_millis(host), random()?))
}

pub(crate) fn new_iteration_id(host: &Host) -> Result<IterationId, Fault> {
    Ok(IterationId::from_parts(unix_millis(host), random()?))
}

/// An unguessable word that binds a signal to its iteration.
pub(crate) fn nonce() -> Result<String, Fault> {
    Ok(random::<16>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}
