import type { Overview, ProcedureChoice, RunChoices, StartRun } from "../types";

import { harnessesFor, sandboxFor } from "./agents";
import { fault } from "./faults";
import { PROMPT } from "./run-data";
import type { Scenario } from "./scenarios";

const procedure = (name: string, title: string, summary: string, rest: Partial<ProcedureChoice> = {}) => ({
  name,
  title,
  summary,
  own: false,
  max_iterations: null,
  promise: null,
  harness: null,
  problem: null,
  ...rest,
});

/** What can be chosen in a scenario. What depends on the runs is filled in by whoever knows them. */
export function choicesFor(scenario: Scenario, overview: Overview): RunChoices {
  const bare = scenario === "empty";
  const { name, label, scripted, problem } = overview.agent;
  const harnesses = name === null ? [] : harnessesFor({ name, label, scripted, tested: true, problem });
  return {
    harnesses,
    harness: name,
    sandbox: sandboxFor(scenario),
    procedures: [
      procedure(
        "build",
        "Build the next item of the plan",
        "Takes one open item of the plan, builds it completely, and records what was learned.",
        { max_iterations: 5 },
      ),
      procedure(
        "audit-impl",
        "Audit the implementation",
        "Looks for defects, missing tests, unfinished and needless code.",
        { max_iterations: 1 },
      ),
      procedure("price-teas", "Price the teas", "Our own way of pricing a tea.", { own: true }),
      procedure("broken", "broken", "", {
        own: true,
        problem: fault("config.syntax", "The procedure is not valid.", "Mend the file.", {
          file: ".loopwright/procedures/broken.toml",
          line: 4,
        }),
      }),
    ],
    defaults: {
      loop_iterations: 20,
      fix_iterations: 100,
      failure_threshold: 3,
      no_progress: 3,
      max_runtime: "8h",
      max_cost: "25",
      max_tokens: "20000000",
      timeout: "",
      automation: "auto",
      promise: "COMPLETE",
      auto_commit: false,
      create_branch: false,
    },
    checks: overview.checks.length,
    required_checks: overview.checks.filter((check) => check.required).length,
    uncommitted: bare ? null : (overview.project.git?.changed ?? null),
    trust: overview.trust.state,
    earlier: null,
    live: null,
  };
}

function wordsOf(work: StartRun["work"]): string {
  switch (work.kind) {
    case "prompt":
      return work.text;
    case "procedure":
      return `Follow the procedure "${work.name}".`;
    case "tasks":
      return "Do this one task and nothing else.";
    default:
      return `Mend the failing checks.\n\n${work.extra ?? ""}`;
  }
}

/** The prompt the first agent of a run would get. */
export function promptFor(request: StartRun): string {
  return [
    "# What to do",
    "",
    wordsOf(request.work) || PROMPT,
    "",
    "# How to end",
    "",
    "When everything is done, write <promise>COMPLETE</promise> on a line of its own.",
    "",
    "# Checks that have to pass",
    "",
    "- teas are well formed",
    "- no markers left",
  ].join("\n");
}

/** What a run that works on this is called. */
export function titleFor(request: StartRun): string {
  switch (request.work.kind) {
    case "prompt":
      return request.work.text.trim().split("\n")[0]?.slice(0, 80) ?? "";
    case "procedure":
      return request.work.name;
    case "tasks":
      return request.work.tag === null ? "All tasks" : `Tasks of ${request.work.tag}`;
    default:
      return "Mend what fails";
  }
}
