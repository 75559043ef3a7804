import type { ChecksBackend } from "../checks";
import type { Overview, CheckDraft, CheckResult, CheckRow, ChecksReport, CheckStatus, CheckUpdate } from "../types";

import { refusal } from "./faults";
import type { MockParts } from "./parts";
import { projectFor } from "./projects";
import type { Scenario } from "./scenarios";
import type { RunWorld } from "./run-data";

const BUILTINS: [string, string][] = [
  ["clean-tree", "nothing differs from the last commit"],
  ["placeholders", "no placeholder was added"],
  ["merge-markers", "no changed file holds merge markers"],
  ["spec-drift", "finished tasks and documents are what the spec says now"],
];
/** How long a check takes here. */
const PACE = 150;
const MOST_POINTS = 30;

const SUGGESTIONS = [
  { name: "test", command: "npm run test", source: "package.json", why: 'the script "test"' },
  { name: "lint", command: "npm run lint", source: "package.json", why: 'the script "lint"' },
  { name: "build", command: "make build", source: "Makefile", why: 'the target "build"' },
];

const FOUND: Pick<CheckResult, "issues" | "excerpt"> = {
  issues: [
    { severity: "error", file: "MANUAL.md", line: 12, message: "the option --quiet is not explained" },
    { severity: "error", file: "src/brew.sh", line: 48, message: "expected 4 minutes for black tea, found 3" },
    { severity: "warning", file: "teas.txt", line: null, message: "the list has no green tea" },
  ],
  excerpt: "checking MANUAL.md\nchecking src/brew.sh\n\n2 errors, 1 warning\n",
};

/** Checks in memory. */
export function createChecksMock(parts: MockParts): ChecksBackend & { listed: () => Overview["checks"] } {
  const { guarded, note, announce, overview, scenario, world } = parts;
  let rows = firstRows(scenario, world);
  let round: { stopped: boolean } | null = null;
  let declined = new Set<string>();

  const report = (): ChecksReport => ({
    checks: rows.map((row, position) => ({ ...row, position })),
    suggestions:
      scenario === "sample" || scenario === "empty"
        ? SUGGESTIONS.filter(({ command }) => rows.every((row) => row.draft.command !== command))
        : [],
    builtins: BUILTINS,
    parsers: ["text", "lines", "json", "regex"],
    trust: overview().trust.state,
    problems: overview().problems.filter((problem) => problem.code.startsWith("config.")),
  });

  const find = (name: string): CheckRow => {
    const row = rows.find(({ draft }) => draft.name === name);
    if (row === undefined) {
      throw refusal("usage.invalid", `there is no check called "${name}"`);
    }
    return row;
  };

  const changed = (key: string, value: string | null): ChecksReport => {
    note({ type: "config.changed", key: `checks.${key}`, value, origin: "app" });
    announce();
    return report();
  };

  /** The native question: a command with "decline" in it is answered with no, the first time. */
  const confirm = (draft: CheckDraft): void => {
    if (draft.command.includes("decline") && !declined.has(draft.command)) {
      declined = new Set([...declined, draft.command]);
      throw refusal("confirmation.declined", "Nothing was changed.");
    }
  };

  const refuseRound = (): void => {
    const { state } = overview().trust;
    if (state === "untrusted" || state === "changed") {
      throw refusal("trust.required", "this folder would execute commands that you have not trusted yet");
    }
    if (round !== null || running(world)) {
      throw refusal("run.locked", "checks are running already", "Wait for them, or stop them first.");
    }
  };

  async function runRound(names: string[], update: (update: CheckUpdate) => void): Promise<CheckResult[]> {
    const own = { stopped: false };
    round = own;
    const results: CheckResult[] = [];
    for (const row of rows.filter(({ draft }) => draft.enabled && (names.length === 0 || names.includes(draft.name)))) {
      if (!own.stopped) {
        update({ kind: "started", name: row.draft.name });
        await new Promise((resolve) => setTimeout(resolve, PACE));
      }
      const result = own.stopped ? resultOf(row.draft, "stopped") : outcomeOf(row.draft);
      results.push(result);
      keep(result);
      update({ kind: "ended", result });
    }
    round = null;
    return results;
  }

  function keep(result: CheckResult): void {
    if (result.status === "stopped") {
      return;
    }
    const at = new Date().toISOString();
    const point = { at, status: result.status, elapsed_ms: result.elapsed_ms, iteration: null };
    rows = rows.map((row) =>
      row.draft.name === result.name
        ? { ...row, last: { at, iteration: null, result }, trend: [...row.trend, point].slice(-MOST_POINTS) }
        : row,
    );
  }

  return {
    listed: () =>
      rows
        .filter(({ draft }) => draft.enabled)
        .map(({ draft: { name, required }, shown }) => ({ name, command: shown, required })),
    checks: () => guarded("checks", null, report),
    runChecks: async (names, update) => {
      await guarded("runChecks", names, () => {
        names.forEach(find);
        refuseRound();
      });
      return runRound(names, update);
    },
    stopChecks: () =>
      guarded("stopChecks", null, () => {
        if (round !== null) {
          round.stopped = true;
        }
      }),
    saveCheck: (old, draft) =>
      guarded("saveCheck", { old, draft }, () => {
        const before = old === null ? null : find(old);
        if (draft.name !== old && rows.some((row) => row.draft.name === draft.name)) {
          throw refusal("usage.invalid", `there is a check called "${draft.name}" already`, "Choose another name.");
        }
        if (draft.pattern?.includes("(((")) {
          throw refusal("config.bad_value", '"checks[1].pattern" is not a pattern: unclosed group');
        }
        if (draft.builtin === null && draft.command !== before?.draft.command) {
          confirm(draft);
        }
        const saved = rowOf(draft, before);
        rows = before === null ? [...rows, saved] : rows.map((row) => (row === before ? saved : row));
        return changed(draft.name, draft.builtin ?? draft.command);
      }),
    addSuggestedChecks: (names) =>
      guarded("addSuggestedChecks", names, () => {
        const added = SUGGESTIONS.filter(({ name }) => names.includes(name));
        rows = [...rows, ...added.map(({ name, command }) => rowOf(draftOf(name, command), null))];
        return changed(names.join(", "), null);
      }),
    removeCheck: (name) =>
      guarded("removeCheck", name, () => {
        const gone = find(name);
        rows = rows.filter((row) => row !== gone);
        return changed(name, null);
      }),
    enableCheck: (name, enabled) =>
      guarded("enableCheck", { name, enabled }, () => {
        const before = find(name);
        rows = rows.map((row) => (row === before ? { ...row, draft: { ...row.draft, enabled } } : row));
        return changed(`${name}.enabled`, String(enabled));
      }),
    moveCheck: (name, to) =>
      guarded("moveCheck", { name, to }, () => {
        const moved = find(name);
        rows = rows.filter((row) => row !== moved).toSpliced(to, 0, moved);
        return changed(`${name}.place`, String(to + 1));
      }),
  };
}

