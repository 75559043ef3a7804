import { describe, expect, it } from "vitest";

import { TALLEST, Track } from "./track";

const VIEW = 500;

function trackOf(count: number, estimate = 20): Track {
  const track = new Track(estimate);
  track.setView(VIEW);
  track.setCount(count);
  return track;
}

/** How far below the top of the view a row begins. */
function seenAt(track: Track, row: number): number {
  return track.heights.offsetOf(row) - track.top;
}

describe("a track through a long list", () => {
  it("renders what is seen and little more, wherever it stands", () => {
    const track = trackOf(1_000_000);
    for (const part of [0, 0.25, 0.5, 0.99, 1]) {
      track.moved((track.extent - VIEW) * part);
      const { first, last } = track.rows;
      expect(last - first).toBeLessThan(VIEW / 20 + 16);
      expect(first / 1_000_000).toBeCloseTo(part, 3);
    }
    expect(track.rows.last).toBe(1_000_000);
    expect(track.atEnd).toBe(true);
  });

  it("never asks for a taller scroller than browsers can hold, and still takes movements pixel by pixel", () => {
    const track = trackOf(1_000_000);
    expect(track.extent).toBe(TALLEST);
    track.moved(400_000);
    const before = track.top;
    track.moved(400_120);
    expect(track.top).toBe(before + 120);
  });

  it("is stuck at an edge of the scroller that is not one of the list, until the bar is put right", () => {
    const track = trackOf(1_000_000);
    track.moved(TALLEST - VIEW - 100);
    expect(track.atEnd).toBe(false);
    track.moved(TALLEST - VIEW);
    expect(track.stuck).toBe(true);
    track.told(track.scroll);
    expect(track.stuck).toBe(false);
  });

  it("holds what is seen in place when rows above turn out taller", () => {
    const track = trackOf(1000);
    track.moved(2000);
    const row = track.seen.first;
    const before = seenAt(track, row);
    for (let above = row - 1; above > row - 10; above--) {
      track.heights.measure(above, 90);
    }
    expect(seenAt(track, row)).toBe(before);
  });

  it("holds what is seen in place when rows come at the end", () => {
    const track = trackOf(1000);
    track.reveal(995);
    const before = seenAt(track, 995);
    track.setCount(5000);
    expect(seenAt(track, 995)).toBe(before);
  });

  it("holds the end, however tall the last rows are", () => {
    const track = trackOf(1000);
    track.toEnd();
    track.heights.measure(999, 300);
    track.heights.measure(998, 300);
    expect(track.atEnd).toBe(true);
    expect(seenAt(track, 999)).toBe(VIEW - 300);
    track.setCount(1200);
    track.toEnd();
    expect(track.atEnd).toBe(true);
  });

  it("reveals by the shortest way, and does not move for what is seen already", () => {
    const track = trackOf(1000);
    track.reveal(3);
    expect(track.top).toBe(0);
    track.reveal(26);
    expect(seenAt(track, 26)).toBe(VIEW - 20);
    track.reveal(10);
    expect(seenAt(track, 26)).toBe(VIEW - 20);
    track.reveal(700);
    expect(seenAt(track, 700)).toBeCloseTo(VIEW / 3);
    track.reveal(695);
    expect(seenAt(track, 700)).toBeCloseTo(VIEW / 3);
  });

  it("is at both ends of a list that fits, and of one that is empty", () => {
    const short = trackOf(3);
    expect([short.top, short.atEnd, short.scroll]).toEqual([0, true, 0]);
    expect(short.rows).toEqual({ first: 0, last: 3 });
    const empty = trackOf(0);
    expect(empty.rows).toEqual({ first: 0, last: 0 });
    expect(empty.covered(empty.rows)).toBe(true);
  });

  it("renders no more at the end of a growing list than is seen of rows as tall as the ones before", () => {
    const track = trackOf(1000);
    track.toEnd();
    expect(track.lastRows(20)).toEqual({ first: track.rows.first + 4, last: 1000 });
    expect(track.lastRows(250)).toEqual({ first: 996, last: 1000 });
    for (let row = 996; row < 1000; row++) {
      track.heights.measure(row, 250);
    }
    expect(track.covered({ first: 996, last: 1000 })).toBe(true);
    // What was measured counts as it is, whatever was expected.
    track.heights.measure(999, 10);
    expect(track.lastRows(250)).toEqual({ first: 995, last: 1000 });
  });

  it("notices when rows at the end turn out too low to fill the view", () => {
    const track = trackOf(1000);
    track.toEnd();
    const few = track.lastRows(250);
    expect(track.covered(few)).toBe(false);
    expect(track.covered(track.rows)).toBe(true);
  });

  it("comes back into the list when it shrinks", () => {
    const track = trackOf(1000);
    track.toEnd();
    track.setCount(10);
    expect(track.top).toBe(0);
    expect(track.rows).toEqual({ first: 0, last: 10 });
  });
});
