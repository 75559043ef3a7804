// The view is loaded on demand. Loading it here keeps the time that takes out of the tests.
import "./ReviewView.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import { HOSTILE_TEXTS, type MockOptions } from "$lib/backend/mock";
import { fault } from "$lib/backend/mock/faults";

import { callsOf, openWindow, screen } from "../../testing/window";
import { reviewOf } from "./review.svelte";

const text = (testid: string) => screen.getByTestId(testid).textContent?.replace(/\s+/g, " ").trim();
const WORK = 5;
const REVIEW = 4;

/** The inbox, with the gate that holds work of a task. */
async function openGate(options: Partial<MockOptions> = { scenario: "review" }, gate = WORK) {
  const opened = await openWindow(options);
  reviewOf(opened.app).undoFor = 0;
  opened.app.showGate(gate);
  await screen.findByTestId("gate-head");
  return opened;
}

async function press(user: Awaited<ReturnType<typeof openGate>>["user"], key: string): Promise<void> {
  screen.getByTestId("view-review").focus();
  await user.keyboard(key);
}

// A screen to fill: without one no line of a diff is shown.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
});

describe("the inbox", () => {
  it("lists what waits and what was decided, counts it in the navigation, and begins with the oldest", async () => {
    const { app, user } = await openWindow({ scenario: "review" });
    expect((await screen.findByTestId("waiting-badge")).textContent).toContain("2");
    await user.click(screen.getByTestId("nav-review"));
    expect(await screen.findByTestId("review-summary")).toBeTruthy();
    expect(text("review-summary")).toBe("2 decisions for you");
    const items = (list: string) => within(screen.getByTestId(list)).getAllByTestId("gate-item");
    expect(items("gates-open").map((item) => item.dataset.kind)).toEqual(["review", "work"]);
    expect(items("gates-decided").map((item) => item.dataset.status)).toEqual(["skipped", "rejected", "approved"]);
    expect((await screen.findByTestId("gate")).dataset.gate).toBe(String(REVIEW));
    await user.keyboard("j");
    expect(app.gate).toBe(WORK);
    // In the changes, where the keyboard is now, J and K go from file to file.
    await user.keyboard("]][[");
    expect(app.gate).toBe(3);
    await user.click(screen.getByTestId("nav-review"));
    await waitFor(() => expect(screen.getByTestId("gate").dataset.gate).toBe(String(REVIEW)));
  });

  it("says when nothing waits, and when it cannot be read", async () => {
    const { user } = await openWindow();
    await user.click(screen.getByTestId("nav-review"));
    expect((await screen.findByTestId("review-empty")).textContent).toContain("Review each");
    expect(screen.queryByTestId("waiting-badge")).toBeNull();
  });

  it("says why it cannot be read", async () => {
    const { user } = await openWindow({ scenario: "failing" });
    await user.click(screen.getByTestId("nav-review"));
    expect(await screen.findByText("The reviews could not be read")).toBeTruthy();
  });
});

describe("a gate", () => {
  it("says why it waits, what is risky, what to look for, how the checks went and what the agent says", async () => {
    const { user } = await openGate();
    expect(text("gate-why")).toBe(
      "You asked to look at every task before it is committed. The change has 3 risky things in it, so it needs your review in every mode.",
    );
    expect(screen.getAllByTestId("risk").map((risk) => risk.dataset.kind)).toEqual([
      "tests_deleted",
      "tests_weakened",
      "protected_path",
    ]);
    expect(screen.getAllByTestId("criterion")).toHaveLength(3);
    await user.click(within(screen.getAllByTestId("criterion")[0] as HTMLElement).getByRole("checkbox"));
    expect(text("gate")).toContain("1 of 3");
    expect(text("gate-checks")).toContain("all 3 passed");
    expect(text("gate-summary")).toContain("I removed test_three_fields");
  });

  it("leads from a risk to its line", async () => {
    const { user } = await openGate();
    await screen.findByTestId("diff-pane");
    await user.click(screen.getAllByTestId("risk")[0] as HTMLElement);
    await waitFor(() => expect(screen.getByTestId("diff-pane").dataset.path).toBe("tests/test_three_fields.py"));
    const current = await waitFor(() => document.querySelector<HTMLElement>(".row.current") as HTMLElement);
    expect(current.textContent).toContain("def test_three_fields");
  });

  it("shows text from agents and files as text", async () => {
    await openGate({ scenario: "hostile" }, 1);
    expect(screen.getAllByText(HOSTILE_TEXTS[0] as string).length).toBeGreaterThan(0);
    expect((globalThis as { __pwned?: boolean }).__pwned).toBeUndefined();
  });

  it("asks before something that looks like a secret is committed", async () => {
    const { backend, user } = await openGate({ scenario: "hostile" }, 1);
    await user.click(screen.getByTestId("approve"));
    await user.click(await screen.findByText("Back to the diff"));
    expect(callsOf(backend, "decideGate")).toEqual([]);
    await user.click(screen.getByTestId("approve"));
    await user.click(await screen.findByTestId("confirm-yes"));
    await waitFor(() => expect(callsOf(backend, "decideGate")).toHaveLength(1));
  });
});

