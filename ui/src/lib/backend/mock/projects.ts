import type { EventEnvelope, Overview, TrustFinding } from "../types";
import { fault } from "./faults";
import { HOSTILE_TEXTS } from "./hostile";
import type { Scenario } from "./scenarios";
import { sampleTasks, tasksFor } from "./task-data";
import { layOut, summariesOf } from "./task-graph";

const DIGEST = "5b1f0c8e2a74d96b3e0f7a1c9d2486e35f60b7c8a9d1e2f3046587b9cadbecfd";

function sampleActivity(): EventEnvelope[] {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const added = sampleTasks().map((item, index): EventEnvelope => ({
    v: 1,
    seq: index + 2,
    at: at(6),
    event: { type: "task.added", task: item.id, title: item.title },
  }));
  return [
    { v: 1, seq: 9, at: at(2), event: { type: "config.changed", key: "mode", value: '"review_each"', origin: "app" } },
    { v: 1, seq: 10, at: at(1), event: { type: "project.trusted", digest: DIGEST, origin: "app" } },
    { v: 1, seq: 1, at: at(6), event: { type: "project.created", name: "Tea timer", origin: "app", sample: true } },
    ...added,
  ].sort((left, right) => right.seq - left.seq) as EventEnvelope[];
}

/** A fresh sample project, trusted and with not started. */
function sampleOverview(): Overview {
  return {
    project: {
      name: "Tea timer",
      path: "/home/ada/Loopwright/tea-timer",
      sample: true,
      state_dir: "/home/ada/Loopwright/tea-timer/.git/loopwright",
      git: { branch: "main", head: "4f2c91e", detached: false, unborn: false, changed: 0, operation: null },
    },
    trust: {
      state: "trusted",
      digest: DIGEST,
      executables: [
        {
          kind: "check",
          name: "teas are well formed",
          command: 'git grep -nE "^[a-z ]+;[0-9]+;[0-9]+$" -- teas.txt',
          fingerprint: "dir=. timeout=1m success=0",
        },
        {
          kind: "check",
          name: "no markers left",
          command: "git diff --check HEAD",
          fingerprint: "dir=. timeout=1m success=0",
        },
        {
          kind: "agent",
          name: "rehearsal",
          command: "loopwright-rehearsal --scenario .loopwright/scenario.toml",
          fingerprint: "env=0 sha256=9c1d…e07a",
        },
        { kind: "git hook", name: "pre-commit", command: ".git/hooks/pre-commit", fingerprint: "sha256=ab10…77f3" },
      ],
      findings: [],
    },
    agent: {
      name: "rehearsal",
      label: "Rehearsal agent",
      scripted: true,
      program: "/usr/bin/loopwright-rehearsal",
      problem: null,
    },
    mode: "review_each",
    protected: [".github/**", "teas.lock"],
    checks: [
      { name: "teas are well formed", command: 'git grep -nE "^[a-z ]+;[0-9]+;[0-9]+$" -- teas.txt', required: true },
      { name: "no markers left", command: "git diff --check HEAD", required: true },
      { name: "manual mentions every option", command: "git grep -c -- --quiet MANUAL.md", required: false },
    ],
    spec_files: [
      { path: "SPEC.md", title: "Tea timer", exists: true },
      { path: "docs/teas.md", title: "The teas we know", exists: true },
    ],
    waves: [],
    tasks: [],
    activity: sampleActivity(),
    problems: [],
  };
}

function inProgress(): Overview {
  const base = sampleOverview();
  return {
    ...base,
    project: {
      ...base.project,
      git: { branch: "feat/steeping", head: "a81d003", detached: false, unborn: false, changed: 3, operation: null },
    },
  };
}

function empty(): Overview {
  return {
    ...sampleOverview(),
    project: {
      name: "notes",
      path: "/home/ada/code/notes",
      sample: false,
      state_dir: "/home/ada/code/notes/.loopwright/state",
      git: null,
    },
    trust: { state: "not_needed", digest: DIGEST, executables: [], findings: [] },
    agent: { name: null, label: "No agent chosen", scripted: false, program: null, problem: null },
    mode: "autonomous",
    protected: [],
    checks: [],
    spec_files: [],
    activity: [
      {
        v: 1,
        seq: 1,
        at: new Date().toISOString(),
        event: { type: "project.created", name: "notes", origin: "app", sample: false },
      },
    ],
  };
}

