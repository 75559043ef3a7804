import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { HealthReport, Metrics } from "$lib/backend/types";

import { daysOf, type Range } from "./texts";

/** The figures of a window's project, and over which time. */
export class MetricsState {
  readonly metrics: Resource<Metrics>;
  readonly health: Resource<HealthReport>;
  range = $state<Range>("30");

  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.metrics = new Resource(() => app.backend.metrics(daysOf(this.range)));
    this.health = new Resource(() => app.backend.health());
  }

  choose(range: Range): void {
    this.range = range;
    void this.metrics.refresh();
  }

  refresh(): void {
    void this.metrics.refresh();
    void this.health.refresh();
  }

  async export(format: "csv" | "json"): Promise<void> {
    const path = await this.#app.attempt("export_metrics", () =>
      this.#app.backend.exportMetrics(daysOf(this.range), format),
    );
    if (path) {
      this.#app.notify.success(`Written to ${path}`);
    }
  }
}

/** The window's state of this view. */
export const metricsOf = perWindow((app) => new MetricsState(app));
