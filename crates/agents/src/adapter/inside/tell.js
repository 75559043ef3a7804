// Tells Loopwright, on a line of its own on standard error, that the model's service has refused a request: the status,
// the service's codes for it, and how long to wait. Never what was asked or answered, and no key.

const tell = (refusal) => {
  try {
    process.stderr.write("loopwright-refused " + JSON.stringify(refusal) + "\n");
  } catch {}
};

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
