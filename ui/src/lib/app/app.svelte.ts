import { createContext } from "svelte";
import { SvelteSet } from "svelte/reactivity";

import { type Backend, faultOf } from "$lib/backend/backend";
import type {
  AgentsReport,
  AppInfo,
  CloseAsked,
  CloseChoice,
  DoctorReport,
  EventEnvelope,
  GateInbox,
  Overview,
  ProjectRef,
  RunChoices,
  SettingsReport,
  StartPage,
  WindowContext,
  WindowStart,
} from "$lib/backend/types";
import { dialogs } from "$lib/ui/dialogs.svelte";

import { Commands } from "./commands.svelte";
import { Live } from "./live.svelte";
import { Navigator } from "./navigator.svelte";
import { Notifier } from "./notify.svelte";
import { Paced } from "./paced";
import { Resource } from "./resource.svelte";
import { RunSteering } from "./steering.svelte";
import { Theme, type ThemeChoice, themeChoice } from "./theme.svelte";

/** While a run works its project changes all the time; this often is enough to look at it. */
const CHANGES_APART = 1000;
/** As many events as the overview shows. */
const ACTIVITY = 20;
/** What happens within an iteration changes nothing but the run itself, which is followed. */
const WITHIN_ITERATION = new Set(["iteration.started", "iteration.phase", "agent.ended", "check.ended", "run.warning"]);

/** The state of one window, and everything a person can make it do. Views render it; they hold none of it. */
export class App extends Navigator {
  readonly backend: Backend;
  readonly version: string;
  readonly platform: WindowStart["platform"];
  readonly context: WindowContext;
  /** The process behind this window. */
  readonly process: number;
  readonly theme = new Theme();
  readonly notify = new Notifier();
  /** What can be done in this window now. */
  readonly commands = new Commands();
  /** What is going on in the project. */
  readonly live: Live;

  readonly info: Resource<AppInfo>;
  readonly start: Resource<StartPage>;
  readonly overview: Resource<Overview>;
  readonly settings: Resource<SettingsReport>;
  readonly doctor: Resource<DoctorReport>;
  /** Every agent of this machine. Their programs are asked, so it is read only where somebody looks at them. */
  readonly agents: Resource<AgentsReport>;
  readonly choices: Resource<RunChoices>;
  /** What waits for a person, and what was decided lately. */
  readonly gates: Resource<GateInbox>;
  /** Starting and steering the project's runs. */
  readonly run: RunSteering;

  /** The window was asked to close while its run works, and the person has not answered yet. */
  closeAsked = $state.raw<CloseAsked | null>(null);
  /** Files are dragged over the window. */
  filesOver = $state(false);
  /** What takes files that are dropped on the window; none imports them into the spec. */
  takeFiles = $state.raw<{ title: string; text: string; take: (paths: string[]) => void } | null>(null);
  /** The names of the attempts under way. */
  readonly working = new SvelteSet<string>();
  /** What happened since the overview was read, the newest first. */
  #happened = $state.raw<EventEnvelope[]>([]);
  readonly #changes = new Paced(CHANGES_APART, () => this.#fetchChanged());
  /** How the parts of the window that are shown read again what they show. */
  #shown: (() => void)[] = [];

  constructor(backend: Backend, { version, platform, process, context } = backend.windowStart()) {
    super({ view: context.kind === "project" ? "overview" : "start" });
    this.backend = backend;
    this.version = version;
    this.platform = platform;
    this.context = context;
    this.process = process;
    this.live = new Live(backend);
    this.info = new Resource(() => backend.appInfo());
    this.start = new Resource(() => backend.startPage());
    this.overview = new Resource(() => backend.overview());
    this.settings = new Resource(() => backend.settings());
    this.doctor = new Resource(() => backend.doctor());
    this.agents = new Resource(() => backend.agents());
    this.choices = new Resource(() => backend.runChoices());
    this.gates = new Resource(() => backend.gates());
    this.run = new RunSteering(this);
  }

  get inProject(): boolean {
    return this.context.kind === "project";
  }

  /** The first view has its content, or why there is none. */
  get settled(): boolean {
    const first = this.inProject ? this.overview : this.start;
    return first.data !== null || first.fault !== null;
  }

  /** A dialog is open, or about to be. Keys and menus are for it, and nothing else may take its place. */
  get occupied(): boolean {
    return this.closeAsked !== null || this.overlay !== null || dialogs.any;
  }

  /** How many gates wait for a person. */
  get waiting(): number {
    return this.gates.data?.open.length ?? 0;
  }

