
// pi waits inside the library it asks its service with, and says nothing until that gives up.
const originOf = (address) => {
  try {
    return new URL(address).origin;
  } catch {}
};

export default function (pi) {
  let service;
  pi.on("turn_start", (_event, context) => {
    service = originOf(context?.model?.baseUrl);
  });
  const isOfModel = (request) => {
    const [address] = request;
    return isPost(request) && service !== undefined && originOf(address?.url ?? address) === service;
  };
  watch(isOfModel, (refusal, whole) => void whole.then(() => tell(refusal)));
}
