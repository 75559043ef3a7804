//! The files of an attempt: saved before it, compared after it, committed or put back.

pub(crate) mod adopt_commits;
pub(crate) mod agent_repository;
pub(crate) mod commit;
pub(crate) mod disk_space;
pub(crate) mod left_out;
pub(crate) mod set_aside;
pub(crate) mod shared_repository;
pub(crate) mod starting_tree;
pub(crate) mod undo_attempt;
pub(crate) mod work_tree;
