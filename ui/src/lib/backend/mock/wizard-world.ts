import type {
  Field,
  FieldValue,
  Form,
  Item,
  PhaseRecord,
  StartWizard,
  Wizard,
  WizardEdit,
  WizardPhase,
  WizardView,
} from "../types";

import { refusal } from "./faults";
import { MOCK_AGAIN, MOCK_ANSWERS, type MockAnswer, mockOrigin } from "./wizard-data";
import {
  assumptionsOf,
  emptyRecord,
  findingOf,
  NO_USAGE,
  plannedOf,
  proposalOf,
  text,
  texts,
  valuesOf,
  wavesOf,
} from "./wizard-rules";
import { MOCK_SHAPES } from "./wizard-shapes";

const PHASES = MOCK_SHAPES.map(({ phase }) => phase);

/** One plan of the mock: the rules of the engine as far as journeys need them. */
export class MockPlan {
  readonly wizard: Wizard;

  constructor(id: string, start: StartWizard) {
    const at = new Date().toISOString();
    this.wizard = {
      version: 1,
      id,
      revision: 0,
      folder: start.folder,
      scope: "project",
      status: "open",
      template: start.template,
      agent: start.agent,
      caps: { max_cost_micros: 5_000_000, max_tokens: 4_000_000 },
      input: {
        idea: start.idea,
        questions: [],
        documents: start.documents.map((path) => ({ name: path.split("/").at(-1) ?? path, digest: path, words: 420 })),
        survey: start.from_code ? "# What is there" : null,
        plan: null,
      },
      phases: PHASES.map(emptyRecord),
      current: "vision",
      usage: NO_USAGE,
      trials: [],
      last_item: 0,
      created_at: at,
      updated_at: at,
      run: null,
    };
  }

  record(phase: WizardPhase): PhaseRecord {
    const found = this.wizard.phases.find((each) => each.phase === phase);
    if (!found) {
      throw refusal("usage.invalid", `there is no phase ${phase}`);
    }
    return found;
  }

