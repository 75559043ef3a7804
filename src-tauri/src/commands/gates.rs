//! Gates: what waits for a person, and the answer.

use loopwright_domain::{Fault, GateDecision, GateId, IterationId, LineComment};
use loopwright_engine::gate::{GateAnswer, GateDetail, GateInbox};
use tauri::{Runtime, State, WebviewWindow};

use super::pending;
use crate::shell::Shell;

macro_rules! commands {
    ($( $(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty; )+) => {
        $(
            $(#[$doc])*
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name<R: Runtime>(
                window: WebviewWindow<R>,
                shell: State<'_, Shell>,
                $($argument: $kind),*
            ) -> Result<$answer, Fault> {
                let _ = (shell.project(window.label()).await?, $($argument),*);
                pending()
            }
        )+
    };
}

commands! {
    /// What waits for a person, and what was decided lately.
    gates() -> GateInbox;
    /// One gate in full.
    gate(id: GateId) -> GateDetail;
    /// Decides. `tree` is the one that was shown: nothing is decided when the gate is about another one by now.
    decide_gate(id: GateId, tree: Option<String>, decision: GateDecision) -> GateAnswer;
    /// Remarks on a line.
    comment_gate(id: GateId, comment: LineComment) -> GateDetail;
    /// Takes a remark back.
    uncomment_gate(id: GateId, comment: u32) -> GateDetail;
    /// Reverts the commit of an iteration and puts its task back into the queue.
    revert_work(iteration: IterationId) -> GateDetail;
}
