import { getCurrentWebviewWindow } from "@tauri-apps/api/webviewWindow";

import { type Backend, BackendError, type Unsubscribe } from "./backend";
import { commands, events } from "./bindings";
import type { Fault, WindowStart } from "./types";

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

/** The desktop shell. Events are heard only when they are meant for this window or for all windows. */
export function createTauriBackend(): Backend {
  const here = getCurrentWebviewWindow();
  return {
    windowStart: handedOver,
    appInfo: () => unwrap(commands.appInfo()),
    ready: async () => void (await unwrap(commands.ready())),
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
    doctor: () => unwrap(commands.doctor()),
    onProjectChanged: (callback) => subscription(events.projectChanged(here).listen(() => callback())),
    onMenuAction: (callback) => subscription(events.menuAction(here).listen((event) => callback(event.payload.action))),
    onOpenFailed: (callback) => subscription(events.openFailed(here).listen((event) => callback(event.payload.fault))),
  };
}
