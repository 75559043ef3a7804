import type { CheckStatus } from "$lib/backend/types";
import type { Tone } from "$lib/ui/Badge.svelte";

/** How a check ended. */
export const CHECK_WORDS: Record<CheckStatus, string> = {
  passed: "Passed",
  failed: "Failed",
  timed_out: "Took too long",
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
