import type { DoctorReport, Setting, SettingOrigin, SettingsReport, SettingChange } from "../types";
import { fault, refusal } from "./faults";
import type { Scenario } from "./scenarios";

const PROJECT_FILE = ".loopwright/config.toml";
const USER_FILE = "/home/ada/.config/loopwright/config.toml";

const byDefault: SettingOrigin = { type: "default", place: null };

function projectSettings(): Setting[] {
  const both: Setting["scopes"] = ["project", "user"];
  return [
    {
      key: "name",
      title: "Name",
      help: "What the project is called. Empty: the folder's name.",
      group: "Project",
      kind: { type: "text" },
      value: "Tea timer",
      origin: { type: "project", place: `${PROJECT_FILE}:1` },
      scopes: ["project"],
      default: "",
    },
    {
      key: "spec_files",
      title: "Spec files",
      help: "Documents that say what to build, as paths from the project folder.",
      group: "Project",
      kind: { type: "list" },
      value: "SPEC.md\ndocs/teas.md",
      origin: { type: "project", place: `${PROJECT_FILE}:2` },
      scopes: ["project"],
      default: "",
    },
    {
      key: "default_harness",
      title: "Agent",
      help: "Which agent does the work. Empty: the only one installed, else you are asked.",
      group: "Agent",
      kind: { type: "choice", options: ["", "claude", "codex", "rehearsal"] },
      value: "rehearsal",
      origin: { type: "project", place: `${PROJECT_FILE}:3` },
      scopes: both,
      default: "",
    },
    ...agentSettings(),
    {
      key: "mode",
      title: "Review mode",
      help: "When a person looks before work is committed.",
      group: "Gates",
      kind: { type: "text" },
      value: "review_each",
      origin: { type: "user", place: `${USER_FILE}:4` },
      scopes: both,
      default: "autonomous",
    },
    {
      key: "gate.protected",
      title: "Protected paths",
      help: "A change to a file matching one of these patterns always waits for approval.",
      group: "Gates",
      kind: { type: "list" },
      value: ".github/**\nteas.lock",
      origin: { type: "env", place: "LOOPWRIGHT_GATE_PROTECTED" },
      scopes: both,
      default: "",
    },
    programSetting("claude", "Claude Code program", '"claude" was not found on this machine.'),
    programSetting("rehearsal", "Rehearsal (scripted) program", "Found at /usr/bin/loopwright-rehearsal."),
  ];
}

/** Who works in which role, what happens at limits, and what confines agents. */
function agentSettings(): Setting[] {
  const both = { group: "Agent", origin: byDefault, scopes: ["project", "user"] } satisfies Partial<Setting>;
  const user = { ...both, scopes: ["user"] } satisfies Partial<Setting>;
  const text = { kind: { type: "text" }, value: "", default: "" } satisfies Partial<Setting>;
  const list = { kind: { type: "list" }, value: "", default: "" } satisfies Partial<Setting>;
  return [
    {
      ...both,
      ...text,
      key: "role.build",
      title: "Agent that builds",
      help: 'Which agent works on tasks and prompts, as "agent" or "agent/model". Empty: the agent above.',
    },
    {
      ...both,
      ...text,
      key: "role.wizard",
      title: "Agent of the wizard",
      help: "Which agent helps to write the spec. Empty: the agent above.",
    },
    {
      ...both,
      ...text,
      key: "role.learn",
      title: "Agent that learns",
      help: 'Which agent writes down what was learned at a task, where the one that worked did not, as "agent" or "agent/model". A cheap model will do. Empty: a rule does it.',
    },
    {
      ...both,
      key: "on_limit",
      title: "At a usage limit",
      help: "What to do when an agent's account is used up for now: wait for its reset, stop, or fall back to another agent.",
      kind: { type: "choice", options: ["wait", "stop", "fallback"] },
      value: "wait",
      default: "wait",
    },
    {
      ...both,
      ...list,
      key: "fallback",
      title: "Other agents",
      help: "Who takes over at a limit or an outage, in this order. The first one comes back when it can.",
      value: "codex\ngemini",
    },
    {
      ...both,
      ...list,
      key: "escalation",
      title: "Stronger agents",
      help: "Who takes over when the same task fails again and again, from weaker to stronger.",
      value: "claude/opus",
    },
    {
      ...user,
      key: "sandbox",
      title: "Sandbox",
      help: "Whether agents can write only in the project and in their own folders. Auto: where this machine can do it.",
      kind: { type: "choice", options: ["auto", "on", "off"] },
      value: "auto",
      default: "auto",
    },
    {
      ...user,
      key: "sandbox_network",
      title: "Network in the sandbox",
      help: "Whether agents in the sandbox reach the network. Their model is reached over it too.",
      kind: { type: "choice", options: ["true", "false"] },
      value: "true",
      default: "true",
    },
    {
      ...user,
      ...list,
      key: "sandbox_write",
      title: "Folders open to the sandbox",
      help: "More folders that agents in the sandbox may write in, as full paths.",
    },
  ];
}

function programSetting(name: string, title: string, help: string): Setting {
  return {
    key: `harness.${name}.command`,
    title,
    help,
    group: "Agent",
    kind: { type: "program" },
    value: "",
    origin: byDefault,
    scopes: ["user"],
    default: "",
  };
}

