import { BackendError } from "../backend";
import type { ErrorCode, Fault } from "../types";

/** A fault as the backend would send it. */
export function fault(
  code: ErrorCode,
  message: string,
  hint: string | null = null,
  location: Fault["location"] = null,
): Fault {
  return { code, kind: kindOf(code), message, hint, location };
}

/** A refusal ready to be thrown. */
export function refusal(...details: Parameters<typeof fault>): BackendError {
  return new BackendError(fault(...details));
}

function kindOf(code: ErrorCode): Fault["kind"] {
  const area = code.split(".")[0];
  if (area === "config" || area === "trust" || area === "usage") {
    return area;
  }
  if (area === "project" || area === "folder" || area === "confirmation") {
    return "usage";
  }
  if (code === "agent.forbidden") {
    return "trust";
  }
  if (code === "store.busy") {
    return "locked";
  }
  return code === "internal" || code === "store.failed" ? "internal" : "environment";
}
