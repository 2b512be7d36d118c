/** Longest answer of a provider, in bytes: its metadata, its keys, its tokens, or its claims about a person. */
const longestAnswer = 1024 * 1024;

/**
 * `fetch` for the libraries of OpenID Connect, which read each answer as a whole: fails when one is longer than a mebibyte. They themselves limit its
 * time, and follow no redirects.
 */
export async function fetchFromProvider(url: string, request: RequestInit): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- its answer is bounded here
  const response = await fetch(url, request);
  if (!response.body) return response;
  let length = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > longestAnswer) controller.error(new Error(`the provider's answer is longer than ${longestAnswer} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
