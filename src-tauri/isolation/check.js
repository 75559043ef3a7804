// Tauri's isolation pattern: every call of the page comes through this frame, which the page can neither read nor
// change, before the shell sees it. Only commands that exist go on, with arguments they take and of a sane size.
(() => {
  const commands = Object.freeze(window.__LOOPWRIGHT_COMMANDS__);
  // What Tauri's own library calls: to hear events, and to fetch large messages of a channel.
  const events = { "plugin:event|listen": ["event", "target", "handler"], "plugin:event|unlisten": ["event", "eventId"] };
  const CHANNEL = "plugin:__TAURI_CHANNEL__|fetch";
  const LONGEST = 8 * 1024 * 1024;

  function takes(command) {
    if (typeof command !== "string") return undefined;
    if (Object.hasOwn(commands, command)) return commands[command];
    return Object.hasOwn(events, command) ? events[command] : undefined;
  }

  function isKnown({ cmd, payload }) {
    if (cmd === CHANNEL) return payload === null || payload === undefined;
    const names = takes(cmd);
    if (names === undefined) return false;
    if (payload === null || payload === undefined) return true;
    if (typeof payload !== "object" || Array.isArray(payload) || ArrayBuffer.isView(payload)) return false;
    return Object.keys(payload).every((name) => names.includes(name)) && JSON.stringify(payload).length <= LONGEST;
  }

  // The shell refuses this name, which does not exist, and so the page gets an answer.
  const refused = ({ callback, error }) => ({ cmd: "refused", callback, error, options: undefined, payload: {} });

  // Whether Tauri's script in this frame, which stands before this one, hears messages: that needs a key, which is imported
  // asynchronously. It gets a message as if from the page, with which nothing happens: its handling waits forever.
  function isHeard() {
    let heard = false;
    window.__TAURI_ISOLATION_HOOK__ = () => {
      heard = true;
      return new Promise(() => {});
    };
    const origin = window.location.ancestorOrigins?.[0];
    window.dispatchEvent(new MessageEvent("message", { data: { callback: 0, error: 0 }, origin }));
    return heard;
  }

  const heard = isHeard();
  window.__TAURI_ISOLATION_HOOK__ = (message) => (isKnown(message) ? message : refused(message));

  // The page keeps its calls back until the frame says that it is ready. Tauri's script says so when it finds the hook, for
  // which it looks 50 ms after it listens and not before. With the hook set it is ready as soon as it listens; said any
  // earlier, the first calls of a window would be lost. Where it does not listen yet its own word comes as ever.
  if (heard) {
    window.parent.postMessage("__TAURI_ISOLATION_READY__", "*");
  }
})();
