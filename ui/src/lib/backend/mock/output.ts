import type { OutputBackend } from "../output";
import type { Entry } from "../types";

import { refusal } from "./faults";
import type { MockLogs } from "./logs";
import { wholeOf } from "./output-data";
import type { MockParts } from "./parts";

/** As many entries as the real backend sends at once, and as many places as it finds. */
const PAGE_LIMIT = 500;
const PLACES_LIMIT = 10_000;

/** Output in memory. */
export function createOutputMock({ guarded }: MockParts, logs: MockLogs): OutputBackend {
  const isError = (entry: Entry): boolean => entry.kind === "error" || entry.failed;
  return {
    outputInfo: (target) =>
      guarded("outputInfo", target, () => {
        const { log, counts, finished, exists } = logs.open(target);
        return { total: log.total, counts: { ...counts }, bytes: log.total * 120, exists, finished };
      }),
    outputPage: (target, filter, first, count) =>
      guarded("outputPage", { target, filter, first, count }, () => {
        const view = logs.view(target, filter);
        const length = Math.max(0, Math.min(count, PAGE_LIMIT, view.total - first));
        return { first, total: view.total, entries: Array.from({ length }, (_, index) => view.at(first + index)) };
      }),
    outputEntry: (target, n) =>
      guarded("outputEntry", { target, n }, () => {
        const { log } = logs.open(target);
        if (n >= log.total) {
          throw refusal("run.not_found", "There is no such entry.");
        }
        return wholeOf(log.at(n));
      }),
    searchOutput: (target, filter, text) =>
      guarded("searchOutput", { target, filter, text }, () => {
        const view = logs.view(target, filter);
        const searched = text.toLowerCase();
        const places: number[] = [];
        for (let place = 0; place < view.total && places.length <= PLACES_LIMIT; place++) {
          const entry = view.at(place);
          if (`${entry.name ?? ""} ${entry.text}\n${entry.answer?.text ?? ""}`.toLowerCase().includes(searched)) {
            places.push(place);
          }
        }
        return { places: places.slice(0, PLACES_LIMIT), more: places.length > PLACES_LIMIT };
      }),
    findError: (target, filter, from, backwards) =>
      guarded("findError", { target, filter, from, backwards }, () => {
        const view = logs.view(target, filter);
        const step = backwards ? -1 : 1;
        const begin = from === null ? (backwards ? view.total - 1 : 0) : from + step;
        for (let place = begin; place >= 0 && place < view.total; place += step) {
          if (isError(view.at(place))) {
            return place;
          }
        }
        return null;
      }),
  };
}
