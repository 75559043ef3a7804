import { waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";

import { timeUntil, whenText } from "$lib/format/time";

import { callsOf, openWindow, screen } from "../../testing/window";

const text = (id: string) => screen.getByTestId(id).textContent?.trim() ?? "";

afterEach(() => vi.useRealTimers());

describe("a run that waits for its agent's limit", () => {
  it("says who rests and why, and counts down to the time it goes on", async () => {
    await openWindow({ scenario: "waiting" });
    await screen.findByTestId("limit-banner");
    expect(text("limit-banner")).toContain("Claude has reached its usage limit");
    expect(text("limit-banner")).toContain("Waiting costs no attempt.");
    expect(text("limit-left")).toMatch(/^4[01] m \d\d s$/);
    expect(text("limit-when")).toMatch(/^at .*\d\d:\d\d$/);
    expect(screen.queryByTestId("ending")).toBeNull();
  });

  it("is right again at once when the machine wakes up", async () => {
    await openWindow({ scenario: "waiting" });
    await screen.findByTestId("limit-left");
    const later = Date.now() + 40 * 60_000;
    vi.spyOn(Date, "now").mockReturnValue(later);
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(text("limit-left")).toMatch(/^(\d+ s|1 m 00 s)$/));
    vi.spyOn(Date, "now").mockReturnValue(later + 5 * 60_000);
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(text("limit-banner")).toContain("Checking whether it can continue"));
    vi.restoreAllMocks();
  });

  it("is resumed at once when a person asks for it", async () => {
    const { backend, user } = await openWindow({ scenario: "waiting" });
    await user.click(await screen.findByTestId("limit-resume"));
    await waitFor(() => expect(screen.queryByTestId("limit-banner")).toBeNull());
    expect(callsOf(backend, "resumeRun")).toHaveLength(1);
  });

  it("is stopped without being ended, and then goes on only when asked", async () => {
    const { backend, user } = await openWindow({ scenario: "waiting" });
    await user.click(await screen.findByTestId("limit-stop"));
    await waitFor(() => expect(screen.getByTestId("run").dataset.status).toBe("paused"));
    expect(callsOf(backend, "askRun")).toEqual(["pause"]);
    expect(screen.queryByTestId("limit-banner")).toBeNull();
    expect(text("ending")).toContain("Nothing happens until you resume");
  });

  it("is told in one line wherever else one looks", async () => {
    const { user } = await openWindow({ scenario: "waiting" });
    await screen.findByTestId("limit-banner");
    expect(screen.queryByTestId("limit-strip")).toBeNull();
    await user.click(screen.getByTestId("nav-tasks"));
    expect(text("limit-strip")).toContain("Goes on by itself in");
    await user.click(screen.getByTestId("strip-resume"));
    await waitFor(() => expect(screen.queryByTestId("limit-strip")).toBeNull());
  });

  it("works on with another agent while one rests, and says both", async () => {
    await openWindow({ scenario: "fallback" });
    await waitFor(() =>
      expect(text("run-rests")).toMatch(/^Claude is at its limit until .*\d\d:\d\d; Codex is working$/),
    );
    expect(text("iteration-usage")).toContain("Codex · gpt-5.1-codex");
    expect(text("iteration-usage")).toContain("about $");
    expect(screen.queryByTestId("limit-banner")).toBeNull();
  });
});

describe("times to come", () => {
  it("are counted in whole seconds until they are there", () => {
    const now = Date.parse("2026-11-16T12:00:00Z");
    const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
    expect([8, 61, 3_599, 7_500, 90_000].map((seconds) => timeUntil(at(seconds), now))).toEqual([
      "8 s",
      "1 m 01 s",
      "59 m 59 s",
      "2 h 05 m",
      "1 d 1 h",
    ]);
    expect([timeUntil(at(0), now), timeUntil(null, now), timeUntil("soon", now)]).toEqual([null, null, null]);
    expect(whenText(at(60), now)).toMatch(/^\d\d:\d\d$/);
    expect(whenText(at(90_000), now)).toMatch(/^\w{3} \d\d:\d\d$/);
  });
});
