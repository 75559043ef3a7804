import { describe, expect, it } from "vitest";

import { HOSTILE_TEXTS } from "$lib/backend/mock";

import { addressesIn, beginning, segmentsOf } from "./segments";

const links = (text: string) => addressesIn(text).map(({ from, to }) => text.slice(from, to));

describe("addresses in a text", () => {
  it("end where the sentence goes on", () => {
    expect(links("See https://example.org/a?b=1#c, then (http://example.org/x_(y)). Done.")).toEqual([
      "https://example.org/a?b=1#c",
      "http://example.org/x_(y)",
    ]);
    expect(links('<a href="https://example.org/q">')).toEqual(["https://example.org/q"]);
  });

  it("are of the web only", () => {
    expect(links("javascript:alert(1) file:///etc/passwd data:text/html,x https:// ftp://example.org")).toEqual([]);
  });

  it("end before characters that turn the writing around", () => {
    expect(links("https://example.org/\u202Egnp.exe")).toEqual(["https://example.org/"]);
  });
});

describe("the parts of a text", () => {
  const texts = [...HOSTILE_TEXTS, "", "a https://example.org/price b", "İ price", "PRICE price pricePrice"];

  it("are the text again when they are put together", () => {
    for (const text of texts) {
      for (const searched of ["", "price", "<", "p"]) {
        expect(
          segmentsOf(text, searched)
            .map((segment) => segment.text)
            .join(""),
        ).toBe(text);
      }
    }
  });

  it("mark what is searched for whatever its case, also inside an address", () => {
    expect(segmentsOf("Price: https://example.org/price", "PRICE")).toEqual([
      { text: "Price", found: true },
      { text: ": " },
      { text: "https://example.org/", link: "https://example.org/price" },
      { text: "price", link: "https://example.org/price", found: true },
    ]);
  });
});

describe("longer texts", () => {
  it("are cut after so many lines or characters, and never inside a character", () => {
    expect(beginning("a\nb\nc", 2, 100)).toBe("a\nb");
    expect(beginning("a\nb", 2, 100)).toBe("a\nb");
    expect(beginning("a\nb", 0, 100)).toBe("");
    expect(beginning("abcdef", 5, 3)).toBe("abc");
    expect(beginning("ab😀", 5, 3)).toBe("ab");
  });
});
