//! The environment's faults: what neither the agent nor its work is to blame for.

use crate::check::{CheckResult, CheckStatus};
use crate::fault::ErrorCode;
use crate::run::RunKind;

/// Whether what went wrong lies in the surroundings: a check's program, a key, a filter that is not there, a hook that
/// wants another message, a full disk. Then the run waits for a person with the work kept, and no attempt is lost. A full
/// disk stops only a run over tasks; the others go on as long as they can.
#[must_use]
pub const fn is_environment(code: ErrorCode, kind: RunKind) -> bool {
    match code {
        ErrorCode::CheckProgram
        | ErrorCode::GitSigning
        | ErrorCode::GitFilter
        | ErrorCode::GitMessageHook => true,
        ErrorCode::StoreFull => matches!(kind, RunKind::Run),
        _ => false,
    }
}

/// The first required check that could not be run because of the surroundings. Its round says nothing about the work,
/// unless another required check failed before it.
#[must_use]
pub fn unable(results: &[CheckResult]) -> Option<&CheckResult> {
    results.iter().filter(|result| result.required).find(|result| {
        result.status == CheckStatus::Broken
            && result.code.is_some_and(|code| is_environment(code, RunKind::Run))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_outside_of_the_work_is_the_environments() {
        let theirs: Vec<ErrorCode> =
            ErrorCode::ALL.iter().copied().filter(|code| is_environment(*code, RunKind::Run)).collect();
        assert_eq!(
            theirs,
            [
                ErrorCode::StoreFull,
                ErrorCode::GitMessageHook,
                ErrorCode::GitSigning,
                ErrorCode::GitFilter,
                ErrorCode::CheckProgram
            ]
        );
        for kind in [RunKind::Loop, RunKind::Fix] {
            assert!(!is_environment(ErrorCode::StoreFull, kind));
            assert!(is_environment(ErrorCode::GitSigning, kind));
        }
        assert!(
            !is_environment(ErrorCode::GitHook, RunKind::Run),
            "a refusing pre-commit hook judges the work"
        );
    }

    #[test]
    fn a_check_is_unable_only_when_it_is_required_and_its_program_is_missing() {
        let result = |required, status, code| CheckResult {
            name: "t".into(),
            position: 0,
            required,
            status,
            exit_code: None,
            elapsed_ms: 0,
            issues: Vec::new(),
            excerpt: String::new(),
            problem: None,
            code,
            red_before: None,
        };
        let missing = Some(ErrorCode::CheckProgram);
        let cases = [
            (result(true, CheckStatus::Broken, missing), true),
            (result(false, CheckStatus::Broken, missing), false),
            (result(true, CheckStatus::Broken, Some(ErrorCode::ProcessSpawn)), false),
            (result(true, CheckStatus::Broken, None), false),
            (result(true, CheckStatus::Failed, missing), false),
            (result(true, CheckStatus::Passed, None), false),
        ];
        for (result, is_unable) in cases {
            assert_eq!(unable(std::slice::from_ref(&result)).is_some(), is_unable, "{result:?}");
        }
    }
}
