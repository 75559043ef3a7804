import { describe, expect, it } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import { CONTRACT } from "./index";
import type { State } from "./suite";

const MOCKS: Record<State, Parameters<typeof createMockBackend>[0]> = {
  start: { scenario: "sample", window: "start" },
  sample: { scenario: "sample" },
  untrusted: { scenario: "untrusted" },
  review: { scenario: "review" },
};

describe("the mock keeps the contract", () => {
  it.each(CONTRACT)("$state: $name", ({ state, run }) => run(createMockBackend(MOCKS[state])));

  it("names each case once", () => {
    const names = CONTRACT.map(({ state, name }) => `${state}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});
