/** What the charts of the Metrics view show, from the engine's figures. */
import type { DayMetrics, Metrics } from "$lib/backend/types";
import type { ChartModel, Tone } from "$lib/chart/model";
import { numberText, SYSTEM_LOCALES } from "$lib/format/locale";
import { costText, countText } from "$lib/format/measure";
import { tokensOf } from "$lib/format/usage";

const DAY = 86_400_000;
/** More days than this are put together by weeks: a bar must stay a bar. */
const MOST_BARS = 45;

const shortDay = new Intl.DateTimeFormat(SYSTEM_LOCALES, { day: "numeric", month: "short", timeZone: "UTC" });
const roundDollars = new Intl.NumberFormat(SYSTEM_LOCALES, { maximumSignificantDigits: 3 });
const clockTime = new Intl.DateTimeFormat(SYSTEM_LOCALES, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayOfTime = new Intl.DateTimeFormat(SYSTEM_LOCALES, { day: "numeric", month: "short" });

/** A place on the x axis: a day, or the week that begins with it, and the days with work in it. */
export interface Bucket {
  /** Milliseconds, at midnight UTC. */
  start: number;
  days: DayMetrics[];
}

/**
 * A place for every day from the first with work until today, also for those without any: a gap in the work is a gap in
 * the picture. Very many are weeks.
 */
export function bucketsOf(days: readonly DayMetrics[], today: number): Bucket[] {
  const known = days
    .map((day) => ({ at: Date.parse(`${day.date}T00:00:00Z`), day }))
    .filter(({ at }) => !Number.isNaN(at));
  if (known.length === 0) {
    return [];
  }
  const first = Math.min(...known.map(({ at }) => at));
  const last = Math.max(Math.floor(today / DAY) * DAY, ...known.map(({ at }) => at));
  const span = Math.round((last - first) / DAY) + 1;
  const width = span > MOST_BARS ? 7 * DAY : DAY;
  const count = Math.ceil((span * DAY) / width);
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * width;
    return { start, days: known.filter(({ at }) => at >= start && at < start + width).map(({ day }) => day) };
  });
}

const sum = (days: readonly DayMetrics[], of: (day: DayMetrics) => number): number =>
  days.reduce((total, day) => total + of(day), 0);

function daily(buckets: readonly Bucket[]): Pick<ChartModel, "kind" | "x" | "xText" | "xTitle"> {
  const weeks = (buckets[1]?.start ?? 0) - (buckets[0]?.start ?? 0) > DAY;
  return {
    kind: "stacked",
    x: buckets.map((_, index) => index),
    xText: (index) => shortDay.format(buckets[Math.round(index)]?.start ?? 0),
    xTitle: weeks ? "Week of" : "Day",
  };
}

export function iterationsChart(buckets: readonly Bucket[]): ChartModel {
  return {
    ...daily(buckets),
    series: [
      { name: "passed", tone: "ok", values: buckets.map(({ days }) => sum(days, ({ passed }) => passed)) },
      { name: "failed", tone: "danger", values: buckets.map(({ days }) => sum(days, ({ failed }) => failed)) },
    ],
    valueText: numberText,
    whole: true,
  };
}

const TONES: Tone[] = ["series-1", "series-3", "series-4", "series-2"];

/** Money by harness; harnesses beyond the fourth are one. */
export function costChart(buckets: readonly Bucket[]): ChartModel {
  const costs = (days: readonly DayMetrics[], harness: string) =>
    sum(days, (day) => day.cost_by_harness.find((each) => each.harness === harness)?.cost_micros ?? 0);
  const all = buckets.flatMap(({ days }) => days);
  const names = [...new Set(all.flatMap((day) => day.cost_by_harness.map(({ harness }) => harness)))].toSorted(
    (left, right) => costs(all, right) - costs(all, left),
  );
  const most = TONES.length;
  const own = names.length > most ? names.slice(0, most - 1) : names;
  const rest = names.slice(own.length);
  const groups = [
    ...own.map((name) => ({ name, of: [name] })),
    ...(rest.length > 0 ? [{ name: "others", of: rest }] : []),
  ];
  return {
    ...daily(buckets),
    series: groups.map(({ name, of }, index) => ({
      name,
      tone: TONES[index] ?? "series-4",
      values: buckets.map(({ days }) => of.reduce((total, harness) => total + costs(days, harness), 0)),
    })),
    valueText: (value) => costText(value),
    tickText: (value) => `$${roundDollars.format(value / 1_000_000)}`,
  };
}

