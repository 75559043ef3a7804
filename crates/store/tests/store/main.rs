//! The store through real files and real processes.

#[cfg(test)]
mod checks;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod effects;
#[cfg(test)]
mod gates;
#[cfg(test)]
mod history;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod journal_processes;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod processes;
#[cfg(unix)]
#[cfg(test)]
mod read_only;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod sections;
#[cfg(test)]
mod stale;
#[cfg(test)]
mod support;
#[cfg(test)]
mod task_changes;
#[cfg(test)]
mod tasks;
#[cfg(test)]
mod terms;
