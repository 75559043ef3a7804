import { describe, expect, it } from "vitest";

import { createMockBackend, optionsFromQuery, SCENARIOS } from "./mock";
import { mockTask } from "./mock/task-data";
import { layOut, summariesOf } from "./mock/task-graph";

describe("optionsFromQuery", () => {
  it("reads scenario and window and falls back on what it does not know", () => {
    expect(optionsFromQuery("?scenario=problems&window=project")).toMatchObject({
      scenario: "problems",
      window: "project",
    });
    expect(optionsFromQuery("?scenario=nonsense&delay=soon")).toEqual({
      scenario: "sample",
      window: "start",
      delay: 0,
      probing: 700,
    });
  });
});

describe("the mock", () => {
  it.each(SCENARIOS.filter((name) => name !== "failing" && name !== "slow"))(
    "plays %s by the contract",
    async (scenario) => {
      const backend = createMockBackend({ scenario });
      const overview = await backend.overview();
      expect(overview.waves.flatMap((wave) => wave.tasks).sort()).toEqual(
        overview.tasks
          .filter(({ status }) => status !== "cancelled")
          .map((task) => task.id)
          .sort(),
      );
      expect(overview.activity.length).toBeLessThanOrEqual(20);
      expect(overview.activity.map((event) => event.seq)).toEqual(
        overview.activity.map((event) => event.seq).sort((left, right) => right - left || 0),
      );
      expect(overview.trust.executables.length === 0).toBe(overview.trust.state === "not_needed");
    },
  );

  it("trusts only what was shown", async () => {
    const backend = createMockBackend({ scenario: "untrusted" });
    const { digest } = (await backend.overview()).trust;
    backend.controls.changeCommands();
    await expect(backend.trustProject(digest)).rejects.toMatchObject({ fault: { code: "trust.changed" } });
    const now = (await backend.overview()).trust.digest;
    expect((await backend.trustProject(now)).trust.state).toBe("trusted");
  });

  it("lays waves out by dependencies", () => {
    const task = (id: number, depends_on: number[]) => mockTask(id, "", { depends_on });
    const layout = layOut([task(1, []), task(2, [1]), task(3, [1, 99]), task(4, [2, 3])]);
    expect(summariesOf(layout).map((wave) => wave.tasks)).toEqual([[1], [2, 3], [4]]);
  });
});
