// Tells Loopwright, on lines of their own on standard error, how the model's service took a request. Never what was asked
// or answered, and no key.

const say = (what, about) => {
  try {
    process.stderr.write(`loopwright-${what} ${JSON.stringify(about)}\n`);
  } catch {}
};

// It was refused: the status, the service's codes for it, and how long to wait.
const tell = (refusal) => say("refused", refusal);

// How long the service says to wait, in milliseconds.
const waitOf = (headers, error) => {
  const after = headers.get("retry-after") ?? "";
  const details = Array.isArray(error?.details) ? error.details : [];
  const told = [
    parseFloat(headers.get("retry-after-ms") ?? ""),
    Number(after) * 1000,
    Date.parse(after) - Date.now(),
    Number(error?.resets_in_seconds) * 1000,
    parseFloat(details.find((detail) => detail?.retryDelay)?.retryDelay) * 1000,
  ];
  return told.find((wait) => wait > 0 && wait < 4e9);
};
