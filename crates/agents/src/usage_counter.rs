//! Counts what an agent used, each response once.

use std::collections::VecDeque;

use loopwright_domain::Usage;

/// How many responses are remembered by their ids; older ones stay counted and are no longer recognised.
const REMEMBERED: usize = 1024;

/// What was used. Agents tell it per response, often repeatedly, or as a sum at the end, or both.
#[derive(Clone, Debug, Default)]
pub(crate) struct UsageCounter {
    total: Option<Usage>,
    recent: VecDeque<(String, Usage)>,
    older: Usage,
    /// What the agent's helpers used; its own sum leaves that out.
    helpers: Usage,
}

impl UsageCounter {
    /// Counts one response. One with an id that was counted before is told again: the greater numbers hold.
    pub(crate) fn response(&mut self, id: Option<&str>, usage: &Usage) {
        let Some(id) = id else {
            self.older = self.older.plus(usage);
            return;
        };
        if let Some((_, known)) = self.recent.iter_mut().rfind(|(known, _)| known == id) {
            *known = greater(known, usage);
            return;
        }
        if self.recent.len() == REMEMBERED
            && let Some((_, oldest)) = self.recent.pop_front()
        {
            self.older = self.older.plus(&oldest);
        }
        self.recent.push_back((id.to_owned(), *usage));
    }

    /// Counts a response that a helper got.
    pub(crate) fn helper(&mut self, usage: &Usage) {
        self.helpers = self.helpers.plus(usage);
    }

    /// Takes the agent's own sum, which beats what was counted.
    pub(crate) fn total(&mut self, usage: &Usage) {
        self.total = Some(*usage);
    }

    /// All that was used so far.
    pub(crate) fn sum(&self) -> Usage {
        let counted = self.recent.iter().fold(self.older, |sum, (_, usage)| sum.plus(usage));
        let own = match self.total {
            None => counted,
            Some(total) if total.tokens() == 0 && counted.tokens() > 0 => {
                Usage { cost_micros: total.cost_micros.or(counted.cost_micros), ..counted }
            }
            Some(total) => total,
        };
        own.plus(&self.helpers)
    }
}

fn greater(one: &Usage, two: &Usage) -> Usage {
    Usage {
        input: one.input.max(two.input),
        output: one.output.max(two.output),
        cache_read: one.cache_read.max(two.cache_read),
        cache_write: one.cache_write.max(two.cache_write),
        cost_micros: one.cost_micros.max(two.cost_micros),
        estimated: one.estimated && two.estimated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(input: u64, output: u64) -> Usage {
        Usage { input, output, ..Usage::default() }
    }

    #[test]
    fn a_response_told_twice_counts_once() {
        let mut usage_counter = UsageCounter::default();
        usage_counter.response(Some("a"), &used(100, 1));
        usage_counter.response(Some("a"), &used(100, 80));
        usage_counter.response(Some("b"), &used(50, 5));
        usage_counter.response(None, &used(1, 1));
        assert_eq!(usage_counter.sum(), used(151, 86));
    }

    #[test]
    fn the_agents_own_sum_beats_counting_and_the_last_sum_holds() {
        let mut usage_counter = UsageCounter::default();
        usage_counter.response(Some("a"), &used(100, 1));
        usage_counter.total(&used(120, 40));
        usage_counter.total(&used(240, 80));
        assert_eq!(usage_counter.sum(), used(240, 80));
        usage_counter.total(&Usage { cost_micros: Some(7), ..Usage::default() });
        assert_eq!(usage_counter.sum(), Usage { cost_micros: Some(7), ..used(100, 1) });
    }

    #[test]
    fn very_many_responses_are_all_counted_in_little_memory() {
        let mut usage_counter = UsageCounter::default();
        for number in 0..5000 {
            usage_counter.response(Some(&number.to_string()), &used(1, 0));
        }
        assert_eq!((usage_counter.sum().input, usage_counter.recent.len()), (5000, REMEMBERED));
    }
}
