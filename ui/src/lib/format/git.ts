import type { GitSummary } from "$lib/backend/types";

import { plural } from "./text";

/** The branch, or what is there instead of one. */
export function branchText(git: GitSummary): string {
  if (git.detached) {
    return git.head ?? "detached";
  }
  return git.branch ?? "no branch";
}

/** How the work tree differs from the last commit, in words. */
export function changesText(git: GitSummary): string {
  if (git.unborn) {
    return "No commit yet";
  }
  if (git.changed === null) {
    return "Changes not counted";
  }
  return git.changed === 0 ? "Nothing changed since the last commit" : `${plural(git.changed, "file")} changed`;
}
