//! Ctrl-C and the system's wish to end: told to the run, which stops in its own order.

use loopwright_engine::run::StopHandle;

/// After this many wishes the program ends whatever it is doing.
const PATIENCE: u32 = 3;

/// Hands signals on to a run for as long as the runtime lives. The first is gentle, the second means now; the third
/// ends this process.
#[cfg(unix)]
pub(crate) fn watch(stop: StopHandle) {
    use tokio::signal::unix::{SignalKind, signal};

    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return;
    };
    tokio::spawn(async move {
        for count in 1.. {
            tokio::select! {
                _ = interrupt.recv() => stop.interrupt(),
                _ = terminate.recv() => stop.terminate(),
                _ = hang_up.recv() => stop.terminate(),
            }
            if count >= PATIENCE {
                std::process::exit(if stop.by_system() { 143 } else { 130 });
            }
        }
    });
}

/// Hands Ctrl-C on to a run for as long as the runtime lives.
#[cfg(windows)]
pub(crate) fn watch(stop: StopHandle) {
    tokio::spawn(async move {
        for count in 1.. {
            if tokio::signal::ctrl_c().await.is_err() {
                return;
            }
            stop.interrupt();
            if count >= PATIENCE {
                std::process::exit(130);
            }
        }
    });
}
