import type { RunUpdate, StartRun } from "$lib/backend/types";
import { emptyDraft } from "$lib/task/words";

import { ascending, given, holds, on, refused, same, soon } from "./suite";

const NOBODY = "01890000-0000-7000-8000-000000000000";
const SORT = { column: "number" as const, descending: true };
const OVER_TASKS: StartRun = {
  work: { kind: "tasks", tag: null, task: null, wave: null },
  harness: null,
  model: null,
  automation: null,
  settings: [],
  leave_earlier: false,
};

/** Runs, iterations, output and gates where nothing has run yet. */
export const RUNS = on("sample", {
  "no run has been": async (backend) => {
    same([await backend.runState(null), await backend.runs(null, 10)], [null, []]);
    same(await backend.iterations(null, SORT, 0, 10), { total: 0, rows: [] });
    same(await backend.gates(), { open: [], decided: [] });
  },
  "what is not there cannot be steered": async (backend) => {
    await refused("run.not_found", backend.resumeRun(null));
    await refused("run.not_found", backend.askRun("pause"));
    await refused("run.not_found", backend.askRun("cancel"));
  },
  "runs, iterations and gates that are not there are refused": async (backend) => {
    await refused("run.not_found", backend.iterations(NOBODY, SORT, 0, 10));
    await refused("run.not_found", backend.iteration(NOBODY));
    await refused("run.not_found", backend.outputInfo({ iteration: NOBODY, source: { kind: "transcript" } }));
    await refused("run.not_found", backend.previewRestore({ iteration: NOBODY, side: "after" }));
    await refused("gate.not_found", backend.gate(1_000));
    await refused("gate.not_found", backend.decideGate(1_000, null, { kind: "approve" }));
  },
  "what can be chosen for a run names an agent, and no earlier run": async (backend) => {
    const choices = await backend.runChoices();
    same([choices.harness, choices.trust, choices.earlier, choices.live], ["rehearsal", "trusted", null, null]);
    holds(
      choices.harnesses.some(({ name }) => name === "rehearsal"),
      "it is among the agents",
    );
    const checks = await backend.checks();
    same(choices.checks, checks.checks.filter(({ draft }) => draft.enabled).length, "how many checks are on");
  },
  "a preview of a run starts nothing": async (backend) => {
    const { title, command, prompt } = await backend.previewRun(OVER_TASKS);
    holds(title !== "" && command !== "" && prompt !== "", "it says what would be done");
    same(await backend.runState(null), null, "the newest run");
  },
  "settings of a run that make no sense are refused": async (backend) => {
    const settings = [{ key: "run.max_iterations", value: "many" }];
    await refused("config.bad_value", backend.startRun({ ...OVER_TASKS, settings }));
  },
  "who follows is told of the state, then of each event in its order": async (backend) => {
    const heard: RunUpdate[] = [];
    let wake: () => void = () => undefined;
    const end = backend.follow(
      0,
      (updates) => {
        heard.push(...updates);
        wake();
      },
      (thrown) => heard.push({ kind: "events", events: [thrown as never] }),
    );
    const events = () => heard.flatMap((update) => (update.kind === "events" ? update.events : []));
    const until = (what: string, there: () => boolean) =>
      soon(
        what,
        new Promise<void>((resolve) => {
          wake = () => there() && resolve();
          wake();
        }),
      );
    try {
      await until("the state", () => heard.some(({ kind }) => kind === "state"));
      const id = await backend.addTask(emptyDraft("Followed"));
      await until("the new task", () => events().some(({ event }) => event.type === "task.added" && event.task === id));
      holds(ascending(events().map(({ seq }) => seq)), "the events come once and in order");
      same(events()[0]?.event.type, "project.created", "the first event");
    } finally {
      end();
    }
  },
  "files are opened only inside the project, links only on the web": async (backend) => {
    await refused("usage.invalid", backend.openLink("file:///etc/passwd"));
    await refused("usage.invalid", backend.openLink("javascript:alert(1)"));
  },
});