describe("deciding", () => {
  it("tells nobody of an approval while it can be taken back", async () => {
    const { app, backend, user } = await openGate();
    reviewOf(app).undoFor = 60_000;
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect((await screen.findByTestId("gate-pending")).textContent).toContain("Nothing is committed yet");
    expect([screen.queryByTestId("approve"), screen.queryByTestId("reject")]).toEqual([null, null]);
    await press(user, "z");
    expect(screen.queryByTestId("gate-pending")).toBeNull();
    expect(callsOf(backend, "decideGate")).toEqual([]);

    await press(user, "a");
    await user.click(await screen.findByTestId("approve-now"));
    await waitFor(() => expect(callsOf(backend, "decideGate")).toHaveLength(1));
    expect(reviewOf(app).desk(WORK).pending).toBeNull();
  });

  it("sends the tree that was shown when it was approved, when the seconds are over", async () => {
    const { app, backend } = await openGate();
    const { tree } = (await backend.gate(WORK)).gate;
    reviewOf(app).undoFor = 20;
    reviewOf(app).desk(WORK).approve();
    expect(callsOf(backend, "decideGate")).toEqual([]);
    await waitFor(() => expect(callsOf(backend, "decideGate")).toMatchObject([{ id: WORK, tree }]));
  });

  it("approves by key exactly what is shown, goes to the next one, and the run goes on", async () => {
    const { app, backend, user } = await openGate();
    const { tree } = (await backend.gate(WORK)).gate;
    await press(user, "a");
    await waitFor(() => expect(screen.getByTestId("gate").dataset.gate).toBe(String(REVIEW)));
    expect(callsOf(backend, "decideGate")).toEqual([{ id: WORK, tree, decision: { kind: "approve" } }]);
    await waitFor(() => expect(app.live.state?.run.status).toBe("running"));
    expect(text("review-summary")).toBe("1 decision for you");
    expect(await screen.findByText("Approved", { selector: "[data-title]" })).toBeTruthy();
  });

  it("asks what of the files that are left out goes into the commit", async () => {
    const { backend, user } = await openGate();
    const { tree } = (await backend.gate(WORK)).gate;
    backend.controls.gates.leaveOut(WORK, [
      { path: "big.bin", detail: "11 MiB are a lot for a new file", can_be_included: true },
      { path: "empty", detail: "git does not keep such things", can_be_included: false },
    ]);
    const box = await screen.findByLabelText("big.bin");
    expect((await screen.findByLabelText<HTMLInputElement>("empty")).disabled).toBe(true);
    await user.click(box);
    await user.click(screen.getByTestId("approve"));
    await waitFor(() =>
      expect(callsOf(backend, "approveWithLeftOut")).toEqual([
        { id: WORK, tree, decision: { kind: "approve" }, include: ["big.bin"] },
      ]),
    );
    expect(callsOf(backend, "decideGate")).toEqual([]);
  });

  it("tells of a file that is left out once, with what is risky about it", async () => {
    const { backend, user } = await openGate();
    const risks = () => screen.getAllByTestId("risk").map((risk) => risk.dataset.kind);
    const before = risks();
    const detail = "11 MiB are a lot for a new file: it is not in the commit";
    backend.controls.gates.leaveOut(WORK, [{ path: "big.bin", detail, can_be_included: true }]);
    const named = "a file of this name usually holds secrets: it is not in the commit";
    const cert = { path: "tests/cert.pem", detail: named, can_be_included: true };
    backend.controls.gates.leaveOut(WORK, [cert], "secret");
    await waitFor(() =>
      expect(
        screen.getAllByTestId("left-out-file").map((file) => file.textContent?.replace(/\s+/g, " ").trim()),
      ).toEqual([
        `big.bin ${detail}.`,
        "tests/cert.pem Looks like a secret. A file of this name usually holds secrets: it is not in the commit.",
      ]),
    );
    expect(risks()).toEqual(before);
    expect(screen.getAllByText("big.bin")).toHaveLength(1);
    await user.click(screen.getByLabelText("tests/cert.pem"));
    await user.click(screen.getByTestId("approve"));
    expect(await screen.findByTestId("confirm-yes")).toBeTruthy();
  });

  it("rejects with a reason and the comments on lines", async () => {
    const { app, backend, user } = await openGate();
    await screen.findAllByTestId("diff-line");
    const added = "[data-testid=diff-comment][data-path='docs/teas.md'][data-line='5']:not([data-old])";
    await waitFor(() => expect(document.querySelector(added)).not.toBeNull());
    await user.click(document.querySelector(added) as HTMLElement);
    await user.type(await screen.findByTestId("comment-text"), "Say where the price is from.");
    await user.click(screen.getByTestId("comment-save"));
    expect(await screen.findByTestId("comment")).toBeTruthy();
    expect(callsOf(backend, "commentGate")).toEqual([
      {
        id: WORK,
        comment: {
          id: 0,
          path: "docs/teas.md",
          line: 5,
          old_side: false,
          quoted: "## Without a price",
          text: "Say where the price is from.",
        },
      },
    ]);
    await press(user, "r");
    await screen.findByTestId("reject-dialog");
    expect(text("reject-comments")).toContain("Your 1 comment goes along: teas.md:5");
    await user.click(screen.getByTestId("decision-confirm"));
    expect(callsOf(backend, "decideGate")).toEqual([]);
    expect(text("reject-dialog")).toContain("Say why");
    await user.type(screen.getByTestId("decision-reason"), "Name the sources.");
    await user.click(screen.getByTestId("decision-confirm"));
    await waitFor(() => expect(app.overview.data?.tasks.find(({ id }) => id === 8)?.status).toBe("pending"));
    expect(callsOf(backend, "decideGate")).toMatchObject([
      { decision: { kind: "reject", reason: "Name the sources." } },
    ]);
  });

  it("puts a task aside, which is blocked then", async () => {
    const { app, user } = await openGate();
    await press(user, "s");
    await user.type(await screen.findByTestId("decision-reason"), "Later");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(app.overview.data?.tasks.find(({ id }) => id === 8)?.status).toBe("blocked"));
  });

  it("takes a person's edits along, checked again", async () => {
    const { app, backend, user } = await openGate();
    const success = vi.spyOn(app.notify, "success");
    await screen.findByTestId("approve");
    backend.controls.gates.edit(WORK, ["broken.txt"]);
    await screen.findByTestId("gate-edited");
    expect(text("gate-edited")).toBe("You changed 1 file since. It is checked again before anything is committed.");
    expect(screen.queryByTestId("approve")).toBeNull();
    await press(user, "a");
    expect(callsOf(backend, "decideGate")).toEqual([]);
    await press(user, "e");
    expect((await screen.findByTestId("gate-notice")).dataset.kind).toBe("checks_failed");
    expect(text("gate-notice")).toContain("Not approved: your edits do not pass teas are well formed");
    expect(text("gate-notice-output")).toContain("line 3 is broken");
    expect(success).not.toHaveBeenCalled();
    expect(text("gate-status")).toBe("Needs review");
    backend.controls.gates.edit(WORK, ["src/parse.rs"]);
    await press(user, "e");
    await waitFor(() => expect(screen.queryByTestId("gate-notice")).toBeNull());
    expect(callsOf(backend, "decideGate")).toHaveLength(2);
  });

  it("that is refused says why above the gate, and keeps the reason that was written", async () => {
    const { app, backend, user } = await openGate();
    const told = vi.spyOn(app.notify, "fault");
    const refused = new BackendError(fault("git.failed", "the branch is gone", "Make it again."));
    vi.spyOn(backend, "decideGate").mockRejectedValueOnce(refused);
    await press(user, "r");
    await user.type(await screen.findByTestId("decision-reason"), "Name the sources.");
    await user.click(screen.getByTestId("decision-confirm"));
    await waitFor(() => expect(screen.getByTestId("gate-notice").dataset.kind).toBe("refused"));
    expect(text("gate-notice")).toContain("The branch is gone. Make it again.");
    expect(told).not.toHaveBeenCalled();
    await press(user, "r");
    expect((await screen.findByTestId<HTMLTextAreaElement>("decision-reason")).value).toBe("Name the sources.");
  });

  it("stops the run and leaves the decision open", async () => {
    const { backend, user } = await openGate();
    await user.click(screen.getByTestId("gate-stop"));
    expect(callsOf(backend, "askRun")).toEqual(["pause"]);
    expect(text("gate-status")).toBe("Needs review");
  });

  it("leaves keys alone that are typed into a field", async () => {
    const { backend, user } = await openGate();
    await screen.findAllByTestId("diff-line");
    await press(user, "c");
    await user.type(await screen.findByTestId("comment-text"), "a rare case");
    expect([callsOf(backend, "decideGate"), screen.queryByTestId("reject-dialog")]).toEqual([[], null]);
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("comment-text")).toBeNull();
  });
});

