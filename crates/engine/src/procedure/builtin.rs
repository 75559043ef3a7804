//! The procedures that are built in, put together from fragments that are each written once.

use super::{Fragment, FragmentSource, Origin, Phase, PhaseName, Procedure};

/// The promise that ends a built-in procedure.
const PROMISE: &str = "COMPLETE";

/// What stands in a fragment for the file that an audit writes.
const REPORT_PLACE: &str = "{file}";

/// Includes fragments by their names.
macro_rules! fragments {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("builtin/", $name, ".md")))),+] };
}

/// Every fragment with its text.
const FRAGMENTS: &[(&str, &str)] = fragments![
    "observe-guide",
    "observe-request",
    "observe-spec",
    "observe-code",
    "observe-plan",
    "observe-history",
    "observe-checks",
    "orient-next-task",
    "orient-guide-drift",
    "orient-guide-quality",
    "orient-spec-quality",
    "orient-impl-quality",
    "orient-spec-to-impl",
    "orient-impl-to-spec",
    "orient-feat",
    "orient-fix",
    "orient-refactor",
    "orient-chore",
    "orient-change-spec",
    "orient-change-impl",
    "orient-publish",
    "decide-one-task",
    "decide-findings",
    "decide-plan",
    "decide-guide",
    "decide-publish",
    "act-build",
    "act-record",
    "act-report",
    "act-plan",
    "act-guide",
    "act-publish",
    "act-done",
];

/// A built-in procedure: which fragments make each phase.
struct Recipe {
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    description: &'static str,
    max_iterations: Option<u32>,
    /// Where an audit writes its report, unless the project says otherwise.
    report: &'static str,
    phases: [&'static [&'static str]; 4],
}

/// What the recipes of one family share.
const PLAIN: Recipe = Recipe {
    name: "",
    title: "",
    summary: "",
    description: "",
    max_iterations: Some(3),
    report: "",
    phases: [&[], &[], &[], &[]],
};
const AUDIT: Recipe = Recipe {
    description: "It writes a report and changes nothing else. Run it before planning, or before a release.",
    ..PLAIN
};
const SPEC_PLAN: Recipe = Recipe {
    description: "It writes a plan and touches neither specification nor code. Hand the request over as context; carry the plan out with \"build\".",
    ..PLAIN
};
const IMPL_PLAN: Recipe = Recipe {
    description: "It writes a plan and touches no code. Hand the request over as context; carry the plan out with \"build\".",
    ..PLAIN
};

const DONE_REPORT: &[&str] = &["act-report", "act-done"];
const DONE_PLAN: &[&str] = &["act-plan", "act-done"];
const SPEC_REQUEST: &[&str] = &["observe-guide", "observe-request", "observe-spec"];
const IMPL_REQUEST: &[&str] = &["observe-guide", "observe-request", "observe-spec", "observe-code"];

