import type { Unsubscribe } from "./backend";
import type {
  CloseAsked,
  CloseChoice,
  ControlKind,
  ControlOutcome,
  DryRun,
  RunChoices,
  RunId,
  RunState,
  RunSummary,
  RunUpdate,
  StartRun,
} from "./types";

/** Starting, steering and following the runs of this window's project. */
export interface RunBackend {
  /** What can be chosen when starting a run, and what would be taken unasked. */
  runChoices(): Promise<RunChoices>;
  /** What a run would do first. Nothing is started. */
  previewRun(request: StartRun): Promise<DryRun>;
  /** Starts a run in this app; answers as soon as it has begun. Full automation is asked about natively. */
  startRun(request: StartRun): Promise<RunId>;
  /** Goes on with a run that was stopped; the newest one without an id. */
  resumeRun(run: RunId | null): Promise<RunId>;
  /** Asks the project's run to pause or to end, whoever works on it. */
  askRun(kind: ControlKind): Promise<ControlOutcome>;
  runState(run: RunId | null): Promise<RunState | null>;
  /** Runs before one, the newest first. */
  runs(before: RunId | null, limit: number): Promise<RunSummary[]>;
  /**
   * Tells in batches what happens from a place in history on. There is one such stream per window: a new one takes the
   * place of the one before. `failed` is called when it cannot be opened.
   */
  follow(after: number, batch: (updates: RunUpdate[]) => void, failed: (thrown: unknown) => void): Unsubscribe;
  /** The answer to {@link onCloseAsked}. */
  closeWindow(choice: CloseChoice): Promise<void>;
  /** Says that the page shows the question; without this the shell asks in a native dialog. */
  closeAskedShown(): Promise<void>;
  /** Calls back when the window is asked to close while its run works. */
  onCloseAsked(callback: (asked: CloseAsked) => void): Unsubscribe;
  /** Calls back when something outside of the page asks for a view: a notification or the tray. */
  onShowView(callback: (view: string) => void): Unsubscribe;
}
