import type { AgentEvent, CheckTrial, Usage, WizardPhase, WizardUpdate } from "$lib/backend/types";

/** As many events as are kept: nobody reads more while an agent works. */
const KEPT = 200;

/** One line of what an agent does. */
export interface WorkLine {
  id: number;
  at: string;
  kind: "message" | "aside" | "tool" | "again" | "problem";
  text: string;
}

/** What an agent, or a round of checks, does for a phase. */
export class LiveWork {
  readonly phase: WizardPhase;
  /** The agent; none for checks. */
  readonly agent: string | null;
  readonly request: string | null;
  readonly started = Date.now();
  running = $state(true);
  lines = $state.raw<WorkLine[]>([]);
  arrived = $state.raw<{ name: string; items: number }[]>([]);
  trials = $state.raw<CheckTrial[]>([]);
  usage = $state.raw<Usage | null>(null);
  model = $state<string | null>(null);
  #lines = 0;

  constructor(phase: WizardPhase, agent: string | null, request: string | null) {
    this.phase = phase;
    this.agent = agent;
    this.request = request;
  }

  take(update: WizardUpdate): void {
    switch (update.kind) {
      case "agent":
        this.#hear(update.event);
        break;
      case "arrived":
        this.arrived = [
          ...this.arrived.filter(({ name }) => name !== update.name),
          { name: update.name, items: update.items },
        ];
        break;
      case "again":
        this.#add("again", update.problem);
        break;
      case "used":
        this.usage = update.usage;
        break;
      case "check":
        this.trials = [...this.trials, update.trial];
        break;
      case "prompt":
        break;
    }
  }

  #hear(event: AgentEvent): void {
    switch (event.type) {
      case "session":
        this.model = event.model ?? this.model;
        break;
      case "message":
        this.#say("message", event.text, event.continues);
        break;
      case "aside":
        this.#say("aside", event.text, false);
        break;
      case "tool_call":
        this.#add("tool", `${event.name} ${event.input}`);
        break;
      default:
        break;
    }
  }

  /** Pieces of one message are one line. What is the answer itself is shown as the form. */
  #say(kind: "message" | "aside", text: string, continues: boolean): void {
    const last = this.lines.at(-1);
    if (continues && last?.kind === kind) {
      this.lines = [...this.lines.slice(0, -1), { ...last, text: last.text + text }];
    } else {
      this.#add(kind, text);
    }
  }

  #add(kind: WorkLine["kind"], text: string): void {
    const at = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format();
    this.lines = [...this.lines, { id: ++this.#lines, at, kind, text }].slice(-KEPT);
  }
}
