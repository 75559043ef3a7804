import type { FolderReport, RecentProject, StartPage } from "../types";
import { HOSTILE_TEXTS } from "./hostile";
import type { Scenario } from "./scenarios";

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

function recents(): RecentProject[] {
  const home = "/home/ada";
  return [
    {
      path: `${home}/code/heron`,
      name: "heron",
      sample: false,
      exists: true,
      last_opened: ago(0.4),
      shown: "~/code/heron",
      tasks: { total: 31, done: 12, working: 0, waiting: 2, blocked: 1 },
    },
    {
      path: `${home}/Loopwright/tea-timer`,
      name: "Tea timer",
      sample: true,
      exists: true,
      last_opened: ago(3),
      shown: "~/Loopwright/tea-timer",
      tasks: { total: 7, done: 0, working: 0, waiting: 0, blocked: 0 },
    },
    {
      path: `${home}/code/clients/north-sea-pilots/tide-tables`,
      name: "tide-tables",
      sample: false,
      exists: true,
      last_opened: ago(27),
      shown: "~/code/clients/north-sea-pilots/tide-tables",
      tasks: { total: 9, done: 9, working: 0, waiting: 0, blocked: 0 },
    },
    {
      path: `${home}/code/notes`,
      name: "notes",
      sample: false,
      exists: true,
      last_opened: ago(24 * 9),
      shown: "~/code/notes",
      tasks: { total: 0, done: 0, working: 0, waiting: 0, blocked: 0 },
    },
    {
      path: "/media/ada/backup/old-engine",
      name: "old-engine",
      sample: false,
      exists: false,
      last_opened: ago(24 * 60),
      shown: "/media/ada/backup/old-engine",
      tasks: { total: 20, done: 4, working: 0, waiting: 0, blocked: 2 },
    },
  ];
}

/** The start page each scenario begins with. */
export function startFor(scenario: Scenario): StartPage {
  const sample_path = "/home/ada/Loopwright/tea-timer";
  if (scenario === "empty") {
    return { recents: [], sample_path, sample_exists: false };
  }
  if (scenario === "hostile") {
    const hostile = HOSTILE_TEXTS.map((text, index) => ({
      path: `/home/ada/${index}${text}`,
      name: text,
      sample: false,
      exists: index % 2 === 0,
      last_opened: ago(index),
      shown: `~/${index}${text}`,
      tasks: null,
    }));
    return { recents: hostile, sample_path, sample_exists: false };
  }
  return { recents: recents(), sample_path, sample_exists: scenario !== "untrusted" };
}

/** What is found in a folder. The path decides, so that a test can ask for any case. */
export function folderReport(path: string): FolderReport {
  const name = path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
  const bare: FolderReport = { path, name, exists: true, empty: true, project_root: null, git: false, suggestions: [] };
  if (path.includes("missing")) {
    return { ...bare, exists: false };
  }
  if (path.includes("heron")) {
    return { ...bare, empty: false, git: true, project_root: path };
  }
  if (path.includes("empty")) {
    return bare;
  }
  return {
    ...bare,
    empty: false,
    git: true,
    suggestions: [
      { name: "test", command: "npm test", source: "package.json", why: 'package.json has a "test" script.' },
      { name: "lint", command: "npm run lint", source: "package.json", why: 'package.json has a "lint" script.' },
      { name: "build", command: "make build", source: "Makefile", why: 'The Makefile has a "build" target.' },
      {
        name: "format",
        command: "cargo fmt --check",
        source: "AGENTS.md",
        why: "AGENTS.md asks for it before every commit.",
      },
    ],
  };
}