function untrusted(state: "untrusted" | "changed"): Overview {
  const base = sampleOverview();
  const findings: TrustFinding[] = [
    { kind: "git filter", detail: ".git/config sets filter.lfs.clean, which git would run when files are added" },
    { kind: "fsmonitor", detail: ".git/config sets core.fsmonitor to tools/watch.sh" },
    { kind: "agent config", detail: ".mcp.json starts a server: npx -y some-mcp-server" },
  ];
  return { ...base, trust: { ...base.trust, state, findings } };
}

function problems(): Overview {
  const base = inProgress();
  return {
    ...base,
    project: {
      ...base.project,
      git: { branch: null, head: "a81d003", detached: true, unborn: false, changed: 12, operation: "rebase" },
    },
    agent: {
      name: "claude",
      label: "Claude Code",
      scripted: false,
      program: null,
      problem: fault(
        "process.spawn",
        'The program "claude" was not found on this computer.',
        "Install it, or name its full path in Settings → Agent.",
      ),
    },
    spec_files: [
      { path: "SPEC.md", title: "Tea timer", exists: true },
      { path: "docs/roadmap.md", title: "docs/roadmap.md", exists: false },
    ],
    problems: [
      fault("config.unknown_key", 'Unknown key "harnes" in the configuration.', 'Did you mean "harness"?', {
        file: ".loopwright/config.toml",
        line: 12,
      }),
      fault(
        "git.failed",
        "A rebase is under way in this repository.",
        "Finish it with git rebase --continue or --abort, then come back.",
      ),
    ],
  };
}

function hostile(): Overview {
  const base = untrusted("untrusted");
  const text = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  return {
    ...base,
    project: {
      ...base.project,
      sample: false,
      name: text(0),
      path: `/home/ada/${text(1)}`,
      git: { branch: text(2), head: "0000000", detached: false, unborn: false, changed: 1, operation: null },
    },
    trust: {
      ...base.trust,
      executables: HOSTILE_TEXTS.map((command, index) => ({
        kind: "check",
        name: text(index),
        command,
        fingerprint: command,
      })),
      findings: HOSTILE_TEXTS.map((detail) => ({ kind: "agent config", detail })),
    },
    agent: { ...base.agent, label: text(1) },
    checks: HOSTILE_TEXTS.map((command, index) => ({ name: text(index + 1), command, required: true })),
    spec_files: HOSTILE_TEXTS.map((path) => ({ path, title: path, exists: true })),
    activity: HOSTILE_TEXTS.map((title, index) => ({
      v: 1,
      seq: HOSTILE_TEXTS.length - index,
      at: new Date().toISOString(),
      event: { type: "task.added", task: index + 1, title },
    })),
    problems: HOSTILE_TEXTS.map((message) => fault("internal", message, message, { file: message, line: 1 })),
  };
}

/** A project whose runs are the work of a real agent. */
function withRuns(): Overview {
  const base = sampleOverview();
  const agent = { name: "claude", label: "Claude Code", scripted: false, program: "/usr/bin/claude", problem: null };
  return { ...base, agent };
}

/** The overview each scenario begins with. */
export function overviewFor(scenario: Scenario): Overview {
  const tasks = tasksFor(scenario);
  return { ...projectFor(scenario), tasks, waves: summariesOf(layOut(tasks)) };
}

/** The same but for the tasks, which change by themselves. */
export function projectFor(scenario: Scenario): Overview {
  switch (scenario) {
    case "empty":
      return empty();
    case "untrusted":
    case "changed":
      return untrusted(scenario);
    case "problems":
      return problems();
    case "progress":
      return inProgress();
    case "hostile":
      return hostile();
    case "running":
    case "foreign":
    case "paused":
    case "waiting":
    case "fallback":
    case "denied":
    case "completed":
    case "aborted":
    case "exhausted":
    case "interrupted":
    case "tasks":
    case "review":
      return withRuns();
    default:
      return sampleOverview();
  }
}
