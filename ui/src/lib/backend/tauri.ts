import { Channel } from "@tauri-apps/api/core";
import { getCurrentWebviewWindow } from "@tauri-apps/api/webviewWindow";

import { type Backend, BackendError, type Unsubscribe } from "./backend";
import { commands, events } from "./bindings";
import type { ChecksBackend } from "./checks";
import type { GatesBackend } from "./gates";
import type { HistoryBackend } from "./history";
import type { ImportBackend } from "./import";
import type { MemoryBackend } from "./memory";
import type { OutputBackend } from "./output";
import type { PromptBackend } from "./prompt";
import type { RunBackend } from "./runs";
import type { SpecBackend } from "./spec";
import type { TasksBackend } from "./tasks";
import type { WizardBackend } from "./wizard";
import type { CheckUpdate, Fault, RunUpdate, Whole, WindowStart, WizardUpdate } from "./types";

declare global {
  interface Window {
    /** Set by the shell before any script of the page runs. */
    __LOOPWRIGHT_WINDOW__?: WindowStart;
  }
}

type Data<A> = A extends { status: "ok"; data: infer T } ? T : A extends { status: "error" } ? never : A;

/** The data of a command's answer; a refusal becomes a {@link BackendError}. Commands that cannot fail answer plainly. */
export async function unwrap<A>(answer: Promise<A>): Promise<Data<A>> {
  const result: unknown = await answer;
  if (typeof result === "object" && result !== null && "status" in result) {
    if (result.status === "error" && "error" in result) {
      throw new BackendError(result.error as Fault);
    }
    if (result.status === "ok" && "data" in result) {
      return result.data as Data<A>;
    }
  }
  return result as Data<A>;
}

/** Turns Tauri's promise of an unsubscribe function into one that can be called at once. */
export function subscription(listening: Promise<Unsubscribe>): Unsubscribe {
  let ended = false;
  let stop: Unsubscribe | undefined;
  void listening.then((unlisten) => {
    if (ended) {
      unlisten();
    } else {
      stop = unlisten;
    }
  });
  return () => {
    ended = true;
    stop?.();
  };
}

function handedOver(): WindowStart {
  if (window.__LOOPWRIGHT_WINDOW__ === undefined) {
    throw new Error("the page was opened outside of the app");
  }
  return window.__LOOPWRIGHT_WINDOW__;
}

type Here = ReturnType<typeof getCurrentWebviewWindow>;

function runs(here: Here): RunBackend {
  return {
    runChoices: () => unwrap(commands.runChoices()),
    previewRun: (request) => unwrap(commands.previewRun(request)),
    startRun: (request) => unwrap(commands.startRun(request)),
    resumeRun: (run) => unwrap(commands.resumeRun(run)),
    askRun: (kind) => unwrap(commands.askRun(kind)),
    runState: (run) => unwrap(commands.runState(run)),
    runs: (before, limit) => unwrap(commands.runs(before, limit)),
    follow: (after, batch, failed) => {
      let ended = false;
      const channel = new Channel<RunUpdate[]>((updates) => {
        if (!ended) {
          batch(updates);
        }
      });
      unwrap(commands.follow(after, channel)).catch((thrown: unknown) => {
        if (!ended) {
          failed(thrown);
        }
      });
      return () => (ended = true);
    },
    closeWindow: async (choice) => void (await unwrap(commands.closeWindow(choice))),
    closeAskedShown: async () => void (await unwrap(commands.closeAskedShown())),
    onCloseAsked: (callback) => subscription(events.closeAsked(here).listen((event) => callback(event.payload))),
    onShowView: (callback) => subscription(events.showView(here).listen((event) => callback(event.payload.view))),
  };
}

const output: OutputBackend = {
  outputInfo: (target) => unwrap(commands.outputInfo(target)),
  outputPage: (target, filter, first, count) => unwrap(commands.outputPage(target, filter, first, count)),
  outputEntry: (target, n) => unwrap(commands.outputEntry(target, n)),
  searchOutput: (target, filter, text) => unwrap(commands.searchOutput(target, filter, text)),
  findError: (target, filter, from, backwards) => unwrap(commands.findError(target, filter, from, backwards)),
};

const history: HistoryBackend = {
  iterations: (run, sort, offset, limit) => unwrap(commands.iterations(run, sort, offset, limit)),
  iteration: (id) => unwrap(commands.iteration(id)),
  diffFiles: (comparison) => unwrap(commands.diffFiles(comparison)),
  diffFile: (comparison, path, context) => unwrap(commands.diffFile(comparison, path, context)),
  previewRestore: (tree) => unwrap(commands.previewRestore(tree)),
  restoreTree: (tree, now) => unwrap(commands.restoreTree(tree, now)),
  undoRestore: (safety, now) => unwrap(commands.undoRestore(safety, now)),
  openFile: async (path, line) => void (await unwrap(commands.openFile(path, line))),
  openLink: async (url) => void (await unwrap(commands.openLink(url))),
};

