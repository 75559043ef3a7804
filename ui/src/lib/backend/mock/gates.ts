import type { GatesBackend } from "../gates";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** Gates in memory. */
export function createGatesMock(parts: MockParts): GatesBackend {
  const pending = (method: string) => (): Promise<never> =>
    parts.guarded(method, undefined, (): never => {
      throw refusal("internal", "this is not built yet");
    });
  return {
    gates: pending("gates"),
    gate: pending("gate"),
    decideGate: pending("decideGate"),
    commentGate: pending("commentGate"),
    uncommentGate: pending("uncommentGate"),
    revertWork: pending("revertWork"),
  };
}