/** Whether a run is at work. */
function running(world: RunWorld): boolean {
  const status = world.runs.at(-1)?.summary.status;
  return status === "running" || status === "waiting";
}

function draftOf(name: string, command: string, more: Partial<CheckDraft> = {}): CheckDraft {
  return {
    name,
    command,
    builtin: null,
    required: true,
    enabled: true,
    edits: true,
    timeout: null,
    dir: null,
    parser: null,
    pattern: null,
    issues: null,
    ...more,
  };
}

function rowOf(draft: CheckDraft, before: CheckRow | null): CheckRow {
  const shown = BUILTINS.find(([name]) => name === draft.builtin)?.[1] ?? draft.command;
  const same = before !== null && before.draft.name === draft.name;
  return { draft, position: 0, shown, last: same ? before.last : null, trend: same ? before.trend : [] };
}

function resultOf(draft: CheckDraft, status: CheckStatus, more: Partial<CheckResult> = {}): CheckResult {
  return {
    name: draft.name,
    position: 0,
    required: draft.required,
    status,
    exit_code: status === "passed" ? 0 : null,
    elapsed_ms: 400 + draft.name.length * 90,
    issues: [],
    excerpt: "",
    problem: null,
    ...more,
  };
}

/** How a check goes when it is run: the optional ones find something, and a program without a folder is not there. */
function outcomeOf(draft: CheckDraft): CheckResult {
  if (draft.command.startsWith("missing")) {
    return resultOf(draft, "broken", { problem: `there is no program called "${draft.command.split(" ")[0]}"` });
  }
  return draft.required ? resultOf(draft, "passed") : resultOf(draft, "failed", { exit_code: 1, ...FOUND });
}

/** The project's checks with a past: the optional ones have failed now and then. */
function firstRows(scenario: Scenario, world: RunWorld): CheckRow[] {
  const drafts = projectFor(scenario).checks.map(({ name, command, required }) => draftOf(name, command, { required }));
  if (scenario === "sample") {
    drafts.push(draftOf("no placeholders", "", { builtin: "placeholders" }));
    drafts.push(draftOf("end to end", "npm run e2e -- --reporter=line", { enabled: false, timeout: "20m" }));
  }
  return drafts.map((draft, index) => past(rowOf(draft, null), index, world));
}

function past(row: CheckRow, index: number, world: RunWorld): CheckRow {
  const iteration =
    index === 0 ? (world.runs.at(-1)?.iterations.find(({ phase }) => phase === "settled")?.id ?? null) : null;
  const count = row.draft.enabled && row.draft.builtin === null ? 24 - index * 5 : 0;
  const now = Date.now();
  const trend = Array.from({ length: Math.max(0, count) }, (_, point) => {
    const failed = (point * 7 + index * 3) % (row.draft.required ? 11 : 4) === 0;
    const at = new Date(now - (count - point) * 47 * 60_000).toISOString();
    return { at, status: failed ? ("failed" as const) : ("passed" as const), elapsed_ms: 500 + point * 13, iteration };
  });
  const newest = trend.at(-1);
  if (newest === undefined) {
    return row;
  }
  const result =
    newest.status === "passed"
      ? resultOf(row.draft, "passed")
      : resultOf(row.draft, "failed", { exit_code: 1, ...FOUND });
  return { ...row, trend, last: { at: newest.at, iteration: newest.iteration, result } };
}
