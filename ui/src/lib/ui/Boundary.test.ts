import { render, screen } from "@testing-library/svelte";
import { createRawSnippet, tick } from "svelte";
import { describe, expect, it } from "vitest";

import Boundary from "./Boundary.svelte";

describe("Boundary", () => {
  const children = (broken: () => boolean) =>
    createRawSnippet(() => ({
      render: () => {
        if (broken()) {
          throw new Error("not like that");
        }
        return "<p>shown</p>";
      },
    }));

  it("says in its place what cannot be shown, and tries again with something else", async () => {
    let broken = true;
    const given = { title: "This row cannot be shown", children: children(() => broken) };
    const { rerender } = render(Boundary, { ...given, of: 1 });
    expect(screen.getByTestId("broken").textContent).toMatch(/This row cannot be shown\s*not like that/);
    broken = false;
    await rerender({ ...given, of: 2 });
    await tick();
    expect(screen.queryByTestId("broken")).toBeNull();
    expect(screen.getByText("shown")).toBeTruthy();
  });
});
