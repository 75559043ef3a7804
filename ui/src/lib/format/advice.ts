import type { NextStep } from "$lib/backend/types";

import { asSentence } from "./text";

/** What can be told about what to do next: a fault, or something that doctor found. */
interface Advised {
  hint: string | null;
  next?: NextStep[];
}

/**
 * What to do next, in words: the hint, then one sentence of all steps. The command line renders the same steps as
 * commands. Empty when there is nothing to do.
 */
export function advice({ hint, next = [] }: Advised): string {
  const words = next.map(({ text }, index) => (index === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)));
  const last = words.pop();
  const steps = last === undefined ? "" : words.length === 0 ? last : `${words.join(", ")}, or ${last}`;
  return [hint ?? "", steps].filter(Boolean).map(asSentence).join(" ");
}
