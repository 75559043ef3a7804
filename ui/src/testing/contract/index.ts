import { CHECKS } from "./checks";
import { MEMORY } from "./memory";
import { PROJECT } from "./project";
import { REVIEW, RUNS } from "./runs";
import { SPEC } from "./spec";
import type { Case } from "./suite";
import { TASKS } from "./tasks";
import { WIZARD } from "./wizard";

/**
 * What every backend promises: `contract.test.ts` holds the mock to it, and `tests/tests/window/contract.rs` the real
 * shell. Where the two disagree, one of them is wrong.
 */
export const CONTRACT: Case[] = [...PROJECT, ...RUNS, ...TASKS, ...CHECKS, ...SPEC, ...MEMORY, ...WIZARD, ...REVIEW];
