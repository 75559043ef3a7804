import type { Backend, Unsubscribe } from "./backend";
import { createAgentsMock } from "./mock/agents";
import { createChecksMock } from "./mock/checks";
import { fault, refusal } from "./mock/faults";
import { createGatesMock, type GateControls } from "./mock/gates";
import { GateWorld } from "./mock/gate-world";
import { createHistoryMock } from "./mock/history";
import { createImportMock } from "./mock/import";
import { MockLogs } from "./mock/logs";
import { createMemoryMock } from "./mock/memory";
import { createOutputMock } from "./mock/output";
import type { MockParts } from "./mock/parts";
import { MOCK_PROCESS } from "./mock/process";
import { projectFor } from "./mock/projects";
import { createPromptsMock } from "./mock/prompts";
import { RunWorld } from "./mock/run-data";
import { createRunsMock, type RunControls } from "./mock/runs";
import { type MockOptions } from "./mock/scenarios";
import { doctorFor, refuseSetting, settingsFor, valueOf, withChange } from "./mock/settings";
import { folderReport, startFor } from "./mock/start";
import { createSpecMock, type SpecControls } from "./mock/spec";
import { createTasksMock, type TaskControls } from "./mock/tasks";
import { TaskWorld } from "./mock/task-world";
import { createWizardMock, type WizardControls } from "./mock/wizard";
import type { EventEnvelope, Fault, Overview, OwnAgent, ProjectRef } from "./types";

export { optionsFromQuery, SCENARIOS, type MockOptions, type Scenario } from "./mock/scenarios";
export { HOSTILE_TEXTS } from "./mock/hostile";

/** What a test can do that a person could do outside the window. */
export interface MockControls {
  /** The project changed on disk. */
  changeProject(): void;
  /** The commands of the folder changed on disk, as after a pull; quietly when no event tells of it. */
  changeCommands(how?: { quietly: boolean }): void;
  chooseMenu(action: string): void;
  /** A second start of the app asked for something that cannot be done. */
  failToOpen(fault: Fault): void;
  /** What becomes of the run, and of the window around it. */
  readonly runs: RunControls;
  /** What others do to the tasks. */
  readonly tasks: TaskControls;
  /** What others do at gates, and to the files that gates show. */
  readonly gates: GateControls;
  /** What others do to the spec, and files that are dropped on the window. */
  readonly spec: SpecControls;
  /** What agents of plans do. */
  readonly wizard: WizardControls;
  /** What the newest iteration prints. */
  readonly output: Pick<MockLogs, "print">;
  /** Every call that was made, in order. */
  readonly calls: { method: string; argument: unknown }[];
}

export interface MockHooks {
  /** A project's window would open. */
  openWindow?: (project: ProjectRef) => void;
}

export type MockBackend = Backend & { readonly controls: MockControls };

