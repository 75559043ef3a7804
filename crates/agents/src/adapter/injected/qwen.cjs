
// Qwen Code waits inside the library it asks its service with, and says nothing until that gives up. Node tells of every
// answer to a request, whichever library asks.
const { basename } = require("node:path");

const isProgram = /[\\/]@qwen-code[\\/]/.test(running);
// It starts the program proper in its own environment, and nothing else.
const isLauncher = isProgram && basename(running) === "cli-entry.js";

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

if (!isLauncher) handOver(isProgram);
if (isProgram) require("node:diagnostics_channel").subscribe("undici:request:headers", answered);
