import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { orderPlaces } from '@sheaf/contract';
import { timed } from './rounds.ts';
import type { User } from './sheaf.ts';

/** Milliseconds between two questions of who asks for nothing else than whether the server answers. */
const pause = 2;
/** Milliseconds between two small changes of somebody. */
const writePause = 20;

/** Asks, from now on until it is told to end, whether the server answers; gives how long each answer took, in ms. */
export function standBy(url: string) {
  const agent = new Agent({ keepAlive: true });
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(`${url}/healthz`, { agent }, (answer) => void answer.resume().once('end', resolve).once('error', reject))
        .once('error', reject)
        .end();
    });
  return repeat(ask, pause, () => agent.destroy());
}

/** Orders the user's links, which is one row of the database, again and again; gives how long each answer took, in ms. */
export function standByWriting(user: User) {
  let round = 0;
  return repeat(() => user.ask(orderPlaces, { links: [`Link${round++}`] }), writePause);
}

function repeat(ask: () => Promise<unknown>, between: number, atEnd?: () => void) {
  const waits: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      waits.push(1000 * (await timed(ask)));
      await sleep(between);
    }
    atEnd?.();
  })();
  return {
    async end(): Promise<readonly number[]> {
      isOver = true;
      await asking;
      return waits;
    },
  };
}