describe("others", () => {
  it("who decided first are told of, and when", async () => {
    const { backend, user } = await openGate();
    vi.spyOn(backend, "gate").mockReturnValueOnce(backend.gate(WORK));
    backend.controls.gates.decideElsewhere(WORK, { kind: "approve" });
    await press(user, "a");
    await waitFor(() => expect(text("gate-status")).toBe("Approved"));
    expect(text("gate-decision")).toBe("Approved in a terminal just now");
  });

  it("who decided in the same moment win, and it is said", async () => {
    const { app, backend, user } = await openGate();
    const decide = backend.decideGate.bind(backend);
    vi.spyOn(backend, "decideGate").mockImplementationOnce((...given) => {
      backend.controls.gates.decideElsewhere(WORK, { kind: "reject", reason: "No." });
      return decide(...given);
    });
    await press(user, "a");
    expect((await screen.findByTestId("gate-notice")).textContent).toContain("Rejected in a terminal just now.");
    expect([app.gate, text("gate-status")]).toEqual([WORK, "Rejected"]);
  });

  it("who change files make the gate be shown anew", async () => {
    const { app, backend, user } = await openGate();
    backend.controls.gates.changeTree(WORK);
    await press(user, "a");
    await waitFor(() => expect(screen.getByTestId("gate-notice").dataset.kind).toBe("changed"));
    expect(app.gate).toBe(6);
    await press(user, "a");
    await waitFor(() => expect(app.gates.data?.open.map(({ id }) => id)).toEqual([REVIEW]));
  });
});

