/** A colour of a chart, by its role; `tokens.css` says what it is in each theme. */
export type Tone = "ok" | "danger" | "warn" | "series-1" | "series-2" | "series-3" | "series-4" | "ink-3";

export interface Series {
  name: string;
  tone: Tone;
  /** One value for each place on the x axis; `null` where there is none. */
  values: (number | null)[];
  /** A forecast is dashed. */
  dashed?: boolean;
}

/** What a chart shows, and how its numbers are written. The same data makes the drawing and the table. */
export interface ChartModel {
  /** `stacked`: a bar for each place, its series on top of each other. `steps`: lines that change at once. `line`: others. */
  kind: "stacked" | "steps" | "line";
  /** Where the values are: 0, 1, 2 … for days, seconds since 1970 for times. */
  x: number[];
  xText: (x: number) => string;
  /** What the x axis counts: the head of the table's first column. */
  xTitle: string;
  series: Series[];
  valueText: (value: number) => string;
  /** The same for the round numbers beside the y axis, where there is little room. */
  tickText?: (value: number) => string;
  /** Only whole numbers make sense on the y axis. */
  whole?: boolean;
  /** Two series, by their places, between which the room is filled: how far a forecast may be off. */
  between?: [number, number];
}

/** Whether there is anything to draw. A chart of nothing but zeros says nothing. */
export function hasValues({ series }: ChartModel): boolean {
  return series.some(({ values }) => values.some((value) => value !== null && value !== 0));
}

/** The numbers beside the y axis: from zero to the first round number that the greatest value does not exceed. */
export function ticksUpTo(greatest: number, whole = false, most = 4): number[] {
  if (!(greatest > 0) || !Number.isFinite(greatest)) {
    return [0, 1];
  }
  const step = roundStep(greatest / most, whole);
  const count = Math.ceil(Number((greatest / step).toPrecision(12)));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function roundStep(least: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= least - 1e-12) ?? 10 * power;
  return whole ? Math.max(1, Math.ceil(step)) : step;
}

/** Of `count` places those that get a label, so that each has `least` pixels for it; the last one always does. */
export function labelled(count: number, width: number, least: number): number[] {
  const step = Math.max(1, Math.ceil((count * least) / Math.max(1, width)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0);
}

/** Where each part of a bar begins and ends: the series of a stacked chart on top of each other, the first at the bottom. */
export function stacked(series: Pick<Series, "values">[]): { from: number[]; to: number[] }[] {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const top = new Array<number>(length).fill(0);
  return series.map(({ values }) => {
    const from = [...top];
    for (let index = 0; index < length; index++) {
      top[index] = (top[index] ?? 0) + (values[index] ?? 0);
    }
    return { from, to: [...top] };
  });
}

/** What is said about one place: the table's row as a sentence. Series without a value are left out. */
export function placeText(model: ChartModel, index: number): string {
  const x = model.x[index];
  if (x === undefined) {
    return "";
  }
  const parts = model.series.flatMap(({ name, values }) => {
    const value = values[index];
    return value === null || value === undefined ? [] : [`${name} ${model.valueText(value)}`];
  });
  return `${model.xText(x)}: ${parts.join(", ")}`;
}
