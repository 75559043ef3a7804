import type { Box } from "./layout";

const SMALLEST = 0.02;
const LARGEST = 2;
/** How much larger one step makes everything. */
export const ZOOM_STEP = 1.25;

/** Room on the screen around what is shown. */
export interface Margin {
  x: number;
  y: number;
}

/** The part of a plane that is seen, and how large. */
export class Viewport {
  /** Where the origin of the plane is on the screen. */
  x = $state(0);
  y = $state(0);
  scale = $state(1);
  /** The size on the screen. */
  width = $state(0);
  height = $state(0);

  /** What is seen of the plane. */
  readonly seen = $derived<Box>({
    x: -this.x / this.scale,
    y: -this.y / this.scale,
    width: this.width / this.scale,
    height: this.height / this.scale,
  });

  pan(x: number, y: number): void {
    this.x += x;
    this.y += y;
  }

  /** Changes the scale. The point at this place of the screen, or else the middle, stays where it is. */
  zoom(scale: number, x = this.width / 2, y = this.height / 2): void {
    const next = clamp(scale);
    this.x = x - ((x - this.x) / this.scale) * next;
    this.y = y - ((y - this.y) / this.scale) * next;
    this.scale = next;
  }

  /** The scale at which a box is seen whole, but never larger than life. */
  scaleFor(box: Box, margin: Margin): number {
    const across = (this.width - 2 * margin.x) / Math.max(1, box.width);
    const down = (this.height - 2 * margin.y) / Math.max(1, box.height);
    return clamp(Math.min(1, across, down));
  }

  /** Shows a box whole and in the middle; of one that is too long, its beginning. */
  fit(box: Box, margin: Margin): void {
    this.scale = this.scaleFor(box, margin);
    this.x = middle(this.width, box.x, box.width, this.scale, margin.x);
    this.y = middle(this.height, box.y, box.height, this.scale, margin.y);
  }

  /** Shows a box in the middle without changing the scale. */
  center(box: Box): void {
    this.x = this.width / 2 - (box.x + box.width / 2) * this.scale;
    this.y = this.height / 2 - (box.y + box.height / 2) * this.scale;
  }

  /** Leaves no room empty on one side of a box that is cut off on the other; what has room enough comes to its middle. */
  fill(box: Box, margin: Margin): void {
    this.x = filled(this.x, this.width, box.x, box.width, this.scale, margin.x);
    this.y = filled(this.y, this.height, box.y, box.height, this.scale, margin.y);
  }

  /** Moves as little as it takes to see a box, with some room around it. */
  reveal(box: Box, margin: Margin): void {
    this.x += shift(this.x + box.x * this.scale, box.width * this.scale, this.width, margin.x);
    this.y += shift(this.y + box.y * this.scale, box.height * this.scale, this.height, margin.y);
  }
}

function clamp(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

function middle(room: number, start: number, length: number, scale: number, margin: number): number {
  const free = room - length * scale;
  return (free < 0 ? margin : free / 2) - start * scale;
}

function filled(at: number, room: number, start: number, length: number, scale: number, margin: number): number {
  if (length * scale + 2 * margin <= room) {
    return middle(room, start, length, scale, margin);
  }
  const first = margin - start * scale;
  const last = room - margin - (start + length) * scale;
  return Math.min(first, Math.max(last, at));
}

function shift(start: number, length: number, room: number, margin: number): number {
  const most = room - margin - length;
  return start < margin ? margin - start : start > most ? Math.max(most, margin) - start : 0;
}
