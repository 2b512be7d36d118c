import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from './rounds.ts';

/** Milliseconds between two questions of who asks for nothing else than whether the server answers. */
const pause = 2;

/** Asks, from now on until it is told to end, whether the server answers; gives how long each answer took, in ms. */
export function standBy(url: string) {
  const agent = new Agent({ keepAlive: true });
  const waits: number[] = [];
  let isOver = false;
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(`${url}/healthz`, { agent }, (answer) => void answer.resume().once('end', resolve).once('error', reject))
        .once('error', reject)
        .end();
    });
  const asking = (async () => {
    while (!isOver) {
      waits.push(1000 * (await timed(ask)));
      await sleep(pause);
    }
    agent.destroy();
  })();
  return {
    async end(): Promise<readonly number[]> {
      isOver = true;
      await asking;
      return waits;
    },
  };
}
