import type { Fault, GateId, IterationId, TaskId, WindowContext } from "$lib/backend/types";

import { viewsIn } from "./manifest";
import { Navigation } from "./navigation.svelte";
import { parseRoute, type Route, ROUTE_SCHEME, type ViewId } from "./route";
import { isTyping } from "./shortcuts";

/** What lies over the window. There is at most one. */
export type Overlay =
  | { kind: "palette" }
  | { kind: "shortcuts" }
  | { kind: "trust" }
  | { kind: "new-project"; path: string }
  | { kind: "import"; what: "tasks" | "spec"; files?: string[] }
  | { kind: "preview" }
  | { kind: "cancel-run" };

/** Where a window is, and every way to go elsewhere in it. */
export abstract class Navigator {
  abstract readonly context: WindowContext;
  abstract readonly notify: { fault(fault: Fault): void };

  readonly nav: Navigation;
  overlay = $state.raw<Overlay | null>(null);

  constructor(home: Route) {
    this.nav = new Navigation(home);
  }

  /** Opens a page on the web. */
  protected abstract openPage(address: string): Promise<void>;

  get route(): Route {
    return this.nav.route;
  }

  get view(): ViewId {
    return this.route.view;
  }

  /** The task that is shown in full in the tasks. */
  get task(): TaskId | null {
    return this.route.view === "tasks" ? (this.route.id ?? null) : null;
  }

  /** The iteration whose page is shown instead of the list, and the tab of it that was chosen. */
  get iteration(): IterationId | null {
    return this.route.view === "iterations" ? (this.route.id ?? null) : null;
  }

  get iterationTab(): string | null {
    return this.route.view === "iterations" ? (this.route.tab ?? null) : null;
  }

  /** The gate that was chosen; none for the one that has waited longest. */
  get gate(): GateId | null {
    return this.route.view === "review" ? (this.route.id ?? null) : null;
  }

  /** The section of the settings that was asked for. */
  get section(): string | null {
    return this.route.view === "settings" ? (this.route.tab ?? null) : null;
  }

  /** Goes to a place in this window. */
  go(route: Route): void {
    if (route.view !== this.view) {
      leaveField();
    }
    this.nav.go(route);
    this.overlay = null;
  }

  back(): void {
    leaveField();
    this.nav.back();
  }

  forward(): void {
    leaveField();
    this.nav.forward();
  }

  /** Goes to the place that a text from outside of the page names. Says so when there is none. */
  goToText(text: string): void {
    const route = parseRoute(text);
    if (route === null || !this.has(route.view)) {
      this.notify.fault({
        code: "usage.invalid",
        kind: "usage",
        message: `there is no view \u201c${text}\u201d in this window`,
        hint: null,
        location: null,
      });
      return;
    }
    this.go(route);
  }

  /** Opens what a link in a text leads to: a place in this window, or a page on the web. */
  async openLink(address: string): Promise<void> {
    if (address.startsWith(ROUTE_SCHEME)) {
      this.goToText(address.slice(ROUTE_SCHEME.length));
    } else {
      await this.openPage(address);
    }
  }

  /** Whether this window has such a view. */
  has(view: ViewId): boolean {
    return viewsIn(this.context.kind).some(({ id }) => id === view);
  }

  /** Shows a view as it was left, or a section of it. One that is shown already goes back to its first page. */
  show(view: ViewId, tab: string | null = null): void {
    if (tab !== null) {
      this.go({ view, tab } as Route);
    } else {
      this.go(view === this.view || view === "settings" ? { view } : this.nav.last(view));
    }
  }

  /** Shows the page of an iteration. */
  showIteration(id: IterationId, tab: string | null = null): void {
    this.go({ view: "iterations", id, ...(tab === null ? {} : { tab }) });
  }

  /** Shows a gate, or the one that has waited longest. */
  showGate(id: GateId | null = null): void {
    this.go({ view: "review", ...(id === null ? {} : { id }) });
  }

  /** Shows a task in full. */
  showTask(id: TaskId): void {
    this.go({ view: "tasks", id });
  }
}

/** A field that is left writes what is in it. One that only vanishes with its view may not. */
function leaveField(): void {
  const field = document.activeElement;
  if (field instanceof HTMLElement && isTyping(field)) {
    field.blur();
  }
}
