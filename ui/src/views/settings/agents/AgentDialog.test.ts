import "./AgentDialog.svelte";

import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { callsOf, openWindow, screen } from "../../../testing/window";

describe("an agent of one's own", () => {
  it("is added with its command and tested at once; a refusal stays beside the form", async () => {
    const { app, backend, user } = await openWindow({ probing: 0 });
    app.show("settings", "agent");
    await user.click(await screen.findByTestId("agent-add"));
    expect((await screen.findByTestId<HTMLButtonElement>("own-save")).disabled).toBe(true);
    await user.type(screen.getByTestId("own-name"), "mine");
    await user.type(screen.getByTestId("own-program"), "mine");
    await user.type(screen.getByTestId("own-args"), "--quiet{Enter}{Enter}-p");
    await user.click(screen.getByTestId("own-save"));
    await waitFor(() => expect(screen.getByTestId("agent-dialog").textContent).toContain("is not a full path"));

    await user.clear(screen.getByTestId("own-program"));
    await user.type(screen.getByTestId("own-program"), "/opt/mine");
    await user.click(screen.getByTestId("own-save"));
    await waitFor(() => expect(screen.queryByTestId("agent-dialog")).toBeNull());
    expect(callsOf(backend, "saveOwnAgent").at(-1)).toEqual({
      name: "mine",
      program: "/opt/mine",
      args: ["--quiet", "-p"],
      prompt_mode: "stdin",
      output_format: "text",
    });
    await waitFor(() => expect(callsOf(backend, "tryAgent")).toEqual(["mine"]));
    const tile = await waitFor(() => {
      const found = screen.getAllByTestId("agent-tile").find(({ dataset }) => dataset.agent === "mine");
      expect(found).toBeDefined();
      return found as HTMLElement;
    });
    await waitFor(() => expect(tile.textContent).toContain("Ready."));
  });
});