  /** What happened last in the project, the newest first. */
  get activity(): EventEnvelope[] {
    const read = this.overview.data?.activity ?? [];
    const newest = read[0]?.seq ?? 0;
    return [...this.#happened.filter((event) => event.seq > newest), ...read].slice(0, ACTIVITY);
  }

  get mac(): boolean {
    return this.platform === "macos";
  }

  /** Fetches again whatever was fetched before, and what is shown now. */
  refresh(): void {
    refetch([this.start, this.overview, this.settings, this.doctor, this.choices, this.gates]);
    this.#shown.forEach((read) => read());
  }

  /**
   * Reads what a part of the window shows: now, when something changes, and when a person asks for it. It goes on until
   * the returned function is called.
   */
  whileShown(read: () => void, pace = CHANGES_APART): () => void {
    read();
    const paced = new Paced(pace, read);
    this.#shown = [...this.#shown, read];
    const endings = [
      this.backend.onProjectChanged(() => paced.ask()),
      this.live.onEvents(() => paced.ask()),
      () => (this.#shown = this.#shown.filter((each) => each !== read)),
      () => paced.stop(),
    ];
    return () => endings.forEach((end) => end());
  }

  /** Something outside changed the project. The doctor looks only when asked to. */
  projectChanged(): void {
    this.#changes.ask();
  }

  /** Follows the project until the returned function is called. */
  follow(): () => void {
    const endings = [this.live.onEvents((events) => this.#hear(events)), this.live.start(), () => this.#changes.stop()];
    return () => endings.forEach((end) => end());
  }

  #hear(events: EventEnvelope[]): void {
    this.#happened = [...events.toReversed(), ...this.#happened].slice(0, ACTIVITY);
    if (this.gates.started && events.some(({ event }) => event.type.startsWith("gate."))) {
      void this.gates.refresh();
    }
    if (events.some(({ event }) => !WITHIN_ITERATION.has(event.type))) {
      this.#changes.ask();
    }
  }

  #fetchChanged(): void {
    refetch([this.overview, this.settings, this.choices, this.gates]);
  }

  /** The window is asked to close: the person decides what becomes of the run. */
  async askToClose(asked: CloseAsked): Promise<void> {
    this.closeAsked = asked;
    await this.attempt("close_asked_shown", () => this.backend.closeAskedShown());
  }

  async answerClose(choice: CloseChoice): Promise<void> {
    await this.attempt("close_window", async () => {
      await this.backend.closeWindow(choice);
      this.closeAsked = null;
    });
  }

  /**
   * Does something that can be refused. A refusal becomes a message and `undefined`. While it is under way the same
   * thing is not begun again, so that a key that is also a menu accelerator acts once.
   */
  async attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.working.has(name)) {
      return undefined;
    }
    this.working.add(name);
    try {
      return await work();
    } catch (thrown) {
      this.notify.fault(faultOf(thrown));
      return undefined;
    } finally {
      this.working.delete(name);
    }
  }

  async openFolder(): Promise<void> {
    await this.attempt("open_folder", async () => {
      const path = await this.backend.chooseFolder("open");
      if (path === null) {
        return;
      }
      const report = await this.backend.inspectFolder(path);
      if (report.project_root === null) {
        // Not a project yet: offer to make it one rather than refuse.
        this.overlay = { kind: "new-project", path };
      } else {
        await this.#opened(this.backend.openProject(report.project_root));
      }
    });
  }

  async openProject(path: string): Promise<void> {
    await this.attempt(`open ${path}`, () => this.#opened(this.backend.openProject(path)));
  }

  async openSample(): Promise<void> {
    await this.attempt("open_sample", async () => {
      const start = this.start.data ?? (await this.backend.startPage());
      await this.#opened(
        start.sample_exists ? this.backend.openProject(start.sample_path) : this.backend.createSample(),
      );
    });
  }

  async forgetRecent(path: string): Promise<void> {
    await this.attempt(`forget ${path}`, async () => {
      await this.backend.forgetRecent(path);
      await this.start.refresh();
    });
  }

  protected async openPage(address: string): Promise<void> {
    await this.attempt("open_link", () => this.backend.openLink(address));
  }

  async revealProject(): Promise<void> {
    await this.attempt("reveal_project", () => this.backend.revealProject());
  }

  /** Shows the theme at once and remembers it; a refusal brings the earlier one back. */
  async setTheme(choice: ThemeChoice): Promise<void> {
    const before = this.theme.choice;
    this.theme.adopt(choice);
    const report = await this.attempt("set_theme", () =>
      this.backend.setSetting({ scope: "user", key: "ui.theme", value: choice }),
    );
    if (report === undefined) {
      this.theme.adopt(before);
    } else {
      this.settings.set(report);
      this.adoptStoredTheme();
    }
  }

  /** Follows the theme in the settings, which something else may have changed. */
  adoptStoredTheme(): void {
    const stored = this.settings.data?.settings.find((setting) => setting.key === "ui.theme");
    if (stored !== undefined && !this.working.has("set_theme")) {
      this.theme.adopt(themeChoice(stored.value));
    }
  }

  async #opened(opening: Promise<ProjectRef>): Promise<void> {
    await opening;
    if (this.start.started) {
      await this.start.refresh();
    }
  }
}

function refetch(resources: Pick<Resource<unknown>, "started" | "refresh">[]): void {
  for (const resource of resources) {
    if (resource.started) {
      void resource.refresh();
    }
  }
}

/** The window's {@link App}, for every component below the shell. */
export const [getApp, setApp] = createContext<App>();
