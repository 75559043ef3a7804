//! After a crash, a stop or a loss: what is unfinished is settled, what is gone is brought back.

pub(crate) mod backup;
pub(crate) mod reconcile;
pub(crate) mod restore_state;
pub(crate) mod restore_tree;
