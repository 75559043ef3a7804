import type { Setting, SettingScope } from "$lib/backend/types";

export const SCOPE_LABELS: Record<SettingScope, string> = { project: "This project", user: "All my projects" };

/** Where the value comes from, in words. */
export function originText({ origin }: Pick<Setting, "origin">): string {
  const at = origin.place === null ? "" : ` ${origin.place}`;
  switch (origin.type) {
    case "project":
      return `from project${at}`;
    case "user":
      return `from user${at}`;
    case "env":
      return `from the environment variable${at}`;
    case "flag":
      return "from the command line";
    default:
      return "default";
  }
}

/** Why the value cannot be changed here, when it cannot. */
export function lockReason({ origin, scopes }: Pick<Setting, "origin" | "scopes">): string | null {
  if (origin.type === "env") {
    return `The environment variable ${origin.place ?? ""} decides this. Change it there and start Loopwright again.`;
  }
  if (origin.type === "flag") {
    return "The command line that started Loopwright decides this.";
  }
  return scopes.length === 0 ? "This cannot be changed here." : null;
}

/** The file a new value goes to unless the person chooses: where it is now, else the first that is allowed. */
export function preferredScope({ origin, scopes }: Pick<Setting, "origin" | "scopes">): SettingScope {
  return scopes.find((scope) => scope === origin.type) ?? scopes[0] ?? "user";
}

/** The file the value could be removed from: only one it really is in. */
export function resettableScope({ origin, scopes }: Pick<Setting, "origin" | "scopes">): SettingScope | null {
  return scopes.find((scope) => scope === origin.type) ?? null;
}

/** The harness a `harness.<name>.command` key belongs to; the name may be quoted, as in TOML. */
export function harnessName(key: string): string {
  const name = key.replace(/^harness\./, "").replace(/\.command$/, "");
  return name.replace(/^"(.*)"$/, "$1").replace(/^'(.*)'$/, "$1");
}

/** How a choice of a setting is written for people. */
export function optionLabel(key: string, value: string): string {
  return OPTION_LABELS.get(`${key}=${value}`) ?? OPTION_LABELS.get(value) ?? value;
}

const OPTION_LABELS = new Map([
  ["", "None in particular"],
  ["true", "On"],
  ["false", "Off"],
  ["on_limit=wait", "Wait until it is lifted"],
  ["on_limit=stop", "Stop the run"],
  ["on_limit=fallback", "Continue with another agent"],
  ["sandbox=auto", "Where this machine can"],
  ["sandbox=on", "Always, else do not start"],
  ["sandbox=off", "Never"],
]);

/** The settings of agents by what they are about, in the order they are shown; those of no group come first. */
const AGENT_GROUPS: { title: string; belongs: (setting: Setting) => boolean }[] = [
  { title: "Roles", belongs: ({ key }) => key === "default_harness" || key.startsWith("role.") },
  {
    title: "Limits and outages",
    belongs: ({ key }) =>
      /^(on_limit|fallback|escalation|escalate_after)$/.test(key) || /^(limit|overload)\./.test(key),
  },
  { title: "Sandbox", belongs: ({ key }) => key.startsWith("sandbox") },
  { title: "Programs", belongs: ({ kind }) => kind.type === "program" },
];

/** The settings of agents in groups with a title each. */
export function agentGroups(settings: readonly Setting[]): { title: string; settings: Setting[] }[] {
  const groups = AGENT_GROUPS.map(({ title, belongs }) => ({ title, settings: settings.filter(belongs) }));
  const rest = settings.filter((setting) => !AGENT_GROUPS.some(({ belongs }) => belongs(setting)));
  return [...groups, { title: "During a run", settings: rest }].filter((group) => group.settings.length > 0);
}

/** A list's items: one per line, empty lines left out. */
export function listItems(value: string): string[] {
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The `mode` setting taken apart: its name and, for `review_every:N`, the number. */
export function modeOf(value: string): { name: string; count: string } {
  const [name = "", count = ""] = value.split(":", 2);
  return { name, count };
}

/** The `mode` setting put together again. */
export function modeValue(name: string, count: string): string {
  return name === "review_every" ? `${name}:${count.trim()}` : name;
}
