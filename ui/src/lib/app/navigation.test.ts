import { describe, expect, it } from "vitest";

import { Navigation } from "./navigation.svelte";

describe("Navigation", () => {
  it("goes back and forth, and forgets what lay ahead when it goes elsewhere", () => {
    const nav = new Navigation({ view: "overview" });
    nav.go({ view: "tasks" });
    nav.go({ view: "tasks", id: 7 });
    nav.back();
    expect([nav.route, nav.canGoForward]).toEqual([{ view: "tasks" }, true]);
    nav.forward();
    nav.forward();
    expect(nav.route).toEqual({ view: "tasks", id: 7 });
    nav.back();
    nav.back();
    nav.back();
    expect([nav.route, nav.canGoBack]).toEqual([{ view: "overview" }, false]);
    nav.go({ view: "checks" });
    expect(nav.canGoForward).toBe(false);
  });

  it("makes no step of what is shown already, and none of a replacement", () => {
    const nav = new Navigation({ view: "overview" });
    nav.go({ view: "overview" });
    expect([nav.canGoBack, nav.visits]).toEqual([false, 1]);
    nav.go({ view: "iterations", id: "a" });
    nav.replace({ view: "iterations", id: "a", tab: "diff" });
    nav.back();
    expect(nav.route).toEqual({ view: "overview" });
    nav.forward();
    expect(nav.route).toEqual({ view: "iterations", id: "a", tab: "diff" });
  });

  it("knows where a view was left", () => {
    const nav = new Navigation({ view: "overview" });
    nav.go({ view: "tasks", id: 7 });
    nav.go({ view: "checks" });
    expect([nav.last("tasks"), nav.last("waves")]).toEqual([{ view: "tasks", id: 7 }, { view: "waves" }]);
    nav.leaveAt({ view: "tasks" });
    expect(nav.last("tasks")).toEqual({ view: "tasks" });
  });

  it("keeps as much as anybody goes back", () => {
    const nav = new Navigation({ view: "overview" });
    for (let id = 1; id <= 500; id++) {
      nav.go({ view: "tasks", id });
    }
    let steps = 0;
    for (; nav.canGoBack; steps++) {
      nav.back();
    }
    expect(steps).toBe(99);
  });
});
