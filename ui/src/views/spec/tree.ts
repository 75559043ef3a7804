import type { SectionId, SpecEntry } from "$lib/backend/types";

/** A line of the tree as it is shown. */
export interface TreeLine {
  entry: SpecEntry;
  depth: number;
  /** Whether it has sections below it, and if so whether they are shown. */
  open: boolean | null;
}

/** More sections than this begin folded. */
const MANY = 150;

/** How many sections deep one stands, counted by its parents. A circle ends the count. */
const DEEPEST = 20;

/** The lines of the tree. Sections below a folded one are left out, wherever they stand in the list. */
export function linesOf(entries: readonly SpecEntry[], toggled: ReadonlySet<SectionId>): TreeLine[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const below = new Map<SectionId | null, SpecEntry[]>();
  for (const entry of entries) {
    const parent = entry.parent !== null && byId.has(entry.parent) ? entry.parent : null;
    below.set(parent, [...(below.get(parent) ?? []), entry]);
  }
  const folded = (id: SectionId) => toggled.has(id) !== entries.length > MANY;
  const lines: TreeLine[] = [];
  const add = (entry: SpecEntry, depth: number) => {
    const children = depth < DEEPEST ? (below.get(entry.id) ?? []) : [];
    const open = children.length === 0 ? null : !folded(entry.id);
    lines.push({ entry, depth, open });
    if (open) {
      children.forEach((child) => add(child, depth + 1));
    }
  };
  (below.get(null) ?? []).forEach((entry) => add(entry, 0));
  return lines;
}
