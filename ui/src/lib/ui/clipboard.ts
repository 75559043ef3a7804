/**
 * Puts a text on the clipboard; `false` when the system does not let us. A text that has yet to be fetched is given as a
 * promise: the system counts the press of the key, not the arrival of the text.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === "string") {
      await navigator.clipboard.writeText(text);
    } else {
      const blob = text.then((fetched) => new Blob([fetched], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    }
    return true;
  } catch {
    return false;
  }
}
