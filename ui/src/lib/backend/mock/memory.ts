import type { MemoryBackend } from "../memory";
import type { Learning, SolutionDetail, TrustReason } from "../types";

import { refusal } from "./faults";
import { amountOf, memoryData } from "./memory-data";
import { healthData, metricsData } from "./metrics-data";
import type { MockParts } from "./parts";

/** Failures, solutions, learnings, prompts and figures in memory. */
export function createMemoryMock({ scenario, guarded, announce }: MockParts): MemoryBackend {
  const amount = amountOf(scenario);
  const data = memoryData(amount);
  let { solutions, learnings } = data;

  function solution(id: number): SolutionDetail {
    const found = solutions.find((each) => each.id === id);
    if (!found) {
      throw refusal("solution.not_found", `there is no solution ${id}`);
    }
    return found;
  }

  function learning(id: number): Learning {
    const found = learnings.find((each) => each.id === id);
    if (!found) {
      throw refusal("learning.not_found", `there is no learning ${id}`);
    }
    return found;
  }

  function written(text: string, what: string): void {
    if (text.trim() === "") {
      throw refusal("usage.invalid", `${what} is empty`, "Write what it is.");
    }
  }

  function changed(old: SolutionDetail, reason: TrustReason, change: Partial<SolutionDetail>): SolutionDetail {
    const after = change.trust ?? old.trust;
    const entry = {
      at: new Date().toISOString(),
      reason,
      before: old.trust,
      after,
      iteration: null,
      number: null,
      note: "",
    };
    const next = { ...old, ...change, history: [entry, ...old.history] };
    solutions = solutions.map((each) => (each.id === old.id ? next : each));
    announce();
    return next;
  }

  return {
    failurePatterns: (days) => guarded("failurePatterns", days, () => data.patterns),
    failures: (pattern, limit) => guarded("failures", { pattern, limit }, () => data.failures(pattern).slice(0, limit)),
    solutions: () => guarded("solutions", null, () => solutions),
    solution: (id) => guarded("solution", id, () => solution(id)),
    saveSolution: (id, draft) =>
      guarded("saveSolution", { id, draft }, () => {
        written(draft.text, "the solution");
        if (data.patterns.every(({ pattern }) => pattern !== draft.pattern)) {
          throw refusal("pattern.not_found", `there is no pattern "${draft.pattern}"`);
        }
        if (id !== null) {
          return changed(solution(id), "edited", draft);
        }
        const at = new Date().toISOString();
        const made: SolutionDetail = {
          ...draft,
          id: Math.max(0, ...solutions.map((each) => each.id)) + 1,
          category: data.patterns.find(({ pattern }) => pattern === draft.pattern)?.category ?? "unknown",
          cause: "",
          trust: 0.3,
          state: "trial",
          origin: "person",
          provenance: null,
          task: null,
          iteration: null,
          created_at: at,
          validated_at: at,
          included: 0,
          helped: 0,
          failed: 0,
          resolved: 0,
          effect: { with: null, without: null, n: 0, n_without: 0 },
          effect_text: "not used yet",
          history: [{ at, reason: "added", before: null, after: 0.3, iteration: null, number: null, note: "" }],
        };
        solutions = [...solutions, made];
        announce();
        return made;
      }),
    retireSolution: (id, retired) =>
      guarded("retireSolution", { id, retired }, () =>
        changed(solution(id), retired ? "retired" : "restored", { state: retired ? "retired" : "trial" }),
      ),
    refreshSolution: (id) => guarded("refreshSolution", id, () => changed(solution(id), "refreshed", {})),
    exportSolutions: () => guarded("exportSolutions", null, () => "/home/ada/solutions.json"),
    importSolutions: () => guarded("importSolutions", null, () => 2),
    learnings: (search) =>
      guarded("learnings", search, () => {
        const words = search.toLowerCase().split(/\s+/).filter(Boolean);
        return learnings.filter(({ title, when, text }) => {
          const whole = `${title} ${when} ${text}`.toLowerCase();
          return words.every((word) => whole.includes(word));
        });
      }),
    saveLearning: (id, draft) =>
      guarded("saveLearning", { id, draft }, (): Learning => {
        written(draft.text, "the learning");
        const old = id === null ? null : learning(id);
        const saved: Learning = {
          ...(old ?? {
            id: Math.max(0, ...learnings.map((each) => each.id)) + 1,
            stack: null,
            origin: "person" as const,
            task: null,
            iteration: null,
            at: new Date().toISOString(),
            learned: 1,
            included: 0,
            passed: 0,
          }),
          ...draft,
          title: draft.title.trim() || draft.text.slice(0, 60),
        };
        learnings = old ? learnings.map((each) => (each.id === id ? saved : each)) : [saved, ...learnings];
        announce();
        return saved;
      }),
    removeLearning: (id) =>
      guarded("removeLearning", id, () => {
        const gone = learning(id);
        learnings = learnings.filter((each) => each !== gone);
        announce();
      }),
    metrics: (days) => guarded("metrics", days, () => metricsData(amount, data.patterns, days)),
    health: () => guarded("health", null, () => healthData(amount)),
    exportMetrics: (days, format) => guarded("exportMetrics", { days, format }, () => `/home/ada/metrics.${format}`),
  };
}
