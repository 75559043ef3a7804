import type { EventEnvelope } from "$lib/backend/types";

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
