import { numberText, SYSTEM_LOCALES } from "./locale";

/** How long something took: "0.4 s", "12 s", "3 m 04 s", "2 h 10 m", "3 d 4 h". */
export function durationText(ms: number): string {
  if (ms < 9_950) {
    return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3_600) {
    return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 1_440
    ? `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`
    : `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
}

/** How many, short enough for a column: "950", "12.3k", "4.1M". */
export function countText(count: number): string {
  if (count < 1_000) {
    return String(count);
  }
  const [size, unit] = count < 999_500 ? [count / 1_000, "k"] : [count / 1_000_000, "M"];
  return (size < 99.95 ? size.toFixed(1).replace(/\.0$/, "") : numberText(Math.round(size))) + unit;
}

// Making one takes long; lists write many amounts.
const cents = new Intl.NumberFormat(SYSTEM_LOCALES, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const fractions = new Intl.NumberFormat(SYSTEM_LOCALES, { minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** Money in millionths of a US dollar: "$1.20", "≈ $0.04" when it was computed from a price list. */
export function costText(micros: number, estimated = false): string {
  const dollars = micros / 1_000_000;
  const money = dollars > 0 && dollars < 0.01 ? fractions : cents;
  return `${estimated ? "≈ " : ""}$${money.format(dollars)}`;
}

/** A size for people: "812 bytes", "14 kB", "3.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) {
    return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  }
  return bytes < 999_500 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