const checks: ChecksBackend = {
  checks: () => unwrap(commands.checks()),
  runChecks: (names, update) => unwrap(commands.runChecks(names, new Channel<CheckUpdate>(update))),
  stopChecks: async () => void (await unwrap(commands.stopChecks())),
  saveCheck: (old, draft) => unwrap(commands.saveCheck(old, draft)),
  addSuggestedChecks: (names) => unwrap(commands.addSuggestedChecks(names)),
  removeCheck: (name) => unwrap(commands.removeCheck(name)),
  enableCheck: (name, enabled) => unwrap(commands.enableCheck(name, enabled)),
  moveCheck: (name, to) => unwrap(commands.moveCheck(name, to)),
};

const tasks: TasksBackend = {
  taskBoard: () => unwrap(commands.taskBoard()),
  task: (id) => unwrap(commands.task(id)),
  addTask: (draft) => unwrap(commands.addTask(draft)),
  editTask: (id, seen, draft) => unwrap(commands.editTask(id, seen, draft)),
  editTasks: (ids, edit) => unwrap(commands.editTasks(ids, edit)),
  moveTasks: (ids, to) => unwrap(commands.moveTasks(ids, to)),
  placeTask: (id, before) => unwrap(commands.placeTask(id, before)),
  beginTask: (id) => unwrap(commands.beginTask(id)),
  finishTask: (summary) => unwrap(commands.finishTask(summary)),
  giveUpTask: () => unwrap(commands.giveUpTask()),
  sections: () => unwrap(commands.sections()),
};

const imports: ImportBackend = {
  chooseFiles: (purpose) => unwrap(commands.chooseFiles(purpose)),
  importTasks: (request) => unwrap(commands.importTasks(request)),
  importSpec: (request) => unwrap(commands.importSpec(request)),
};

function spec(here: Here): SpecBackend {
  return {
    specView: () => unwrap(commands.specView()),
    specSection: (id) => unwrap(commands.specSection(id)),
    sectionHistory: (id) => unwrap(commands.sectionHistory(id)),
    searchSpec: (text) => unwrap(commands.searchSpec(text)),
    judgeSection: (id, content) => unwrap(commands.judgeSection(id, content)),
    saveSection: (id, seen, text) => unwrap(commands.saveSection(id, seen, text)),
    addSection: (section) => unwrap(commands.addSection(section)),
    removeSections: (ids) => unwrap(commands.removeSections(ids)),
    acceptTasks: async (ids) => void (await unwrap(commands.acceptTasks(ids))),
    putTerm: (term) => unwrap(commands.putTerm(term)),
    removeTerm: async (name) => void (await unwrap(commands.removeTerm(name))),
    onFilesDropped: (callback) =>
      subscription(events.filesDropped(here).listen((event) => callback(event.payload.paths))),
    onFilesOver: (callback) => subscription(events.filesOver(here).listen((event) => callback(event.payload.over))),
  };
}

/** An answer that leaves nothing out. */
function whole<A>(answer: Promise<A>): Promise<Whole<Data<A>>> {
  return unwrap(answer) as Promise<Whole<Data<A>>>;
}

function told(
  update: (update: WizardUpdate) => void,
): Channel<Parameters<typeof commands.runWizardPhase>[3] extends Channel<infer Sent> ? Sent : never> {
  return new Channel((sent) => update(sent as WizardUpdate));
}

const wizard: WizardBackend = {
  wizardShapes: () => unwrap(commands.wizardShapes()),
  wizardTemplates: () => unwrap(commands.wizardTemplates()),
  wizards: () => unwrap(commands.wizards()),
  wizard: (id) => whole(commands.wizard(id)),
  newWizard: (start) => whole(commands.newWizard(start)),
  editWizard: (id, edit, seen) => whole(commands.editWizard(id, edit, seen)),
  addWizardDocuments: (id, paths) => whole(commands.addWizardDocuments(id, paths)),
  surveyCode: (id, wanted) => whole(commands.surveyCode(id, wanted)),
  runWizardPhase: (id, phase, request, update) => whole(commands.runWizardPhase(id, phase, request, told(update))),
  stopWizard: async (id) => void (await unwrap(commands.stopWizard(id))),
  tryWizardChecks: (id, items, update) => whole(commands.tryWizardChecks(id, items, told(update))),
  wizardLaunch: (id) => unwrap(commands.wizardLaunch(id)),
  applyWizard: (id, start) => unwrap(commands.applyWizard(id, start)),
  discardWizard: async (id) => void (await unwrap(commands.discardWizard(id))),
};

