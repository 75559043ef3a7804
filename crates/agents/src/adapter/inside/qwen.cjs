
// Qwen Code waits inside the library it asks its service with, and says nothing until that gives up. Node tells of every
// answer to a request, whichever library asks.
const { realpathSync } = require("node:fs");
const { basename } = require("node:path");

// The script that this process runs.
const running = (() => {
  try {
    return realpathSync(process.argv[1]);
  } catch {
    return "";
  }
})();
const isProgram = /[\\/]@qwen-code[\\/]/.test(running);
// It starts the program proper in its own environment, and nothing else.
const isLauncher = isProgram && basename(running) === "cli-entry.js";

// What brought this here is no business of anything that the program starts, except of itself once more.
const handOver = () => {
  const left = (process.env.NODE_OPTIONS ?? "").replace(/ *--require "[^"]*loopwright-refusals\.cjs"/, "");
  if (left === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = left;
  if (isProgram && !process.execArgv.includes(__filename)) process.execArgv.push("--require", __filename);
};

// Whether this is a request to a model, in the ways of the services it knows.
const isOfModel = ({ method, path }) =>
  method === "POST" && /\/(chat\/completions|messages|responses)(\?|$)|:(stream)?generateContent/i.test(path);

// Names and values come as bytes, one behind the other.
const headersOf = (raw) => {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(String(raw[at]), String(raw[at + 1]));
  return headers;
};

const answered = ({ request, response }) => {
  try {
    const status = response.statusCode;
    if ((status !== 429 && status < 500) || !isOfModel(request)) return;
    tell({ status, wait_ms: waitOf(headersOf(response.headers)) });
  } catch {}
};

if (!isLauncher) handOver();
if (isProgram) require("node:diagnostics_channel").subscribe("undici:request:headers", answered);
