import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";

import TableProbe from "./TableProbe.svelte";

const ITEMS = [{ group: "Small" }, "ant", "bee", { group: "Large" }, "whale"];

const grid = () => screen.getByRole("grid", { name: "Things" });
const cursor = () => document.getElementById(grid().getAttribute("aria-activedescendant") ?? "")?.textContent;

beforeEach(() => localStorage.clear());

describe("DataTable", () => {
  it("is walked by the keyboard, over the heads of groups, and opens a row with Enter", async () => {
    const user = userEvent.setup();
    const onopen = vi.fn();
    render(TableProbe, { items: ITEMS, onopen });
    grid().focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(cursor()).toContain("whale");
    await user.keyboard("{Home}");
    expect(cursor()).toContain("ant");
    await user.keyboard("{ArrowUp}{Enter}");
    expect(onopen).toHaveBeenCalledExactlyOnceWith("ant");
    await user.click(screen.getByText("bee"));
    expect([cursor()?.includes("bee"), onopen.mock.lastCall]).toEqual([true, ["bee"]]);
  });

  it("says how many rows there are, also those that are not in the page, and which are being read", () => {
    render(TableProbe, { items: [...Array.from({ length: 500 }, (_, index) => `row ${index}`), undefined] });
    expect(grid().getAttribute("aria-rowcount")).toBe("502");
    expect(screen.getAllByRole("row").length).toBeLessThan(200);
  });

  it("selects with Space, boxes, and the Shift key", async () => {
    const user = userEvent.setup();
    render(TableProbe, { items: ITEMS, selectable: true });
    const chosen = () => screen.getAllByRole("row", { selected: true }).map((row) => row.textContent?.trim());
    grid().focus();
    await user.keyboard("{ArrowDown} ");
    expect(chosen()).toEqual([expect.stringContaining("ant")]);
    await user.keyboard("{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
    expect(chosen()).toHaveLength(3);
    await user.click(screen.getByRole("checkbox", { name: "Select bee" }));
    expect(chosen()).toHaveLength(2);
  });

  it("tells how it is sorted", async () => {
    const user = userEvent.setup();
    render(TableProbe, { items: ITEMS });
    const head = () => screen.getByRole("columnheader", { name: "Length" }).getAttribute("aria-sort");
    expect(head()).toBe("none");
    await user.click(screen.getByRole("button", { name: "Length" }));
    expect(head()).toBe("ascending");
    await user.click(screen.getByRole("button", { name: "Length" }));
    expect(head()).toBe("descending");
  });

  it("keeps the width a person gives a column", async () => {
    const user = userEvent.setup();
    const { unmount } = render(TableProbe, { items: ITEMS });
    screen.getByRole("button", { name: "Length" }).focus();
    // Nothing is measured here, so the least width is what it comes to.
    await user.keyboard("{Shift>}{ArrowLeft}{/Shift}");
    expect(grid().style.getPropertyValue("--columns")).toBe("minmax(80px, 1fr) 28px");
    unmount();
    render(TableProbe, { items: ITEMS });
    expect(grid().style.getPropertyValue("--columns")).toBe("minmax(80px, 1fr) 28px");
  });

  it("shows a row that throws as broken, and every other row as it is", async () => {
    render(TableProbe, { items: ["ant", "poison", "bee"] });
    expect((await screen.findByTestId("broken")).textContent).toContain("cannot be counted");
    expect(within(grid()).getByText("ant")).toBeTruthy();
    expect(within(grid()).getByText("bee")).toBeTruthy();
  });

  it("has something to say when there are no rows", () => {
    render(TableProbe, { items: [] });
    expect(screen.getByText("No things")).toBeTruthy();
  });
});