  view(): WizardView {
    const wizard = structuredClone(this.wizard);
    const planned = this.#items("task_review").length > 0 ? this.#items("task_review") : this.#items("generate");
    return {
      wizard,
      name: text({ id: "", fields: this.record("vision").form.fields }, "project_name") || "quiet-kettle",
      assumptions: (["vision", "functionality", "technical"] as const).flatMap((phase) =>
        assumptionsOf(this.record(phase)),
      ),
      findings: this.#findings(),
      ...plannedOf(planned),
      problems: PHASES.map((phase) => ({ phase, problems: this.#problems(phase) })),
      prompt: `You fill in the phase ${wizard.current} of a plan.\n\n# The idea\n\n${wizard.input.idea}`,
    };
  }

  edit(edit: WizardEdit): void {
    const changed = (phase: WizardPhase) => this.#changed(phase);
    switch (edit.do) {
      case "set_idea":
        this.wizard.input.idea = edit.idea;
        break;
      case "answer_question": {
        const { questions } = this.wizard.input;
        const answered = { question: edit.question, answer: edit.answer.trim() };
        const at = questions.findIndex(({ question }) => question === edit.question);
        questions.splice(at < 0 ? questions.length : at, 1, answered);
        break;
      }
      case "remove_question":
        this.wizard.input.questions = this.wizard.input.questions.filter(({ question }) => question !== edit.question);
        break;
      case "remove_document":
        this.wizard.input.documents = this.wizard.input.documents.filter(({ name }) => name !== edit.name);
        break;
      case "set_agent":
        this.wizard.agent = edit.agent && { name: "", model: null, base_url: null, ...edit.agent };
        break;
      case "set_caps":
        this.wizard.caps = { max_cost_micros: null, max_tokens: null, ...edit.caps };
        break;
      case "set_field":
        this.#put(edit.phase, edit.path, {
          value: edit.value,
          origin: { from: "words", quote: null },
          edited: true,
          locked: false,
        });
        changed(edit.phase);
        break;
      case "lock":
        this.#at(edit.phase, edit.path).forEach((field) => (field.locked = edit.locked));
        break;
      case "add_item":
        this.#list(edit.phase, edit.list).push(
          this.#item(edit.values as Record<string, FieldValue>, () => ({ from: "words", quote: null }), true),
        );
        changed(edit.phase);
        break;
      case "remove_item":
        this.record(edit.phase).form.lists[edit.list] = this.#list(edit.phase, edit.list).filter(
          ({ id }) => id !== edit.item,
        );
        changed(edit.phase);
        break;
      case "move_item":
        this.#move(this.#list(edit.phase, edit.list), edit.item, edit.before);
        changed(edit.phase);
        break;
      case "move_to_list": {
        const from = this.#list(edit.phase, edit.list);
        const [item] = from.splice(
          from.findIndex(({ id }) => id === edit.item),
          1,
        );
        if (item) {
          this.#list(edit.phase, edit.to).push(item);
        }
        changed(edit.phase);
        break;
      }
      case "confirm_assumption":
        this.#at(edit.phase, edit.path).forEach((field) =>
          Object.assign(field, { origin: { from: "words", quote: null }, edited: true }),
        );
        break;
      case "ask_assumption":
        this.wizard.input.questions.push({ question: `${edit.path}: is it right?`, answer: "" });
        break;
      case "take_changes":
      case "leave_changes":
        this.#decide(edit.phase, edit.numbers, edit.do === "take_changes");
        break;
      case "set_prompt":
        this.record(edit.phase).prompt = edit.prompt;
        break;
      case "accept": {
        const problem = this.#problems(edit.phase)[0];
        if (problem) {
          throw refusal("usage.invalid", problem.message);
        }
        this.record(edit.phase).state = "accepted";
        this.wizard.current = PHASES[PHASES.indexOf(edit.phase) + 1] ?? edit.phase;
        this.#prepare(this.wizard.current);
        break;
      }
      case "look_at":
      case "go_back":
        this.wizard.current = edit.phase;
        break;
      case "keep":
        this.record(edit.phase).state = "needs_review";
        break;
      case "merge_finding":
      case "dismiss_finding": {
        const item = this.#list("gap_analysis", "findings").find(({ id }) => id === edit.item);
        const merged = edit.do === "merge_finding";
        if (item?.fields.status && item.fields.reason) {
          item.fields.status.value = merged ? "merged" : "dismissed";
          item.fields.reason.value = merged ? "" : edit.reason;
        }
        if (merged) {
          this.#list("technical", "constraints").push(
            this.#item({ text: text(item, "resolution") }, () => ({ from: "words", quote: null }), true),
          );
        }
        this.record("gap_analysis").state = "needs_review";
        break;
      }
      case "split_task": {
        const list = this.#list("task_review", "tasks");
        const at = list.findIndex(({ id }) => id === edit.item);
        const parts = edit.titles.map((title) =>
          this.#item({ ...valuesOf(list[at]), title }, () => ({ from: "words", quote: null }), true),
        );
        list.splice(at, 1, ...parts);
        changed("task_review");
        break;
      }
      case "merge_tasks":
        this.record("task_review").form.lists.tasks = this.#list("task_review", "tasks").filter(
          ({ id }) => id !== edit.item,
        );
        changed("task_review");
        break;
      case "reorder_task":
        this.#move(this.#list("task_review", "tasks"), edit.item, edit.before);
        changed("task_review");
        break;
      case "depend":
      case "undepend": {
        const list = this.#list("task_review", "tasks");
        const item = list.find(({ id }) => id === edit.item);
        const on = text(
          list.find(({ id }) => id === edit.on),
          "title",
        );
        if (item) {
          const before = texts(item, "depends_on");
          const after =
            edit.do === "depend" ? [...before, on] : before.filter((each) => each !== on && each !== edit.on);
          item.fields.depends_on = {
            value: after,
            origin: { from: "words", quote: null },
            edited: true,
            locked: false,
          };
        }
        if (wavesOf(list).size < list.length) {
          throw refusal("task.cycle", "these tasks would wait for each other in a circle");
        }
        changed("task_review");
        break;
      }
      default:
        break;
    }
    this.saved();
  }

  saved(): void {
    this.wizard.revision++;
    this.wizard.updated_at = new Date().toISOString();
  }

  /** What the agent answers: it fills in what is empty, and only proposes afterwards. */
  answer(phase: WizardPhase, request: string | null): void {
    const record = this.record(phase);
    const answer = (record.answered ? MOCK_AGAIN[phase] : undefined) ?? MOCK_ANSWERS[phase];
    if (record.answered) {
      record.proposal = {
        request,
        changes: proposalOf(phase, record.form, answer, (values) => this.#item(values, mockOrigin)),
      };
    } else {
      this.#fill(record.form, answer);
    }
    record.answered = true;
    record.trouble = null;
    record.state = "needs_review";
    record.remark = "I read your idea and what was accepted before.";
    record.usage = { ...NO_USAGE, input: 4200, output: 900, cost_micros: 40_000 };
    if (request !== null) {
      record.requests.push(request);
    }
    this.saved();
  }

  #fill(form: Form, answer: MockAnswer): void {
    for (const [name, value] of Object.entries(answer.fields ?? {})) {
      form.fields[name] ??= { value, origin: mockOrigin(value), edited: false, locked: false };
    }
    for (const [name, items] of Object.entries(answer.lists ?? {})) {
      form.lists[name] = [...(form.lists[name] ?? []), ...items.map((values) => this.#item(values, mockOrigin))];
    }
  }

  #decide(phase: WizardPhase, numbers: number[] | null, take: boolean): void {
    const { proposal } = this.record(phase);
    const meant = proposal.changes.filter(({ id, replaces_edit }) => numbers?.includes(id) ?? !(take && replaces_edit));
    for (const change of take ? meant : []) {
      const [list = "", id = "", field] = change.path.split("/");
      if (change.kind === "added" && change.item) {
        this.#list(phase, list).push(change.item);
      } else if (change.kind === "removed") {
        this.record(phase).form.lists[list] = this.#list(phase, list).filter((item) => item.id !== id);
      } else if (field && change.after !== null) {
        this.#put(phase, change.path, { value: change.after, origin: change.origin, edited: false, locked: false });
      }
    }
    proposal.changes = proposal.changes.filter((change) => !meant.includes(change));
    this.#changed(phase);
  }

  /** Phases that rules can fill in by themselves are there when they are reached. */
  #prepare(phase: WizardPhase): void {
    const record = this.record(phase);
    const empty = Object.keys(record.form.fields).length === 0 && Object.keys(record.form.lists).length === 0;
    if (empty && phase === "task_review") {
      record.form.lists.tasks = structuredClone(this.#items("generate"));
      record.state = "needs_review";
    }
    if (empty && (phase === "build_test" || phase === "iteration_mode")) {
      this.#fill(record.form, MOCK_ANSWERS[phase]);
      record.state = "needs_review";
    }
  }

  #changed(phase: WizardPhase): void {
    this.record(phase).state = "needs_review";
    for (const later of PHASES.slice(PHASES.indexOf(phase) + 1)) {
      const record = this.record(later);
      record.state = record.state === "open" ? "open" : "out_of_date";
    }
  }

  #problems(phase: WizardPhase): { path: string; message: string }[] {
    const { form, state } = this.record(phase);
    const empty =
      Object.values(form.lists).every((items) => (items?.length ?? 0) === 0) && Object.keys(form.fields).length === 0;
    if (phase !== "launch" && empty) {
      return [{ path: "", message: "nothing is filled in yet" }];
    }
    const open = phase === "gap_analysis" && this.#findings().some(({ status }) => status === "open");
    const earlier = PHASES.slice(0, PHASES.indexOf(phase)).find((each) => this.record(each).state !== "accepted");
    return [
      ...(open ? [{ path: "findings", message: "some findings are undecided: merge or dismiss them" }] : []),
      ...(earlier && state !== "accepted" ? [{ path: "", message: "an earlier phase is not accepted" }] : []),
    ];
  }

  #findings(): WizardView["findings"] {
    return this.#list("gap_analysis", "findings").map(findingOf);
  }

  #items(phase: WizardPhase): Item[] {
    return this.#list(phase, "tasks");
  }

  #list(phase: WizardPhase, name: string): Item[] {
    return (this.record(phase).form.lists[name] ??= []);
  }

  #item(values: Record<string, FieldValue>, origin: (value: FieldValue) => Field["origin"], edited = false): Item {
    const fields = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, { value, origin: origin(value), edited, locked: false }]),
    );
    return { id: `i${++this.wizard.last_item}`, fields };
  }

  #at(phase: WizardPhase, path: string): Field[] {
    const [name = "", id, field] = path.split("/");
    const { form } = this.record(phase);
    if (id === undefined) {
      const own = form.fields[name];
      return own ? [own] : (form.lists[name] ?? []).flatMap((item) => Object.values(item.fields) as Field[]);
    }
    const item = this.#list(phase, name).find((each) => each.id === id);
    const found = field === undefined ? Object.values(item?.fields ?? {}) : [item?.fields[field]];
    return found.filter((each): each is Field => each !== undefined);
  }

  #put(phase: WizardPhase, path: string, field: Field): void {
    const [name = "", id, part] = path.split("/");
    const locked = this.#at(phase, path)[0]?.locked ?? false;
    const fields =
      id === undefined
        ? this.record(phase).form.fields
        : this.#list(phase, name).find((each) => each.id === id)?.fields;
    if (!fields) {
      throw refusal("usage.invalid", `there is no "${path}"`);
    }
    fields[part ?? name] = { ...field, locked };
  }

  #move(list: Item[], id: string, before: string | null): void {
    const [item] = list.splice(
      list.findIndex((each) => each.id === id),
      1,
    );
    if (item) {
      const at = list.findIndex((each) => each.id === before);
      list.splice(at < 0 ? list.length : at, 0, item);
    }
  }
}
