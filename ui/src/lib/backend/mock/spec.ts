import type { SpecBackend } from "../spec";
import type {
  QualityFinding,
  Section,
  SectionDetail,
  SectionId,
  SectionQuality,
  SectionRevision,
  SpecSource,
  SpecView,
  Task,
  Term,
} from "../types";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** What others do to the spec, and what the desktop does with files. */
export interface SpecControls {
  /** Somebody else writes another text into a section. */
  change(id: SectionId, content: string): void;
  dropFiles(paths: string[]): void;
  dragOver(over: boolean): void;
}

const VAGUE = ["fast", "easily", "robust", "etc", "user friendly"];
const OPEN = ["tbd", "todo"];
const WORDS = /[^\p{L}\p{N}]+/u;

const prose = (text: string) => ` ${text.toLowerCase().split(WORDS).filter(Boolean).join(" ")} `;
const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
const versionOf = ({ title, content }: Section) => `${title}\n${content}`;

function findingsOf(content: string, linked: boolean, terms: readonly Term[]): QualityFinding[] {
  const words = prose(content);
  const has = (word: string) => words.includes(` ${word} `);
  return [
    ...(content.trim() === "" ? [{ rule: "empty_section" as const, message: "it says nothing", word: null }] : []),
    ...VAGUE.filter(has).map((word) => ({
      rule: "vague_words" as const,
      message: `"${word}" can mean anything`,
      word,
    })),
    ...OPEN.filter(has).map((word) => ({
      rule: "open_point" as const,
      message: `"${word}": something is not decided`,
      word,
    })),
    ...(linked ? [] : [{ rule: "orphan_section" as const, message: "no task carries it out", word: null }]),
    ...terms.flatMap((term) =>
      term.avoid.filter(has).map((word) => ({
        rule: "avoided_word" as const,
        message: `"${word}" is called "${term.name}" here`,
        word,
      })),
    ),
  ];
}

const PENALTY: Partial<Record<QualityFinding["rule"], number>> = {
  empty_section: 40,
  open_point: 15,
  orphan_section: 10,
};
const scoreOf = (findings: QualityFinding[]) =>
  Math.max(
    0,
    findings.reduce((score, { rule }) => score - (PENALTY[rule] ?? 5), 100),
  );

