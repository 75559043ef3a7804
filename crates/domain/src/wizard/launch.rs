//! What a launch would do, and a forecast of what it takes.

use serde::{Deserialize, Serialize};

use super::mode::ModeChoice;
use super::trial::PlannedCheck;
use crate::task::TaskSize;
use crate::word::words;

words! {
    /// What a forecast is made from.
    ForecastBasis {
        /// Earlier iterations of this project.
        History = "history",
        /// Nothing but the sizes of the tasks: a rough range.
        Sizes = "sizes",
    }
}

/// From a low to a high estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Range {
    /// One in ten runs takes less.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub low: u64,
    /// One in ten runs takes more.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub high: u64,
}

/// What a run over the planned tasks would take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Forecast {
    /// What it is made from.
    pub basis: ForecastBasis,
    /// How many earlier iterations it is made from.
    pub samples: u32,
    /// Iterations.
    pub iterations: Range,
    /// Tokens.
    pub tokens: Range,
    /// Money in millionths of a US dollar; none where earlier iterations told no cost.
    pub cost_micros: Option<Range>,
    /// Milliseconds of working time.
    pub time_ms: Range,
}

/// One earlier iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastIteration {
    /// All its tokens.
    pub tokens: u64,
    /// Its cost, when it is known.
    pub cost_micros: Option<u64>,
    /// How long it took.
    pub time_ms: u64,
}

/// With fewer earlier iterations the sizes of the tasks tell more.
pub const LEAST_SAMPLES: usize = 5;

/// A rough range for one task of a size: minutes, thousands of tokens, hundredths of a dollar.
const fn rough(size: TaskSize) -> ((u64, u64), (u64, u64), (u64, u64)) {
    match size {
        TaskSize::S => ((2, 10), (60, 400), (8, 60)),
        TaskSize::M => ((4, 20), (120, 900), (15, 150)),
        TaskSize::L => ((8, 40), (250, 2_000), (30, 300)),
        TaskSize::XL => ((15, 90), (500, 4_000), (60, 700)),
    }
}

/// A forecast for tasks of these sizes.
#[must_use]
pub fn forecast(sizes: &[TaskSize], past: &[PastIteration]) -> Forecast {
    let tasks = sizes.len() as u64;
    let iterations = Range { low: tasks, high: tasks.saturating_mul(2) };
    if past.len() < LEAST_SAMPLES {
        let mut sum = [Range::default(); 3];
        for size in sizes {
            let (minutes, tokens, cents) = rough(*size);
            for (total, (low, high)) in sum.iter_mut().zip([minutes, tokens, cents]) {
                total.low = total.low.saturating_add(low);
                total.high = total.high.saturating_add(high);
            }
        }
        let [minutes, tokens, cents] = sum;
        let times = |range: Range, factor: u64| Range {
            low: range.low.saturating_mul(factor),
            high: range.high.saturating_mul(factor),
        };
        return Forecast {
            basis: ForecastBasis::Sizes,
            samples: u32::try_from(past.len()).unwrap_or(u32::MAX),
            iterations,
            tokens: times(tokens, 1_000),
            cost_micros: Some(times(cents, 10_000)),
            time_ms: times(minutes, 60_000),
        };
    }
    let costs: Vec<u64> = past.iter().filter_map(|one| one.cost_micros).collect();
    let of = |values: Vec<u64>| spread(values, iterations);
    Forecast {
        basis: ForecastBasis::History,
        samples: u32::try_from(past.len()).unwrap_or(u32::MAX),
        iterations,
        tokens: of(past.iter().map(|one| one.tokens).collect()),
        cost_micros: (costs.len() >= LEAST_SAMPLES).then(|| of(costs)),
        time_ms: of(past.iter().map(|one| one.time_ms).collect()),
    }
}

/// The fewest iterations at a quarter of what was seen, the most of them at three quarters.
fn spread(mut values: Vec<u64>, iterations: Range) -> Range {
    values.sort_unstable();
    let at = |quarter: usize| {
        let last = values.len().saturating_sub(1);
        values.get(last * quarter / 4).copied().unwrap_or(0)
    };
    Range { low: at(1).saturating_mul(iterations.low), high: at(3).saturating_mul(iterations.high) }
}

/// What was decided, what it takes, and what will need a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct LaunchSummary {
    /// Whether the run can start.
    pub ready: bool,
    /// What stands in the way.
    pub problems: Vec<String>,
    /// The project's name.
    pub project_name: String,
    /// The folder.
    pub folder: String,
    /// How many sections.
    pub sections: u32,
    /// How many terms.
    pub terms: u32,
    /// How many tasks.
    pub tasks: u32,
    /// How many tasks of each size, smallest first.
    pub sizes: Vec<(TaskSize, u32)>,
    /// How many waves they lie in.
    pub waves: u32,
    /// The score of the plan.
    pub quality: Option<u32>,
    /// The checks that will be used, in order.
    pub checks: Vec<PlannedCheck>,
    /// Files whose change always needs a person.
    pub protected: Vec<String>,
    /// How the run works.
    pub mode: ModeChoice,
    /// What is still supposed and nobody said.
    pub assumptions: u32,
    /// What will need a person, in words.
    pub needs_person: Vec<String>,
    /// What it will take.
    pub forecast: Forecast,
    /// The prompt of the first task, as it would be sent.
    pub first_prompt: String,
    /// How many tokens that is, roughly.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub first_prompt_tokens: u64,
    /// What the wizard's own agents used so far.
    pub spent: crate::usage::Usage,
}
