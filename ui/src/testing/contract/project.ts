import { announced, ascending, asking, given, holds, on, refused, same, types, written } from "./suite";

/** The start page, the project as a whole, trust, history and settings. */
export const PROJECT = [
  ...on("start", {
    "the window says that it has no project": async (backend) => {
      same(backend.windowStart().context, { kind: "start", problem: null });
      same((await backend.appInfo()).version, backend.windowStart().version, "the version");
    },
    "the start page names the sample's folder": async (backend) => {
      const { sample_path } = await backend.startPage();
      holds(sample_path.startsWith("/"), "the sample's folder is a full path");
    },
    "a project that is not known is forgotten without complaint": async (backend) => {
      const { recents } = await backend.startPage();
      await backend.forgetRecent("/nowhere/at/all");
      same((await backend.startPage()).recents, recents, "the recent projects");
    },
    "a folder that is not there is reported, not refused": async (backend) => {
      const report = await backend.inspectFolder("/nowhere/missing");
      same([report.exists, report.name, report.project_root, report.suggestions], [false, "missing", null, []]);
    },
    "a path that is not full is refused": async (backend) => {
      await refused("project.bad_folder", backend.inspectFolder("code/heron"));
    },
    "a project that is not there is not opened": async (backend) => {
      await refused("project.bad_folder", backend.openProject("/nowhere/missing"));
    },
    "settings are the user's own": async (backend) => {
      const { settings, project_file } = await backend.settings();
      same(project_file, null, "the project's file");
      holds(
        settings.every(({ scopes }) => scopes.includes("user")),
        "every setting can be written for the user",
      );
    },
    "no wizard is under way": async (backend) => {
      same(await backend.wizards(), []);
    },
  }),

  ...on("sample", {
    "the window says which project it shows": async (backend) => {
      const { project } = await backend.overview();
      same(backend.windowStart().context, { kind: "project", path: project.path, name: project.name });
    },
    "the overview tells of a trusted sample without trouble": async (backend) => {
      const overview = await backend.overview();
      same([overview.project.sample, overview.trust.state, overview.problems], [true, "trusted", []]);
      holds(overview.trust.executables.length > 0, "trust says what would be executed");
      holds(/^[0-9a-f]{64}$/.test(overview.trust.digest), "the digest is 64 hex digits");
      same(overview.agent.name, "rehearsal", "the agent");
      same(overview.agent.scripted, true, "whether the agent is scripted");
    },
    "activity is the end of the history, the newest first, at most 20": async (backend) => {
      const { activity } = await backend.overview();
      const history = await backend.eventsSince(0, 500);
      same(activity, history.slice(-20).reverse(), "activity");
    },
    "history begins with the project and is numbered upwards": async (backend) => {
      const history = await backend.eventsSince(0, 500);
      same(history[0]?.event.type, "project.created", "the first event");
      holds(ascending(history.map(({ seq }) => seq)), "the numbers go up");
    },
    "history is asked for from a place on and up to a number": async (backend) => {
      const [first, second, third] = await backend.eventsSince(0, 500);
      const after = given(first, "first event").seq;
      same(await backend.eventsSince(after, 2), [second, third], "two events after the first");
      same(await backend.eventsSince(1_000_000, 10), [], "events of the future");
    },
    "tasks are found by words of their titles, in any case": async (backend) => {
      const { title, id } = given((await backend.overview()).tasks[0], "first task");
      holds((await backend.searchTasks(title.toUpperCase())).includes(id), "the title finds its task");
      same(await backend.searchTasks("quetzalcoatl"), [], "what nobody wrote");
    },
    "trust is refused for what is not there": async (backend) => {
      await refused("trust.changed", backend.trustProject("0".repeat(64)));
    },
    "a setting is written, told of and taken back": async (backend) => {
      const key = "ui.theme";
      const value = async () => (await backend.settings()).settings.find((setting) => setting.key === key)?.value;
      const before = given(await value(), "theme");
      const told = await written(backend, async () => {
        const report = await backend.setSetting({ key, value: "dark", scope: "user" });
        same(report.settings.find((setting) => setting.key === key)?.value, "dark", "the answer");
      });
      same(
        told.map((event) => (event.type === "config.changed" ? event.key : event.type)),
        [key],
        "what is written",
      );
      same(await value(), "dark", "the theme afterwards");
      await backend.setSetting({ key, value: null, scope: "user" });
      same(await value(), before, "the theme in the end");
    },
    "a setting of the project says where it comes from": async (backend) => {
      const origin = async () => (await backend.settings()).settings.find(({ key }) => key === "on_limit")?.origin.type;
      await backend.setSetting({ key: "on_limit", value: "stop", scope: "project" });
      same(await origin(), "project", "the origin");
      await backend.setSetting({ key: "on_limit", value: null, scope: "project" });
      same(await origin(), "default", "the origin in the end");
    },
    "settings that make no sense are refused": async (backend) => {
      await refused("config.bad_value", backend.setSetting({ key: "mode", value: "sometimes", scope: "project" }));
      await refused("config.bad_value", backend.setSetting({ key: "ui.theme", value: "plaid", scope: "user" }));
      await refused("config.unknown_key", backend.setSetting({ key: "no.such.key", value: "1", scope: "project" }));
    },
    "a setting for the user only is refused for the project": async (backend) => {
      await refused("config.bad_value", backend.setSetting({ key: "sandbox", value: "on", scope: "project" }));
    },
    "a change in the project is announced": async (backend) => {
      await announced(backend, () => backend.setSetting({ key: "on_limit", value: "stop", scope: "project" }));
      await backend.setSetting({ key: "on_limit", value: null, scope: "project" });
    },
    "the doctor has a name and a message for each finding": async (backend) => {
      const { findings } = await backend.doctor();
      holds(findings.length > 0, "something is looked at");
      holds(
        findings.every(({ name, message }) => name !== "" && message !== ""),
        "each has both",
      );
    },
  }),

  ...on("untrusted", {
    "a folder nobody trusted says so, with what it would execute": async (backend) => {
      const { trust } = await backend.overview();
      same(trust.state, "untrusted", "trust");
      holds(trust.executables.length > 0, "there is something to trust");
    },
    "what would execute something is refused before trust": async (backend) => {
      await refused(
        "trust.required",
        backend.runChecks([], () => undefined),
      );
    },
  }),

  ...asking("untrusted", {
    "trust is written down once and announced": async (backend) => {
      const { digest } = (await backend.overview()).trust;
      const told = await types(backend, () =>
        announced(backend, async () => same((await backend.trustProject(digest)).trust.state, "trusted")),
      );
      same(told, ["project.trusted"], "what is written");
    },
  }),
];
