import type { RunBackend } from "../runs";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** Runs in memory. */
export function createRunsMock({ guarded }: MockParts): RunBackend {
  const missing = (): never => {
    throw refusal("run.not_found", "There is no such run here.");
  };
  return {
    runChoices: () => guarded("runChoices", null, missing),
    previewRun: (request) => guarded("previewRun", request, missing),
    startRun: (request) => guarded("startRun", request, missing),
    resumeRun: (run) => guarded("resumeRun", run, missing),
    askRun: (kind) => guarded("askRun", kind, missing),
    runState: (run) => guarded("runState", run, () => null),
    runs: (before, limit) => guarded("runs", { before, limit }, () => []),
    follow: (_after, batch) => {
      queueMicrotask(() => batch([{ kind: "state", state: null }]));
      return () => undefined;
    },
    closeWindow: (choice) => guarded("closeWindow", choice, () => undefined),
    closeAskedShown: () => guarded("closeAskedShown", null, () => undefined),
    onCloseAsked: () => () => undefined,
    onShowView: () => () => undefined,
  };
}
