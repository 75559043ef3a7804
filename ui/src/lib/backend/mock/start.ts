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
      last_state: "12 of 31 tasks done",
    },
    {
      path: `${home}/Loopwright/tea-timer`,
      name: "Tea timer",
      sample: true,
      exists: true,
      last_opened: ago(3),
      last_state: "0 of 7 tasks done",
    },
    {
      path: `${home}/code/clients/north-sea-pilots/tide-tables`,
      name: "tide-tables",
      sample: false,
      exists: true,
      last_opened: ago(27),
      last_state: "All 9 tasks done",
    },
    {
      path: `${home}/code/notes`,
      name: "notes",
      sample: false,
      exists: true,
      last_opened: ago(24 * 9),
      last_state: null,
    },
    {
      path: "/media/ada/backup/old-engine",
      name: "old-engine",
      sample: false,
      exists: false,
      last_opened: ago(24 * 60),
      last_state: "4 of 20 tasks done",
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
      last_state: text,
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
