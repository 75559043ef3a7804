/** What the cases of the contract are made of. They run in a test runner and in a real window, so they need neither. */
import { type Backend, faultOf } from "$lib/backend/backend";
import type { ErrorCode, EventEnvelope } from "$lib/backend/types";

/**
 * What a case begins with:
 * `start`: the window without a project; `sample`: the sample project, trusted and untouched; `untrusted`: the same
 * before anybody trusted it; `review`: the sample after a run that waits for approval of its last task.
 */
export type State = "start" | "sample" | "untrusted" | "review";

/**
 * One promise of the {@link Backend}. The cases of a state share a project in the real window, one after the other: what
 * a case needs it finds in the state or makes itself, and what it changes it puts back or adds to.
 */
export interface Case {
  state: State;
  name: string;
  /** The shell asks in a native dialog, once, and a person says yes. */
  asks: boolean;
  run(backend: Backend): Promise<void>;
}

/** A table of cases that begin with the same state. */
export function on(state: State, table: Record<string, Case["run"]>): Case[] {
  return Object.entries(table).map(([name, run]) => ({ state, name, asks: false, run }));
}

/** The same for cases in which the shell asks in a native dialog. */
export function asking(state: State, table: Record<string, Case["run"]>): Case[] {
  return on(state, table).map((each) => ({ ...each, asks: true }));
}

/** How long something that follows a call may take. */
const PATIENCE = 15_000;
/** More events than any case writes. */
const MANY = 500;

export function holds(condition: boolean, what: string): void {
  if (!condition) {
    throw new Error(`It does not hold that ${what}.`);
  }
}

export function same(actual: unknown, expected: unknown, what = "the answer"): void {
  const [left, right] = [JSON.stringify(ordered(actual)), JSON.stringify(ordered(expected))];
  holds(left === right, `${what} is ${right}: it is ${left}`);
}

/** The same value with the keys of its objects in order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(ordered);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
}

/** What is there; a case cannot go on without it. */
export function given<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) {
    throw new Error(`There is no ${what}.`);
  }
  return value;
}

/** A call is refused, with a code to decide on and a message to show. */
export async function refused(code: ErrorCode, call: Promise<unknown>): Promise<void> {
  const outcome = await call.then(
    () => null,
    (thrown: unknown) => faultOf(thrown),
  );
  const fault = given(outcome, `refusal with ${code}: the call was answered`);
  holds(fault.code === code, `the refusal is ${code}: it is ${fault.code}, "${fault.message}"`);
  holds(fault.message.trim() !== "", `${code} says what is wrong`);
}

export async function lastSeq(backend: Backend): Promise<number> {
  const newest = (await backend.overview()).activity[0];
  return newest?.seq ?? 0;
}

/** What is written into the project's history while something is done. */
export async function written(backend: Backend, act: () => Promise<unknown>): Promise<EventEnvelope["event"][]> {
  const before = await lastSeq(backend);
  await act();
  return (await backend.eventsSince(before, MANY)).map(({ event }) => event);
}

/** The types of {@link written}. */
export async function types(backend: Backend, act: () => Promise<unknown>): Promise<string[]> {
  return (await written(backend, act)).map(({ type }) => type);
}

/** Something is done, and the window is told that the project changed. */
export async function announced(backend: Backend, act: () => Promise<unknown>): Promise<void> {
  await called("onProjectChanged", (callback) => backend.onProjectChanged(callback), act);
}

/** Something is done, and a callback follows. */
export async function called(
  what: string,
  subscribe: (callback: () => void) => () => void,
  act: () => Promise<unknown>,
): Promise<void> {
  let end: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (end = subscribe(resolve)));
  try {
    await act();
    await soon(what, heard);
  } finally {
    end();
  }
}

/** Waits for what has to come. */
export async function soon<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${PATIENCE} ms.`)), PATIENCE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function ascending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number));
}
