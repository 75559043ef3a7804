import type { ChecksBackend } from "../checks";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** Checks in memory. */
export function createChecksMock({ guarded }: MockParts): ChecksBackend {
  const missing = (): never => {
    throw refusal("usage.invalid", "There is no such check.");
  };
  return {
    checks: () =>
      guarded("checks", null, () => ({
        checks: [],
        suggestions: [],
        builtins: [],
        parsers: [],
        trust: "trusted",
        problems: [],
      })),
    runChecks: (names) => guarded("runChecks", names, () => []),
    stopChecks: () => guarded("stopChecks", null, () => undefined),
    saveCheck: (old, draft) => guarded("saveCheck", { old, draft }, missing),
    addSuggestedChecks: (names) => guarded("addSuggestedChecks", names, missing),
    removeCheck: (name) => guarded("removeCheck", name, missing),
    enableCheck: (name, enabled) => guarded("enableCheck", { name, enabled }, missing),
    moveCheck: (name, to) => guarded("moveCheck", { name, to }, missing),
  };
}
