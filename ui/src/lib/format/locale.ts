/** The language that the texts are written in. Their plurals and their words for times follow it. */
const TEXTS = "en";

/** How numbers and dates are written: as the system says, where it says something that is known. */
export const SYSTEM_LOCALES: readonly string[] = known(globalThis.navigator?.languages ?? []);

const numbers = new Intl.NumberFormat(SYSTEM_LOCALES);
const plurals = new Intl.PluralRules(TEXTS);

/** Words for how long ago something was, in the language of the texts. */
export const relativeTimes = new Intl.RelativeTimeFormat(TEXTS, { numeric: "auto" });

/** A whole number as the system writes it. */
export function numberText(value: number): string {
  return numbers.format(value);
}

const lists = new Intl.ListFormat(TEXTS, { type: "conjunction" });

/** "a", "a and b", "a, b, and c", in the language of the texts. */
export function listText(items: readonly string[]): string {
  return lists.format(items);
}

/** The form of a noun that goes with a count. */
export function pluralForm<T>(count: number, one: T, other: T): T {
  return plurals.select(count) === "one" ? one : other;
}

/** Those that are languages at all: a system without one is called "c" by some. */
export function known(languages: readonly string[]): string[] {
  return languages.filter((language) => {
    try {
      return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
    } catch {
      return false;
    }
  });
}
