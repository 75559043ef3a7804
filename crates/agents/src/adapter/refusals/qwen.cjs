
// Qwen Code waits inside the library it asks its service with, and says nothing until that gives up. Node tells of every
// answer to a request, whichever library asks. The option that brought this here is taken away before anything but the
// program itself can inherit it: at once in any other program, else with the first request, before which no model can
// call a tool.
const forget = () => {
  const left = (process.env.NODE_OPTIONS ?? "").replace(/ *--require "[^"]*loopwright-refusals\.cjs"/, "");
  if (left === "") delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = left;
};

const isProgram = () => {
  try {
    return /[\\/]@qwen-code[\\/]/.test(require("node:fs").realpathSync(process.argv[1]));
  } catch {
    return false;
  }
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

if (isProgram()) {
  const channels = require("node:diagnostics_channel");
  channels.subscribe("undici:request:create", forget);
  channels.subscribe("undici:request:headers", answered);
} else {
  forget();
}
