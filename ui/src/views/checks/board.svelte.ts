import { SvelteMap } from "svelte/reactivity";

import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import { faultOf } from "$lib/backend/backend";
import type { CheckDraft, CheckResult, CheckRow, ChecksReport, CheckUpdate, Fault } from "$lib/backend/types";

/** A round of checks under way. */
export interface Round {
  /** The checks of the round, in their order. */
  names: string[];
  /** The one that runs now, and since when. */
  current: { name: string; since: number } | null;
  stopping: boolean;
}

/** What a row shows while a round is under way. */
export type Stage = "idle" | "queued" | "running" | "done";

/**
 * The checks of a window's project and the round that runs. It outlives the view: a round goes on while another page is
 * shown.
 */
export class Board {
  readonly report: Resource<ChecksReport>;
  round = $state.raw<Round | null>(null);
  /** The check that is shown in full, by its name. */
  opened = $state<string | null>(null);
  /** Why the last round could not be begun or kept. */
  fault = $state.raw<Fault | null>(null);
  /** What came out of the round under way, and stays until the report has it. */
  readonly results = new SvelteMap<string, CheckResult>();

  /** The last suggested check that is being tried. */
  #tried: Promise<unknown> = Promise.resolve();
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.report = new Resource(() => app.backend.checks());
  }

  get rows(): CheckRow[] {
    return this.report.data?.checks ?? [];
  }

  stageOf(name: string): Stage {
    if (this.round?.current?.name === name) {
      return "running";
    }
    if (this.results.has(name)) {
      return "done";
    }
    return this.round?.names.includes(name) ? "queued" : "idle";
  }

  /** Runs these checks, or all that are switched on. Says whether every required one passed; `null` when none was run. */
  async run(names: string[]): Promise<boolean | null> {
    if (this.round !== null) {
      return null;
    }
    const enabled = this.rows.map((row) => row.draft).filter((draft) => draft.enabled);
    this.fault = null;
    this.results.clear();
    this.round = { names: names.length > 0 ? names : enabled.map(({ name }) => name), current: null, stopping: false };
    try {
      const results = await this.#app.backend.runChecks(names, (update) => this.#take(update));
      await this.report.refresh();
      return results.every((result) => !result.required || result.status === "passed");
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return null;
    } finally {
      this.round = null;
      this.results.clear();
    }
  }

  async stop(): Promise<void> {
    if (this.round !== null && !this.round.stopping) {
      this.round = { ...this.round, stopping: true };
      await this.#app.attempt("stop_checks", () => this.#app.backend.stopChecks());
    }
  }

  #take(update: CheckUpdate): void {
    if (this.round === null) {
      return;
    }
    if (update.kind === "started") {
      this.round = { ...this.round, current: { name: update.name, since: Date.now() } };
    } else if (update.kind === "ended") {
      this.results.set(update.result.name, update.result);
      this.round = { ...this.round, current: null };
    } else {
      this.fault = update.fault;
    }
  }

  /** Adds a check or changes one. Throws what the person has to know. */
  async save(old: string | null, draft: CheckDraft): Promise<void> {
    this.report.set(await this.#app.backend.saveCheck(old, draft));
  }

  async remove(name: string): Promise<void> {
    await this.#change(`remove ${name}`, () => this.#app.backend.removeCheck(name));
  }

  async enable(name: string, enabled: boolean): Promise<void> {
    await this.#change(`enable ${name}`, () => this.#app.backend.enableCheck(name, enabled));
  }

  /** Shows the new order at once; a refusal brings the earlier one back. */
  async move(name: string, to: number): Promise<void> {
    const before = this.report.data;
    const from = this.rows.findIndex((row) => row.draft.name === name);
    if (before === null || from < 0 || to < 0 || to >= this.rows.length || from === to) {
      return;
    }
    const checks = before.checks.toSpliced(from, 1).toSpliced(to, 0, ...before.checks.slice(from, from + 1));
    this.report.set({ ...before, checks: checks.map((row, position) => ({ ...row, position })) });
    if (!(await this.#change("move_check", () => this.#app.backend.moveCheck(name, to)))) {
      await this.report.refresh();
    }
  }

  /** Switches suggested checks on and tries each once, so that what fails already is known before a run. */
  async addSuggested(names: string[]): Promise<void> {
    await this.#change("add_suggested_checks", () => this.#app.backend.addSuggestedChecks(names));
    if (names.every((name) => this.rows.some((row) => row.draft.name === name))) {
      // One round at a time: what is switched on meanwhile is tried after it.
      this.#tried = this.#tried.then(() => this.run(names));
      await this.#tried;
    }
  }

  async #change(name: string, work: () => Promise<ChecksReport>): Promise<boolean> {
    const report = await this.#app.attempt(name, work);
    if (report === undefined) {
      return false;
    }
    this.report.set(report);
    return true;
  }
}

/** The board of a window. */
export const boardOf = perWindow((app) => new Board(app));
