/** Texts that would do harm if any of them were ever treated as markup. Used as titles, names and messages. */
export const HOSTILE_TEXTS = [
  "<script>globalThis.__pwned = true</script>",
  '<img src=x onerror="globalThis.__pwned = true">',
  "<svg onload=globalThis.__pwned=true>",
  "javascript:globalThis.__pwned=true",
  "</style><script>globalThis.__pwned = true</script>",
  "{@html '<b>bold</b>'} ${1 + 1} {{7*7}}",
  "<iframe srcdoc='<script>parent.__pwned=true</script>'></iframe>",
  "\u202Egnp.exe <b>reversed</b>",
] as const;