/** A backend that lives in memory and behaves as the contract says, so that tests exercise real journeys. */
export function createMockBackend(options: Partial<MockOptions> = {}, hooks: MockHooks = {}): MockBackend {
  const { scenario = "sample", window = "project", delay = 0, probing = 0 } = options;
  const failing = scenario === "failing";
  const calls: MockControls["calls"] = [];
  const changed = new Set<() => void>();
  const menu = new Set<(action: string) => void>();
  const failures = new Set<(fault: Fault) => void>();
  let overview = projectFor(scenario);
  const tasks = new TaskWorld(scenario);
  const journal = [...overview.activity].reverse();
  const noted = new Set<(event: EventEnvelope) => void>();
  let start = startFor(scenario);
  let settings = settingsFor(scenario, window);
  const ownAgents: OwnAgent[] = [];

  async function answer<T>(method: string, argument: unknown, produce: () => T | Promise<T>): Promise<T> {
    calls.push({ method, argument });
    return produce();
  }

  function guarded<T>(method: string, argument: unknown, produce: () => T): Promise<T> {
    return answer(method, argument, async () => {
      if (delay > 0) {
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
      if (failing) {
        throw refusal(
          "store.read_only",
          "The state folder cannot be written.",
          "Check the permissions of the folder, then try again.",
        );
      }
      return produce();
    });
  }

  function note(event: EventEnvelope["event"]): EventEnvelope {
    const entry = { v: 1, seq: (journal.at(-1)?.seq ?? 0) + 1, at: new Date().toISOString(), event };
    journal.push(entry);
    overview = { ...overview, activity: [entry, ...overview.activity].slice(0, 20) };
    noted.forEach((callback) => callback(entry));
    return entry;
  }

  function whole(): Overview {
    return { ...overview, checks: listed(), tasks: tasks.list, waves: tasks.board.waves };
  }

  function announce(): void {
    changed.forEach((callback) => callback());
  }

  function subscribe<F>(listeners: Set<F>, callback: F): Unsubscribe {
    listeners.add(callback);
    return () => listeners.delete(callback);
  }

  function opened(project: ProjectRef): ProjectRef {
    hooks.openWindow?.(project);
    return project;
  }

  const world = new RunWorld(scenario);
  const gates = new GateWorld(scenario, world, tasks);
  const parts: MockParts = { scenario, world, tasks, gates, journal, noted, overview: whole, guarded, note, announce };
  const { listed, ...checkMock } = createChecksMock(parts);
  const logs = new MockLogs(world, scenario);
  const { runControls, machine, ...runs } = createRunsMock(parts, logs);
  const { gateControls, ...gateMock } = createGatesMock(parts, machine);
  const { taskControls, ...taskMock } = createTasksMock(parts);
  const { specControls, ...specMock } = createSpecMock(parts);
  const { wizardControls, ...wizardMock } = createWizardMock(parts, opened);

  return {
    ...runs,
    ...createOutputMock(parts, logs),
    ...createHistoryMock(parts),
    ...checkMock,
    ...taskMock,
    ...createImportMock(parts),
    ...specMock,
    ...wizardMock,
    ...gateMock,
    ...createMemoryMock(parts),
    ...createPromptsMock(parts),
    ...createAgentsMock(parts, probing, () => valueOf(settings, "default_harness"), ownAgents),
    windowStart: () => ({
      version: "0.1.0",
      platform: "linux",
      process: MOCK_PROCESS,
      context:
        window === "start"
          ? { kind: "start", problem: null }
          : { kind: "project", path: overview.project.path, name: overview.project.name },
    }),
    appInfo: () =>
      answer("appInfo", null, () => ({
        version: "0.1.0",
        platform: "linux",
        cli_version: scenario === "problems" ? null : "0.1.0",
      })),
    ready: () => answer("ready", null, () => undefined),
    enableMenu: (ids) => answer("enableMenu", ids, () => undefined),
    startPage: () => guarded("startPage", null, () => start),
    forgetRecent: (path) =>
      guarded("forgetRecent", path, () => {
        start = { ...start, recents: start.recents.filter((recent) => recent.path !== path) };
      }),
    chooseFolder: (purpose) =>
      guarded("chooseFolder", purpose, () => (purpose === "open" ? "/home/ada/code/heron" : "/home/ada/code/swift")),
    inspectFolder: (path) =>
      guarded("inspectFolder", path, () => {
        if (!path.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(path)) {
          throw refusal(
            "project.bad_folder",
            `"${path}" is not a full path.`,
            "Write the whole path, from the root of the disk.",
          );
        }
        return folderReport(path);
      }),
    createProject: (request) =>
      guarded("createProject", request, () => {
        if (request.path.includes("readonly")) {
          throw refusal(
            "io.failed",
            `The folder ${request.path} cannot be written.`,
            "Choose another folder or change its permissions.",
          );
        }
        return opened({ path: request.path, name: request.name });
      }),
    createSample: () =>
      guarded("createSample", null, () => {
        start = { ...start, sample_exists: true };
        return opened({ path: start.sample_path, name: "Tea timer" });
      }),
    openProject: (path) =>
      guarded("openProject", path, () => {
        const known = start.recents.find((recent) => recent.path === path);
        if (known?.exists === false || !folderReport(path).exists) {
          throw refusal(
            "project.bad_folder",
            `The folder ${path} is not there.`,
            "Connect the disk it is on, or forget the project.",
          );
        }
        return opened({ path, name: known?.name ?? folderReport(path).name });
      }),
    overview: () => guarded("overview", null, whole),
    trustProject: (digest) =>
      guarded("trustProject", digest, () => {
        if (digest !== overview.trust.digest) {
          throw refusal(
            "trust.changed",
            "What this folder would execute has changed since you looked.",
            "Read the new list, then decide.",
          );
        }
        overview = { ...overview, trust: { ...overview.trust, state: "trusted" } };
        note({ type: "project.trusted", digest, origin: "app" });
        announce();
        return whole();
      }),
    searchTasks: (text) =>
      guarded("searchTasks", text, () =>
        tasks.list
          .filter((task) => `${task.title} ${task.description}`.toLowerCase().includes(text.trim().toLowerCase()))
          .slice(0, 20)
          .map((task) => task.id),
      ),
    eventsSince: (seq, limit) =>
      guarded("eventsSince", { seq, limit }, () => journal.filter((item) => item.seq > seq).slice(0, limit)),
    revealProject: () => guarded("revealProject", null, () => undefined),
    settings: () => guarded("settings", null, () => settings),
    setSetting: (change) =>
      guarded("setSetting", change, () => {
        refuseSetting(settings, change);
        settings = withChange(settings, change.key, change.value, change.scope);
        note({ type: "config.changed", key: change.key, value: change.value, origin: "app" });
        announce();
        return settings;
      }),
    setAgentProgram: (change) =>
      guarded("setAgentProgram", change, () => {
        if (change.program.includes("decline")) {
          throw refusal("confirmation.declined", "Nothing was changed.");
        }
        settings = withChange(settings, `harness.${change.name}.command`, change.program.trim() || null, "user");
        announce();
        return settings;
      }),
    saveOwnAgent: (agent) =>
      guarded("saveOwnAgent", agent, () => {
        if (!agent.program.startsWith("/")) {
          throw refusal(
            "usage.invalid",
            `${agent.program} is not a full path`,
            "Give the full path of the agent's program.",
          );
        }
        ownAgents.push(agent);
        announce();
        return settings;
      }),
    doctor: () => guarded("doctor", null, () => doctorFor(scenario)),
    onProjectChanged: (callback) => subscribe(changed, callback),
    onMenuAction: (callback) => subscribe(menu, callback),
    onOpenFailed: (callback) => subscribe(failures, callback),
    controls: {
      calls,
      runs: runControls,
      tasks: taskControls,
      gates: gateControls,
      spec: specControls,
      wizard: wizardControls,
      output: logs,
      failToOpen: (fault) => failures.forEach((callback) => callback(fault)),
      chooseMenu: (action) => menu.forEach((callback) => callback(action)),
      changeProject: () => {
        overview = { ...overview, problems: [...overview.problems, fault("git.failed", "Changed from outside.")] };
        announce();
      },
      changeCommands: (how) => {
        const added = { kind: "check", name: "new check", command: "curl example.invalid", fingerprint: "dir=." };
        const trust = {
          ...overview.trust,
          state: "changed" as const,
          digest: "f".repeat(64),
          executables: [...overview.trust.executables, added],
        };
        overview = { ...overview, trust };
        if (!how?.quietly) {
          announce();
        }
      },
    },
  };
}