const RECIPES: &[Recipe] = &[
    Recipe {
        name: "agents-sync",
        title: "Bring the guide up to date",
        summary: "Makes AGENTS.md say what is true of this project now.",
        description: "Run it after larger changes, or to begin a guide where there is none.",
        phases: [
            &["observe-guide", "observe-code", "observe-history", "observe-checks"],
            &["orient-guide-drift"],
            &["decide-guide"],
            &["act-guide", "act-done"],
        ],
        ..PLAIN
    },
    Recipe {
        name: "build",
        title: "Build the next item of the plan",
        summary: "Takes one open item of the plan, builds it completely, and records what was learned.",
        description: "Each iteration does one item; it ends when no item is open.",
        max_iterations: None,
        phases: [
            &["observe-guide", "observe-plan", "observe-spec", "observe-history"],
            &["orient-next-task"],
            &["decide-one-task"],
            &["act-build", "act-record", "act-done"],
        ],
        ..PLAIN
    },
    Recipe {
        name: "publish-plan",
        title: "Publish the plan",
        summary: "Enters the plan's items where the team tracks its work.",
        description: "A second run enters nothing twice.",
        phases: [
            &["observe-guide", "observe-plan"],
            &["orient-publish"],
            &["decide-publish"],
            &["act-publish", "act-done"],
        ],
        ..PLAIN
    },
    Recipe {
        name: "audit-spec",
        title: "Audit the specification",
        summary: "Looks for what is missing, unclear, untestable or contradictory in the specification.",
        report: "AUDIT-SPEC.md",
        phases: [
            &["observe-guide", "observe-spec"],
            &["orient-spec-quality"],
            &["decide-findings"],
            DONE_REPORT,
        ],
        ..AUDIT
    },
    Recipe {
        name: "audit-impl",
        title: "Audit the implementation",
        summary: "Looks for defects, missing tests, unfinished and needless code.",
        report: "AUDIT-IMPL.md",
        phases: [
            &["observe-guide", "observe-code", "observe-checks"],
            &["orient-impl-quality"],
            &["decide-findings"],
            DONE_REPORT,
        ],
        ..AUDIT
    },
    Recipe {
        name: "audit-agents",
        title: "Audit the guide for agents",
        summary: "Looks for what a newcomer could not follow in AGENTS.md.",
        report: "AUDIT-AGENTS.md",
        phases: [
            &["observe-guide", "observe-code"],
            &["orient-guide-quality"],
            &["decide-findings"],
            DONE_REPORT,
        ],
        ..AUDIT
    },
    Recipe {
        name: "audit-spec-to-impl",
        title: "Audit what is specified and not built",
        summary: "Looks for each requirement in the code and in the tests.",
        report: "AUDIT-SPEC-TO-IMPL.md",
        phases: [
            &["observe-guide", "observe-spec", "observe-code"],
            &["orient-spec-to-impl"],
            &["decide-findings"],
            DONE_REPORT,
        ],
        ..AUDIT
    },
    Recipe {
        name: "audit-impl-to-spec",
        title: "Audit what is built and not specified",
        summary: "Looks for each behaviour of the code in the specification.",
        report: "AUDIT-IMPL-TO-SPEC.md",
        phases: [
            &["observe-guide", "observe-spec", "observe-code"],
            &["orient-impl-to-spec"],
            &["decide-findings"],
            DONE_REPORT,
        ],
        ..AUDIT
    },
    Recipe {
        name: "draft-plan-spec-feat",
        title: "Plan a new feature in the specification",
        summary: "Plans how the specification has to change for something new.",
        phases: [SPEC_REQUEST, &["orient-feat", "orient-change-spec"], &["decide-plan"], DONE_PLAN],
        ..SPEC_PLAN
    },
    Recipe {
        name: "draft-plan-spec-fix",
        title: "Plan the correction of the specification",
        summary: "Plans how to correct what the specification says wrongly.",
        phases: [SPEC_REQUEST, &["orient-fix", "orient-change-spec"], &["decide-plan"], DONE_PLAN],
        ..SPEC_PLAN
    },
    Recipe {
        name: "draft-plan-spec-refactor",
        title: "Plan a better form of the specification",
        summary: "Plans how to order the specification anew without changing what it demands.",
        phases: [SPEC_REQUEST, &["orient-refactor", "orient-change-spec"], &["decide-plan"], DONE_PLAN],
        ..SPEC_PLAN
    },
    Recipe {
        name: "draft-plan-spec-chore",
        title: "Plan upkeep of the specification",
        summary: "Plans upkeep of the specification: wording, links, layout, leftovers.",
        phases: [SPEC_REQUEST, &["orient-chore", "orient-change-spec"], &["decide-plan"], DONE_PLAN],
        ..SPEC_PLAN
    },
    Recipe {
        name: "draft-plan-impl-feat",
        title: "Plan a new feature",
        summary: "Plans how to build something new.",
        phases: [IMPL_REQUEST, &["orient-feat", "orient-change-impl"], &["decide-plan"], DONE_PLAN],
        ..IMPL_PLAN
    },
    Recipe {
        name: "draft-plan-impl-fix",
        title: "Plan a fix",
        summary: "Finds the cause of a defect and plans how to mend it.",
        phases: [IMPL_REQUEST, &["orient-fix", "orient-change-impl"], &["decide-plan"], DONE_PLAN],
        ..IMPL_PLAN
    },
    Recipe {
        name: "draft-plan-impl-refactor",
        title: "Plan a refactoring",
        summary: "Plans how to give the code a better form without changing what it does.",
        phases: [IMPL_REQUEST, &["orient-refactor", "orient-change-impl"], &["decide-plan"], DONE_PLAN],
        ..IMPL_PLAN
    },
    Recipe {
        name: "draft-plan-impl-chore",
        title: "Plan upkeep",
        summary: "Plans upkeep of the code: dependencies, tools, automation, layout.",
        phases: [IMPL_REQUEST, &["orient-chore", "orient-change-impl"], &["decide-plan"], DONE_PLAN],
        ..IMPL_PLAN
    },
];

/// The names of all fragments.
pub fn fragment_names() -> impl Iterator<Item = &'static str> {
    FRAGMENTS.iter().map(|(name, _)| *name)
}

/// A fragment's text, its parameters not filled in.
pub(super) fn fragment(name: &str) -> Option<&'static str> {
    FRAGMENTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of all built-in procedures, in the order people meet them.
pub(super) fn names() -> Vec<String> {
    RECIPES.iter().map(|recipe| recipe.name.to_owned()).collect()
}

/// The built-in procedure with this name.
pub(super) fn find(name: &str) -> Option<Procedure> {
    let recipe = RECIPES.iter().find(|recipe| recipe.name == name)?;
    let mut fragments = recipe.phases.iter();
    let phases = PhaseName::ALL.map(|name| {
        let names = fragments.next().copied().unwrap_or_default();
        let fragments = names.iter().map(|fragment| recipe.fill(fragment)).collect();
        Phase { name, origin: Origin::Builtin, fragments }
    });
    Some(Procedure {
        name: recipe.name.to_owned(),
        title: recipe.title.to_owned(),
        summary: recipe.summary.to_owned(),
        description: recipe.description.to_owned(),
        phases,
        max_iterations: recipe.max_iterations,
        promise: Some(PROMISE.to_owned()),
        harness: None,
        timeout: None,
    })
}

/// Where the report of an audit goes.
pub(super) fn report(name: &str) -> &'static str {
    RECIPES.iter().find(|recipe| recipe.name == name).map_or("", |recipe| recipe.report)
}

/// Whether a fragment has to be told where the report goes.
pub(super) fn wants_report(name: &str) -> bool {
    fragment(name).is_some_and(|text| text.contains(REPORT_PLACE))
}

impl Recipe {
    fn fill(&self, name: &str) -> Fragment {
        let text = fragment(name).unwrap_or_default().replace(REPORT_PLACE, self.report);
        Fragment { source: FragmentSource::Builtin { name: name.to_owned() }, text }
    }
}
