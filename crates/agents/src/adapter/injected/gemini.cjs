
// Gemini CLI tries again in silence, says what it used only at its end, and not which model answered.
const isProgram = /[\\/]@google[\\/]gemini-cli[\\/]/.test(running);

const addressOf = ([address]) => String(address?.url ?? address);
const callOf = (request) => /models\/([^/:?]+):(stream)?generateContent/i.exec(addressOf(request));
const isOfModel = (request) => isPost(request) && callOf(request) !== null;

// A longer line is none that tells what was used.
const LONGEST = 4 * 1024 * 1024;

// The lines of a body as they come, without their ends.
async function* linesOf(body) {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const bytes of body) {
    const lines = (begun + decoder.decode(bytes, { stream: true })).split("\n");
    begun = lines.pop();
    if (begun.length > LONGEST) begun = "";
    yield* lines;
  }
  yield begun;
}

// What a part of an answer says was used so far.
const usedIn = (text) => {
  try {
    const part = JSON.parse(text);
    return (part.response ?? part).usageMetadata;
  } catch {}
};

// What a stream says was used: the last word of it holds.
const usedByStream = async (body) => {
  let used;
  for await (const line of linesOf(body)) {
    if (line.startsWith("data:") && line.includes('"usageMetadata"')) used = usedIn(line.slice(5)) ?? used;
  }
  return used;
};

const account = async (response, request) => {
  const [, model, streams] = callOf(request);
  const used = streams ? await usedByStream(response.body) : usedIn(await response.text());
  if (!used) return;
  const cached = used.cachedContentTokenCount ?? 0;
  say("answered", {
    // Only what streams is the agent's own; the rest is about it.
    model: streams ? model : undefined,
    input: (used.promptTokenCount ?? 0) + (used.toolUsePromptTokenCount ?? 0) - cached,
    cached,
    output: (used.candidatesTokenCount ?? 0) + (used.thoughtsTokenCount ?? 0),
  });
};

handOver(isProgram);
if (isProgram) {
  watch(
    isOfModel,
    (refusal, whole) => void whole.then(() => tell(refusal)),
    (response, request) => void account(response.clone(), request).catch(() => {}),
  );
}
