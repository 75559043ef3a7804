import type { CheckDraft, CheckUpdate } from "$lib/backend/types";

import { announced, given, holds, on, refused, same, types } from "./suite";

/** A check without a command of its own: nobody has to be asked in a native dialog. */
const BUILTIN: CheckDraft = {
  name: "nothing differs",
  command: "",
  builtin: "clean-tree",
  required: false,
  enabled: true,
  edits: false,
  timeout: null,
  dir: null,
  parser: null,
  pattern: null,
  issues: null,
};

/** The project's checks: their list, and running them. */
export const CHECKS = on("sample", {
  "checks stand in their order, and the overview lists those that are on": async (backend) => {
    const { checks, trust, problems } = await backend.checks();
    same(
      checks.map(({ position }) => position),
      checks.map((_, index) => index),
      "the places",
    );
    same([trust, problems], ["trusted", []]);
    holds(checks.length > 1, "there are some");
    const { checks: told } = await backend.overview();
    same(
      told.map(({ name }) => name),
      checks.filter(({ draft }) => draft.enabled).map(({ draft }) => draft.name),
      "what the overview lists",
    );
  },
  "a builtin check is added, changed, moved, switched off and removed": async (backend) => {
    const names = async () => (await backend.checks()).checks.map(({ draft }) => draft.name);
    const before = await names();
    const added = await backend.saveCheck(null, BUILTIN);
    same(
      added.checks.map(({ draft }) => draft.name),
      [...before, BUILTIN.name],
      "the answer",
    );
    await backend.saveCheck(BUILTIN.name, { ...BUILTIN, name: "all is committed" });
    same(await names(), [...before, "all is committed"], "the names");
    await backend.moveCheck("all is committed", 0);
    same(await names(), ["all is committed", ...before], "the order");
    const off = await backend.enableCheck("all is committed", false);
    same(given(off.checks[0], "check").draft.enabled, false, "that it is off");
    await backend.removeCheck("all is committed");
    same(await names(), before, "the names in the end");
  },
  "a change of checks is written and announced": async (backend) => {
    const told = await types(backend, () => announced(backend, () => backend.saveCheck(null, BUILTIN)));
    holds(told.includes("config.changed"), `it is written: ${told.join(", ")}`);
    await backend.removeCheck(BUILTIN.name);
  },
  "a check that is not there is refused": async (backend) => {
    await refused("usage.invalid", backend.removeCheck("nobody"));
    await refused("usage.invalid", backend.enableCheck("nobody", false));
    await refused("usage.invalid", backend.moveCheck("nobody", 0));
    await refused("usage.invalid", backend.saveCheck("nobody", BUILTIN));
    await refused(
      "usage.invalid",
      backend.runChecks(["nobody"], () => undefined),
    );
  },
  "two checks do not have one name": async (backend) => {
    const { draft } = given((await backend.checks()).checks[0], "check");
    await refused("usage.invalid", backend.saveCheck(null, { ...BUILTIN, name: draft.name }));
  },
  "a round tells how each check begins and ends, in order, and is remembered": async (backend) => {
    const updates: CheckUpdate[] = [];
    const results = await backend.runChecks([], (update) => updates.push(update));
    const { checks } = await backend.checks();
    same(
      results.map(({ name }) => name),
      checks.filter(({ draft }) => draft.enabled).map(({ draft }) => draft.name),
      "what was run",
    );
    const steps = updates.map((update) =>
      update.kind === "started"
        ? `${update.name} begins`
        : update.kind === "ended"
          ? `${update.result.name} ends`
          : "?",
    );
    same(
      steps,
      results.flatMap(({ name }) => [`${name} begins`, `${name} ends`]),
      "the steps",
    );
    for (const result of results) {
      const row = given(
        checks.find(({ draft }) => draft.name === result.name),
        "row",
      );
      same(row.last?.result.status, result.status, `what is remembered of ${result.name}`);
      same(row.trend.at(-1)?.status, result.status, `the last point of ${result.name}`);
    }
  },
  "one check runs alone": async (backend) => {
    const name = given((await backend.checks()).checks[1], "second check").draft.name;
    const results = await backend.runChecks([name], () => undefined);
    same(
      results.map((result) => result.name),
      [name],
      "what was run",
    );
  },
  "nothing to stop is no trouble": async (backend) => {
    await backend.stopChecks();
  },
});