/** What a run left that waits for approval. */
export const REVIEW = on("review", {
  "the run waits for a person, and its state says so": async (backend) => {
    const { run, options, ending } = given(await backend.runState(null), "run");
    same([run.kind, run.status, run.waiting], ["run", "waiting", "approval"]);
    same(ending?.headline, "Waiting for your decision", "what a person is told");
    holds(options !== null, "how it was started is known");
    same((await backend.runs(null, 10))[0]?.id, run.id, "the newest run");
    same((await backend.runState(run.id))?.run.id, run.id, "the run by its id");
  },
  "runs are paged from one on": async (backend) => {
    const all = await backend.runs(null, 10);
    const first = given(all[0], "run");
    same(
      (await backend.runs(first.id, 10)).map(({ id }) => id),
      all.slice(1).map(({ id }) => id),
      "the rest",
    );
  },
  "iterations are sorted and paged": async (backend) => {
    const { total, rows } = await backend.iterations(null, SORT, 0, 500);
    holds(total > 1 && rows.length === total, "all of them fit on a page");
    const numbers = rows.map(({ number, attempt }) => -(number * 1_000 + attempt));
    holds(ascending(numbers), "the newest come first");
    const second = await backend.iterations(null, SORT, 1, 1);
    same(second, { total, rows: [rows[1]] }, "the second page of one row");
    const up = await backend.iterations(null, { ...SORT, descending: false }, 0, 500);
    same(
      up.rows.map(({ id }) => id),
      rows.map(({ id }) => id).reverse(),
      "the other way round",
    );
    same((await backend.iterations(null, SORT, total, 10)).rows, [], "behind the last");
  },
  "an iteration tells of its run, its neighbours and its history": async (backend) => {
    const { rows } = await backend.iterations(null, { ...SORT, descending: false }, 0, 500);
    const [first, second] = rows;
    const detail = await backend.iteration(given(second, "second iteration").id);
    same(
      [detail.previous, detail.next, detail.run.id],
      [first?.id, rows[2]?.id ?? null, (await backend.runs(null, 1))[0]?.id],
    );
    same(detail.iteration.number, second?.number, "its number");
    same(detail.journal[0]?.event.type, "iteration.started", "how its history begins");
    holds(detail.prompt !== null && detail.prompt.bytes > 0, "its prompt is kept");
    holds(ascending(detail.journal.map(({ seq }) => seq)), "its history goes forward");
  },
  "output is paged, filtered and searched by the same places": async (backend) => {
    const { rows } = await backend.iterations(null, { ...SORT, descending: false }, 0, 1);
    const target = { iteration: given(rows[0], "iteration").id, source: { kind: "transcript" as const } };
    const info = await backend.outputInfo(target);
    const all = { kinds: [] };
    const page = await backend.outputPage(target, all, 0, 500);
    same([info.exists, info.finished, page.first, page.total], [true, true, 0, info.total]);
    same(
      page.entries.map(({ n }) => n),
      page.entries.map((_, index) => index),
      "the places",
    );
    const counted = Object.values(info.counts).reduce((sum, count) => sum + count, 0);
    same(counted, info.total, "the sum of all kinds");
    const { kind, text, n } = given(
      page.entries.find((entry) => entry.text.trim().length > 3),
      "entry with words",
    );
    const only = await backend.outputPage(target, { kinds: [kind] }, 0, 500);
    same(only.total, info.counts[kind], "how many a filter lets through");
    const word = given(text.match(/[A-Za-z]{4,}/)?.[0], "word");
    holds((await backend.searchOutput(target, all, word.toUpperCase())).places.includes(n), `"${word}" is found`);
    same(await backend.searchOutput(target, all, "quetzalcoatl"), { places: [], more: false });
    same((await backend.outputEntry(target, n)).n, n, "one entry");
    same((await backend.outputPage(target, all, info.total, 10)).entries, [], "behind the last");
  },
  "changes are told file by file": async (backend) => {
    const waiting = await openGate(backend);
    const comparison = given((await backend.gate(waiting.id)).comparison, "comparison");
    const report = await backend.diffFiles(comparison);
    same([report.total, report.files.length], [waiting.files, waiting.files], "the files");
    same(
      [report.added, report.removed],
      [
        report.files.reduce((sum, file) => sum + (file.added ?? 0), 0),
        report.files.reduce((sum, file) => sum + (file.removed ?? 0), 0),
      ],
      "the lines",
    );
    const { path } = given(report.files[0], "file");
    same((await backend.diffFile(comparison, path, null)).file.path, path, "one file");
    await refused("usage.invalid", backend.diffFile(comparison, "no/such/file", null));
    const same_tree = { from: comparison.from, to: comparison.from };
    same(await backend.diffFiles(same_tree), { files: [], total: 0, added: 0, removed: 0 }, "nothing against itself");
  },
  "files are restored only as they were shown": async (backend) => {
    const { rows } = await backend.iterations(null, { ...SORT, descending: false }, 0, 1);
    const tree = { iteration: given(rows[0], "iteration").id, side: "after" as const };
    const preview = await backend.previewRestore(tree);
    holds(preview.writes.length <= preview.writes_total, "no more files are named than there are");
    await refused("restore.changed", backend.restoreTree(tree, "0".repeat(40)));
  },
  "what waits is in the inbox, and its task says so": async (backend) => {
    const gate = await openGate(backend);
    const detail = await backend.gate(gate.id);
    same([detail.gate.id, detail.gate.status, detail.unchanged, detail.edited], [gate.id, "open", true, []]);
    const task = await backend.task(given(gate.task, "task"));
    same([task.task.status, task.gate], ["awaiting_approval", gate.id]);
    same((await backend.taskBoard()).tasks.find(({ id }) => id === gate.task)?.status, "awaiting_approval");
  },
  "remarks are kept with numbers of their own, and taken back": async (backend) => {
    const { id } = await openGate(backend);
    const { comparison } = await backend.gate(id);
    const { files } = await backend.diffFiles(given(comparison, "comparison"));
    const remark = { id: 0, path: given(files[0], "file").path, line: 1, old_side: false, quoted: "", text: "Why?" };
    await backend.commentGate(id, remark);
    const { gate } = await backend.commentGate(id, { ...remark, text: "And why this?" });
    const [first, second] = gate.comments;
    same([first?.text, second?.text, first?.id === second?.id], ["Why?", "And why this?", false]);
    await backend.uncommentGate(id, given(first, "remark").id);
    const left = await backend.uncommentGate(id, given(second, "remark").id);
    same(left.gate.comments, [], "what is left");
  },
  "a decision needs the files that were shown, and a reason where one is due": async (backend) => {
    const { id } = await openGate(backend);
    const { gate } = await backend.gate(id);
    await refused("usage.invalid", backend.decideGate(id, gate.tree, { kind: "reject", reason: "  " }));
    await refused("gate.changed", backend.decideGate(id, "0".repeat(40), { kind: "approve" }));
  },
  "what is rejected is put back, once, and its task waits again": async (backend) => {
    const { id } = await openGate(backend);
    const { gate } = await backend.gate(id);
    await backend.decideGate(id, gate.tree, { kind: "reject", reason: "Ask the owner first." });
    await refused("gate.decided", backend.decideGate(id, gate.tree, { kind: "approve" }));
    const { open, decided } = await backend.gates();
    same([open.some((each) => each.id === id), decided[0]?.id, decided[0]?.status], [false, id, "rejected"]);
    const { task } = await backend.task(given(gate.task, "task"));
    same([task.status, task.failures > 0], ["pending", true]);
  },
});

async function openGate(backend: Parameters<(typeof REVIEW)[number]["run"]>[0]) {
  return given(
    (await backend.gates()).open.find(({ kind }) => kind === "work"),
    "open gate",
  );
}