/** The spec in the mock: the sections that tasks are linked to, with a few terms and rules. */
export function createSpecMock({ scenario, tasks, guarded, announce, note }: MockParts): SpecBackend & {
  specControls: SpecControls;
} {
  const dropped = new Set<(paths: string[]) => void>();
  const over = new Set<(over: boolean) => void>();
  const edited = new Set<SectionId>();
  const history = new Map<SectionId, SectionRevision[]>();
  const stale = new Map<SectionId, Set<number>>();
  const sources: SpecSource[] =
    tasks.sections.length === 0
      ? []
      : [
          {
            file: "SPEC.md",
            state: scenario === "tasks" || scenario === "problems" ? "changed" : "current",
            outdated_by: scenario === "problems" ? ["requirements.md"] : [],
          },
        ];
  let terms: Term[] =
    tasks.sections.length === 0
      ? []
      : [
          {
            id: 1,
            name: "infusion",
            definition: "One steeping of the leaves.",
            variants: ["infusions"],
            avoid: ["brew"],
          },
          {
            id: 2,
            name: "tea",
            definition: "What is steeped, by its name in teas.txt.",
            variants: ["teas"],
            avoid: [],
          },
        ];

  const linked = (id: SectionId): Task[] => tasks.list.filter((task) => task.sections.includes(id));
  const parentOf = ({ number }: Section): SectionId | null =>
    tasks.sections.find((other) => other.number === number.split(".").slice(0, -1).join("."))?.id ?? null;

  function find(id: SectionId): Section {
    const section = tasks.sections.find((each) => each.id === id);
    if (!section) {
      throw refusal("section.not_found", `there is no section §${id}`);
    }
    return section;
  }

  function quality(id: SectionId, content: string): SectionQuality {
    const judge = (section: Section) => findingsOf(section.content, linked(section.id).length > 0, terms);
    const findings = findingsOf(content, linked(id).length > 0, terms);
    const scores = tasks.sections.map((each) => scoreOf(each.id === id ? findings : judge(each)));
    const plan = scores.length === 0 ? null : Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length);
    return { score: scoreOf(findings), plan, findings };
  }

  function write(section: Section, title: string, content: string): void {
    if (section.title === title && section.content === content) {
      return;
    }
    const earlier = history.get(section.id) ?? [];
    history.set(section.id, [
      {
        id: earlier.length + 1,
        title: section.title,
        content: section.content,
        words: section.words,
        until: new Date().toISOString(),
        origin: "app",
        what: `edited ${section.title}`,
      },
      ...earlier,
    ]);
    Object.assign(section, { title, content, words: count(content) });
    if (section.file !== null) {
      edited.add(section.id);
    }
    const done = linked(section.id).filter(({ status }) => status === "done");
    stale.set(section.id, new Set(done.map(({ id }) => id)));
  }

  const staleOf = (id: SectionId) => [...(stale.get(id) ?? [])].filter((task) => tasks.find(task).status === "done");

  // A workshop in which the second task was finished before its section changed.
  if (scenario === "tasks" && tasks.list.some(({ id }) => id === 2)) {
    stale.set(3, new Set([2]));
    tasks.change(2, { sections: [3] });
  }

  function detail(id: SectionId): SectionDetail {
    const section = find(id);
    return {
      section: { ...section },
      version: versionOf(section),
      edited: edited.has(id),
      parent: parentOf(section),
      trace: linked(id).map((task) => ({
        task: task.id,
        title: task.title,
        status: task.status,
        stale: staleOf(id).includes(task.id),
        commit: task.commit,
        iterations: [],
      })),
      quality: quality(id, section.content),
    };
  }

  function view(): SpecView {
    return {
      sections: tasks.sections.map((section) => ({
        id: section.id,
        number: section.number,
        title: section.title,
        parent: parentOf(section),
        file: section.file,
        words: section.words,
        edited: edited.has(section.id),
        tasks: linked(section.id).length,
        stale: staleOf(section.id).length,
        findings: findingsOf(section.content, linked(section.id).length > 0, terms).length,
      })),
      terms: terms.map((term) => ({
        term,
        sections: tasks.sections.filter((section) =>
          [term.name, ...term.variants].some((word) => prose(section.content).includes(` ${word.toLowerCase()} `)),
        ).length,
      })),
      sources,
      score: quality(-1, "").plan,
    };
  }

  function changed(what: string): void {
    note({ type: "spec.changed", what, sections: tasks.sections.length, origin: "app" });
    announce();
  }

  return {
    specView: () => guarded("specView", null, view),
    specSection: (id) => guarded("specSection", id, () => detail(id)),
    sectionHistory: (id) => guarded("sectionHistory", id, () => history.get(find(id).id) ?? []),
    searchSpec: (text) =>
      guarded("searchSpec", text, () => {
        const words = prose(text).trim().split(" ").filter(Boolean);
        const matches = (section: Section) => {
          const heading = prose(section.title);
          const body = prose(section.content);
          return words.reduce(
            (sum, word) => sum + (heading.includes(` ${word}`) ? 4 : 0) + (body.includes(` ${word}`) ? 1 : 0),
            0,
          );
        };
        return tasks.sections
          .map((section) => ({ section, rank: matches(section) }))
          .filter(({ rank }) => rank > 0)
          .sort((left, right) => right.rank - left.rank)
          .map(({ section: { id, number, title, content } }) => ({
            id,
            number,
            title,
            excerpt: content.slice(0, 180),
          }));
      }),
    judgeSection: (id, content) => guarded("judgeSection", { id, content }, () => quality(id, content)),
    saveSection: (id, seen, text) =>
      guarded("saveSection", { id, seen, text }, () => {
        const section = find(id);
        if (versionOf(section) !== seen) {
          throw refusal("section.changed", `"${section.title}" was changed by somebody else since you opened it`);
        }
        if (text.title.trim() === "") {
          throw refusal("usage.invalid", "a section needs a heading of one line");
        }
        write(section, text.title.trim(), text.content.trimEnd());
        changed(`edited ${section.title}`);
        return detail(id);
      }),
    addSection: (section) =>
      guarded("addSection", section, () => {
        const id = Math.max(0, ...tasks.sections.map((each) => each.id)) + 1;
        const above = section.under === null ? null : find(section.under);
        const prefix = above ? `${above.number}.` : "";
        const taken = new Set(tasks.sections.map(({ number }) => number));
        let place = 1;
        while (taken.has(`${prefix}${place}`)) {
          place++;
        }
        const number = `${prefix}${place}`;
        const level = number.split(".").length;
        const { title, content } = section;
        const at = above ? tasks.sections.indexOf(above) + 1 : tasks.sections.length;
        tasks.sections.splice(at, 0, { id, number, title, level, content, file: null, words: count(content) });
        changed(`added ${title}`);
        return id;
      }),
    removeSections: (ids) =>
      guarded("removeSections", ids, () => {
        ids.forEach(find);
        const kept = tasks.sections.filter(({ id }) => !ids.includes(id));
        tasks.sections.splice(0, tasks.sections.length, ...kept);
        changed(`removed ${ids.length}`);
        return view();
      }),
    acceptTasks: (ids) =>
      guarded("acceptTasks", ids, () => {
        for (const set of stale.values()) {
          ids.forEach((id) => set.delete(id));
        }
        announce();
      }),
    putTerm: (draft) =>
      guarded("putTerm", draft, () => {
        const same = terms.find(({ name }) => name.toLowerCase() === draft.name.trim().toLowerCase());
        if (same && !draft.replace) {
          throw refusal("term.invalid", `"${draft.name}" belongs to the term "${same.name}"`);
        }
        const { name, definition, variants, avoid } = draft;
        const term = { id: same?.id ?? terms.length + 1, name: name.trim(), definition, variants, avoid };
        terms = [...terms.filter((each) => each !== same), term].sort((left, right) =>
          left.name.localeCompare(right.name),
        );
        announce();
        return term;
      }),
    removeTerm: (name) =>
      guarded("removeTerm", name, () => {
        if (terms.every((term) => term.name !== name)) {
          throw refusal("term.not_found", `there is no term "${name}"`);
        }
        terms = terms.filter((term) => term.name !== name);
        announce();
      }),
    onFilesDropped: (callback) => {
      dropped.add(callback);
      return () => dropped.delete(callback);
    },
    onFilesOver: (callback) => {
      over.add(callback);
      return () => over.delete(callback);
    },
    specControls: {
      change: (id, content) => {
        write(find(id), find(id).title, content);
        announce();
      },
      dropFiles: (paths) => {
        over.forEach((callback) => callback(false));
        dropped.forEach((callback) => callback(paths));
      },
      dragOver: (now) => over.forEach((callback) => callback(now)),
    },
  };
}
