import { describe, expect, it } from "vitest";

import { fullTime, relativeTime } from "./time";

const NOW = Date.parse("2026-05-10T12:00:00Z");

describe("relativeTime", () => {
  it.each([
    ["2026-05-10T11:59:31Z", "just now"],
    ["2026-05-10T11:55:00Z", "5 minutes ago"],
    ["2026-05-10T09:00:00Z", "3 hours ago"],
    ["2026-05-09T11:00:00Z", "yesterday"],
    ["2026-05-06T12:00:00Z", "4 days ago"],
    ["2026-03-01T12:00:00Z", "2 months ago"],
    ["2024-05-01T12:00:00Z", "2 years ago"],
    ["2026-05-10T12:00:20Z", "just now"],
  ])("says %s as %s", (at, text) => {
    expect(relativeTime(at, NOW)).toBe(text);
  });

  it("shows what is not a time as it is", () => {
    expect(relativeTime("<b>soon</b>", NOW)).toBe("<b>soon</b>");
    expect(fullTime("soon")).toBe("soon");
  });

  it("writes a full time", () => {
    expect(fullTime("2026-05-10T12:00:00Z")).toContain("2026");
  });
});
