import { expect, it } from "vitest";
import type { CheckResult } from "$lib/backend/types";
import { checksText } from "./words";

const result = (status: CheckResult["status"]) => ({ name: "tea", status, red_before: false }) as CheckResult;

it.each([
  [[], "none were run"],
  [[result("passed")], "1 of 1 passed"],
  [[result("passed"), result("passed")], "all 2 passed"],
  [[result("passed"), result("skipped")], "1 of 2 passed"],
  [[result("passed"), result("failed")], "tea failed"],
])("says in a few words how checks went: %#", (checks, words) => {
  expect(checksText(checks)).toBe(words);
});
