/** Bytes that one packet of a channel carries: RFC 4253, section 6.1. Requests of this size are not worth waiting for others. */
const worthSending = 32 * 1024;

/**
 * Sends requests that are made at about the same time in one packet, which is encrypted, sent and decrypted once. Requests keep their order;
 * none waits longer than for the events that have already arrived.
 */
export function createOutbox(write: (bytes: Buffer) => void): { post(request: Buffer): void; flush(): void } {
  let waiting: Buffer[] = [];
  let bytes = 0;

  function flush(): void {
    const [first, ...others] = waiting;
    waiting = [];
    bytes = 0;
    if (first) write(others.length > 0 ? Buffer.concat([first, ...others]) : first);
  }

  return {
    flush,
    post(request) {
      if (request.length >= worthSending) {
        flush();
        write(request);
        return;
      }
      waiting.push(request);
      bytes += request.length;
      if (bytes >= worthSending) flush();
      else if (waiting.length === 1) setImmediate(flush);
    },
  };
}
