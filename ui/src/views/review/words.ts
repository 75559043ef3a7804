import Bomb from "@lucide/svelte/icons/bomb";
import FlaskConicalOff from "@lucide/svelte/icons/flask-conical-off";
import KeyRound from "@lucide/svelte/icons/key-round";
import Lock from "@lucide/svelte/icons/lock";
import ShieldAlert from "@lucide/svelte/icons/shield-alert";
import TestTubeDiagonal from "@lucide/svelte/icons/test-tube-diagonal";

import type {
  CheckResult,
  Gate,
  GateKind,
  GateReason,
  GateStatus,
  GateSummary,
  LineComment,
  RiskKind,
} from "$lib/backend/types";
import { plural } from "$lib/format/text";
import type { Tone } from "$lib/ui/Badge.svelte";
import type { IconType } from "$lib/ui/Icon.svelte";

/** What a gate asks about, in a word. */
export const KIND_LABELS: Record<GateKind, string> = { work: "Work", plan: "Plan", review: "Review" };

/** Why a gate was opened, each in one plain sentence. */
const REASONS: Record<GateReason, string> = {
  mode: "You asked to look at every task before it is committed.",
  risk: "The change has something risky in it.",
  unproven: "Nothing changed and no check says anything, so nothing shows that the task is done.",
  plan: "The agent was asked for a plan before it changes anything.",
};

/** Why a gate was opened, in plain words. */
export function whyText({ kind, reasons, flags }: Pick<GateSummary, "kind" | "reasons" | "flags">): string[] {
  if (kind === "review") {
    return ["You asked to look back at finished work from time to time. It is committed already."];
  }
  return reasons.map((reason) =>
    reason === "risk" && flags.length > 0
      ? `The change has ${plural(flags.length, "risky thing")} in it, so it waits whatever the mode is.`
      : REASONS[reason],
  );
}

/** What each risk is called and looks like. */
export const RISKS: Record<RiskKind, { label: string; icon: IconType }> = {
  tests_deleted: { label: "Tests deleted", icon: FlaskConicalOff },
  tests_weakened: { label: "Tests weakened", icon: TestTubeDiagonal },
  checks_edited: { label: "Checks edited", icon: ShieldAlert },
  protected_path: { label: "Protected path", icon: Lock },
  large_diff: { label: "Large change", icon: Bomb },
  secret: { label: "Looks like a secret", icon: KeyRound },
};

/** Whether a risk is about lines that are gone. */
export function aboutOlder(kind: RiskKind): boolean {
  return kind === "tests_deleted";
}

/** How the checks went, in a few words. */
export function checksText(checks: readonly CheckResult[]): string {
  const passed = checks.filter(({ status }) => status === "passed").length;
  const failed = checks.filter(({ status }) => status !== "passed" && status !== "skipped");
  if (checks.length === 0) {
    return "none were run";
  }
  return failed.length === 0
    ? passed === checks.length
      ? `all ${passed} passed`
      : `${passed} of ${checks.length} passed`
    : `${failed.map(({ name }) => name).join(", ")} failed`;
}

export const STATUS_LABELS: Record<GateStatus, string> = {
  open: "Waits for you",
  approved: "Approved",
  rejected: "Rejected",
  skipped: "Put aside",
  replaced: "Shown anew",
};

export const STATUS_TONES: Record<GateStatus, Tone> = {
  open: "waiting",
  approved: "good",
  rejected: "bad",
  skipped: "notice",
  replaced: "neutral",
};

/** Who decided a gate, as the end of a sentence. */
export function deciderText({ decided_by }: Pick<Gate, "decided_by">): string {
  return decided_by === "cli" ? "in a terminal" : decided_by === "app" ? "in the app" : "";
}

/** What was said with a decision; nothing when that needs no words. */
export function reasonText({ decision }: Pick<Gate, "decision">): string | null {
  return decision !== null && "reason" in decision ? decision.reason : null;
}

/** Where a comment stands. */
export function placeText({ path, line, old_side }: Pick<LineComment, "path" | "line" | "old_side">): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return line === null ? name : `${name}:${line}${old_side ? " (before)" : ""}`;
}
