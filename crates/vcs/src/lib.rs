//! Git, through a runner that a hostile repository cannot make execute anything.
