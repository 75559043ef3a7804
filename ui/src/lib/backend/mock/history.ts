import type { HistoryBackend } from "../history";
import type {
  Comparison,
  EventEnvelope,
  FileDiff,
  Iteration,
  IterationColumn,
  IterationDetail,
  IterationId,
  IterationRow,
  IterationSort,
  RunId,
  TreeOf,
} from "../types";

import { changesFor, reportOf } from "./diff-data";
import { fault, refusal } from "./faults";
import { checksOf, tokensOf } from "./iteration-data";
import type { MockParts } from "./parts";
import { PROMPT } from "./run-data";

const OUTCOMES = ["succeeded", "failed", "interrupted"];

/** What a column is sorted by. What is not known is smaller than anything. */
const KEYS: Record<IterationColumn, (iteration: Iteration) => number> = {
  number: (each) => each.number * 1_000 + each.attempt,
  started: (each) => Date.parse(each.started_at),
  duration: (each) => each.elapsed_ms,
  exit: (each) => each.exit_code ?? each.exit_signal ?? -1,
  outcome: (each) => OUTCOMES.indexOf(each.outcome ?? ""),
  tokens: (each) => tokensOf(each.usage),
  cost: (each) => each.usage.cost_micros ?? -1,
};

/** An iteration as a line of a list. */
export function iterationRow(iteration: Iteration): IterationRow {
  const { id, number, attempt, phase, outcome, cause, message, started_at, elapsed_ms, usage } = iteration;
  const { exit_code, exit_signal, preview, commit, task } = iteration;
  // The mock's runs fail by one check, which the message names.
  const failed_checks = cause === "checks" ? [message?.split(": ").at(-1)?.replace(/\.$/, "") ?? ""] : [];
  const { harness = null, model = null } = iteration.agent;
  const estimated = usage.estimated ?? false;
  const cost_micros = usage.cost_micros ?? null;
  const told = {
    exit_code,
    exit_signal,
    tokens: tokensOf(usage),
    cost_micros,
    estimated,
    preview,
    commit,
    task,
    failed_checks,
  };
  return { id, number, attempt, phase, harness, model, outcome, cause, message, started_at, elapsed_ms, ...told };
}

function sorted(iterations: readonly Iteration[], { column, descending }: IterationSort): Iteration[] {
  const key = KEYS[column];
  const way = descending ? -1 : 1;
  return [...iterations].sort((left, right) => way * (key(left) - key(right) || (left.id < right.id ? -1 : 1)));
}

/** What was written down about an iteration of the past. */
function journalOf(iteration: Iteration): EventEnvelope[] {
  const { id, run, number, attempt, agent_ms, elapsed_ms, outcome, end, exit_code, message, commit } = iteration;
  const began = Date.parse(iteration.started_at);
  const happened: [number, EventEnvelope["event"]][] = [
    [0, { type: "iteration.started", run, iteration: id, number, task: iteration.task, attempt }],
    [40, { type: "iteration.phase", iteration: id, phase: "running" }],
  ];
  if (outcome !== null) {
    const strays = outcome === "interrupted" ? ["node server.js"] : [];
    happened.push([
      agent_ms,
      { type: "agent.ended", iteration: id, end: end ?? "exited", exit_code, elapsed_ms: agent_ms, strays },
    ]);
    let at = agent_ms;
    for (const check of checksOf(iteration)) {
      const { name, status, issues } = check;
      at += check.elapsed_ms;
      happened.push([
        at,
        { type: "check.ended", iteration: id, name, status, issues: issues.length, elapsed_ms: check.elapsed_ms },
      ]);
    }
    happened.push([
      elapsed_ms,
      { type: "iteration.settled", run, iteration: id, number, outcome, message, elapsed_ms, commit },
    ]);
  }
  return happened.map(([after, event], index) => ({
    v: 1,
    seq: number * 10 + index + 1,
    at: new Date(began + after).toISOString(),
    event,
  }));
}

