import { type Route, sameRoute, type ViewId } from "./route";

/** As far back as anybody goes. */
const KEPT = 100;

/** Where a window is, and where it was: the one navigation state. */
export class Navigation {
  /** Grows with every wish to be somewhere, also where the window is already. */
  visits = $state(0);

  #entries = $state.raw<readonly Route[]>([]);
  #at = $state(0);
  readonly #home: Route;
  /** Where each view was left. */
  readonly #left: Partial<Record<ViewId, Route>> = {};

  constructor(home: Route) {
    this.#home = home;
    this.#entries = [home];
  }

  get route(): Route {
    return this.#entries[this.#at] ?? this.#home;
  }

  get canGoBack(): boolean {
    return this.#at > 0;
  }

  get canGoForward(): boolean {
    return this.#at < this.#entries.length - 1;
  }

  /** Goes to a place. What lay ahead in the history is forgotten. */
  go(route: Route): void {
    this.#leave();
    if (!sameRoute(route, this.route)) {
      const entries = [...this.#entries.slice(0, this.#at + 1), route].slice(-KEPT);
      this.#entries = entries;
      this.#at = entries.length - 1;
    }
    this.visits++;
  }

  /** Shows something else of the same place, which is no step of its own on the way back. */
  replace(route: Route): void {
    this.#leave();
    this.#entries = this.#entries.with(this.#at, route);
  }

  back(): void {
    this.#step(-1);
  }

  forward(): void {
    this.#step(1);
  }

  /** Where a view was when it was left; its first page when it was never shown. */
  last(view: ViewId): Route {
    return this.#left[view] ?? { view };
  }

  /** A view that is not shown now begins here when it is shown again. */
  leaveAt(route: Route): void {
    this.#left[route.view] = route;
  }

  #step(by: 1 | -1): void {
    if (by < 0 ? this.canGoBack : this.canGoForward) {
      this.#leave();
      this.#at += by;
      this.visits++;
    }
  }

  #leave(): void {
    this.#left[this.route.view] = this.route;
  }
}
