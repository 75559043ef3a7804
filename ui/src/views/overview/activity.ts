import CircleCheck from "@lucide/svelte/icons/circle-check";
import CirclePlus from "@lucide/svelte/icons/circle-plus";
import DatabaseBackup from "@lucide/svelte/icons/database-backup";
import Dot from "@lucide/svelte/icons/dot";
import Flag from "@lucide/svelte/icons/flag";
import FolderPlus from "@lucide/svelte/icons/folder-plus";
import History from "@lucide/svelte/icons/history";
import Play from "@lucide/svelte/icons/play";
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import SlidersHorizontal from "@lucide/svelte/icons/sliders-horizontal";
import TriangleAlert from "@lucide/svelte/icons/triangle-alert";

import type { EventEnvelope } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

type Event = EventEnvelope["event"];

/** An event as a person reads it. `subject` is text from the project and stands apart from our own words. */
export interface Happening {
  icon: IconType;
  text: string;
  subject?: string;
  by?: string;
}

const PLACES: Record<string, string> = { cli: "in a terminal", app: "in the app" };

/** Puts an event into words. Events of a newer version are shown by their name rather than left out. */
export function describe(event: Event): Happening {
  switch (event.type) {
    case "project.created":
      return {
        icon: FolderPlus,
        text: event.sample ? "Sample project made" : "Project made",
        subject: event.name,
        ...by(event.origin),
      };
    case "project.trusted":
      return { icon: ShieldCheck, text: "Folder trusted", ...by(event.origin) };
    case "config.changed":
      return {
        icon: SlidersHorizontal,
        text: event.value === null ? "Setting removed" : "Setting changed",
        subject: event.value === null ? event.key : `${event.key} = ${event.value}`,
        ...by(event.origin),
      };
    case "store.recovered":
      return {
        icon: DatabaseBackup,
        text: "Damaged state set aside and begun anew",
        subject: `${event.reason}; kept at ${event.moved_to}`,
      };
    case "task.added":
      return { icon: CirclePlus, text: `Task #${event.task} added`, subject: event.title };
    default:
      return describeRun(event);
  }
}

const OUTCOMES: Record<string, string> = {
  succeeded: "succeeded",
  failed: "failed",
  interrupted: "was stopped",
};

function describeRun(event: Event): Happening {
  switch (event.type) {
    case "run.started":
      return { icon: Play, text: `Run started (${event.kind})`, subject: event.title, ...by(event.origin) };
    case "run.resumed":
      return { icon: Play, text: "Run resumed", ...by(event.origin) };
    case "run.status":
      return { icon: Flag, text: `Run ${event.status}`, subject: event.message };
    case "run.warning":
      return { icon: TriangleAlert, text: "Warning", subject: event.message };
    case "iteration.settled": {
      const text = `Iteration ${event.number + 1} ${OUTCOMES[event.outcome] ?? event.outcome}`;
      return { icon: CircleCheck, text, ...(event.message === null ? {} : { subject: event.message }) };
    }
    case "tree.restored":
      return { icon: History, text: "Tree restored", subject: event.to };
    case "control.requested":
      return { icon: Flag, text: `Asked for: ${event.control.replaceAll("_", " ")}`, ...by(event.origin) };
    default:
      return { icon: Dot, text: (event as { type: string }).type };
  }
}

function by(origin: string): { by?: string } {
  const place = PLACES[origin];
  return place === undefined ? {} : { by: place };
}

/** How many neighbours of the same kind are shown before the rest is folded into one line. */
const RUN_LIMIT = 3;

export interface ActivityEntry {
  envelope: EventEnvelope;
  /** How many more events of the same kind followed it and are not shown. */
  folded: number;
}

/** Long runs of the same kind of event, such as twenty tasks added at once, shortened to their newest few. */
export function foldRuns(events: readonly EventEnvelope[]): ActivityEntry[] {
  const entries: ActivityEntry[] = [];
  let run = 0;
  for (const [index, envelope] of events.entries()) {
    run = events[index - 1]?.event.type === envelope.event.type ? run + 1 : 1;
    const last = entries.at(-1);
    if (run > RUN_LIMIT && last) {
      last.folded++;
    } else {
      entries.push({ envelope, folded: 0 });
    }
  }
  return entries;
}
