import { createServer } from 'node:net';
import type { TestContext } from 'node:test';

/** Starts a server that sends one of these lines per received line, the first at once, and then stays silent. Returns its port. */
export async function startScript(t: TestContext, lines: readonly string[]): Promise<number> {
  const script = createServer((socket) => {
    const rest = [...lines];
    const say = () => rest.length > 0 && socket.write(`${rest.shift()}\r\n`);
    say();
    socket.on('data', say);
    socket.on('error', () => undefined);
    t.after(() => socket.destroy());
  });
  await new Promise<void>((resolve) => script.listen(0, '127.0.0.1', resolve));
  t.after(() => script.close());
  const address = script.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
