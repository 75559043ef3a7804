import type { AgentFacts, ErrorCode, Fault, Hold, LoginState, ProblemKind, SandboxState } from "$lib/backend/types";

interface ProblemWords {
  /** What other parts of Loopwright call it. */
  code: ErrorCode;
  /** What it is, in two words. */
  label: string;
  /** What to do about it. */
  advice: string;
}

/** What goes wrong for agents, and what to do about it. */
export const PROBLEMS: Record<ProblemKind, ProblemWords> = {
  login: {
    code: "agent.login",
    label: "Not logged in",
    advice: "Log in with the agent's own command in a terminal, then resume.",
  },
  usage_limit: {
    code: "agent.limit",
    label: "Usage limit",
    advice: "The account is used up for now. It is lifted by time, or by a bigger plan.",
  },
  rate_limit: {
    code: "agent.limit",
    label: "Too many requests",
    advice: "The service asks to slow down. Waiting a little is enough.",
  },
  overload: {
    code: "agent.overload",
    label: "Service overloaded",
    advice: "The model's service is overloaded or down. Nothing is wrong here.",
  },
  billing: {
    code: "agent.billing",
    label: "No credit left",
    advice: "Add credit to the agent's account, or choose another agent.",
  },
  permission: {
    code: "agent.permission",
    label: "Not allowed",
    advice: "Give the agent more room with the run's automation, or in its own settings.",
  },
  turn_limit: {
    code: "agent.failed",
    label: "Out of turns",
    advice: "Make the task smaller, or let the agent take more turns in its own settings.",
  },
  budget_limit: {
    code: "agent.failed",
    label: "Out of budget",
    advice: "Raise the agent's own budget, or make the task smaller.",
  },
  untrusted_folder: {
    code: "agent.untrusted_folder",
    label: "Folder not trusted",
    advice: "Open the folder once with the agent itself and trust it.",
  },
  root: {
    code: "agent.root",
    label: "Refuses to work as root",
    advice: "Start Loopwright as an ordinary user, or switch the sandbox on.",
  },
  bad_option: {
    code: "agent.option",
    label: "Unknown option",
    advice: "Update the agent: its version does not know an option Loopwright uses.",
  },
  connection: { code: "agent.overload", label: "Connection lost", advice: "Check the network, then resume." },
  output: {
    code: "agent.failed",
    label: "Unreadable output",
    advice: "Look at the raw output. Updating the agent often helps.",
  },
  other: { code: "agent.failed", label: "Agent error", advice: "Read what the agent says about it." },
};

/** The words for a problem that is named by its kind; `undefined` for any other name. */
export function problemWords(kind: string): ProblemWords | undefined {
  return Object.hasOwn(PROBLEMS, kind) ? PROBLEMS[kind as ProblemKind] : undefined;
}

/** Names as people know them; others are shown as they are written. */
const LABELS: Record<string, string> = {
  claude: "Claude",
  codex: "Codex",
  gemini: "Gemini",
  copilot: "Copilot",
  opencode: "opencode",
  qwen: "Qwen",
  pi: "Pi",
  aider: "Aider",
  cursor: "Cursor",
  kiro: "Kiro",
  rehearsal: "Rehearsal",
};

/** An agent as settings write it, `claude` or `claude/opus`, in a word or two. */
export function agentName(written: string): string {
  const at = written.indexOf("/");
  const [name, model] = at < 0 ? [written, ""] : [written.slice(0, at), written.slice(at + 1)];
  return `${LABELS[name] ?? name}${model === "" ? "" : ` (${model})`}`;
}

/** Who did an iteration's work: the agent, and the model that answered. */
export function workerText({ harness, model }: Pick<AgentFacts, "harness" | "model">): string {
  const name = harness ? agentName(harness) : null;
  return [name, model].filter(Boolean).join(" · ");
}

/** A model's name without what the agent's name says already, and without the day it was made. */
export function shortModel({ harness, model }: Pick<AgentFacts, "harness" | "model">): string {
  const name = model ?? "";
  const own = harness && name.startsWith(`${harness}-`) ? name.slice(harness.length + 1) : name;
  return own.replace(/-20\d{6}$/, "");
}

/** Why an agent rests, as the end of a sentence. */
export function restReason({ kind }: Pick<Hold, "kind">): string {
  switch (kind) {
    case "usage_limit":
      return "has reached its usage limit";
    case "rate_limit":
      return "was asked to slow down";
    case "billing":
      return "has no credit left";
    case "login":
      return "is not logged in";
    case "overload":
    case "connection":
      return "is waiting for its service";
    default:
      return "has to rest";
  }
}

export const LOGIN_LABELS: Record<LoginState, string> = {
  logged_in: "Logged in",
  logged_out: "Not logged in",
  unknown: "Login unknown",
};

/** What confined an agent, in a few words and in a sentence. */
export const CONFINEMENTS: Record<SandboxState, { label: string; text: string }> = {
  sandbox: { label: "In the sandbox", text: "It could write only in the project and in its own folders." },
  off: {
    label: "Not confined",
    text: "The sandbox was switched off: it could write wherever you can, and shared your repository.",
  },
  unavailable: {
    label: "Not confined",
    text: "This machine has no sandbox: it could write wherever you can, and shared your repository.",
  },
};

/** How an agent stands, in a word or two, and whether it can be used. */
export interface AgentState {
  label: string;
  usable: boolean;
}

/** What keeps an agent from being used, by its code. */
const HINDRANCES: Partial<Record<ErrorCode, string>> = {
  "agent.missing": "Not installed",
  "process.missing": "Not installed",
  "agent.login": "Not logged in",
  "agent.version": "Too old",
  "agent.root": "Refuses root",
  "agent.untrusted_folder": "Folder not trusted",
  "agent.limit": "At its limit",
  "agent.billing": "No credit left",
  "sandbox.unavailable": "Needs a sandbox",
};

/** How an agent stands. A login that is known to be missing counts, one that is not known does not. */
export function agentState({ problem, login }: { problem: Fault | null; login?: LoginState }): AgentState {
  if (problem !== null) {
    return { label: HINDRANCES[problem.code] ?? "Not usable", usable: false };
  }
  return login === "logged_out" ? { label: "Not logged in", usable: false } : { label: "Ready", usable: true };
}