const gates: GatesBackend = {
  gates: () => unwrap(commands.gates()),
  gate: (id) => unwrap(commands.gate(id)),
  decideGate: (id, tree, decision) => unwrap(commands.decideGate(id, tree, decision)),
  approveWithLeftOut: (id, tree, decision, include) => unwrap(commands.approveWithLeftOut(id, tree, decision, include)),
  commentGate: (id, comment) => unwrap(commands.commentGate(id, comment)),
  uncommentGate: (id, comment) => unwrap(commands.uncommentGate(id, comment)),
  revertWork: (iteration) => unwrap(commands.revertWork(iteration)),
};

const memory: MemoryBackend = {
  failurePatterns: (days) => unwrap(commands.failurePatterns(days)),
  failures: (pattern, limit) => unwrap(commands.failures(pattern, limit)),
  solutions: () => unwrap(commands.solutions()),
  solution: (id) => unwrap(commands.solution(id)),
  saveSolution: (id, draft) => unwrap(commands.saveSolution(id, draft)),
  retireSolution: (id, retired) => unwrap(commands.retireSolution(id, retired)),
  refreshSolution: (id) => unwrap(commands.refreshSolution(id)),
  exportSolutions: () => unwrap(commands.exportSolutions()),
  importSolutions: () => unwrap(commands.importSolutions()),
  learnings: (search) => unwrap(commands.learnings(search)),
  saveLearning: (id, draft) => unwrap(commands.saveLearning(id, draft)),
  removeLearning: async (id) => void (await unwrap(commands.removeLearning(id))),
  metrics: (days) => unwrap(commands.metrics(days)),
  health: () => unwrap(commands.health()),
  exportMetrics: (days, format) => unwrap(commands.exportMetrics(days, format)),
};

const prompts: PromptBackend = {
  previewPrompt: (task, choices) => unwrap(commands.previewPrompt(task, choices)),
  keepPromptChoices: (task, choices) => unwrap(commands.keepPromptChoices(task, choices)),
  promptOf: (iteration) => unwrap(commands.promptOf(iteration)),
};

/** The desktop shell. Events are heard only when they are meant for this window or for all windows. */
export function createTauriBackend(): Backend {
  const here = getCurrentWebviewWindow();
  return {
    ...runs(here),
    ...output,
    ...history,
    ...checks,
    ...tasks,
    ...imports,
    ...spec(here),
    ...wizard,
    ...gates,
    ...memory,
    ...prompts,
    windowStart: handedOver,
    appInfo: () => unwrap(commands.appInfo()),
    ready: async () => void (await unwrap(commands.ready())),
    enableMenu: async (ids) => void (await unwrap(commands.enableMenu(ids))),
    startPage: () => unwrap(commands.startPage()),
    forgetRecent: async (path) => void (await unwrap(commands.forgetRecent(path))),
    chooseFolder: (purpose) => unwrap(commands.chooseFolder(purpose)),
    inspectFolder: (path) => unwrap(commands.inspectFolder(path)),
    createProject: (request) => unwrap(commands.createProject(request)),
    createSample: () => unwrap(commands.createSample()),
    openProject: (path) => unwrap(commands.openProject(path)),
    overview: () => unwrap(commands.overview()),
    trustProject: (digest) => unwrap(commands.trustProject(digest)),
    searchTasks: (text) => unwrap(commands.searchTasks(text)),
    eventsSince: (seq, limit) => unwrap(commands.eventsSince(seq, limit)),
    revealProject: async () => void (await unwrap(commands.revealProject())),
    settings: () => unwrap(commands.settings()),
    setSetting: (change) => unwrap(commands.setSetting(change)),
    setAgentProgram: (change) => unwrap(commands.setAgentProgram(change)),
    saveOwnAgent: (agent) => unwrap(commands.saveOwnAgent(agent)),
    doctor: () => unwrap(commands.doctor()),
    agents: () => unwrap(commands.agents()),
    tryAgent: (name) => unwrap(commands.tryAgent(name)),
    onProjectChanged: (callback) => subscription(events.projectChanged(here).listen(() => callback())),
    onMenuAction: (callback) => subscription(events.menuAction(here).listen((event) => callback(event.payload.action))),
    onOpenFailed: (callback) => subscription(events.openFailed(here).listen((event) => callback(event.payload.fault))),
  };
}
