import { relativeTimes, SYSTEM_LOCALES } from "./locale";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const timeOfDay = new Intl.DateTimeFormat(SYSTEM_LOCALES, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const hourAndMinute: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const thisDay = new Intl.DateTimeFormat(SYSTEM_LOCALES, hourAndMinute);
const otherDay = new Intl.DateTimeFormat(SYSTEM_LOCALES, { ...hourAndMinute, weekday: "short" });
const day = new Intl.DateTimeFormat(SYSTEM_LOCALES, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(SYSTEM_LOCALES, { day: "numeric", month: "short", year: "numeric" });
const absolute = new Intl.DateTimeFormat(SYSTEM_LOCALES, { dateStyle: "medium", timeStyle: "short" });

/** "3 hours ago", as a person would say it; the text itself when it is not a time. */
export function relativeTime(at: string, now: number): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) {
    return at;
  }
  const seconds = Math.round((then - now) / 1000);
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) {
      return relativeTimes.format(Math.trunc(seconds / length), unit);
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

/** The time of day to the minute, in the reader's own time zone, of milliseconds since 1970. */
export function minuteText(at: number): string {
  return thisDay.format(at);
}

/** When something will be, in the reader's own time zone: "14:05" today, "Tue 14:05" on another day. */
export function whenText(at: string, now: number): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) {
    return at;
  }
  const today = new Date(then).toDateString() === new Date(now).toDateString();
  return (today ? thisDay : otherDay).format(then);
}

/** How long until then, in whole seconds: "41 m 12 s"; `null` when it is not known or that time has come. */
export function timeUntil(at: string | null, now: number): string | null {
  const left = at === null ? Number.NaN : Date.parse(at) - now;
  return left > 0 ? wholeSeconds(Math.ceil(left / 1000)) : null;
}

function wholeSeconds(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours >= 24) {
    return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  }
  if (hours > 0) {
    return `${hours} h ${pad(minutes)} m`;
  }
  return minutes > 0 ? `${minutes} m ${pad(seconds % 60)} s` : `${seconds} s`;
}

/** The day, in the reader's own time zone: "today", "12 Nov", "12 Nov 2025" in another year; the text itself when it is none. */
export function dayText(at: string, now: number): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) {
    return at;
  }
  const [date, today] = [new Date(then), new Date(now)];
  if (date.toDateString() === today.toDateString()) {
    return "today";
  }
  return (date.getFullYear() === today.getFullYear() ? day : dayOfYear).format(then);
}

/** When something was: "today 14:41", "12 Nov"; the text itself when it is not a time. */
export function momentText(at: string, now: number): string {
  const text = dayText(at, now);
  return text === "today" ? `today ${thisDay.format(Date.parse(at))}` : text;
}
