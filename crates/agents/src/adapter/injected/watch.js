
// The service's words for the kind of error, where they are codes and no sentences.
const isCode = (word) => typeof word === "string" && /^[A-Za-z_.-]{1,60}$/.test(word);
const codesOf = (error) => [error?.code, error?.type, error?.status].filter(isCode);

const isPost = ([address, options]) => (options?.method ?? address?.method ?? "").toUpperCase() === "POST";

// Looks at every answer to a request of this sort. `whole` is done once the body of one that refuses has been read.
const watch = (isOfModel, refused, answered) => {
  const fetched = globalThis.fetch;
  const note = (response) => {
    const refusal = { status: response.status, wait_ms: waitOf(response.headers) };
    const learn = (body) => {
      const error = body?.error ?? body;
      refusal.codes = codesOf(error);
      refusal.wait_ms ??= waitOf(response.headers, error);
    };
    const whole = response.clone().json().then(learn).catch(() => {});
    refused(refusal, whole);
  };
  const watched = async (...request) => {
    const response = await fetched(...request);
    try {
      if (!isOfModel(request)) return response;
      if (response.status === 429 || response.status >= 500) note(response);
      else if (response.ok) answered?.(response, request);
    } catch {}
    return response;
  };
  globalThis.fetch = Object.assign(watched, fetched);
};
