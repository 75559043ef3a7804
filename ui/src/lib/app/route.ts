import type { GateId, IterationId, SectionId, TaskId, WizardId } from "$lib/backend/types";

/** A place in a window: a view, and what of it is shown. Everything that can be linked to is a route. */
export type Route =
  | { view: "start" }
  | { view: "overview" }
  | { view: "waves"; id?: TaskId }
  /** The list with a task in full, or that task's next prompt: the tab `prompt`. */
  | { view: "tasks"; id?: TaskId; tab?: string }
  /** The list, the page of one iteration, or that of two compared, the older first. */
  | { view: "iterations"; id?: IterationId; tab?: string; with?: IterationId }
  | { view: "review"; id?: GateId }
  /** All of it, or one section. */
  | { view: "spec"; id?: SectionId }
  | { view: "checks" }
  /** Failures by their pattern, solutions or learnings, and which of them: a pattern's name, or a number. */
  | { view: "memory"; tab?: string; id?: string }
  | { view: "metrics" }
  | { view: "settings"; tab?: string }
  /** A plan that is made, or the page that begins one. */
  | { view: "wizard"; id?: WizardId };

export type ViewId = Route["view"];

/** What an address begins with that leads to a place in the window. */
export const ROUTE_SCHEME = "loopwright:";

type Part = "id" | "tab" | "with";
/** A number, any name, or one of these words. */
type Kind = "number" | "name" | readonly string[];

/** What may follow a view's name in the text of a route, in this order. */
const PARTS: Record<ViewId, [Part, Kind][]> = {
  start: [],
  overview: [],
  waves: [["id", "number"]],
  tasks: [
    ["id", "number"],
    ["tab", ["prompt"]],
  ],
  iterations: [
    ["id", "name"],
    ["tab", "name"],
    ["with", "name"],
  ],
  review: [["id", "number"]],
  spec: [["id", "number"]],
  checks: [],
  memory: [
    ["tab", "name"],
    ["id", "name"],
  ],
  metrics: [],
  settings: [["tab", "name"]],
  wizard: [["id", "name"]],
};

export const VIEW_IDS = Object.keys(PARTS) as ViewId[];

export function isViewId(text: string): text is ViewId {
  return Object.hasOwn(PARTS, text);
}

/** The route as text: `tasks/7`, `iterations/ID/checks`. A part that is left out before another is empty. */
export function routeText(route: Route): string {
  const values = route as Partial<Record<Part, string | number>>;
  const parts = PARTS[route.view].map(([part]) => encodeURIComponent(values[part] ?? ""));
  return [route.view, ...parts].join("/").replace(/\/+$/, "");
}

/** Reads the text of a route; `null` when it names no place. */
export function parseRoute(text: string): Route | null {
  const [view = "", ...texts] = text.split("/");
  if (!isViewId(view) || texts.length > PARTS[view].length) {
    return null;
  }
  const route: Record<string, string | number> = { view };
  for (const [index, given] of texts.entries()) {
    const [part, kind] = PARTS[view][index] ?? ["id", "name"];
    const value = given === "" ? undefined : read(given, kind);
    if (value === null) {
      return null;
    }
    if (value !== undefined) {
      route[part] = value;
    }
  }
  return route as Route;
}

function read(text: string, kind: Kind): string | number | null {
  if (kind === "number") {
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  }
  if (kind !== "name") {
    return kind.includes(text) ? text : null;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function sameRoute(left: Route, right: Route): boolean {
  return routeText(left) === routeText(right);
}
