import { describe, expect, it } from "vitest";

import { VIEWS, viewKeys, viewsIn } from "./manifest";
import { parseRoute, type Route, routeText, VIEW_IDS } from "./route";

describe("the text of a route", () => {
  it.each<[string, Route]>([
    ["overview", { view: "overview" }],
    ["tasks/7", { view: "tasks", id: 7 }],
    ["waves/12", { view: "waves", id: 12 }],
    ["iterations/01JB", { view: "iterations", id: "01JB" }],
    ["iterations/01JB/checks", { view: "iterations", id: "01JB", tab: "checks" }],
    ["iterations/01JB//01JC", { view: "iterations", id: "01JB", with: "01JC" }],
    ["review/3", { view: "review", id: 3 }],
    ["settings/agent", { view: "settings", tab: "agent" }],
    ["iterations/a%2Fb%20%25", { view: "iterations", id: "a/b %" }],
  ])("%s", (text, route) => {
    expect(parseRoute(text)).toEqual(route);
    expect(routeText(route)).toBe(text);
  });

  it("names a place, or is none", () => {
    const wrong = [
      "",
      "nowhere",
      "tasks/x",
      "tasks/0",
      "tasks/-1",
      "tasks/1e3",
      "tasks/7/8",
      "overview/1",
      "constructor",
    ];
    for (const text of [...wrong, "__proto__", "iterations/%E0%A4%A", "tasks/99999999999999999"]) {
      expect(parseRoute(text), text).toBeNull();
    }
    expect(parseRoute("tasks/")).toEqual({ view: "tasks" });
  });
});

describe("the manifest of views", () => {
  it("has each view that a route can lead to, once", () => {
    expect(VIEWS.map(({ id }) => id).toSorted()).toEqual(VIEW_IDS.toSorted());
    for (const kind of ["start", "project"] as const) {
      const actions = viewsIn(kind).map(({ action }) => action);
      expect(actions).toEqual([...new Set(actions)]);
    }
  });

  it("gives nine digits, then 0, then none", () => {
    const keys = Array.from({ length: 12 }, (_, place) =>
      viewKeys({}, place)
        .map(({ key }) => key)
        .join(),
    );
    expect(keys).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "", ""]);
    expect(viewKeys({ key: "," }, 11)).toEqual([{ key: ",", mod: true }]);
  });
});
