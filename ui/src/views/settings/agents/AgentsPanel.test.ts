import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "$lib/backend/mock";

import { callsOf, openWindow, screen, type TestWindow } from "../../../testing/window";

async function agents(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow(options);
  await test.user.keyboard("{Control>},{/Control}");
  await screen.findByTestId("settings-agent");
  return test;
}

async function tile(name: string): Promise<ReturnType<typeof within>> {
  const found = await waitFor(() => {
    const all = screen.getAllByTestId("agent-tile");
    const one = all.find((each) => each.dataset.agent === name);
    expect(one).toBeDefined();
    return one as HTMLElement;
  });
  return within(found);
}

describe("the agents in the settings", () => {
  it("say where each one is, its version, its login, and what to do", async () => {
    await agents();
    const claude = await tile("claude");
    expect(claude.getByTestId("agent-state").textContent).toBe("Ready");
    expect(claude.getByText("/home/ada/.local/bin/claude")).toBeTruthy();
    expect(claude.getByText("2.1.273")).toBeTruthy();
    expect(claude.getByText("Claude Max, ada@example.org")).toBeTruthy();
    const codex = await tile("codex");
    expect(codex.getByTestId("agent-state").textContent).toBe("Not logged in");
    expect(codex.getByTestId("agent-problem").dataset.code).toBe("agent.login");
    expect(codex.getByText(/Run "codex login"/)).toBeTruthy();
    const opencode = await tile("opencode");
    expect(opencode.getByTestId("agent-state").textContent).toBe("Not installed");
    expect(opencode.getByText("npm install -g opencode-ai")).toBeTruthy();
    expect(opencode.queryByTestId("agent-ask")).toBeNull();
    expect((await tile("cursor")).getByText("untested")).toBeTruthy();
    expect((await tile("rehearsal")).getByText("scripted")).toBeTruthy();
  });

  it("are shown as soon as they answered, and asked again when a person wants it", async () => {
    const { app, backend, user } = await openWindow();
    const ask = backend.agents;
    let answer = (): void => undefined;
    app.backend.agents = () => new Promise((resolve) => (answer = () => resolve(ask())));
    await user.keyboard("{Control>},{/Control}");
    expect((await screen.findByTestId("agents-loading")).textContent).toContain("This takes a few seconds");
    answer();
    await tile("claude");
    expect(screen.queryByTestId("agents-loading")).toBeNull();
    app.backend.agents = ask;
    await user.click(screen.getByTestId("agents-refresh"));
    await waitFor(() => expect(callsOf(backend, "agents")).toHaveLength(2));
  });

  it("answer one question, and say what that took", async () => {
    const { app, backend, user } = await agents();
    const ask = backend.tryAgent.bind(backend);
    let answer = (): void => undefined;
    app.backend.tryAgent = (name) => new Promise((resolve) => (answer = () => resolve(ask(name))));
    const claude = await tile("claude");
    await user.click(claude.getByTestId("agent-ask"));
    expect(claude.getByTestId("trial").dataset.state).toBe("asking");
    answer();
    await waitFor(() => expect(claude.getByTestId("trial").textContent).toContain("It answered: “Ready.”"));
    expect(claude.getByTestId("trial").textContent).toContain("claude-sonnet-4-5");
    expect(callsOf(backend, "tryAgent")).toEqual(["claude"]);
  });

  it("say why they do not answer", async () => {
    const { user } = await agents();
    const codex = await tile("codex");
    await user.click(codex.getByTestId("agent-ask"));
    await waitFor(() => expect(codex.getByTestId("fault").dataset.code).toBe("agent.login"));
    const cursor = await tile("cursor");
    await user.click(cursor.getByTestId("agent-ask"));
    await waitFor(() => expect(cursor.getByTestId("fault").dataset.code).toBe("agent.limit"));
    expect(cursor.getByText(/It said: You've hit your usage limit/)).toBeTruthy();
  });

  it("can be made the default, which the setting below follows", async () => {
    const { backend, user } = await agents();
    const rehearsal = await tile("rehearsal");
    expect(rehearsal.getByTestId("agent-chosen")).toBeTruthy();
    await user.click((await tile("claude")).getByTestId("agent-choose"));
    await waitFor(async () => expect((await tile("claude")).getByTestId("agent-chosen")).toBeTruthy());
    expect(callsOf(backend, "setSetting")).toEqual([{ scope: "project", key: "default_harness", value: "claude" }]);
    expect(screen.getByTestId("value-default_harness").textContent).toContain("claude");
  });

  it("have their settings in groups, with what confines them", async () => {
    await agents();
    await tile("claude");
    const titles = ["Roles", "Limits and outages", "Sandbox", "Programs"];
    for (const title of titles) {
      expect(screen.getByRole("region", { name: title })).toBeTruthy();
    }
    const limits = within(screen.getByRole("region", { name: "Limits and outages" }));
    expect(limits.getByTestId("value-on_limit").textContent).toContain("Wait until it is lifted");
    expect(screen.getByTestId("sandbox").dataset.confinement).toBe("sandbox");
  });

  it("say that none is chosen, and that none is installed", async () => {
    await agents({ scenario: "problems" });
    await tile("gemini");
    const panel = within(screen.getByTestId("settings-agent"));
    expect(panel.getByTestId("agents-several").textContent).toContain("Several agents are installed");
    expect((await tile("claude")).getByTestId("agent-state").textContent).toBe("Too old");
  });

  it("say why they could not be looked at", async () => {
    const { app } = await agents();
    await tile("claude");
    app.backend.agents = () => Promise.reject(new Error("gone"));
    await app.agents.refresh();
    await waitFor(() => expect(within(screen.getByTestId("settings-agent")).getByTestId("fault")).toBeTruthy());
    expect(screen.getAllByTestId("agent-tile").length).toBeGreaterThan(0);
  });
});
