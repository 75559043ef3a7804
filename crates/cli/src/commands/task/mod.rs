//! `loopwright task`.

mod change;
mod files;
mod list;
mod show;
pub(super) mod task_format;

use std::process::ExitCode;

use loopwright_domain::{Fault, TaskMove};

#[cfg(test)]
pub(super) use self::{list::NextTask, show::ShownTask};
use crate::args::TaskCommand;
use crate::context::Context;

pub(super) fn run(context: &Context, command: &TaskCommand) -> Result<ExitCode, Fault> {
    match command {
        TaskCommand::Add(args) => change::add(context, args),
        TaskCommand::List(args) => list::list(context, args),
        TaskCommand::Show { id } => show::show(context, *id),
        TaskCommand::Edit(args) => change::edit(context, args),
        TaskCommand::Next(filter) => list::next(context, &filter.filter()),
        TaskCommand::Done(tasks) => change::move_to(context, &tasks.ids, &TaskMove::Done),
        TaskCommand::Block { tasks, reason } => {
            change::move_to(context, &tasks.ids, &TaskMove::Block { reason: reason.clone() })
        }
        TaskCommand::Unblock(tasks) => change::move_to(context, &tasks.ids, &TaskMove::Unblock),
        TaskCommand::Cancel(tasks) => change::move_to(context, &tasks.ids, &TaskMove::Cancel),
        TaskCommand::Remove(tasks) => change::remove(context, &tasks.ids),
        TaskCommand::Reopen(tasks) => change::move_to(context, &tasks.ids, &TaskMove::Reopen),
        TaskCommand::Accept(tasks) => change::accept(context, &tasks.ids),
        TaskCommand::Depend(args) => change::depend(context, args),
        TaskCommand::Undepend(args) => change::undepend(context, args),
        TaskCommand::Search { words, limit } => list::search(context, words, *limit),
        TaskCommand::Import(args) => files::import(context, args),
        TaskCommand::Export(args) => files::export(context, args),
        TaskCommand::Chronic { failures } => list::chronic(context, *failures),
    }
}
