import { announced, given, holds, on, refused, same, types } from "./suite";

const UNKNOWN = 9_999;

/** The spec: its tree, writing, searching, and terms. */
export const SPEC = on("sample", {
  "the tree lists every section once, below sections that are there": async (backend) => {
    const { sections, terms } = await backend.specView();
    const ids = sections.map(({ id }) => id);
    same([...new Set(ids)], ids, "the sections");
    holds(
      sections.every(({ parent }) => parent === null || ids.includes(parent)),
      "what a section is below is there",
    );
    same([...new Set(terms.map(({ term }) => term.id))].length, terms.length, "each term has a number of its own");
    same(
      (await backend.sections()).map(({ id }) => id),
      ids,
      "the same sections as tasks are linked to",
    );
  },
  "a section tells of its text, its tasks and how good it is": async (backend) => {
    const entry = given(
      (await backend.specView()).sections.find(({ tasks }) => tasks > 0),
      "section with tasks",
    );
    const { section, trace, quality, edited } = await backend.specSection(entry.id);
    same([section.id, section.title, trace.length, edited], [entry.id, entry.title, entry.tasks, false]);
    same(quality.findings.length, entry.findings, "the findings");
    same((await backend.judgeSection(entry.id, section.content)).score, quality.score, "the score of the same text");
  },
  "a section that is not there is refused": async (backend) => {
    await refused("section.not_found", backend.specSection(UNKNOWN));
    await refused("section.not_found", backend.removeSections([UNKNOWN]));
    await refused("section.not_found", backend.saveSection(UNKNOWN, "", { title: "Yard", content: "" }));
  },
  "a section is added, saved once for each version, and removed": async (backend) => {
    const id = await backend.addSection({ title: "Yard", content: "There are three benches.", under: null });
    const { version } = await backend.specSection(id);
    await refused("usage.invalid", backend.saveSection(id, version, { title: " ", content: "Four." }));
    const text = { title: "Yard", content: "There are four benches." };
    const told = await types(backend, () =>
      announced(backend, async () => {
        const { section, edited } = await backend.saveSection(id, version, text);
        same([section.content, section.file, edited], [text.content, null, false], "the answer");
      }),
    );
    same(told, ["spec.changed"], "what is written");
    await refused("section.changed", backend.saveSection(id, version, { ...text, content: "Five." }));
    const { sections } = await backend.removeSections([id]);
    holds(
      sections.every((section) => section.id !== id),
      "it is gone",
    );
  },
  "sections are found by their words": async (backend) => {
    const { title, id } = given((await backend.specView()).sections.at(-1), "section");
    const hits = await backend.searchSpec(title);
    holds(
      hits.some((hit) => hit.id === id),
      `"${title}" finds its section`,
    );
    same(await backend.searchSpec("quetzalcoatl"), [], "what nobody wrote");
    same(await backend.searchSpec("  "), [], "nothing");
  },
  "a term belongs to one name, and is replaced only when that is said": async (backend) => {
    const draft = {
      name: "Bench",
      definition: "A seat in the yard.",
      variants: ["benches"],
      avoid: [],
      replace: false,
    };
    const term = await backend.putTerm(draft);
    same([term.name, term.definition], [draft.name, draft.definition]);
    await refused("term.invalid", backend.putTerm({ ...draft, name: "bench", definition: "Another." }));
    const again = await backend.putTerm({ ...draft, definition: "A seat.", replace: true });
    same([again.id, again.definition], [term.id, "A seat."], "the term that was replaced");
    const known = async () => (await backend.specView()).terms.filter((entry) => entry.term.name === "Bench").length;
    same(await known(), 1, "how many there are");
    await backend.removeTerm("Bench");
    same(await known(), 0, "how many there are in the end");
    await refused("term.not_found", backend.removeTerm("Bench"));
  },
  "a document that is not there is not imported": async (backend) => {
    const request = { files: ["missing.md"], dry_run: true, replace: false };
    await refused("usage.invalid", backend.importSpec(request));
  },
});