function appSettings(): Setting[] {
  const shared: Pick<Setting, "group" | "origin" | "scopes"> = { group: "App", origin: byDefault, scopes: ["user"] };
  const onOff: Setting["kind"] = { type: "choice", options: ["true", "false"] };
  return [
    {
      ...shared,
      key: "app.notifications",
      title: "Notifications",
      help: "Whether the app tells you when a run ends, fails or needs you while its window is not in front.",
      kind: onOff,
      value: "true",
      default: "true",
    },
    {
      ...shared,
      key: "app.keep_awake",
      title: "Keep awake",
      help: "Whether the app keeps the computer from falling asleep while a run works. The display may turn off.",
      kind: onOff,
      value: "true",
      default: "true",
    },
    {
      ...shared,
      key: "app.editor",
      title: "Editor",
      help: "What files are opened in. Auto: the first known editor that is installed; system: what your desktop takes for the file.",
      kind: { type: "choice", options: ["auto", "system", "code", "cursor", "zed", "subl"] },
      value: "auto",
      default: "auto",
    },
  ];
}

function themeSetting(): Setting {
  return {
    key: "ui.theme",
    title: "Theme",
    help: "Light, dark, or as the system is set.",
    group: "Appearance",
    kind: { type: "choice", options: ["system", "light", "dark"] },
    value: "system",
    origin: byDefault,
    scopes: ["user"],
    default: "system",
  };
}

/** The settings each scenario begins with. The start window has no project, so only the user's own are there. */
export function settingsFor(scenario: Scenario, window: "start" | "project"): SettingsReport {
  const inProject = window === "project";
  const userOnly = projectSettings().filter((item) => item.scopes.includes("user") && item.origin.type !== "project");
  return {
    settings: [...(inProject ? projectSettings() : userOnly), ...appSettings(), themeSetting()],
    project_file: inProject ? PROJECT_FILE : null,
    user_file: USER_FILE,
    problems:
      scenario === "problems"
        ? [
            fault("config.unknown_key", 'Unknown key "harnes" in the configuration.', 'Did you mean "harness"?', {
              file: PROJECT_FILE,
              line: 12,
            }),
          ]
        : [],
  };
}

/** What a setting is set to; nothing for one that is not there. */
export function valueOf(report: SettingsReport, key: string): string {
  return report.settings.find((setting) => setting.key === key)?.value ?? "";
}

/** Refuses a change that no setting takes. What a harness starts is asked about natively, so it is no setting here. */
export function refuseSetting({ settings }: SettingsReport, { key, value, scope }: SettingChange): void {
  const setting = settings.find((each) => each.key === key && each.kind.type !== "program");
  if (!setting) {
    throw refusal("config.unknown_key", `there is no key "${key}"`);
  }
  if (!setting.scopes.includes(scope)) {
    throw refusal("config.bad_value", `${key} is not read from the ${scope}'s file`);
  }
  if (key === "mode" && value !== null && !/^(autonomous|review_each|review_every:[1-9]\d*)$/.test(value)) {
    throw refusal(
      "config.bad_value",
      `mode: "${value}" is not a mode`,
      "Use autonomous, review_each or review_every:N.",
    );
  }
  if (setting.kind.type === "choice" && value !== null && !setting.kind.options.includes(value)) {
    throw refusal("config.bad_value", `${key}: "${value}" is none of ${setting.kind.options.join(", ")}`);
  }
}

/** The same report with one value written to, or removed from, a file. */
export function withChange(
  report: SettingsReport,
  key: string,
  value: string | null,
  scope: "project" | "user",
): SettingsReport {
  const place = scope === "project" ? `${PROJECT_FILE}:3` : `${USER_FILE}:2`;
  return {
    ...report,
    settings: report.settings.map((item) => {
      if (item.key !== key) {
        return item;
      }
      return value === null
        ? { ...item, value: item.default, origin: byDefault }
        : { ...item, value, origin: { type: scope, place } };
    }),
  };
}

/** What the doctor finds. */
export function doctorFor(scenario: Scenario): DoctorReport {
  const healthy: DoctorReport["findings"] = [
    { name: "git", status: "ok", message: "git 2.39.5 at /usr/bin/git", hint: null },
    {
      name: "State folder",
      status: "ok",
      message: "/home/ada/Loopwright/tea-timer/.git/loopwright can be written",
      hint: null,
    },
    { name: "Command line", status: "ok", message: "loopwright 0.1.0 is on the PATH", hint: null },
    { name: "Rehearsal agent", status: "ok", message: "/usr/bin/loopwright-rehearsal", hint: null },
  ];
  if (scenario !== "problems") {
    return { findings: healthy };
  }
  return {
    findings: [
      {
        name: "git",
        status: "warning",
        message: "git 2.34.1 works, but is old",
        hint: "Update git to 2.40 or later to make checkpoints faster.",
      },
      ...healthy.slice(1, 3),
      {
        name: "Agent claude",
        status: "problem",
        message: 'The program "claude" was not found',
        hint: "Install it, or name its full path in Settings → Agent.",
      },
    ],
  };
}