/** Iterations in memory. */
export function createHistoryMock({ scenario, world, guarded, note, announce, journal }: MockParts): HistoryBackend {
  let restores = 0;
  const now = (): string => `tree-${restores}`;

  function known(id: IterationId): NonNullable<ReturnType<typeof world.iteration>> {
    const found = world.iteration(id);
    if (!found) {
      throw refusal("run.not_found", "There is no such iteration.", "It may have been removed with its run.");
    }
    return found;
  }

  function iterationsOf(run: RunId | null): Iteration[] {
    const found = run === null ? world.runs[0] : world.runs.find((each) => each.summary.id === run);
    if (!found && run !== null) {
      throw refusal("run.not_found", "There is no such run here.");
    }
    return found?.iterations ?? [];
  }

  /** Sorting very many takes long, and there the order does not change. */
  const orders = new Map<string, Iteration[]>();
  function ordered(run: RunId | null, sort: IterationSort): Iteration[] {
    const iterations = iterationsOf(run);
    if (iterations.length < 10_000) {
      return sorted(iterations, sort);
    }
    const key = JSON.stringify([run, sort]);
    const order = orders.get(key) ?? sorted(iterations, sort);
    orders.set(key, order);
    return order;
  }

  function detail(id: IterationId): IterationDetail {
    const { run, iteration } = known(id);
    const place = run.iterations.indexOf(iteration);
    const prompt = `# Iteration ${iteration.number + 1}\n\n${run.options.prompt ?? PROMPT}\n`;
    const text = scenario === "large" ? prompt.repeat(2_000) : prompt;
    const told = journal.filter(({ event }) => "iteration" in event && event.iteration === id);
    return {
      iteration,
      run: run.summary,
      previous: run.iterations[place - 1]?.id ?? null,
      next: run.iterations[place + 1]?.id ?? null,
      prompt: { text: text.slice(0, 200_000), bytes: text.length, cut: text.length > 200_000 },
      response: { text: iteration.preview, bytes: iteration.preview.length, cut: false },
      checks: checksOf(iteration),
      journal: told.length > 0 ? told : journalOf(iteration),
      no_tree: iteration.tree_after === null ? notSaved() : null,
    };
  }

  function notSaved(): ReturnType<typeof fault> {
    return fault(
      "tree.not_saved",
      "The tree after this iteration is not saved yet.",
      "Wait until the iteration is over, then look again.",
    );
  }

  function changes({ from, to }: Comparison): FileDiff[] {
    const [before, after] = [treeOf(from), treeOf(to)];
    if (before === after) {
      return [];
    }
    const all = changesFor(scenario);
    return from.iteration === to.iteration ? all : all.slice(0, Math.ceil(all.length / 2));
  }

  function treeOf({ iteration, side }: TreeOf): string {
    const { tree_before, tree_after } = known(iteration).iteration;
    const tree = side === "before" ? tree_before : tree_after;
    if (tree === null) {
      throw refusal("tree.not_saved", "The tree after this iteration is not saved yet.", "Wait until it is over.");
    }
    return tree;
  }

  function refuseWhileLive(): void {
    if (world.runs[0]?.summary.status === "running") {
      throw refusal("run.locked", "A run works on these files now.", "Pause or cancel it first.");
    }
  }

  function restore(
    expected: string,
    to: string,
  ): { safety: string; now: string; written: number; deleted: number; notes: string[] } {
    refuseWhileLive();
    if (expected !== now()) {
      throw refusal("restore.changed", "The files changed since you looked.", "Look at the new list, then decide.");
    }
    restores++;
    const safety = `5afe${restores.toString(16).padStart(36, "0")}`;
    note({ type: "tree.restored", to, safety, origin: "app" });
    announce();
    return { safety, now: now(), written: 5, deleted: 2, notes: [] };
  }

  return {
    iterations: (run, sort, offset, limit) =>
      guarded("iterations", { run, sort, offset, limit }, () => {
        const order = ordered(run, sort);
        return { total: order.length, rows: order.slice(offset, offset + Math.min(limit, 500)).map(iterationRow) };
      }),
    iteration: (id) => guarded("iteration", id, () => detail(id)),
    diffFiles: (comparison) => guarded("diffFiles", comparison, () => reportOf(changes(comparison))),
    diffFile: (comparison, path, context) =>
      guarded("diffFile", { comparison, path, context }, () => {
        const found = changes(comparison).find((each) => each.file.path === path);
        if (!found) {
          throw refusal("usage.invalid", `${path} does not differ.`);
        }
        return found;
      }),
    previewRestore: (tree) =>
      guarded("previewRestore", tree, () => {
        treeOf(tree);
        const nothing = restores > 0 && restores % 2 === 1;
        const files = changesFor(scenario).map((each) => each.file);
        const writes = files.filter((file) => file.status !== "added").map((file) => file.path);
        const deletes = files.filter((file) => file.status === "added").map((file) => file.path);
        return {
          now: now(),
          writes: nothing ? [] : writes.slice(0, 200),
          writes_total: nothing ? 0 : writes.length,
          deletes: nothing ? [] : deletes.slice(0, 200),
          deletes_total: nothing ? 0 : deletes.length,
          kept: nothing ? [] : [".env: not saved by git, stays as it is"],
        };
      }),
    restoreTree: (tree, expected) =>
      guarded("restoreTree", { tree, now: expected }, () => {
        const { iteration } = known(tree.iteration);
        return restore(expected, `${tree.side} iteration ${iteration.number + 1}`);
      }),
    undoRestore: (safety, expected) =>
      guarded("undoRestore", { safety, now: expected }, () => restore(expected, `what ${safety.slice(0, 8)} kept`)),
    openFile: (path, line) => guarded("openFile", { path, line }, () => undefined),
    openLink: (url) =>
      guarded("openLink", url, () => {
        if (!/^https?:/.test(url)) {
          throw refusal("usage.invalid", "Only links to the web are opened.");
        }
      }),
  };
}
