import { waitFor } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function dialog(options = {}, hooks = {}): Promise<TestWindow & { type: (path: string) => Promise<void> }> {
  const test = await openWindow({ window: "start", ...options }, hooks);
  await test.user.click(screen.getByTestId("new-project"));
  await screen.findByTestId("new-project-dialog");
  return {
    ...test,
    type: async (path) => {
      const field = screen.getByTestId("new-project-path");
      await test.user.clear(field);
      await test.user.type(field, path);
    },
  };
}

const create = () => screen.getByTestId("new-project-create") as HTMLButtonElement;

describe("a new project", () => {
  it("takes the folder's name and only the checks that were ticked", async () => {
    const opened = vi.fn();
    const { backend, user } = await dialog({}, { openWindow: opened });
    expect(create().disabled).toBe(true);
    await user.click(screen.getByTestId("new-project-browse"));
    expect(((await screen.findByTestId("new-project-name")) as HTMLInputElement).value).toBe("swift");
    const boxes = screen.getAllByTestId("suggestion") as HTMLInputElement[];
    expect(boxes.map((box) => box.checked)).toEqual([false, false, false, false]);
    expect(screen.getByTestId("new-project-dialog").textContent).toContain('The Makefile has a "build" target.');
    await user.click(screen.getByLabelText("build"));
    await user.click(create());
    await waitFor(() => expect(opened).toHaveBeenCalled());
    expect(callsOf(backend, "createProject")).toEqual([
      { path: "/home/ada/code/swift", name: "swift", git: true, checks: ["build"] },
    ]);
    await waitFor(() => expect(screen.queryByTestId("new-project-dialog")).toBeNull());
  });

  it("can go without git, and says what that costs", async () => {
    const { backend, user, type } = await dialog();
    await type("/home/ada/empty");
    await user.click(await screen.findByTestId("new-project-git"));
    expect(screen.getByTestId("new-project-dialog").textContent).toContain("a failed attempt cannot be undone");
    await user.clear(screen.getByTestId("new-project-name"));
    expect(create().disabled).toBe(true);
    await user.type(screen.getByTestId("new-project-name"), "Plain");
    await user.click(create());
    await waitFor(() =>
      expect(callsOf(backend, "createProject")).toEqual([
        { path: "/home/ada/empty", name: "Plain", git: false, checks: [] },
      ]),
    );
  });

  it("offers to open what is a project already", async () => {
    const opened = vi.fn();
    const { user, type } = await dialog({}, { openWindow: opened });
    await type("/home/ada/code/heron");
    await screen.findByTestId("already-project");
    expect(create().disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Open it" }));
    await waitFor(() => expect(opened).toHaveBeenCalledWith({ path: "/home/ada/code/heron", name: "heron" }));
  });

  it("says what is wrong with a path, and forgets it with the next", async () => {
    const { type } = await dialog();
    await type("relative/path");
    await waitFor(() => expect(screen.getByTestId("new-project-dialog").textContent).toContain("is not a full path"));
    await type("/home/ada/missing");
    await waitFor(() => expect(screen.getByTestId("new-project-dialog").textContent).toContain("It will be made"));
    expect(screen.getByTestId("new-project-dialog").textContent).not.toContain("is not a full path");
  });

  it("stays open with the reason when it is refused", async () => {
    const { user, type } = await dialog();
    await type("/home/ada/readonly");
    await screen.findByTestId("new-project-name");
    await user.click(create());
    expect((await screen.findByTestId("fault")).dataset.code).toBe("io.failed");
    expect(screen.getByTestId("new-project-dialog")).toBeTruthy();
  });
});
