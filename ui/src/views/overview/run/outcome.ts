import type { Outcome, RunStatus } from "$lib/backend/types";
import type { Shape } from "$lib/ui/StatusGlyph.svelte";

/** How an iteration stands: as it ended, still under way, or held because its run does not work. */
export type Standing = Outcome | "working" | "held";

/** What each looks like and is called after "Iteration 3". */
export const OUTCOME_LOOKS: Record<Standing, { shape: Shape; text: string }> = {
  succeeded: { shape: "passed", text: "succeeded" },
  failed: { shape: "failed", text: "failed" },
  interrupted: { shape: "cancelled", text: "was stopped" },
  working: { shape: "running", text: "is under way" },
  held: { shape: "paused", text: "is not finished" },
};

export function outcomeOf({ outcome }: { outcome: Outcome | null }, run: RunStatus): Standing {
  return outcome ?? (run === "running" ? "working" : "held");
}
