import type { AgentsBackend } from "../agents";
import type { AgentCard, AgentsReport, AgentTrial, HarnessChoice, OwnAgent, SandboxReport } from "../types";
import { fault, refusal } from "./faults";
import type { MockParts } from "./parts";
import type { Scenario } from "./scenarios";

const CLAUDE: AgentCard = {
  name: "claude",
  label: "Claude Code",
  scripted: false,
  tested: true,
  program: "/home/ada/.local/bin/claude",
  version: "2.1.273",
  login: "logged_in",
  login_detail: "Claude Max, ada@example.org",
  problem: null,
  hints: [],
  install: "npm install -g @anthropic-ai/claude-code",
};

const CODEX: AgentCard = {
  name: "codex",
  label: "Codex",
  scripted: false,
  tested: true,
  program: "/home/ada/.volta/bin/codex",
  version: "0.159.0",
  login: "logged_out",
  login_detail: "Not logged in",
  problem: fault("agent.login", "Codex is not logged in.", "Run codex login in a terminal, then look again."),
  hints: ['Run "codex login" in a terminal, then look again.', "Or set OPENAI_API_KEY where Loopwright is started."],
  install: "npm install -g @openai/codex",
};

const GEMINI: AgentCard = {
  name: "gemini",
  label: "Gemini CLI",
  scripted: false,
  tested: true,
  program: "/usr/local/bin/gemini",
  version: "0.52.0",
  login: "unknown",
  login_detail: "Gemini CLI cannot say whether it is logged in: ask it something to find out.",
  problem: null,
  hints: ["The folder has to be trusted by Gemini CLI itself: Loopwright passes that along."],
  install: "npm install -g @google/gemini-cli",
};

const CURSOR: AgentCard = {
  name: "cursor",
  label: "Cursor Agent",
  scripted: false,
  tested: false,
  program: "/home/ada/.local/bin/cursor-agent",
  version: "2026.10.02",
  login: "unknown",
  login_detail: null,
  problem: null,
  hints: ["Loopwright calls it by its documented options and has not been tested with it."],
  install: null,
};

const OPENCODE: AgentCard = {
  name: "opencode",
  label: "opencode",
  scripted: false,
  tested: true,
  program: null,
  version: null,
  login: "unknown",
  login_detail: null,
  problem: fault(
    "agent.missing",
    'The program "opencode" was not found on this computer.',
    "Install it, or name its path.",
  ),
  hints: ["Looked in the PATH of your login shell and in the folders of npm, Homebrew, Volta, nvm and asdf."],
  install: "npm install -g opencode-ai",
};

const REHEARSAL: AgentCard = {
  name: "rehearsal",
  label: "Rehearsal agent",
  scripted: true,
  tested: true,
  program: "/usr/bin/loopwright-rehearsal",
  version: "0.1.0",
  login: "logged_in",
  login_detail: "Needs no account",
  problem: null,
  hints: [],
  install: null,
};

const CARDS = [CLAUDE, GEMINI, CURSOR, CODEX, OPENCODE, REHEARSAL];

const CONFINED: SandboxReport = {
  setting: "auto",
  confinement: "sandbox",
  detail: "The agent can write only in the project and in its own folders.",
  network: true,
};

const UNCONFINED: SandboxReport = {
  setting: "auto",
  confinement: "unavailable",
  detail: "The agent can write wherever you can: bubblewrap is not installed. Install the package bubblewrap.",
  network: true,
};

/** What confines agents in a scenario. */
export function sandboxFor(scenario: Scenario): SandboxReport {
  return scenario === "problems" ? UNCONFINED : CONFINED;
}

/** The agents as a run is offered them, with the one in force first. */
export function harnessesFor(chosen: HarnessChoice): HarnessChoice[] {
  const others = CARDS.filter((card) => card.name !== chosen.name);
  return [
    chosen,
    ...others.map(({ name, label, scripted, tested, problem }) => ({ name, label, scripted, tested, problem })),
  ];
}

/** What looking at every agent finds. */
function agentsFor(scenario: Scenario, chosen = "claude"): AgentsReport {
  const sandbox = sandboxFor(scenario);
  if (scenario === "empty") {
    const bare = CARDS.filter((card) => !card.scripted).map((card) => ({ ...OPENCODE, ...named(card) }));
    const problem = fault("agent.missing", "No agent is installed.", "Install one of these, then look again.");
    return { agents: [...bare, REHEARSAL], chosen: null, problem, sandbox };
  }
  if (scenario === "problems") {
    const old = fault("agent.version", "Claude Code 1.0.3 is too old to be driven.", "Update it to 2.0 or later.");
    const claude = { ...CLAUDE, version: "1.0.3", problem: old, hints: ["Update it with: claude update"] };
    const problem = fault("agent.missing", "Several agents are installed: claude, gemini.", "Choose one below.");
    return { agents: [GEMINI, claude, CURSOR, CODEX, OPENCODE, REHEARSAL], chosen: null, problem, sandbox };
  }
  return { agents: CARDS, chosen, problem: null, sandbox };
}

function named({ name, label, install }: AgentCard): Partial<AgentCard> {
  const problem = fault("agent.missing", `The program "${name}" was not found on this computer.`);
  return { name, label, install, problem };
}

/** What comes of asking an agent one question. */
function trialOf(card: AgentCard): AgentTrial {
  const trial: AgentTrial = {
    name: card.name,
    answered: true,
    answer: "Ready.",
    model: card.name === "claude" ? "claude-sonnet-4-5" : null,
    elapsed_ms: 2840,
    usage: { input: 1204, output: 6, cost_micros: card.name === "claude" ? 3702 : null },
    problem: null,
  };
  if (card.login === "logged_out") {
    return { ...trial, answered: false, answer: "", elapsed_ms: 640, usage: {}, problem: card.problem };
  }
  if (!card.tested) {
    const limit = fault("agent.limit", "Its account has reached its limit.", "Try again after 16:00.");
    return { ...trial, answered: false, answer: "You've hit your usage limit.", usage: {}, problem: limit };
  }
  return trial;
}

/** The agents of the mock. Looking at them and asking them takes as long as `probing` says. */
export function createAgentsMock(
  parts: MockParts,
  probing: number,
  chosen: () => string,
  own: readonly OwnAgent[],
): AgentsBackend {
  const report = (): AgentsReport => {
    const known = agentsFor(parts.scenario, chosen() || "claude");
    const added = own.map(({ name, program }) => ({
      ...CLAUDE,
      name,
      label: name,
      program,
      version: null,
      login: "unknown" as const,
      login_detail: null,
      install: null,
    }));
    return { ...known, agents: [...known.agents, ...added] };
  };
  const patience = () => new Promise((done) => setTimeout(done, probing));
  return {
    agents: async () => {
      await (probing > 0 ? patience() : undefined);
      return parts.guarded("agents", null, report);
    },
    tryAgent: async (name) => {
      await (probing > 0 ? patience() : undefined);
      return parts.guarded("tryAgent", name, () => {
        const card = report().agents.find((each) => each.name === name);
        if (card === undefined || card.program === null) {
          throw refusal("agent.missing", `The program "${name}" was not found.`, "Install it, or name its path.");
        }
        return trialOf(card);
      });
    },
  };
}
