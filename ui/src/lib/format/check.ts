import type { CheckResult, CheckStatus } from "$lib/backend/types";
import type { Tone } from "$lib/ui/Badge.svelte";

/** How a check ended. */
export const CHECK_WORDS: Record<CheckStatus, string> = {
  passed: "Passed",
  failed: "Failed",
  timed_out: "Timed out",
  broken: "Could not be run",
  skipped: "Skipped",
  stopped: "Stopped",
};

export const CHECK_TONES: Record<CheckStatus, Tone> = {
  passed: "good",
  failed: "bad",
  timed_out: "bad",
  broken: "bad",
  skipped: "neutral",
  stopped: "notice",
};

/** How a check stood before its run; nothing where nobody looked. */
export function beforeText({ red_before }: Pick<CheckResult, "red_before">): string | null {
  return red_before === true ? "failed before this run" : red_before === false ? "passed before this run" : null;
}
