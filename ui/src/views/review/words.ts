import Bomb from "@lucide/svelte/icons/bomb";
import FileX from "@lucide/svelte/icons/file-x";
import FlaskConicalOff from "@lucide/svelte/icons/flask-conical-off";
import KeyRound from "@lucide/svelte/icons/key-round";
import Lock from "@lucide/svelte/icons/lock";
import ShieldAlert from "@lucide/svelte/icons/shield-alert";
import TestTubeDiagonal from "@lucide/svelte/icons/test-tube-diagonal";

import type {
  CheckResult,
  Gate,
  GateDetail,
  GateKind,
  GateReason,
  GateStatus,
  GateSummary,
  LeftOutFile,
  LineComment,
  RiskFlag,
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
  misplaced_claim:
    "The agent said again that it is done, and not on the last line of its last message. Approve if the work is done.",
  unproven:
    "Nothing shows that the work is done: no file changed that would explain it. Approve only what you can see for yourself.",
  plan: "The agent was asked for a plan before it changes anything.",
  already_satisfied:
    "Nothing changed: the agent says that what is named below satisfies the work already. Look at it, then approve, or reject with what is missing.",
  wrong_check:
    "The agent says that a failing check is wrong. Mend the check and approve, or reject and say why the check is right.",
  commits:
    "The agent worked in your own repository and moved HEAD. Look at the history of the branch before you decide.",
};

/** Why a gate was opened, in plain words. */
export function whyText({ kind, reasons, flags }: Pick<GateSummary, "kind" | "reasons" | "flags">): string[] {
  if (kind === "review") {
    return ["You asked to look back at finished work from time to time. It is committed already."];
  }
  return reasons.map((reason) =>
    reason === "risk" && flags.length > 0
      ? `The change has ${plural(flags.length, "risky thing")} in it, so it needs your review in every mode.`
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
  left_out: { label: "Not in the commit", icon: FileX },
};

/** The risks that the list of the files left out of the commit does not tell of already. */
export function otherRisks({ gate, left_out }: Pick<GateDetail, "gate" | "left_out">): RiskFlag[] {
  return gate.flags.filter((flag) => !left_out.some((file) => isAbout(flag, file)));
}

/** Whether a file that is left out of the commit looks like a secret. */
export function looksSecret({ gate }: Pick<GateDetail, "gate">, file: LeftOutFile): boolean {
  return gate.flags.some((flag) => flag.kind === "secret" && isAbout(flag, file));
}

/** Whether a risk is that this file is left out. One with a line is about what the file holds. */
function isAbout({ kind, path, line }: RiskFlag, file: LeftOutFile): boolean {
  return (kind === "left_out" || kind === "secret") && line === null && path === file.path;
}

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
    ? passed === checks.length && passed > 1
      ? `all ${passed} passed`
      : `${passed} of ${checks.length} passed`
    : `${failed.map(({ name, red_before }) => (red_before ? `${name} (also before this run)` : name)).join(", ")} failed`;
}

export const STATUS_LABELS: Record<GateStatus, string> = {
  open: "Needs review",
  approved: "Approved",
  rejected: "Rejected",
  skipped: "Skipped",
  replaced: "Updated",
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
