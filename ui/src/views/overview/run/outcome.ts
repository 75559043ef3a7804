import CircleCheck from "@lucide/svelte/icons/circle-check";
import CircleDot from "@lucide/svelte/icons/circle-dot";
import CircleSlash from "@lucide/svelte/icons/circle-slash";
import CircleX from "@lucide/svelte/icons/circle-x";

import type { Outcome } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

/** How an iteration stands: as it ended, or still under way. */
export type Standing = Outcome | "working";

/** What each looks like and is called after "Iteration 3". */
export const OUTCOME_LOOKS: Record<Standing, { icon: IconType; text: string }> = {
  succeeded: { icon: CircleCheck, text: "succeeded" },
  failed: { icon: CircleX, text: "failed" },
  interrupted: { icon: CircleSlash, text: "was stopped" },
  working: { icon: CircleDot, text: "is under way" },
};

export function outcomeOf({ outcome }: { outcome: Outcome | null }): Standing {
  return outcome ?? "working";
}
