
// opencode says itself that it tries again, when, and how often it did. Only the status is missing there.
let met;
watch(isPost, (refusal, whole) => {
  met = { refusal, whole };
});

export const Loopwright = async () => ({
  event: async ({ event }) => {
    if (event?.type !== "session.status") return;
    const status = event.properties?.status;
    const known = met;
    met = undefined;
    if (status?.type !== "retry") return;
    await Promise.race([known?.whole, new Promise((done) => setTimeout(done, 500))]);
    const wait_ms = Math.max(0, status.next - Date.now());
    tell({ ...known?.refusal, attempt: status.attempt, wait_ms });
  },
});
