import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type {
  Failure,
  Learning,
  LearningDraft,
  PatternMetrics,
  SolutionDetail,
  SolutionDraft,
} from "$lib/backend/types";

import { byTrust, searchPatterns, searchSolutions } from "./rules";
import { isMemoryTab, type MemoryTab } from "./texts";

/** Over how many days failures are counted. */
const DAYS = 30;
/** As many failures of a pattern as are read. */
const EXAMPLES = 20;

/** What is being written in a dialog. */
export type Editing =
  | { kind: "solution"; solution: SolutionDetail | null; pattern: string }
  | { kind: "learning"; learning: Learning | null; pattern: string | null };

/** What the view reads, what of it is chosen, and how it is changed. It outlives the view. */
export class MemoryState {
  readonly patterns: Resource<PatternMetrics[]>;
  readonly solutions: Resource<SolutionDetail[]>;
  readonly learnings: Resource<Learning[]>;
  readonly failures: Resource<Failure[]>;
  search = $state("");
  editing = $state.raw<Editing | null>(null);
  /** The solution in the Inspector beside the failures. */
  #solution = $state<number | null>(null);

  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    const { backend } = app;
    this.patterns = new Resource(() => backend.failurePatterns(DAYS));
    this.solutions = new Resource(() => backend.solutions());
    this.learnings = new Resource(() => backend.learnings(this.tab === "learnings" ? this.search.trim() : ""));
    this.failures = new Resource(async () =>
      this.pattern ? backend.failures(this.pattern.pattern, EXAMPLES) : Promise.resolve([]),
    );
  }

  get tab(): MemoryTab {
    const { route } = this.#app;
    return route.view === "memory" && isMemoryTab(route.tab) ? route.tab : "failures";
  }

  get chosen(): string | undefined {
    const { route } = this.#app;
    return route.view === "memory" ? route.id : undefined;
  }

  get shownPatterns(): PatternMetrics[] {
    return searchPatterns(this.patterns.data ?? [], this.tab === "failures" ? this.search : "");
  }

  get shownSolutions(): SolutionDetail[] {
    return searchSolutions(byTrust(this.solutions.data ?? []), this.tab === "solutions" ? this.search : "");
  }

  /** The pattern that is shown in full: the one chosen, else the first. */
  get pattern(): PatternMetrics | undefined {
    const patterns = this.shownPatterns;
    return patterns.find(({ pattern }) => this.tab === "failures" && pattern === this.chosen) ?? patterns[0];
  }

  /** The solutions of the pattern that is shown. */
  get solutionsOfPattern(): SolutionDetail[] {
    const { pattern } = this;
    return byTrust((this.solutions.data ?? []).filter((each) => each.pattern === pattern?.pattern));
  }

  get learningsOfPattern(): Learning[] {
    const { pattern } = this;
    return (this.learnings.data ?? []).filter((each) => each.pattern !== null && each.pattern === pattern?.pattern);
  }

  /** The solution in the Inspector: of the table the chosen one, beside a pattern the chosen one or its best. */
  get solution(): SolutionDetail | undefined {
    if (this.tab === "solutions") {
      return this.solutions.data?.find(({ id }) => String(id) === this.chosen);
    }
    const solutions = this.tab === "failures" ? this.solutionsOfPattern : [];
    return solutions.find(({ id }) => id === this.#solution) ?? solutions[0];
  }

  get learning(): Learning | undefined {
    return this.tab === "learnings" ? this.learnings.data?.find(({ id }) => String(id) === this.chosen) : undefined;
  }

  show(tab: MemoryTab, id?: string): void {
    const leaving = tab !== this.tab;
    this.#app.nav.replace({ view: "memory", tab, ...(id === undefined ? {} : { id }) });
    if (leaving) {
      this.search = "";
      void this.learnings.refresh();
    }
  }

  showPattern(pattern: string): void {
    this.#solution = null;
    this.show("failures", pattern);
  }

  showSolution(id: number): void {
    if (this.tab === "failures") {
      this.#solution = id;
    } else {
      this.show("solutions", String(id));
    }
  }

  refresh(): void {
    void this.patterns.refresh();
    void this.solutions.refresh();
    void this.learnings.refresh();
    if (this.failures.started) {
      void this.failures.refresh();
    }
  }

  /** Throws what the person has to know. */
  async saveSolution(id: number | null, draft: SolutionDraft): Promise<void> {
    const saved = await this.#app.backend.saveSolution(id, draft);
    await this.solutions.refresh();
    void this.patterns.refresh();
    if (id === null) {
      this.showSolution(saved.id);
    }
  }

  async saveLearning(id: number | null, draft: LearningDraft): Promise<void> {
    const saved = await this.#app.backend.saveLearning(id, draft);
    await this.learnings.refresh();
    if (id === null && this.tab === "learnings") {
      this.show("learnings", String(saved.id));
    }
  }

  /** Takes a solution out of use, which can be taken back at once. */
  async retire({ id, title, state }: SolutionDetail): Promise<void> {
    const retired = state !== "retired";
    const changed = await this.#app.attempt("retire_solution", () => this.#app.backend.retireSolution(id, retired));
    if (changed) {
      this.#app.notify.success(retired ? `Retired: ${title}` : `Back in use: ${title}`);
      await this.solutions.refresh();
    }
  }

  async refreshSolution(id: number): Promise<void> {
    if (await this.#app.attempt("refresh_solution", () => this.#app.backend.refreshSolution(id))) {
      await this.solutions.refresh();
    }
  }

  async removeLearning(id: number): Promise<void> {
    await this.#app.attempt("remove_learning", async () => {
      await this.#app.backend.removeLearning(id);
      this.show("learnings");
      await this.learnings.refresh();
    });
  }

  async exportSolutions(): Promise<void> {
    const path = await this.#app.attempt("export_solutions", () => this.#app.backend.exportSolutions());
    if (path) {
      this.#app.notify.success(`Written to ${path}`);
    }
  }

  async importSolutions(): Promise<void> {
    const count = await this.#app.attempt("import_solutions", () => this.#app.backend.importSolutions());
    if (typeof count === "number") {
      this.#app.notify.success(count === 1 ? "1 solution came in, on trial" : `${count} solutions came in, on trial`);
      this.refresh();
    }
  }
}

/** The window's state of this view. */
export const memoryOf = perWindow((app) => new MemoryState(app));
