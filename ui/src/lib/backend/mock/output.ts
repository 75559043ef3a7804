import type { OutputBackend } from "../output";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** Output in memory. */
export function createOutputMock({ guarded }: MockParts): OutputBackend {
  const missing = (): never => {
    throw refusal("run.not_found", "There is no such iteration.");
  };
  return {
    outputInfo: (target) => guarded("outputInfo", target, missing),
    outputPage: (target, filter, first, count) => guarded("outputPage", { target, filter, first, count }, missing),
    outputEntry: (target, n) => guarded("outputEntry", { target, n }, missing),
    searchOutput: (target, filter, text) => guarded("searchOutput", { target, filter, text }, missing),
    findError: (target, filter, from, backwards) =>
      guarded("findError", { target, filter, from, backwards }, () => null),
  };
}
