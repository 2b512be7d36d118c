import { setTimeout as wait } from 'node:timers/promises';
import { type HandoffAction, handoffStatus, startHandoff } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { Failure } from '#/failure.ts';
import type { Terminal } from '#/terminal.ts';
import type { Destination } from './journal.ts';
import { withRetries } from './retries.ts';

/** Milliseconds between two polls for the user's choice. */
const pause = 1000;

interface Wish {
  readonly action: HandoffAction;
  readonly name: string;
  /** Whether to open the browser. */
  readonly opensBrowser: boolean;
}

/** Waits for the user to choose a folder on the web page; rejects with Failure when they cancel or take longer than an hour. */
export async function chooseFolder(
  client: Client,
  terminal: Terminal,
  { action, name, opensBrowser }: Wish,
  signal: AbortSignal,
): Promise<Destination> {
  const { processToken, url } = await client.ask(startHandoff, { action, name }, signal);
  terminal.tell(`Choose the folder in your browser: ${url}`);
  if (opensBrowser) terminal.openBrowser(url);
  while (true) {
    const { state, destinationPath, linkUri } = await withRetries(() => client.ask(handoffStatus, { processToken }, signal), signal);
    if (state === 'canceled') throw new Failure('The action has been canceled.');
    if (state === 'completed' && destinationPath !== undefined && linkUri !== undefined) return { destinationPath, linkUri };
    await wait(pause, undefined, { signal });
  }
}
