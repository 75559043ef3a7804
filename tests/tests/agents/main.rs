//! The real agent CLIs, each through the real `loopwright`, against a model on loopback. `cargo xtask agents` installs
//! them and runs this; the search path that begins with them is in `LOOPWRIGHT_AGENTS_PATH`.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod cases;
mod cli;
mod scene;

/// A module of tests for one CLI: a test for every case, with marks of its own.
macro_rules! matrix {
    ($cli:ident, $description:ident: $($(#[$mark:meta])* $case:ident),* $(,)?) => {
        mod $cli {
            $(
                #[test]
                $(#[$mark])*
                fn $case() {
                    crate::cases::$case(&crate::cli::$description);
                }
            )*
        }
    };
}

/// Every case.
macro_rules! every_case {
    ($cli:ident, $description:ident $(, #[$mark:meta])?) => {
        matrix! {
            $cli, $description:
            $(#[$mark])? edits_a_file_and_completes,
            $(#[$mark])? two_iterations_to_success,
            $(#[$mark])? false_completion,
            $(#[$mark])? permission_denied,
            $(#[$mark])? login_refused,
            $(#[$mark])? usage_limit,
            $(#[$mark])? overload_passes,
            $(#[$mark])? stall,
            $(#[$mark])? tool_that_outlives_a_kill,
            $(#[$mark])? what_was_used_counts_without_a_sum,
            $(#[$mark])? prompt_of_300_kb,
            $(#[$mark])? unicode,
            $(#[$mark])? signal_by_mcp,
            $(#[$mark])? works_in_the_sandbox,
            $(#[$mark])? makes_a_plan,
        }
    };
}

every_case!(claude, CLAUDE);
every_case!(codex, CODEX);
every_case!(gemini, GEMINI);
every_case!(copilot, COPILOT);
every_case!(opencode, OPENCODE);
every_case!(qwen, QWEN, #[ignore = "tried with --full"]);
every_case!(pi, PI, #[ignore = "tried with --full"]);
/// Cases for one CLI.
mod only {
    matrix! { claude, CLAUDE: hands_over_at_a_limit }
    matrix! {
        codex, CODEX:
        plans_in_the_sandbox,
        refused_before_it_runs,
        tells_aside,
        hands_over_at_a_limit,
    }
    matrix! {
        gemini, GEMINI:
        usage_limit_in_the_sandbox,
        commands_inherit_no_script_of_ours,
        model_and_turns_are_known,
    }
    matrix! { opencode, OPENCODE: usage_limit_in_the_sandbox }
    matrix! { pi, PI: #[ignore = "tried with --full"] usage_limit_in_the_sandbox }
    matrix! {
        qwen, QWEN:
        #[ignore = "tried with --full"] usage_limit_in_the_sandbox,
        #[ignore = "tried with --full"] commands_inherit_no_script_of_ours,
    }
}
// It has no tools.
matrix! {
    aider, AIDER:
    #[ignore = "tried with --full"] edits_by_text,
    #[ignore = "tried with --full"] false_completion,
    #[ignore = "tried with --full"] login_refused,
    #[ignore = "tried with --full"] stall,
    #[ignore = "tried with --full"] prompt_of_300_kb,
}
