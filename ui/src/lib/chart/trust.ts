import { SYSTEM_LOCALES } from "$lib/format/locale";

const twoPlaces = new Intl.NumberFormat(SYSTEM_LOCALES, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signed = new Intl.NumberFormat(SYSTEM_LOCALES, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});

/** Trust as it is written everywhere: "0.75". */
export function trustText(trust: number): string {
  return twoPlaces.format(trust);
}

/** By how much trust changed: "+0.15", with a real minus sign where it fell. */
export function trustChange(change: number): string {
  return signed.format(change).replace("-", "−");
}

/** From where a solution is trusted: `SolutionTrust::TRUSTED` of the engine. */
export const TRUSTED_AT = 0.6;
