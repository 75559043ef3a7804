/** Draws charts with uPlot. Loaded when the first chart is shown; nothing else imports uPlot. */
import uPlot from "uplot";

import "uplot/dist/uPlot.min.css";

import { type ChartModel, labelled, stacked, ticksUpTo, type Tone } from "./model";

/** A chart that is drawn. */
export interface Plot {
  resize(width: number, height: number): void;
  destroy(): void;
}

/** In pixels: the size of labels, as --text-2xs, and the room that each needs. */
const LABEL_SIZE = 11;
const LABEL_ROOM = 44;

/** Draws a chart into `host`, in the colours that hold there. `onplace` hears which place the pointer is at. */
export function draw(
  host: HTMLElement,
  model: ChartModel,
  { width, height }: { width: number; height: number },
  onplace: (index: number | null) => void,
): Plot {
  const style = getComputedStyle(host);
  const colour = (name: Tone | "line" | "ink-3" | "stage") => style.getPropertyValue(`--${name}`).trim();
  // In pixels: a canvas knows no other unit that uPlot could scale.
  const font = `${LABEL_SIZE}px ${style.fontFamily}`;
  const layers = model.kind === "stacked" ? stacked(model.series) : null;
  const greatest = layers
    ? Math.max(0, ...layers.flatMap(({ to }) => to))
    : Math.max(0, ...model.series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = ticksUpTo(greatest, model.whole);
  const top = ticks.at(-1) ?? 1;
  const bars = model.kind === "stacked";

  const axis: uPlot.Axis = { stroke: colour("ink-3"), font, ticks: { show: false }, grid: { show: false } };
  const options: uPlot.Options = {
    width,
    height,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, x: !bars },
    scales: {
      x: bars
        ? { time: false, range: () => [-0.6, Math.max(0, model.x.length - 1) + 0.6] }
        : { time: true, range: (_plot, least, most) => (least === most ? [least - 1, most + 1] : [least, most]) },
      y: { range: () => [0, top] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 6,
        ...(bars ? { splits: (plot) => labelled(model.x.length, plot.bbox.width / devicePixelRatio, LABEL_ROOM) } : {}),
        space: 72,
        values: (_plot, splits) => splits.map((x) => model.xText(x)),
      },
      {
        ...axis,
        size: 44,
        gap: 8,
        splits: () => ticks,
        values: (_plot, splits) => splits.map((value) => (model.tickText ?? model.valueText)(value)),
        grid: { show: true, stroke: colour("line"), width: 1 },
      },
    ],
    series: [{}, ...model.series.map((series, index) => seriesOf(series.tone, series.dashed ?? false, index))],
    ...(model.between
      ? { bands: [{ series: [model.between[0] + 1, model.between[1] + 1], fill: translucent(colour("ok")) }] }
      : {}),
    hooks: { setCursor: [(plot) => onplace(plot.cursor.idx ?? null)] },
  };

  function seriesOf(tone: Tone, dashed: boolean, index: number): uPlot.Series {
    const stroke = colour(tone);
    if (layers) {
      const layer = layers[index] ?? { from: [], to: [] };
      // A line in the colour of the ground keeps the parts of a bar apart.
      return {
        fill: stroke,
        stroke: colour("stage"),
        width: 1,
        points: { show: false },
        paths: uPlot.paths.bars?.({
          size: [0.6, 22],
          disp: {
            y0: { unit: 1, values: () => layer.from },
            y1: { unit: 1, values: () => layer.to },
          },
        }),
      } as uPlot.Series;
    }
    const stepped = model.kind === "steps" && !dashed ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const inBand = model.between?.includes(index) ?? false;
    return {
      stroke: inBand ? "transparent" : stroke,
      width: inBand ? 0 : dashed ? 1.5 : 2,
      spanGaps: true,
      points: { show: false },
      ...(dashed ? { dash: [4, 4] } : {}),
      ...(stepped ? { paths: stepped } : {}),
    };
  }

  const columns = layers
    ? model.series.map((_, index) => layers[index]?.to ?? [])
    : model.series.map(({ values }) => values);
  const plot = new uPlot(options, [model.x, ...columns] as uPlot.AlignedData, host);
  return {
    resize: (newWidth, newHeight) => plot.setSize({ width: newWidth, height: newHeight }),
    destroy: () => plot.destroy(),
  };
}

/** The colour with most of the ground showing through; a system colour is left out. */
function translucent(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}22` : "transparent";
}
