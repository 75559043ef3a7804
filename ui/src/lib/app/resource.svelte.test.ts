import { describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import { fault } from "$lib/backend/mock/faults";

import { Resource } from "./resource.svelte";

/** A load whose answers the test gives one by one. */
function manual() {
  const waiting: { resolve: (value: string) => void; reject: (error: unknown) => void }[] = [];
  const load = vi.fn(() => new Promise<string>((resolve, reject) => waiting.push({ resolve, reject })));
  return { load, waiting };
}

describe("Resource", () => {
  it("holds what was fetched", async () => {
    const resource = new Resource(() => Promise.resolve("first"));
    expect(resource.started).toBe(false);
    await resource.refresh();
    expect([resource.data, resource.fault, resource.loading]).toEqual(["first", null, false]);
  });

  it("keeps the data and shows the fault when a later fetch fails, and recovers", async () => {
    const answers: (string | Error)[] = ["good", new BackendError(fault("store.busy", "Busy.")), "better"];
    const resource = new Resource(async () => {
      const answer = answers.shift();
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    });
    await resource.refresh();
    await resource.refresh();
    expect([resource.data, resource.fault?.code]).toEqual(["good", "store.busy"]);
    await resource.refresh();
    expect([resource.data, resource.fault]).toEqual(["better", null]);
  });

  it("answers a burst of requests with one more fetch", async () => {
    const { load, waiting } = manual();
    const resource = new Resource(load);
    const done = resource.refresh();
    void resource.refresh();
    void resource.refresh();
    void resource.refresh();
    waiting[0]?.resolve("old");
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    waiting[1]?.resolve("new");
    await done;
    expect([resource.data, load.mock.calls.length, resource.loading]).toEqual(["new", 2, false]);
  });

  it("is not done for whoever asked meanwhile before what they asked for is there", async () => {
    const { load, waiting } = manual();
    const resource = new Resource(load);
    void resource.refresh();
    const read = resource.refresh().then(() => resource.data);
    waiting[0]?.resolve("from before");
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    waiting[1]?.resolve("new");
    expect(await read).toBe("new");
  });

  it("never lets an older answer replace what was set meanwhile", async () => {
    const { load, waiting } = manual();
    const resource = new Resource(load);
    const done = resource.refresh();
    resource.set("set by a command");
    waiting[0]?.resolve("older");
    await done;
    expect(resource.data).toBe("set by a command");
  });

  it("calls a defect a defect", async () => {
    const resource = new Resource(() => Promise.reject(new TypeError("x is undefined")));
    await resource.refresh();
    expect(resource.fault).toMatchObject({ code: "internal" });
    expect(resource.fault?.message).toContain("x is undefined");
  });
});