describe("other gates", () => {
  it("look back at finished work, which can be reverted", async () => {
    const { app, backend, user } = await openGate({ scenario: "review" }, REVIEW);
    expect(screen.getAllByTestId("reviewed-work").map((row) => row.dataset.task)).toEqual(["5", "6", "7"]);
    expect([screen.queryByTestId("reject"), text("approve")]).toEqual([null, "Continue A"]);
    await user.click(screen.getAllByTestId("work-diff")[0] as HTMLElement);
    expect(await screen.findByTestId("diff")).toBeTruthy();
    await user.click(screen.getAllByTestId("work-revert")[0] as HTMLElement);
    await user.click(await screen.findByTestId("confirm-yes"));
    await waitFor(() => expect(screen.getAllByTestId("reviewed-work")[0]?.dataset.reverted).toBe("true"));
    await waitFor(() => expect(app.overview.data?.tasks.find(({ id }) => id === 5)?.status).toBe("pending"));
    await press(user, "a");
    await waitFor(() => expect(callsOf(backend, "decideGate")).toHaveLength(1));
  });

  it("show a plan as text, to approve or to reject", async () => {
    const { app, backend, user } = await openGate();
    backend.controls.gates.open("plan", 10);
    await waitFor(() => expect(app.waiting).toBe(3));
    app.showGate(6);
    expect((await screen.findByTestId("plan-text")).textContent).toContain("1. Print the bell character once");
    expect(text("approve")).toBe("Approve the plan A");
    await press(user, "r");
    expect(await screen.findByText("Reject this plan?")).toBeTruthy();
  });

  it("that were decided show what was said, and take nothing more", async () => {
    await openGate({ scenario: "review" }, 2);
    expect(text("gate-decision")).toContain("Rejected in the app 33 minutes ago: It refuses good lines too.");
    expect(text("comment-list")).toContain("parse.rs:44");
    expect([screen.queryByTestId("gate-actions"), screen.queryByTestId("diff-comment")]).toEqual([null, null]);
  });
});
