const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const timeOfDay = new Intl.DateTimeFormat("en", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** "3 hours ago", as a person would say it; the text itself when it is not a time. */
export function relativeTime(at: string, now: number): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) {
    return at;
  }
  const seconds = Math.round((then - now) / 1000);
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) {
      return relative.format(Math.trunc(seconds / length), unit);
    }
  }
  return "just now";
}

/** The full date and time in the reader's own time zone; the text itself when it is not a time. */
export function fullTime(at: string): string {
  const then = Date.parse(at);
  return Number.isNaN(then) ? at : absolute.format(then);
}

/** The time of day to the second, in the reader's own time zone; the text itself when it is not a time. */
export function clockTime(at: string): string {
  const then = Date.parse(at);
  return Number.isNaN(then) ? at : timeOfDay.format(then);
}
