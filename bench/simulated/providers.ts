import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What the process with the simulators can be asked. */
export type Question = { readonly id: number } & (
  | { readonly ask: 'settings' }
  | { readonly ask: 'allow'; readonly stem: string; readonly url: string; readonly email: string }
  | { readonly ask: 'form'; readonly stem: string }
  | { readonly ask: 'account'; readonly stem: string; readonly email: string }
  | { readonly ask: 'conversation'; readonly name: string; readonly files: number; readonly user: string }
  | { readonly ask: 'slow'; readonly ms: number }
);
export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}
type Unnumbered<Q> = Q extends { readonly id: number } ? Omit<Q, 'id'> : never;

/** Providers in a process of their own. */
export interface SimulatedProviders {
  readonly pid: number;
  ask(question: Unnumbered<Question>): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts them; `redirectUri` is where they send a browser back to. */
export async function startSimulated(redirectUri: string): Promise<SimulatedProviders> {
  const child = fork(join(import.meta.dirname, 'process.ts'), [redirectUri]);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>([[0, Promise.withResolvers()]]);
  child.on('message', ({ id, value, error }: Answer) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Error(error));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the simulators ended with ${code}`));
  });
  await waiting.get(0)?.promise;
  let asked = 0;
  return {
    pid: child.pid ?? 0,
    ask(question) {
      const id = (asked += 1);
      const one = Promise.withResolvers<unknown>();
      waiting.set(id, one);
      child.send({ ...question, id });
      return one.promise;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