export function tokensChart(buckets: readonly Bucket[]): ChartModel {
  return {
    ...daily(buckets),
    series: [
      {
        name: "tokens",
        tone: "series-1",
        values: buckets.map(({ days }) => sum(days, ({ usage }) => tokensOf(usage))),
      },
    ],
    valueText: (value) => countText(Math.round(value)),
    whole: true,
  };
}

/** Minutes of an iteration on a day; nothing on days without one. */
export function durationChart(buckets: readonly Bucket[]): ChartModel {
  return {
    ...daily(buckets),
    series: [
      {
        name: "minutes per iteration",
        tone: "series-1",
        values: buckets.map(({ days }) => {
          const iterations = sum(days, (day) => day.iterations);
          return iterations === 0 ? null : sum(days, ({ elapsed_ms }) => elapsed_ms) / iterations / 60_000;
        }),
      },
    ],
    valueText: (value) => `${Number(value.toFixed(1))} m`,
  };
}

/** How many tasks have to have been finished before a forecast is more than a guess. */
const ENOUGH = 5;

/**
 * Tasks left over time, and where that leads if it goes on as it did: on the right between the pace of the faster and that of
 * the slower half. Without enough finished tasks there is no forecast.
 */
export function burndownChart(points: Metrics["burndown"], now: number): ChartModel {
  const known = points
    .map(({ at, left }) => ({ at: Date.parse(at) / 1000, left }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => one.at - other.at);
  const last = known.at(-1);
  const times = known.map(({ at }) => at);
  const sameDay = times[0] !== undefined && new Date(times[0] * 1000).toDateString() === new Date(now).toDateString();
  const xText = (seconds: number) => (sameDay ? clockTime : dayOfTime).format(seconds * 1000);
  const model: ChartModel = {
    kind: "steps",
    x: times,
    xText,
    xTitle: "Time",
    series: [{ name: "tasks left", tone: "ok", values: known.map(({ left }) => left) }],
    valueText: (value) => numberText(Math.round(value)),
    whole: true,
  };
  const paces = secondsPerTask(known);
  if (last === undefined || last.left === 0 || paces === null) {
    return model;
  }
  const from = Math.max(last.at, Math.min(now / 1000, last.at + paces.slow));
  const ends = [from + paces.fast * last.left, from + paces.mean * last.left, from + paces.slow * last.left] as const;
  const blank = known.slice(0, -1).map(() => null);
  const to = (end: number) =>
    [from, ...ends].map((at) => (at === from ? last.left : Math.max(0, last.left * (1 - (at - from) / (end - from)))));
  return {
    ...model,
    x: [...times.slice(0, -1), from, ...ends],
    series: [
      {
        name: "tasks left",
        tone: "ok",
        values: [...known.slice(0, -1).map(({ left }) => left), last.left, null, null, null],
      },
      { name: "forecast", tone: "ink-3", dashed: true, values: [...blank, ...to(ends[1])] },
      { name: "at the earliest", tone: "ok", values: [...blank, ...to(ends[0])] },
      { name: "at the latest", tone: "ok", values: [...blank, ...to(ends[2])] },
    ],
    between: [3, 2],
  };
}

/** The pace at which tasks were finished: of the whole, of its faster and of its slower half; `null` from too few. */
function secondsPerTask(
  points: readonly { at: number; left: number }[],
): { fast: number; mean: number; slow: number } | null {
  const steps = points
    .slice(1)
    .map((point, index) => ({
      took: point.at - (points[index]?.at ?? 0),
      done: (points[index]?.left ?? 0) - point.left,
    }))
    .filter(({ done, took }) => done > 0 && took > 0)
    .map(({ took, done }) => took / done)
    .toSorted((left, right) => left - right);
  if (steps.length < ENOUGH) {
    return null;
  }
  const mean = (part: number[]) => part.reduce((total, each) => total + each, 0) / part.length;
  const half = Math.ceil(steps.length / 2);
  return { fast: mean(steps.slice(0, half)), mean: mean(steps), slow: mean(steps.slice(-half)) };
}
