import type {
  Field,
  FieldShape,
  FieldValue,
  FormShape,
  Item,
  ListShape,
  PhaseRecord,
  WizardPhase,
  WizardView,
} from "$lib/backend/types";
import type { Step } from "$lib/ui/Stepper.svelte";

import { PHASES, TEXTS } from "./texts";

export function recordOf(view: WizardView, phase: WizardPhase): PhaseRecord {
  const record = view.wizard.phases.find((each) => each.phase === phase);
  if (!record) {
    throw new Error(`The plan has no phase ${phase}.`);
  }
  return record;
}

export function shapeOf(shapes: readonly FormShape[], phase: WizardPhase): FormShape {
  return shapes.find((shape) => shape.phase === phase) ?? { phase, fields: [], lists: [] };
}

/** Its place, counted from 1. */
export function numberOf(phase: WizardPhase): number {
  return PHASES.findIndex(({ id }) => id === phase) + 1;
}

export function titleOf(phase: WizardPhase): string {
  return PHASES.find(({ id }) => id === phase)?.title ?? phase;
}

export function nextOf(phase: WizardPhase): WizardPhase | null {
  return PHASES[numberOf(phase)]?.id ?? null;
}

export function previousOf(phase: WizardPhase): WizardPhase | null {
  return PHASES[numberOf(phase) - 2]?.id ?? null;
}

/** The phases as steps: one that can be gone to is accepted, or follows on accepted ones. */
export function stepsOf(view: WizardView): Step[] {
  let open = true;
  return PHASES.map(({ id, title }) => {
    const { state } = recordOf(view, id);
    const reachable = open || state !== "open";
    open = open && state === "accepted";
    return {
      id,
      title,
      state:
        state === "accepted"
          ? ("done" as const)
          : state === "out_of_date"
            ? ("stale" as const)
            : id === view.wizard.current
              ? ("now" as const)
              : ("open" as const),
      note: state === "accepted" ? null : TEXTS.states[state] || null,
      disabled: !reachable,
    };
  });
}

/** Whether nothing stands in a phase. */
export function isEmpty(record: PhaseRecord): boolean {
  return (
    Object.values(record.form.fields).every((field) => field === undefined || blank(field.value)) &&
    Object.values(record.form.lists).every((items) => (items?.length ?? 0) === 0)
  );
}

function blank(value: FieldValue): boolean {
  return typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.length === 0;
}

/** A value as the text that is written in a field; several texts are lines. */
export function textOf(value: FieldValue | undefined): string {
  return value === undefined ? "" : Array.isArray(value) ? value.join("\n") : String(value);
}

/** Fields that name tasks and sections by their ids: people read and write titles. */
const REFERENCES = ["depends_on", "sections"];

/** What tasks and sections are called, by their ids. */
export function namesOf(view: WizardView): Map<string, string> {
  const names = new Map<string, string>();
  for (const { form } of view.wizard.phases) {
    for (const item of [...(form.lists.sections ?? []), ...(form.lists.tasks ?? [])]) {
      names.set(item.id, textOf(item.fields.title?.value));
    }
  }
  return names;
}

/** A value as people read it: tasks and sections that are meant by a field, a path or a change are named. */
export function readableOf(path: string, value: FieldValue | undefined, names: ReadonlyMap<string, string>): string {
  const refers = REFERENCES.includes(path.split("/").at(-1) ?? "");
  return textOf(refers && Array.isArray(value) ? value.map((each) => names.get(each) ?? each) : value);
}

/** What was written in a field, as a value of its kind; `null` when it is none. */
export function valueOf(shape: FieldShape, text: string): FieldValue | null {
  switch (shape.kind) {
    case "texts":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    case "number":
      return /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : null;
    case "flag":
      return text === "true";
    default:
      return text;
  }
}

/** The field of an item that names it. */
export function keyOf(list: ListShape): FieldShape {
  return list.fields[0] ?? { name: "text", label: "Text", help: "", kind: "text", choices: [] };
}

export function nameOf(list: ListShape, item: Item): string {
  return textOf(item.fields[keyOf(list).name]?.value);
}

/** Whether any part of it is locked. */
export function isLocked(item: Item): boolean {
  return Object.values(item.fields).some((field: Field | undefined) => field?.locked === true);
}

/** What an agent says beside its answer: the answer itself, as JSON, is shown as the form. */
export function withoutAnswer(text: string): string {
  const at = text.search(/```|^\s*\{/m);
  return (at < 0 ? text : text.slice(0, at)).trim();
}
