import type { FieldValue, Form, FormChange, Item, PhaseRecord, WizardPhase, WizardView } from "../types";

import type { MockAnswer } from "./wizard-data";
import { MOCK_SHAPES } from "./wizard-shapes";

export const text = (item: Item | undefined, name: string) => String(item?.fields[name]?.value ?? "");
export const texts = (item: Item, name: string) => {
  const value = item.fields[name]?.value;
  return Array.isArray(value) ? value : [];
};

export const NO_USAGE = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_micros: null, estimated: false };

export function emptyRecord(phase: WizardPhase): PhaseRecord {
  return {
    phase,
    state: "open",
    form: { fields: {}, lists: {} },
    proposal: { request: null, changes: [] },
    prompt: null,
    requests: [],
    remark: null,
    trouble: null,
    answered: false,
    usage: NO_USAGE,
    basis: null,
    before: null,
  };
}

export function assumptionsOf({ phase, form }: PhaseRecord): WizardView["assumptions"] {
  return Object.entries(form.fields).flatMap(([path, field]) =>
    field?.origin.from === "assumed"
      ? [{ phase, path, label: path.replaceAll("_", " "), value: String(field.value) }]
      : [],
  );
}

export function findingOf(item: Item): WizardView["findings"][number] {
  return {
    item: item.id,
    title: text(item, "title"),
    severity: text(item, "severity"),
    kind: text(item, "kind"),
    concerns: texts(item, "concerns"),
    detail: text(item, "detail"),
    resolution: text(item, "resolution"),
    target: text(item, "target"),
    status: (text(item, "status") || "open") as "open",
    reason: text(item, "reason"),
  };
}

/** What an answer would change in a form; `make` gives new items their ids. */
export function proposalOf(
  phase: WizardPhase,
  form: Form,
  answer: MockAnswer,
  make: (values: Record<string, FieldValue>) => Item,
): FormChange[] {
  const changes: Omit<FormChange, "id">[] = [];
  for (const [name, items] of Object.entries(answer.lists ?? {})) {
    const known = form.lists[name] ?? [];
    const key =
      MOCK_SHAPES.find((each) => each.phase === phase)?.lists.find((each) => each.name === name)?.fields[0]?.name ??
      "text";
    for (const values of items) {
      const same = known.find((item) => text(item, key) === String(values[key]));
      if (!same) {
        const item = make(values);
        changes.push({
          path: `${name}/${item.id}`,
          label: String(values[key]),
          kind: "added",
          before: null,
          after: null,
          origin: { from: "assumed" },
          item,
          replaces_edit: false,
        });
        continue;
      }
      for (const [field, after] of Object.entries(values)) {
        const now = same.fields[field];
        if (now && !now.locked && JSON.stringify(now.value) !== JSON.stringify(after)) {
          changes.push({
            path: `${name}/${same.id}/${field}`,
            label: `${text(same, key)}, ${field}`,
            kind: "changed",
            before: now.value,
            after,
            origin: { from: "assumed" },
            item: null,
            replaces_edit: now.edited,
          });
        }
      }
    }
    for (const item of known.filter((each) => !items.some((values) => String(values[key]) === text(each, key)))) {
      if (!Object.values(item.fields).some((field) => field?.locked)) {
        changes.push({
          path: `${name}/${item.id}`,
          label: text(item, key),
          kind: "removed",
          before: null,
          after: null,
          origin: { from: "assumed" },
          item,
          replaces_edit: Object.values(item.fields).some((field) => field?.edited),
        });
      }
    }
  }
  return changes.map((change, index) => ({ ...change, id: index + 1 }));
}

/** The tasks in waves, and how good they are. */
export function plannedOf(planned: Item[]): Pick<WizardView, "tasks" | "quality"> {
  const waves = wavesOf(planned);
  const byTitle = new Map(planned.map((item) => [text(item, "title"), item.id]));
  const tasks = planned.map((item, index) => ({
    item: item.id,
    number: index + 1,
    title: text(item, "title"),
    wave: waves.get(item.id) ?? null,
    size: (text(item, "size") || "M") as "M",
    priority: 5,
    depends_on: texts(item, "depends_on").flatMap(
      (on) => byTitle.get(on) ?? (planned.some(({ id }) => id === on) ? on : []),
    ),
    sections: texts(item, "sections"),
  }));
  const count = Math.max(0, ...waves.values());
  const byWave = Array.from({ length: count }, (_, wave) =>
    tasks.filter((each) => each.wave === wave + 1).map(({ item }) => item),
  );
  const judged = tasks.map((each) => {
    const item = planned.find(({ id }) => id === each.item);
    const vague = item && texts(item, "acceptance").some((line) => /\bfast\b/.test(line));
    const findings = vague
      ? [
          {
            rule: "untestable_criterion" as const,
            message: '"The page is fast": "fast" can mean anything',
            word: null,
          },
        ]
      : [];
    return { id: each.number, title: each.title, score: 100 - findings.length * 15, findings };
  });
  const sum = judged.reduce((total, { score }) => total + score, 0);
  return {
    tasks: {
      tasks,
      waves: byWave,
      critical_path: tasks.slice(0, 1).map(({ item }) => item),
      widest: Math.max(0, ...byWave.map((wave) => wave.length)),
      cycle: [],
    },
    quality: { score: judged.length === 0 ? null : Math.round(sum / judged.length), sections: [], tasks: judged },
  };
}

export function valuesOf(item: Item | undefined): Record<string, FieldValue> {
  return Object.fromEntries(
    Object.entries(item?.fields ?? {}).flatMap(([name, field]) => (field ? [[name, field.value]] : [])),
  );
}

/** The wave of each task that does not wait in a circle. */
export function wavesOf(items: Item[]): Map<string, number> {
  const waves = new Map<string, number>();
  const byName = new Map(
    items.flatMap((item) => [[text(item, "title"), item.id] as const, [item.id, item.id] as const]),
  );
  for (let round = 0; round < items.length; round++) {
    for (const item of items) {
      const before = texts(item, "depends_on").flatMap((on) => byName.get(on) ?? []);
      if (!waves.has(item.id) && before.every((on) => waves.has(on))) {
        waves.set(item.id, 1 + Math.max(0, ...before.map((on) => waves.get(on) ?? 0)));
      }
    }
  }
  return waves;
}
